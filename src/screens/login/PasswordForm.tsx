import * as login from '#text/login.ts';
import * as t from '#text/password.ts';
import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import type { FormEvent } from 'react';
import { isLoginAwaitedAtom, isOtpLimitAtom, loginErrorAtom, mobileAtom } from '../../state/login.ts';
import { choosePasswordAtom, forgotPasswordAtom, passwordAtom, passwordLoginAtom } from '../../state/password.ts';
import { Button } from '../../ui/Button.tsx';
import { PasswordField } from '../password/PasswordField.tsx';
import { PhoneField } from '../PhoneField.tsx';
import css from './LoginScreen.module.css';

/** Number and password, where the country has passwords; the code stays a tap away. */
export function PasswordForm() {
  const [mobile, setMobile] = useAtom(mobileAtom);
  const [password, setPassword] = useAtom(passwordAtom);
  const [error, setError] = useAtom(loginErrorAtom);
  const awaited = useAtomValue(isLoginAwaitedAtom);
  const isLimit = useAtomValue(isOtpLimitAtom);
  const enter = useSetAtom(passwordLoginAtom);
  const forgot = useSetAtom(forgotPasswordAtom);
  const choose = useSetAtom(choosePasswordAtom);
  const forget = () => {
    if (error) setError(null);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const done = await enter();
    if (done !== true) document.getElementById(`login-${done}`)?.focus();
  };
  const askForCode = async () => {
    if (!(await forgot())) document.getElementById('login-mobile')?.focus();
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
        error={error?.field === 'mobile' ? error.message : undefined}
        onChange={(event) => {
          setMobile(event.target.value);
          forget();
        }}
      />
      <PasswordField
        id="login-password"
        label={t.password}
        autoComplete="current-password"
        value={password}
        error={error?.field === 'password' ? error.message : undefined}
        onChange={(value) => {
          setPassword(value);
          forget();
        }}
      />
      {isLimit && <p className={css.note}>{login.limitReached}</p>}
      <Button type="submit" full busy={awaited === 'check'}>
        {login.title}
      </Button>
      <div className={css.ways}>
        <Button kind="quiet" busy={awaited === 'send'} onClick={() => void askForCode()}>
          {t.forgot}
        </Button>
        <Button kind="quiet" onClick={() => choose(false)}>
          {t.wayCode}
        </Button>
      </div>
    </form>
  );
}
