import * as t from '#text/login.ts';
import { atom, useAtomValue } from 'jotai';
import { loginCode, openLoginAtom } from '../../state/people/loginCode.ts';
import { pathAtom } from '../../state/first/seams.ts';
import { isLoggedInAtom } from '../../state/base/session.ts';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { EmptyPicture } from '../../ui/pictures/EmptyPicture.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { href } from '../../ui/href.ts';
import { LoginCodeForm } from './LoginCodeForm.tsx';
import css from './OtpScreen.module.css';

export const enter = atom(null, (_get, set, { query }: { query: URLSearchParams }) => set(openLoginAtom, query, true));

/** Asks for the code of the SMS. Opened before a code was sent, it leads to the number. */
export default function OtpScreen() {
  const sent = useAtomValue(loginCode.sentAtom);
  const place = useAtomValue(pathAtom);
  const isLoggedIn = useAtomValue(isLoggedInAtom);
  const toNumber = href(place.replace('/login-otp', '/login'));
  return (
    <>
      <AppBar title={t.codeTitle} back={{ label: t.codeBack, href: toNumber }} />
      {sent ? (
        <div className={css.page}>
          <LoginCodeForm />
        </div>
      ) : (
        <EmptyState
          picture={<EmptyPicture />}
          title={isLoggedIn ? t.doneTitle : t.noCodeTitle}
          action={
            isLoggedIn ? (
              <Button href={href('/menu')}>{t.seeMenu}</Button>
            ) : (
              <Button href={toNumber}>{t.noCodeNumber}</Button>
            )
          }
        >
          {isLoggedIn ? t.doneText : t.noCodeText}
        </EmptyState>
      )}
    </>
  );
}
