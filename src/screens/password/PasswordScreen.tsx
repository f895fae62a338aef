import * as t from '#text/password.ts';
import { atom, useAtom, useAtomValue, useSetAtom } from 'jotai';
import { useState, type FormEvent } from 'react';
import { PASSWORD_FROM } from '../../domain/password.ts';
import { pathAtom } from '../../state/first/seams.ts';
import {
  changeErrorAtom,
  changePasswordAtom,
  passwordAwaitedAtom,
  isCodeSentAtom,
  isPasswordOpenAtom,
  loadStandingAtom,
  passwordStandingAtom,
  sendPasswordCodeAtom,
  standingErrorAtom,
} from '../../state/password.ts';
import { isLoggedInAtom, userAtom } from '../../state/session.ts';
import { AppBar } from '../../ui/AppBar.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { EmptyPicture } from '../../ui/EmptyPicture.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Field } from '../../ui/Field.tsx';
import { href } from '../../ui/href.ts';
import { Column, Page } from '../../ui/Page.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { PasswordField } from './PasswordField.tsx';
import css from './PasswordScreen.module.css';

export const enter = atom(null, (_get, set) => set(loadStandingAtom));

const ACCOUNT = '/postorder-ui/profile';

/** The password until now, or a code: who has proven the number a moment ago needs neither. */
function Proof({
  current,
  setCurrent,
  code,
  setCode,
}: Readonly<Record<'current' | 'code', string>> & {
  readonly setCurrent: (text: string) => void;
  readonly setCode: (text: string) => void;
}) {
  const isSet = useAtomValue(passwordStandingAtom)?.isSet === true;
  const isCodeSent = useAtomValue(isCodeSentAtom);
  const isSending = useAtomValue(passwordAwaitedAtom) === 'code';
  const error = useAtomValue(changeErrorAtom);
  const send = useSetAtom(sendPasswordCodeAtom);
  if (isCodeSent)
    return (
      <Field
        id="password-code"
        label={t.code}
        name="one-time-code"
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        error={error?.field === 'code' ? error.message : undefined}
        onChange={(event) => setCode(event.target.value)}
      />
    );
  return (
    <>
      {isSet ? (
        <PasswordField
          id="password-current"
          label={t.current}
          autoComplete="current-password"
          value={current}
          error={error?.field === 'current' ? error.message : undefined}
          onChange={setCurrent}
        />
      ) : (
        <p>{error?.field === 'current' ? error.message : t.codeWhy}</p>
      )}
      <Button full kind={isSet ? 'quiet' : 'primary'} busy={isSending} onClick={() => void send()}>
        {isSet ? t.codeInstead : t.codeProof}
      </Button>
    </>
  );
}

function Form() {
  const user = useAtomValue(userAtom);
  const standing = useAtomValue(passwordStandingAtom)!;
  const isCodeSent = useAtomValue(isCodeSentAtom);
  const [error, setError] = useAtom(changeErrorAtom);
  const isSaving = useAtomValue(passwordAwaitedAtom) === 'save';
  const place = useAtomValue(pathAtom);
  const change = useSetAtom(changePasswordAtom);
  const [typed, setTyped] = useState({ password: '', current: '', code: '' });
  const type = (field: keyof typeof typed) => (text: string) => {
    setTyped({ ...typed, [field]: text });
    if (error) setError(null);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const next = new URLSearchParams(place.split('?')[1]).get('redirectUrl');
    const done = await change({ ...typed, next });
    if (done !== true) document.getElementById(`password-${done === 'password' ? 'new' : done}`)?.focus();
  };
  const isReady = !standing.needsProof || standing.isSet || isCodeSent;
  return (
    <form className={css.form} noValidate onSubmit={(event) => void submit(event)}>
      <p>{standing.isSet ? t.introChange : t.intro}</p>
      {/* A password manager files the password under it. */}
      <input className={css.username} type="text" autoComplete="username" value={user?.mobile ?? ''} readOnly hidden />
      {standing.needsProof && (
        <Proof current={typed.current} setCurrent={type('current')} code={typed.code} setCode={type('code')} />
      )}
      {isReady && (
        <>
          <PasswordField
            id="password-new"
            label={t.next}
            autoComplete="new-password"
            hint={t.hint({ count: PASSWORD_FROM })}
            value={typed.password}
            error={error?.field === 'password' ? error.message : undefined}
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
  return (
    <>
      <AppBar title={t.title} back={{ label: t.back, href: href(ACCOUNT) }} />
      <Body />
    </>
  );
}
