import * as t from '#text/password.ts';
import { atom, useAtom, useAtomValue, useSetAtom } from 'jotai';
import type { FormEvent } from 'react';
import { PASSWORD_FROM } from '../../domain/password.ts';
import { pathAtom } from '../../state/first/seams.ts';
import {
  changeDraftAtom,
  changePasswordAtom,
  isPasswordOpenAtom,
  loadStandingAtom,
  passwordCode,
  passwordStandingAtom,
  standingErrorAtom,
} from '../../state/people/password.ts';
import { isLoggedInAtom, userAtom } from '../../state/base/session.ts';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { EmptyPicture } from '../../ui/pictures/EmptyPicture.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { href } from '../../ui/href.ts';
import { Column, Page } from '../../ui/page/Page.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { useCustomerChange } from '../base/customerChange.ts';
import { CodeField, SendAgain } from '../base/OneTimeCode.tsx';
import { showWrong } from '../base/showWrong.ts';
import { PasswordField } from './PasswordField.tsx';
import css from './PasswordScreen.module.css';

export const enter = atom(null, (_get, set) => set(loadStandingAtom));

const ACCOUNT = '/postorder-ui/profile';

/** The password until now, or a code: who has proven the number a moment ago needs neither. */
function Proof() {
  const isSet = useAtomValue(passwordStandingAtom)?.isSet === true;
  const isSent = useAtomValue(passwordCode.sentAtom) !== null;
  const isSending = useAtomValue(passwordCode.busyAtom) === 'send';
  const problem = useAtomValue(passwordCode.problemsAtom).current;
  const { current, type } = useDraft();
  const send = useSetAtom(passwordCode.send);
  if (isSent)
    return (
      <>
        <CodeField of={passwordCode} id="password-code" label={t.code} enterKeyHint="next" autoFocus />
        <SendAgain of={passwordCode} />
      </>
    );
  return (
    <>
      {isSet ? (
        <PasswordField
          id="password-current"
          label={t.current}
          autoComplete="current-password"
          value={current}
          error={problem}
          onChange={type('current')}
        />
      ) : (
        <p>{problem ?? t.codeWhy}</p>
      )}
      <Button full kind={isSet ? 'quiet' : 'primary'} busy={isSending} onClick={() => void send()}>
        {isSet ? t.codeInstead : t.codeProof}
      </Button>
    </>
  );
}

function useDraft() {
  const [draft, setDraft] = useAtom(changeDraftAtom);
  const clear = useSetAtom(passwordCode.clear);
  const type = (field: keyof typeof draft) => (text: string) => {
    setDraft({ ...draft, [field]: text });
    clear();
  };
  return { ...draft, type };
}

function Form() {
  const user = useAtomValue(userAtom);
  const standing = useAtomValue(passwordStandingAtom)!;
  const isSent = useAtomValue(passwordCode.sentAtom) !== null;
  const problem = useAtomValue(passwordCode.problemsAtom).password;
  const isSaving = useAtomValue(passwordCode.busyAtom) === 'check';
  const { password, type } = useDraft();
  const change = useSetAtom(changePasswordAtom);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!(await change())) showWrong();
  };
  const isReady = !standing.needsProof || standing.isSet || isSent;
  return (
    <form className={css.form} noValidate onSubmit={(event) => void submit(event)}>
      <p>{standing.isSet ? t.introChange : t.intro}</p>
      {/* A password manager files the password under it. */}
      <input className={css.username} type="text" autoComplete="username" value={user?.mobile ?? ''} readOnly hidden />
      {standing.needsProof && <Proof />}
      {isReady && (
        <>
          <PasswordField
            id="password-new"
            label={t.next}
            autoComplete="new-password"
            hint={t.hint({ count: PASSWORD_FROM })}
            value={password}
            error={problem}
            onChange={type('password')}
          />
          <Button type="submit" full busy={isSaving}>
            {t.save}
          </Button>
        </>
      )}
    </form>
  );
}

function Body() {
  const isLoggedIn = useAtomValue(isLoggedInAtom);
  const isOpen = useAtomValue(isPasswordOpenAtom);
  const standing = useAtomValue(passwordStandingAtom);
  const error = useAtomValue(standingErrorAtom);
  const load = useSetAtom(loadStandingAtom);
  const back = encodeURIComponent(useAtomValue(pathAtom));
  if (!isOpen)
    return (
      <EmptyState picture={<EmptyPicture />} title={t.offTitle} action={<Button href={href(ACCOUNT)}>{t.back}</Button>}>
        {t.offText}
      </EmptyState>
    );
  if (!isLoggedIn)
    return (
      <EmptyState
        picture={<EmptyPicture />}
        title={t.guestTitle}
        action={<Button href={href(`/login?redirectUrl=${back}`)}>{t.guestLogin}</Button>}
      >
        {t.guestText}
      </EmptyState>
    );
  if (error !== '')
    return (
      <EmptyState
        picture={<EmptyPicture />}
        title={t.unknown}
        action={<Button onClick={() => void load()}>{t.retry}</Button>}
      >
        {error}
      </EmptyState>
    );
  return (
    <Page>
      <Column>
        <Card>{standing === null ? <Skeleton height="12rem" /> : <Form />}</Card>
      </Column>
    </Page>
  );
}

/** Sets a password or changes it, where the country has passwords. */
export default function PasswordScreen() {
  useCustomerChange(enter);
  return (
    <>
      <AppBar title={t.title} back={{ label: t.back, href: href(ACCOUNT) }} />
      <Body />
    </>
  );
}
