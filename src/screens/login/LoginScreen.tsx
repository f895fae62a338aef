import { atom, useAtom, useAtomValue, useSetAtom } from 'jotai';
import type { FormEvent } from 'react';
import { MOBILE_UNUSUAL, mobileInvalid } from '../../domain/messages.ts';
import { isUnusualPhone, maskedPhone, phoneNumber } from '../../domain/phone.ts';
import { isOpenAtom } from '../../state/config.ts';
import { agreeDeviceAtom, isDeviceAgreedAtom, isDeviceAskedAtom } from '../../state/device.ts';
import {
  isLoginAwaitedAtom, isOtpLimitAtom, isOtpShownAtom, leaveLoginAtom, loginErrorAtom, loginFlowAtom, logoutAtom, logoutOthersAtom, mobileAtom, openLoginAtom, sendOtpAtom,
} from '../../state/login.ts';
import { countryAtom } from '../../state/seams.ts';
import { isLoggedInAtom, userAtom } from '../../state/session.ts';
import { isOutsideHostAtom, isOwnLoginAllowedAtom, isVendorHostAtom, isVendorLoginRunningAtom, vendorLoginAtom } from '../../state/vendorlogin.ts';
import { AppBar } from '../../ui/AppBar.tsx';
import { Button } from '../../ui/Button.tsx';
import { CheckBox } from '../../ui/CheckBox.tsx';
import { Field } from '../../ui/Field.tsx';
import { href } from '../../ui/href.ts';
import { CheckIcon } from '../../ui/icons/CheckIcon.tsx';
import { PizzaThumb } from '../../ui/PizzaThumb.tsx';
import { OtpForm } from './OtpForm.tsx';
import css from './LoginScreen.module.css';

export const enter = atom(null, (_get, set, { query }: { query: URLSearchParams }) => set(openLoginAtom, query, false));

const REASONS = ['Your cart and your addresses come along', 'Order again in one tap', 'No password to remember'];

/** Inside a host its own login is used; our form stands below it only where the host allows one. */
function HostLogin() {
  const login = useSetAtom(vendorLoginAtom);
  const leave = useSetAtom(leaveLoginAtom);
  const isRunning = useAtomValue(isVendorLoginRunningAtom);
  const isOutside = useAtomValue(isOutsideHostAtom);
  if (isOutside) {
    return (
      <div className={css.host}>
        <p><b>This page is made for the payment app it belongs to.</b> Open it there to log in and to pay. You can look around here as long as you like.</p>
        <Button kind="secondary" href={href('/menu')}>See the menu</Button>
      </div>
    );
  }
  return (
    <div className={css.host}>
      <p>The app you are in knows you already. It asks you first, and shares only your name and number.</p>
      <Button full busy={isRunning} onClick={() => void login().then((isIn) => { if (isIn) leave(); })}>Continue with your account</Button>
    </div>
  );
}

function NumberForm() {
  const country = useAtomValue(countryAtom);
  const [mobile, setMobile] = useAtom(mobileAtom);
  const [error, setError] = useAtom(loginErrorAtom);
  const isLimit = useAtomValue(isOtpLimitAtom);
  const isSending = useAtomValue(isLoginAwaitedAtom) === 'send';
  const send = useSetAtom(sendOtpAtom);
  const number = phoneNumber(mobile, country);
  const message = error?.field === 'mobile' ? error.message : undefined;
  const check = () => {
    if (mobile.trim() !== '' && number === null) setError({ field: 'mobile', message: mobileInvalid(country.PHONE_DIGIT) });
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!await send()) document.getElementById('login-mobile')?.focus();
  };
  return (
    <form className={css.form} noValidate onSubmit={(event) => void submit(event)}>
      <Field
        id="login-mobile" label="Mobile number" name="tel" type="tel" inputMode="tel" autoComplete="tel-national" enterKeyHint="go" maxLength={24}
        prefix={country.dialPrefix} value={mobile} error={message}
        hint={number !== null && isUnusualPhone(number, country) ? MOBILE_UNUSUAL : 'We send a code by SMS. The rider calls this number, nobody else gets it.'}
        onChange={(event) => { setMobile(event.target.value); if (error) setError(null); }} onBlur={check}
      />
      {isLimit && <p className={css.note}>You can go on as a guest: an order needs no login.</p>}
      <DeviceConsent />
      <Button type="submit" full busy={isSending}>Send me a code</Button>
    </form>
  );
}

