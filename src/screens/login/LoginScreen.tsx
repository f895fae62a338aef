import * as alive from '#text/alive.ts';
import * as t from '#text/login.ts';
import * as password from '#text/password.ts';
import { atom, useAtom, useAtomValue, useSetAtom } from 'jotai';
import type { FormEvent } from 'react';
import { isOpenAtom } from '../../state/first/config.ts';
import { menuAtom } from '../../state/first/menu.ts';
import { isDeviceAgreedAtom, isDeviceAskedAtom } from '../../state/consent/deviceId.ts';
import { agreeDeviceAtom } from '../../state/consent/deviceCheck.ts';
import {
  isFromCart,
  isOtpShownAtom,
  leaveLoginAtom,
  loginFlowAtom,
  logoutAtom,
  logoutOthersAtom,
} from '../../state/people/login.ts';
import {
  isOtpLimitAtom,
  loginCode,
  lookAtNumberAtom,
  mobileAtom,
  openLoginAtom,
  socialWantedAtom,
} from '../../state/people/loginCode.ts';
import { countryAtom } from '../../state/base/country.ts';
import { choosePasswordAtom, isPasswordOpenAtom, isPasswordWayAtom } from '../../state/people/password.ts';
import { enterSocialAtom } from '../../state/people/social.ts';
import { isLoggedInAtom, userAtom } from '../../state/base/session.ts';
import { hostAtom, pathAtom } from '../../state/first/seams.ts';
import {
  isOutsideHostAtom,
  isOwnLoginAllowedAtom,
  isVendorHost,
  isVendorLoginRunningAtom,
  isVendorLoginSilentAtom,
  logInHereAtom,
} from '../../state/people/vendorLogin.ts';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { CheckBox } from '../../ui/forms/CheckBox.tsx';
import { href } from '../../ui/href.ts';
import { CheckIcon } from '../../ui/pictures/icons.ts';
import { ItemPicture } from '../../ui/pictures/ItemPicture.tsx';
import { rich } from '../../ui/rich.ts';
import { LoggedInAs } from '../base/LoggedInAs.tsx';
import { PhoneField } from '../base/PhoneField.tsx';
import { showWrong } from '../base/showWrong.ts';
import { LoginCodeForm } from './LoginCodeForm.tsx';
import { PasswordForm } from './PasswordForm.tsx';
import { SocialLogins, SocialNote } from './SocialLogins.tsx';
import css from './LoginScreen.module.css';

export const enter = atom(null, async (_get, set, { query }: { query: URLSearchParams }) => {
  set(openLoginAtom, query, false);
  await set(enterSocialAtom, query);
});

/** Why one logs in; where there are passwords, not that there is none. */
const reasons = (hasPasswords: boolean) => [t.reasonCart, t.reasonAgain, ...(hasPasswords ? [] : [t.reasonPassword])];

/** Inside a host the host's own login is used. Our form is shown below it only where the host allows that. */
function HostLogin() {
  const login = useSetAtom(logInHereAtom);
  const isRunning = useAtomValue(isVendorLoginRunningAtom);
  const isSilent = useAtomValue(isVendorLoginSilentAtom);
  const isOutside = useAtomValue(isOutsideHostAtom);
  if (isOutside) {
    return (
      <div className={css.host}>
        <p>{rich(t.outside, { b: <b /> })}</p>
        <Button kind="secondary" href={href('/menu')}>
          {t.seeMenu}
        </Button>
      </div>
    );
  }
  return (
    <div className={css.host}>
      <p role="status">{isSilent ? t.hostSilent : t.hostHow}</p>
      <Button full busy={isRunning && !isSilent} onClick={() => void login()}>
        {isSilent ? t.hostAskAgain : t.hostLogin}
      </Button>
    </div>
  );
}

function NumberForm() {
  const [mobile, setMobile] = useAtom(mobileAtom);
  const problem = useAtomValue(loginCode.problemsAtom).to;
  const clear = useSetAtom(loginCode.clear);
  const look = useSetAtom(lookAtNumberAtom);
  const isLimit = useAtomValue(isOtpLimitAtom);
  const isSending = useAtomValue(loginCode.busyAtom) === 'send';
  const send = useSetAtom(loginCode.send);
  const isLoggedIn = useAtomValue(isLoggedInAtom);
  const hasPasswords = useAtomValue(isPasswordOpenAtom);
  const isElsewhere = useAtomValue(socialWantedAtom) !== null;
  const choosePassword = useSetAtom(choosePasswordAtom);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!(await send())) showWrong();
  };
  return (
    <form className={css.form} noValidate onSubmit={(event) => void submit(event)}>
      <PhoneField
        id="login-mobile"
        label={t.mobile}
        enterKeyHint="go"
        value={mobile}
        error={problem}
        hint={t.mobileHint}
        warns
        onChange={(event) => {
          setMobile(event.target.value);
          clear();
        }}
        onBlur={() => look()}
      />
      {isLimit && <p className={css.note}>{t.limitReached}</p>}
      <DeviceConsent />
      <Button type="submit" full busy={isSending}>
        {t.sendCode}
      </Button>
      {hasPasswords && !isLoggedIn && !isElsewhere && (
        <Button full kind="quiet" onClick={() => choosePassword(true)}>
          {password.way}
        </Button>
      )}
    </form>
  );
}

