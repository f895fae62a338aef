import * as t from '#text/account.ts';
import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import type { FormEvent } from 'react';
import { writtenPhone } from '../../domain/writtenPhone.ts';
import { countryAtom } from '../../state/base/country.ts';
import {
  backToNumberAtom,
  newNumberAtom,
  numberCode,
  oldCodeAtom,
  typeOldCodeAtom,
} from '../../state/people/profile.ts';
import { userAtom } from '../../state/base/session.ts';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { EmptyPicture } from '../../ui/pictures/EmptyPicture.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { href } from '../../ui/href.ts';
import { Page } from '../../ui/page/Page.tsx';
import { CodeField, Digits, SendAgain } from '../base/OneTimeCode.tsx';
import { showWrong } from '../base/showWrong.ts';
import { PhoneField } from '../base/PhoneField.tsx';
import { ACCOUNT, LOGIN } from './paths.ts';
import css from './Account.module.css';

/** First the new number. */
function NewNumber({ now }: { now: string }) {
  const [typed, setTyped] = useAtom(newNumberAtom);
  const problem = useAtomValue(numberCode.problemsAtom).to;
  const busy = useAtomValue(numberCode.busyAtom);
  const clear = useSetAtom(numberCode.clear);
  const send = useSetAtom(numberCode.send);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!(await send())) showWrong();
  };
  return (
    <form className={css.stack} noValidate onSubmit={(event) => void submit(event)}>
      <p>
        <small className={css.soft}>{t.numberOld}</small>
        <br />
        <b translate="no">{now}</b>
      </p>
      <PhoneField
        id="number-new"
        label={t.numberNew}
        enterKeyHint="go"
        value={typed}
        error={problem}
        hint={t.numberNewHint}
        warns
        onChange={(event) => {
          setTyped(event.target.value);
          clear();
        }}
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
  const sent = useAtomValue(numberCode.sentAtom);
  const oldCode = useAtomValue(oldCodeAtom);
  const problems = useAtomValue(numberCode.problemsAtom);
  const busy = useAtomValue(numberCode.busyAtom);
  const typeOld = useSetAtom(typeOldCodeAtom);
  const back = useSetAtom(backToNumberAtom);
  const change = useSetAtom(numberCode.check);
  if (!sent) return null;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!(await change())) showWrong();
  };
  return (
    <form className={css.stack} noValidate onSubmit={(event) => void submit(event)}>
      {/* The SMS to this phone may be that to either number. */}
      <CodeField
        of={numberCode}
        id="number-newCode"
        label={t.numberCodeNew({ mobile: writtenPhone(sent.mobile, country) })}
        isElsewhere
        autoFocus
      />
      <Digits
        id="number-oldCode"
        label={t.numberCodeOld({ mobile: now })}
        value={oldCode}
        error={problems.oldCode}
        onType={typeOld}
      />
      <Button type="submit" full busy={busy === 'check'}>
        {t.numberSubmit}
      </Button>
      <SendAgain of={numberCode} />
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
  const sent = useAtomValue(numberCode.sentAtom);
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
