import * as login from '#text/login.ts';
import * as t from '#text/password.ts';
import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import type { FormEvent } from 'react';
import { isOtpLimitAtom, loginCode, mobileAtom } from '../../state/people/loginCode.ts';
import {
  choosePasswordAtom,
  forgotPasswordAtom,
  passwordAtom,
  passwordLoginAtom,
} from '../../state/people/password.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { PasswordField } from '../password/PasswordField.tsx';
import { PhoneField } from '../base/PhoneField.tsx';
import { showWrong } from '../base/showWrong.ts';
import css from './LoginScreen.module.css';

/** Number and password, where the country has passwords; the code stays a tap away. */
export function PasswordForm() {
  const [mobile, setMobile] = useAtom(mobileAtom);
  const [password, setPassword] = useAtom(passwordAtom);
  const problems = useAtomValue(loginCode.problemsAtom);
  const busy = useAtomValue(loginCode.busyAtom);
  const isLimit = useAtomValue(isOtpLimitAtom);
  const enter = useSetAtom(passwordLoginAtom);
  const forgot = useSetAtom(forgotPasswordAtom);
  const choose = useSetAtom(choosePasswordAtom);
  const clear = useSetAtom(loginCode.clear);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!(await enter())) showWrong();
  };
  const askForCode = async () => {
    if (!(await forgot())) showWrong();
  };
  return (
    <form className={css.form} noValidate onSubmit={(event) => void submit(event)}>
      <PhoneField
        id="login-mobile"
        label={login.mobile}
        name="username"
        autoComplete="username"
        enterKeyHint="next"
        value={mobile}
        error={problems.to}
        onChange={(event) => {
          setMobile(event.target.value);
          clear();
        }}
      />
      <PasswordField
        id="login-password"
        label={t.password}
        autoComplete="current-password"
        value={password}
        error={problems.password}
        onChange={(value) => {
          setPassword(value);
          clear();
        }}
      />
      {isLimit && <p className={css.note}>{login.limitReached}</p>}
      <Button type="submit" full busy={busy === 'check'}>
        {login.title}
      </Button>
      <div className={css.ways}>
        <Button kind="quiet" busy={busy === 'send'} onClick={() => void askForCode()}>
          {t.forgot}
        </Button>
        <Button kind="quiet" onClick={() => choose(false)}>
          {t.wayCode}
        </Button>
      </div>
    </form>
  );
}