/** Consent to recognising the device: never ticked beforehand, and unticking takes it back. */
function DeviceConsent() {
  const isAsked = useAtomValue(isDeviceAskedAtom);
  const isAgreed = useAtomValue(isDeviceAgreedAtom);
  const agree = useSetAtom(agreeDeviceAtom);
  if (!isAsked) return null;
  return <CheckBox label={t.device} checked={isAgreed} onChange={(isOn) => void agree(isOn)} detail={t.deviceDetail} />;
}

/** Our own login; the code is asked for on the next page, or here for a page that must not be left. */
function CodeLogin() {
  const isOtpShown = useAtomValue(isOtpShownAtom);
  const { noRedirect } = useAtomValue(loginFlowAtom);
  const isPasswordWay = useAtomValue(isPasswordWayAtom);
  const isElsewhere = useAtomValue(socialWantedAtom) !== null;
  if (isPasswordWay && !isElsewhere) return <PasswordForm />;
  return isOtpShown && noRedirect ? <LoginCodeForm /> : <NumberForm />;
}

function LoggedIn() {
  const user = useAtomValue(userAtom);
  const isOpen = useAtomValue(isOpenAtom);
  const leave = useSetAtom(leaveLoginAtom);
  const logout = useSetAtom(logoutAtom);
  const logoutOthers = useSetAtom(logoutOthersAtom);
  // A step that only closes leaves one where one is, whichever way it ends.
  const query = new URLSearchParams(useAtomValue(pathAtom).split('?')[1]);
  const doNotNavigate = query.get('noRedirect') === 'true';
  const isNumberMissing = useAtomValue(isOwnLoginAllowedAtom) && user !== null && !user.mobile;
  return (
    <div className={css.form}>
      <p className={css.who}>
        <CheckIcon /> <LoggedInAs />
      </p>
      {isNumberMissing && <p>{t.numberMissing}</p>}
      {isNumberMissing && <CodeLogin />}
      {!doNotNavigate && (
        <Button full kind={isNumberMissing ? 'secondary' : 'primary'} onClick={() => leave()}>
          {t.next}
        </Button>
      )}
      {isOpen('logout') && (
        <Button full kind="quiet" onClick={() => void logout({ doNotNavigate })}>
          {t.logout}
        </Button>
      )}
      {isOpen('logout') && (
        <Button full kind="quiet" onClick={() => void logoutOthers()}>
          {t.logoutOthers}
        </Button>
      )}
    </div>
  );
}

/** Login by mobile number; the code is asked for on the next page. */
export default function LoginScreen() {
  const country = useAtomValue(countryAtom);
  const isLoggedIn = useAtomValue(isLoggedInAtom);
  const hasHostLogin = isVendorHost(useAtomValue(hostAtom));
  const isOutside = useAtomValue(isOutsideHostAtom);
  const isOwnAllowed = useAtomValue(isOwnLoginAllowedAtom);
  const hasPasswords = useAtomValue(isPasswordOpenAtom);
  const flow = useAtomValue(loginFlowAtom);
  const pizza = useAtomValue(menuAtom).items.find(
    ({ kind, defaultToppings }) => kind === 'PIZZA' && defaultToppings.length > 3,
  );
  const backTo = isFromCart(flow.from) ? '/cart' : '/';
  return (
    <>
      <AppBar title={isLoggedIn ? alive.account : t.title} back={{ label: t.back, href: href(backTo) }} />
      <div className={css.page}>
        <section className={css.hero} aria-label={country.appName}>
          {pizza && (
            <div className={css.pizza}>
              <ItemPicture item={pizza} />
            </div>
          )}
          <div>
            <h2>{isLoggedIn ? t.heroTitleKnown : t.heroTitle}</h2>
            <ul>
              {reasons(hasPasswords).map((reason) => (
                <li key={reason}>
                  <CheckIcon size={18} />
                  {reason}
                </li>
              ))}
            </ul>
          </div>
        </section>
        <section className={css.card} aria-label={t.form}>
          {isLoggedIn ? (
            <LoggedIn />
          ) : (
            <>
              {hasHostLogin && <HostLogin />}
              {hasHostLogin && isOwnAllowed && !isOutside && (
                <p className={css.or}>
                  <span>{t.orCode}</span>
                </p>
              )}
              {isOwnAllowed && !isOutside && (
                <>
                  <SocialNote />
                  <CodeLogin />
                  <SocialLogins />
                </>
              )}
              <p className={css.guest}>{rich(t.guest, { a: <a href={href(backTo === '/' ? '/menu' : backTo)} /> })}</p>
            </>
          )}
        </section>
      </div>
    </>
  );
}
