import { atom, useAtomValue } from 'jotai';
import { listenForCodeAtom, openLoginAtom, otpSentAtom } from '../../state/login.ts';
import { placeAtom } from '../../state/seams.ts';
import { isLoggedInAtom } from '../../state/session.ts';
import { AppBar } from '../../ui/AppBar.tsx';
import { Button } from '../../ui/Button.tsx';
import { EmptyPicture } from '../../ui/EmptyPicture.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { href } from '../../ui/href.ts';
import { OtpForm } from './OtpForm.tsx';
import css from './OtpScreen.module.css';

export const enter = atom(null, async (_get, set, { query }: { query: URLSearchParams }) => {
  set(openLoginAtom, query, true);
  await set(listenForCodeAtom);
});

/** The code of the message. Opened without one, it leads to the number. */
export default function OtpScreen() {
  const sent = useAtomValue(otpSentAtom);
  const place = useAtomValue(placeAtom);
  const isLoggedIn = useAtomValue(isLoggedInAtom);
  const toNumber = href(place.replace('/login-otp', '/login'));
  return (
    <>
      <AppBar title="Enter the code" back={{ label: 'Back to the number', href: toNumber }} />
      {sent ? <div className={css.page}><OtpForm /></div> : (
        <EmptyState
          picture={<EmptyPicture />} title={isLoggedIn ? 'You are logged in' : 'No code is on its way'}
          action={isLoggedIn ? <Button href={href('/menu')}>See the menu</Button> : <Button href={toNumber}>Enter your number</Button>}
        >
          {isLoggedIn ? 'There is nothing left to do here.' : 'Tell us your number first, and we send you one.'}
        </EmptyState>
      )}
    </>
  );
}
