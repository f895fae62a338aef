import * as t from '#text/login.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { OTP_DIGITS } from '../../domain/otp.ts';
import { writtenPhone } from '../../domain/writtenPhone.ts';
import { changeMobileAtom, loginCode } from '../../state/people/loginCode.ts';
import { countryAtom } from '../../state/base/country.ts';
import { rich } from '../../ui/rich.ts';
import { OneTimeCodeForm } from '../base/OneTimeCode.tsx';
import css from './LoginCodeForm.module.css';

/** Asks for the code of a login, and leads back to the number. */
export function LoginCodeForm() {
  const country = useAtomValue(countryAtom);
  const sent = useAtomValue(loginCode.sentAtom);
  const change = useSetAtom(changeMobileAtom);
  if (!sent) return null;
  return (
    <OneTimeCodeForm of={loginCode} id="login-code" label={t.code} submit={t.codeSubmit} checking={t.codeChecking}>
      <p className={css.to}>
        {rich(t.codeSent, { digits: OTP_DIGITS, mobile: writtenPhone(sent.mobile, country), b: <b translate="no" /> })}{' '}
        <button type="button" onClick={() => change()}>
          {t.codeChangeNumber}
        </button>
      </p>
    </OneTimeCodeForm>
  );
}
