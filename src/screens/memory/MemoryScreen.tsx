import { atom, useAtom, useAtomValue, useSetAtom } from 'jotai';
import { clockAheadAtom } from '../../state/clock.ts';
import {
  enterMemoryAtom, giveMemoryAtom, givenAtom, isMemoryBusyAtom, memoryAtom, memoryProblemAtom, memoryWords, takeMemoryAtom, takenWordsAtom, typedMemoryCodeAtom,
} from '../../state/memory.ts';
import { isOfflineAtom } from '../../state/network.ts';
import { AppBar } from '../../ui/AppBar.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Countdown } from '../../ui/Countdown.tsx';
import { Field } from '../../ui/Field.tsx';
import { href } from '../../ui/href.ts';
import css from './MemoryScreen.module.css';

export const enter = atom(null, (_get, set) => set(enterMemoryAtom));

const OFFLINE = 'You are offline. This needs the network for a moment.';

const List = ({ words }: { words: readonly string[] }) => <ul>{words.map((word) => <li key={word}>{word[0]!.toUpperCase() + word.slice(1)}</li>)}</ul>;

function Give() {
  const words = memoryWords(useAtomValue(memoryAtom));
  const given = useAtomValue(givenAtom);
  const aheadMs = useAtomValue(clockAheadAtom);
  const isOffline = useAtomValue(isOfflineAtom);
  const busy = useAtomValue(isMemoryBusyAtom);
  const give = useSetAtom(giveMemoryAtom);
  if (words.length === 0) return <p>Nothing is kept on this phone yet. Your hearts, your last order and the addresses you save as a guest will be.</p>;
  return (
    <>
      <p>Kept here, without an account:</p>
      <List words={words} />
      {given && (
        <>
          <p>Type this on the other phone, under “Bring from another phone”:</p>
          <p className={css.code} translate="no">{given.code.toUpperCase()}</p>
          <p role="status"><Countdown key={given.code} endsAtMs={given.expiresAt} nowMs={() => Date.now() + aheadMs} text={(time) => <>It works once, for {time}.</>} expired="This code is over." /></p>
        </>
      )}
      {isOffline && <p role="status">{OFFLINE}</p>}
      <Button full kind={given ? 'secondary' : 'primary'} busy={busy === 'give'} disabled={isOffline} onClick={() => void give()}>{given ? 'Get another code' : 'Get a code'}</Button>
      <p className={css.soft}>It stays on this phone too. On the way it is kept for 10 minutes at most.</p>
    </>
  );
}

function Take() {
  const [typed, setTyped] = useAtom(typedMemoryCodeAtom);
  const [problem, setProblem] = useAtom(memoryProblemAtom);
  const taken = useAtomValue(takenWordsAtom);
  const isOffline = useAtomValue(isOfflineAtom);
  const busy = useAtomValue(isMemoryBusyAtom);
  const take = useSetAtom(takeMemoryAtom);
  return (
    <form className={css.stack} noValidate onSubmit={(event) => { event.preventDefault(); if (!isOffline) void take(); }}>
      <Field
        label="Code on the other phone" placeholder="ABCD-2345" value={typed} error={problem || (isOffline ? OFFLINE : undefined)} autoComplete="off" autoCapitalize="characters" spellCheck={false} enterKeyHint="go" maxLength={20}
        onChange={(event) => { setTyped(event.target.value); setProblem(''); }}
      >
        <Button type="submit" kind="quiet" small busy={busy === 'take'}>Bring</Button>
      </Field>
      <div role="status">
        {taken !== null && <><p>On this phone now:</p><List words={taken} /></>}
      </div>
      <p className={css.soft}>What this phone has already stays.</p>
    </form>
  );
}

/** What a phone knows of somebody without an account, carried to another one by a code (product.md 3.12). */
export default function MemoryScreen() {
  return (
    <>
      <AppBar title="Change phones" back={{ label: 'Home', href: href('/') }} />
      <div className={css.page}>
        <Card title="Take to another phone"><div className={css.stack}><Give /></div></Card>
        <Card title="Bring from another phone"><Take /></Card>
      </div>
    </>
  );
}
