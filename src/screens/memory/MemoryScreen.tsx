import * as t from '#text/memory.ts';
import { atom, useAtom, useAtomValue, useSetAtom } from 'jotai';
import { clockAheadAtom } from '../../state/base/clock.ts';
import {
  enterMemoryAtom,
  giveMemoryAtom,
  givenAtom,
  memoryTasks,
  memoryAtom,
  memoryWordsAtom,
  takeMemoryAtom,
  takenWordsAtom,
  typedMemoryCodeAtom,
} from '../../state/people/memory.ts';
import { isOfflineAtom } from '../../state/base/network.ts';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { Countdown } from '../../ui/time/Countdown.tsx';
import { Field } from '../../ui/forms/Field.tsx';
import { href } from '../../ui/href.ts';
import css from './MemoryScreen.module.css';

export const enter = atom(null, (_get, set) => set(enterMemoryAtom));

const List = ({ words }: { words: readonly string[] }) => (
  <ul>
    {words.map((word) => (
      <li key={word}>{word[0]!.toUpperCase() + word.slice(1)}</li>
    ))}
  </ul>
);

function Give() {
  const words = useAtomValue(memoryWordsAtom)(useAtomValue(memoryAtom));
  const given = useAtomValue(givenAtom);
  const aheadMs = useAtomValue(clockAheadAtom);
  const isOffline = useAtomValue(isOfflineAtom);
  const busy = useAtomValue(memoryTasks.busyAtom);
  const give = useSetAtom(giveMemoryAtom);
  if (words.length === 0) return <p>{t.giveNothing}</p>;
  return (
    <>
      <p>{t.giveKept}</p>
      <List words={words} />
      {given && (
        <>
          <p>{t.giveType}</p>
          <p className={css.code} translate="no">
            {given.code.toUpperCase()}
          </p>
          <p role="status">
            <Countdown
              key={given.code}
              endsAtMs={given.expiresAt}
              nowMs={() => Date.now() + aheadMs}
              text={(time) => t.giveLasts({ time })}
              expired={t.giveOver}
            />
          </p>
        </>
      )}
      {isOffline && <p role="status">{t.offline}</p>}
      <Button
        full
        kind={given ? 'secondary' : 'primary'}
        busy={busy === 'give'}
        disabled={isOffline}
        onClick={() => void give()}
      >
        {given ? t.giveAnotherCode : t.giveCode}
      </Button>
      <p className={css.soft}>{t.giveStays}</p>
    </>
  );
}

function Take() {
  const [typed, setTyped] = useAtom(typedMemoryCodeAtom);
  const problem = useAtomValue(memoryTasks.problemsAtom).code;
  const clear = useSetAtom(memoryTasks.clear);
  const taken = useAtomValue(takenWordsAtom);
  const isOffline = useAtomValue(isOfflineAtom);
  const busy = useAtomValue(memoryTasks.busyAtom);
  const take = useSetAtom(takeMemoryAtom);
  return (
    <form
      className={css.stack}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isOffline) void take();
      }}
    >
      <Field
        label={t.takeCode}
        placeholder="ABCD-2345"
        value={typed}
        error={problem ?? (isOffline ? t.offline : undefined)}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        enterKeyHint="go"
        maxLength={20}
        onChange={(event) => {
          setTyped(event.target.value);
          clear();
        }}
      >
        <Button type="submit" kind="quiet" small busy={busy === 'take'}>
          {t.take}
        </Button>
      </Field>
      <div role="status">
        {taken !== null && (
          <>
            <p>{t.takenNow}</p>
            <List words={taken} />
          </>
        )}
      </div>
      <p className={css.soft}>{t.takeStays}</p>
    </form>
  );
}

/** Carries what a phone remembers without an account to another phone, by a code (product.md 3.12). */
export default function MemoryScreen() {
  return (
    <>
      <AppBar title={t.title} back={{ label: t.home, href: href('/') }} />
      <div className={css.page}>
        <Card title={t.giveTitle}>
          <div className={css.stack}>
            <Give />
          </div>
        </Card>
        <Card title={t.takeTitle}>
          <Take />
        </Card>
      </div>
    </>
  );
}
