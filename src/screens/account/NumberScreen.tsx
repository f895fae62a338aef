import * as t from '#text/account.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import type { FormEvent } from 'react';
import { writtenPhone } from '../../domain/phone.ts';
import { countryAtom } from '../../state/country.ts';
import {
  backToNumberAtom,
  changeNumberAtom,
  isNumberBusyAtom,
  newNumberAtom,
  numberCodesAtom,
  numberErrorsAtom,
  numberSentAtom,
  sendNumberCodesAtom,
  typeNumberAtom,
  typeNumberCodeAtom,
} from '../../state/profile.ts';
import { userAtom } from '../../state/session.ts';
import { AppBar } from '../../ui/AppBar.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { EmptyPicture } from '../../ui/EmptyPicture.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { href } from '../../ui/href.ts';
import { Page } from '../../ui/Page.tsx';
import { Again } from '../login/Again.tsx';
import { PhoneField } from '../PhoneField.tsx';
import { CodeField } from './CodeField.tsx';
import { ACCOUNT, LOGIN } from './paths.ts';
import css from './Account.module.css';

/** First the new number. */
function NewNumber({ now }: { now: string }) {
  const typed = useAtomValue(newNumberAtom);
  const problem = useAtomValue(numberErrorsAtom).mobile;
  const busy = useAtomValue(isNumberBusyAtom);
  const type = useSetAtom(typeNumberAtom);
  const send = useSetAtom(sendNumberCodesAtom);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!(await send())) document.getElementById('number-new')?.focus();
  };
  return (
    <form className={css.stack} noValidate onSubmit={(event) => void submit(event)}>
      <p>
        <small className={css.soft}>{t.numberOld}</small>
        <br />
        <b>{now}</b>
      </p>
      <PhoneField
        id="number-new"
        label={t.numberNew}
        enterKeyHint="go"
        value={typed}
        error={problem}
        hint={t.numberNewHint}
        warns
        onChange={(event) => type(event.target.value)}
      />
      <Button type="submit" full busy={busy === 'send'}>
        {t.numberSend}
      </Button>
      <p className={css.soft}>{t.numberHow}</p>
    </form>
  );
}

/** Then a code from each number. */
function Codes({ now }: { now: string }) {
  const country = useAtomValue(countryAtom);
  const sent = useAtomValue(numberSentAtom);
  const { oldCode, newCode } = useAtomValue(numberCodesAtom);
  const problems = useAtomValue(numberErrorsAtom);
  const busy = useAtomValue(isNumberBusyAtom);
  const type = useSetAtom(typeNumberCodeAtom);
  const send = useSetAtom(sendNumberCodesAtom);
  const back = useSetAtom(backToNumberAtom);
  const change = useSetAtom(changeNumberAtom);
  if (!sent) return null;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    document.getElementById(`number-${await change()}`)?.focus();
  };
  return (
    <form className={css.stack} noValidate onSubmit={(event) => void submit(event)}>
      <CodeField
        id="number-newCode"
        label={t.numberCodeNew({ mobile: writtenPhone(sent.mobile, country) })}
        value={newCode}
        error={problems.newCode}
        isOffered
        autoFocus
        onType={(typed) => type('newCode', typed)}
      />
      <CodeField
        id="number-oldCode"
        label={t.numberCodeOld({ mobile: now })}
        value={oldCode}
        error={problems.oldCode}
        onType={(typed) => type('oldCode', typed)}
      />
      <Button type="submit" full busy={busy === 'check'}>
        {t.numberSubmit}
      </Button>
      <Again resendAt={sent.resendAt} sendsLeft={sent.sendsLeft} busy={busy === 'send'} onSend={() => void send()} />
      <Button full kind="quiet" onClick={() => back()}>
        {t.numberOther}
      </Button>
    </form>
  );
}

/** Changes the number of an account by a code to the old and one to the new one. Payment apps vouch for theirs. */
export default function NumberScreen() {
  const mobile = useAtomValue(userAtom)?.mobile;
  const country = useAtomValue(countryAtom);
  const sent = useAtomValue(numberSentAtom);
  const now = mobile === undefined ? '' : writtenPhone(mobile, country);
  return (
    <>
      <AppBar title={t.numberChange} back={{ label: t.profileTitle, href: href(`${ACCOUNT}/edit`) }} />
      {mobile === undefined ? (
        <EmptyState
          picture={<EmptyPicture />}
          title={t.numberNothing}
          action={<Button href={href(LOGIN)}>{t.numberAdd}</Button>}
        />
      ) : (
        <Page>
          <Card title={sent ? t.numberCodes : t.numberNew}>{sent ? <Codes now={now} /> : <NewNumber now={now} />}</Card>
        </Page>
      )}
    </>
  );
}
