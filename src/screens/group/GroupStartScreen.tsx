import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import { useState, type FormEvent } from 'react';
import { groupCode, typedLimit } from '../../domain/group.ts';
import { BROKEN_LINK, GROUP_LIMIT_WRONG, GROUP_NAME_MISSING } from '../../domain/messages.ts';
import { detailAtom } from '../../state/checkout.ts';
import { groupDraftAtom, isGroupBusyAtom, meAtom, ownCodeAtom, startGroupAtom } from '../../state/group.ts';
import { chosenStoreAtom } from '../../state/location.ts';
import { isOfflineAtom } from '../../state/network.ts';
import { countryAtom, navigateAtom } from '../../state/seams.ts';
import { AppBar } from '../../ui/AppBar.tsx';
import { BottomBar } from '../../ui/BottomBar.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Chips } from '../../ui/Chips.tsx';
import { Field } from '../../ui/Field.tsx';
import { href } from '../../ui/href.ts';
import { ListRow } from '../../ui/ListRow.tsx';
import { Page } from '../../ui/Page.tsx';
import { MeFields } from './MeFields.tsx';
import css from './GroupScreen.module.css';

const MINUTES = [15, 30, 45, 60, 90, 120];

/** For whoever was told a code instead of being sent a link. */
function Code() {
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  const { go } = useAtomValue(navigateAtom);
  const open = (event: FormEvent) => {
    event.preventDefault();
    const code = groupCode(typed);
    setWrong(code === null);
    if (code !== null) go(`/group/${code}`);
  };
  return (
    <Card title="Did somebody invite you?">
      <form noValidate onSubmit={open}>
        <Field
          label="Code or link of the group order" value={typed} error={isWrong ? BROKEN_LINK : undefined} autoComplete="off" autoCapitalize="none" spellCheck={false} enterKeyHint="go" maxLength={300}
          onChange={(event) => { setTyped(event.target.value); setWrong(false); }}
        >
          <Button type="submit" kind="quiet" small>Open</Button>
        </Field>
      </form>
    </Card>
  );
}

/** Opens the cart to others: who asks, until when, and up to how much each. */
export default function GroupStartScreen() {
  const country = useAtomValue(countryAtom);
  const detail = useAtomValue(detailAtom);
  const [kept, setMe] = useAtom(meAtom);
  const [draft, setDraft] = useAtom(groupDraftAtom);
  const [errors, setErrors] = useState<{ name?: string; limit?: string }>({});
  const code = useAtomValue(ownCodeAtom);
  const store = useAtomValue(chosenStoreAtom);
  const isBusy = useAtomValue(isGroupBusyAtom);
  const isOffline = useAtomValue(isOfflineAtom);
  const start = useSetAtom(startGroupAtom);
  const me = kept.name === '' && detail.fName !== '' ? { ...kept, name: detail.fName } : kept;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const limit = typedLimit(draft.limit);
    const now = { ...(me.name.trim() === '' ? { name: GROUP_NAME_MISSING } : {}), ...(Number.isNaN(limit) ? { limit: GROUP_LIMIT_WRONG } : {}) };
    setErrors(now);
    if (now.name || now.limit) document.getElementById(now.name ? 'group-name' : 'group-limit')?.focus();
    else void start({ me, minutes: draft.minutes, limit });
  };
  return (
    <>
      <AppBar title="Order with others" back={{ label: 'Back to the cart', href: href('/cart') }} />
      <Page>
        {code !== null && <Card flush><ListRow title="You are in a group order" detail="One at a time" href={href(`/group/${code}`)} /></Card>}
        <Card>
          <form id="group-start" noValidate className={css.stack} onSubmit={submit}>
            <p>You get a link to send. Everybody adds their own dishes, without an account. You pay for all, and each one sees their share.</p>
            <MeFields me={me} error={errors.name} onChange={setMe} />
            <div>
              <p className={css.label}>Open for</p>
              <Chips label="Open for" chips={MINUTES.map((minutes) => ({ id: String(minutes), text: `${minutes} min` }))} pressed={[String(draft.minutes)]} onToggle={(id) => setDraft({ ...draft, minutes: Number(id) })} />
            </div>
            <Field
              id="group-limit" label="Limit for each guest (optional)" prefix={country.CURRENCY_SYMBOL} inputMode="numeric" autoComplete="off" enterKeyHint="done" maxLength={9} value={draft.limit} error={errors.limit}
              hint="For their dishes, at menu prices. You have none." onChange={(event) => setDraft({ ...draft, limit: event.target.value })}
            />
            <p className={css.soft}>{store ? `From ${store.name}.` : 'Choose in the cart where you want your food; your guests see that store’s menu.'}</p>
          </form>
        </Card>
        <Code />
      </Page>
      <BottomBar label="Start" action={<Button type="submit" form="group-start" full busy={isBusy} disabled={isOffline || code !== null}>{isOffline ? 'You are offline' : 'Get the link'}</Button>} />
    </>
  );
}
