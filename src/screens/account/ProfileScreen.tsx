import * as alive from '#text/alive.ts';
import * as login from '#text/login.ts';
import * as t from '#text/account.ts';
import { atom, useAtomValue, useSetAtom } from 'jotai';
import type { FormEvent } from 'react';
import { LONGEST_EMAIL } from '../../contract/names.ts';
import type { Profile } from '../../domain/profile.ts';
import { writtenPhone } from '../../domain/writtenPhone.ts';
import { typedText } from '../../domain/typedText.ts';
import { countryAtom } from '../../state/base/country.ts';
import { hostAtom } from '../../state/first/seams.ts';
import {
  changedProfileAtom,
  dropProfileAtom,
  isProfileTypedAtom,
  profileState,
  profileTask,
  saveProfileAtom,
  typedProfileAtom,
  typeProfileAtom,
} from '../../state/people/profile.ts';
import { isLoggedInAtom, userAtom } from '../../state/base/session.ts';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { EmptyPicture } from '../../ui/pictures/EmptyPicture.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { Exact } from '../../ui/money/Exact.tsx';
import { Field } from '../../ui/forms/Field.tsx';
import { useCustomerChange } from '../base/customerChange.ts';
import { NameField } from '../base/NameField.tsx';
import { showWrong } from '../base/showWrong.ts';
import { href } from '../../ui/href.ts';
import { Column, Page } from '../../ui/page/Page.tsx';
import { Problems } from '../../ui/forms/Problems.tsx';
import { ACCOUNT, LOGIN } from './paths.ts';
import css from './Account.module.css';

export const enter = atom(null, async (get, set) => {
  if (get(isLoggedInAtom)) await set(profileState.load);
});

const FIELDS = ['firstName', 'lastName', 'email'] as const;

/** Names and email. What was typed stays through errors and reloads, until it is saved or put away. */
function Names() {
  const typed = useAtomValue(typedProfileAtom);
  const isTyped = useAtomValue(isProfileTypedAtom);
  const problems = useAtomValue(profileTask.problemsAtom);
  const changed = useAtomValue(changedProfileAtom);
  const isBusy = useAtomValue(profileTask.busyAtom) !== '';
  const type = useSetAtom(typeProfileAtom);
  const save = useSetAtom(saveProfileAtom);
  const drop = useSetAtom(dropProfileAtom);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!(await save())) showWrong();
  };
  const meanwhile = (field: keyof Profile) => {
    if (changed === null || changed[field] === typedText(typed[field])) return undefined;
    return changed[field] === '' ? t.profileEmptied : t.profileNow({ value: changed[field] });
  };
  const field = (name: keyof Profile, hint?: string) => ({
    id: `profile-${name}`,
    value: typed[name],
    error: problems[name],
    hint: meanwhile(name) ?? hint,
    onChange: (event: { target: { value: string } }) => type(name, event.target.value),
  });
  return (
    <Card title={t.profileNames}>
      <form className={css.stack} noValidate onSubmit={(event) => void submit(event)}>
        <NameField {...field('firstName')} part="given" label={t.firstName} />
        <NameField {...field('lastName')} part="family" label={t.lastName} />
        <Field
          {...field('email', t.emailHint)}
          label={t.email}
          name="email"
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="done"
          maxLength={LONGEST_EMAIL}
        />
        {problems.form && !FIELDS.some((name) => problems[name]) && <Problems>{problems.form}</Problems>}
        <Button type="submit" full busy={isBusy}>
          {t.profileSave}
        </Button>
        {isTyped && (
          <Button full kind="quiet" onClick={() => drop()}>
            {t.profileDrop}
          </Button>
        )}
      </form>
    </Card>
  );
}

/** The number, and the way to change it; a payment app vouches for its own. */
function MobileNumber() {
  const user = useAtomValue(userAtom);
  const country = useAtomValue(countryAtom);
  const { fullMode } = useAtomValue(hostAtom);
  return (
    <Card title={t.numberTitle}>
      <div className={css.stack}>
        <p>
          <b>{user?.mobile ? <Exact>{writtenPhone(user.mobile, country)}</Exact> : t.numberNone}</b>
        </p>
        <p className={css.soft}>{fullMode ? t.numberText : t.numberHost}</p>
        {fullMode && (
          <Button full kind="secondary" href={href(user?.mobile ? '/postorder-ui/profile/number' : LOGIN)}>
            {user?.mobile ? t.numberChange : t.numberAdd}
          </Button>
        )}
      </div>
    </Card>
  );
}

/** Where a customer changes who they are (specification sections 2 and 5). */
export default function ProfileScreen() {
  useCustomerChange(enter);
  const isLoggedIn = useAtomValue(isLoggedInAtom);
  return (
    <>
      <AppBar title={t.profileTitle} back={{ label: alive.account, href: href(ACCOUNT) }} />
      {isLoggedIn ? (
        <Page columns="first">
          <Column>
            <Names />
          </Column>
          <Column>
            <MobileNumber />
          </Column>
        </Page>
      ) : (
        <EmptyState
          picture={<EmptyPicture />}
          title={t.profileGuest}
          action={<Button href={href(LOGIN)}>{login.title}</Button>}
        >
          {t.profileGuestText}
        </EmptyState>
      )}
    </>
  );
}
