import * as t from '#text/trains.ts';
import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import { isOfflineAtom } from '../../state/base/network.ts';
import { findJourneyAtom, journeyAtom, pnrErrorAtom, typedPnrAtom } from '../../state/trains/trains.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { Field } from '../../ui/forms/Field.tsx';
import css from './Trains.module.css';

/** The field of the PNR: what was typed stays, whatever becomes of it. */
export function PnrForm({ onFound }: { onFound: () => void }) {
  const [typed, setTyped] = useAtom(typedPnrAtom);
  const error = useAtomValue(pnrErrorAtom);
  const isOffline = useAtomValue(isOfflineAtom);
  const { status } = useAtomValue(journeyAtom);
  const find = useSetAtom(findJourneyAtom);
  const submit = async () => {
    if (await find()) onFound();
    else document.getElementById('pnr')?.focus();
  };
  return (
    <form
      className={css.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isOffline) void submit();
      }}
    >
      <Field
        id="pnr"
        label={t.pnr}
        name="pnr"
        type="text"
        inputMode="numeric"
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        maxLength={500}
        hint={t.pnrHint}
        value={typed}
        error={error || undefined}
        onChange={(event) => setTyped(event.target.value)}
      />
      <p role="status" className={css.note}>
        {isOffline ? t.pnrOffline : ''}
      </p>
      <Button type="submit" full busy={status === 'loading'} disabled={isOffline}>
        {t.pnrFind}
      </Button>
      <p className={css.note}>{t.pnrPrivate}</p>
    </form>
  );
}
