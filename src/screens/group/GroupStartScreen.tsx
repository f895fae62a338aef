import * as errorText from '#text/errors.ts';
import * as t from '#text/group.ts';
import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import { useState, type FormEvent } from 'react';
import { groupCode, typedLimit } from '../../domain/group.ts';
import { typedText } from '../../domain/typedText.ts';
import { detailAtom } from '../../state/drafts/detail.ts';
import { groupDraftAtom, groupTasks, meAtom, ownCodeAtom, startGroupAtom, type Me } from '../../state/group/group.ts';
import { chosenStoreAtom } from '../../state/first/location.ts';
import { isOfflineAtom } from '../../state/base/network.ts';
import { countryAtom } from '../../state/base/country.ts';
import { navigateAtom } from '../../state/first/seams.ts';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { BottomBar } from '../../ui/page/BottomBar.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { Chips } from '../../ui/forms/Chips.tsx';
import { Field } from '../../ui/forms/Field.tsx';
import { href } from '../../ui/href.ts';
import { ListRow } from '../../ui/page/ListRow.tsx';
import { Page } from '../../ui/page/Page.tsx';
import { MeFields } from './MeFields.tsx';
import css from './GroupScreen.module.css';

const MINUTES = [15, 30, 45, 60, 90, 120];

/** For guests who were told a code instead of being sent a link. */
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
    <Card title={t.codeTitle}>
      <form noValidate onSubmit={open}>
        <Field
          label={t.code}
          value={typed}
          error={isWrong ? errorText.brokenLink : undefined}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="go"
          maxLength={300}
          onChange={(event) => {
            setTyped(event.target.value);
            setWrong(false);
          }}
        >
          <Button type="submit" kind="quiet" small>
            {t.codeOpen}
          </Button>
        </Field>
      </form>
    </Card>
  );
}

/** Opens the cart to others: the name of the host, how long it is open, and a limit for each guest. */
export default function GroupStartScreen() {
  const country = useAtomValue(countryAtom);
  const detail = useAtomValue(detailAtom);
  const [kept, setMe] = useAtom(meAtom);
  const [draft, setDraft] = useAtom(groupDraftAtom);
  const [errors, setErrors] = useState<{ name?: string; limit?: string }>({});
  const code = useAtomValue(ownCodeAtom);
  const store = useAtomValue(chosenStoreAtom);
  const isBusy = useAtomValue(groupTasks.isBusyAtom);
  const isOffline = useAtomValue(isOfflineAtom);
  const start = useSetAtom(startGroupAtom);
  const named = (one: Me): Me => (one.name === '' && detail.fName !== '' ? { ...one, name: detail.fName } : one);
  const me = named(kept);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const limit = typedLimit(draft.limit);
    const now = {
      ...(typedText(me.name) === '' ? { name: t.groupNameMissing } : {}),
      ...(Number.isNaN(limit) ? { limit: t.groupLimitWrong } : {}),
    };
    setErrors(now);
    if (now.name || now.limit) document.getElementById(now.name ? 'group-name' : 'group-limit')?.focus();
    else void start({ me, minutes: draft.minutes, limit });
  };
  return (
    <>
      <AppBar title={t.startTitle} back={{ label: t.backToCart, href: href('/cart') }} />
      <Page>
        {code !== null && (
          <Card flush>
            <ListRow title={t.seatedTitle} detail={t.seatedText} href={href(`/group/${code}`)} />
          </Card>
        )}
        <Card>
          <form id="group-start" noValidate className={css.stack} onSubmit={submit}>
            <p>{t.startHow}</p>
            <MeFields me={me} error={errors.name} onChange={(change) => setMe((one) => change(named(one)))} />
            <div>
              <p className={css.label}>{t.openFor}</p>
              <Chips
                label={t.openFor}
                chips={MINUTES.map((minutes) => ({
                  id: String(minutes),
                  text: t.minutes({ minutes: String(minutes) }),
                }))}
                pressed={[String(draft.minutes)]}
                onToggle={(id) => setDraft((now) => ({ ...now, minutes: Number(id) }))}
              />
            </div>
            <Field
              id="group-limit"
              label={t.limit}
              prefix={country.CURRENCY_SYMBOL}
              inputMode="numeric"
              autoComplete="off"
              enterKeyHint="done"
              maxLength={9}
              value={draft.limit}
              error={errors.limit}
              hint={t.limitHint}
              onChange={({ target }) => setDraft((now) => ({ ...now, limit: target.value }))}
            />
            <p className={css.soft}>{store ? t.fromStore({ store: store.name }) : t.storeMissing}</p>
          </form>
        </Card>
        <Code />
      </Page>
      <BottomBar
        label={t.start}
        action={
          <Button type="submit" form="group-start" full busy={isBusy} disabled={isOffline || code !== null}>
            {isOffline ? t.offline : t.getLink}
          </Button>
        }
      />
    </>
  );
}