/** Not ticked unless the customer does it; ticking off takes it back. */
function DeviceConsent() {
  const isAsked = useAtomValue(isDeviceAskedAtom);
  const isAgreed = useAtomValue(isDeviceAgreedAtom);
  const agree = useSetAtom(agreeDeviceAtom);
  if (!isAsked) return null;
  return (
    <CheckBox
      label="Recognise this device" checked={isAgreed} onChange={(isOn) => void agree(isOn)}
      detail="Helps against misuse of your number. We note what this browser says of itself, for 90 days, and no place or order."
    />
  );
}

function LoggedIn() {
  const user = useAtomValue(userAtom);
  const country = useAtomValue(countryAtom);
  const isOpen = useAtomValue(isOpenAtom);
  const leave = useSetAtom(leaveLoginAtom);
  const logout = useSetAtom(logoutAtom);
  const logoutOthers = useSetAtom(logoutOthersAtom);
  return (
    <div className={css.form}>
      <p className={css.who}><CheckIcon /> <span>You are logged in{user?.firstName ? <> as <b>{user.firstName}</b></> : ''}{user?.mobile ? <>, {country.dialPrefix} {maskedPhone(user.mobile)}</> : ''}.</span></p>
      <Button full onClick={() => leave()}>Go on</Button>
      {isOpen('logout') && <Button full kind="quiet" onClick={() => void logout()}>Log out</Button>}
      {isOpen('logout') && <Button full kind="quiet" onClick={() => void logoutOthers()}>Sign out on other devices</Button>}
    </div>
  );
}

/** A number, a code, and that is all. */
export default function LoginScreen() {
  const country = useAtomValue(countryAtom);
  const isLoggedIn = useAtomValue(isLoggedInAtom);
  const isVendorHost = useAtomValue(isVendorHostAtom);
  const isOutside = useAtomValue(isOutsideHostAtom);
  const isOwnAllowed = useAtomValue(isOwnLoginAllowedAtom);
  const isOtpShown = useAtomValue(isOtpShownAtom);
  const flow = useAtomValue(loginFlowAtom);
  const backTo = flow.from === 'Address' || flow.from === 'cart' ? '/cart' : '/';
  return (
    <>
      <AppBar title={isLoggedIn ? 'Your account' : 'Log in'} back={{ label: 'Back', href: href(backTo) }} />
      <div className={css.page}>
        <section className={css.hero} aria-label={country.appName}>
          <div className={css.pizza}><PizzaThumb seed="welcome" toppings={['mozzarella', 'tomato', 'black-olive', 'capsicum']} /></div>
          <div>
            <h2>{isLoggedIn ? 'Nice to see you' : 'Faster to your pizza'}</h2>
            <ul>{REASONS.map((reason) => <li key={reason}><CheckIcon size={18} />{reason}</li>)}</ul>
          </div>
        </section>
        <section className={css.card} aria-label="Log in">
          {isLoggedIn ? <LoggedIn /> : (
            <>
              {isVendorHost && <HostLogin />}
              {isVendorHost && isOwnAllowed && !isOutside && <p className={css.or}><span>or with a code</span></p>}
              {isOwnAllowed && !(isVendorHost && isOutside) && (isOtpShown && flow.noRedirect ? <OtpForm /> : <NumberForm />)}
              <p className={css.guest}>No wish to log in? <a href={href(backTo === '/' ? '/menu' : backTo)}>Go on as a guest</a></p>
            </>
          )}
        </section>
      </div>
    </>
  );
}
