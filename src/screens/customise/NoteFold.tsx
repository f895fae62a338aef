import * as t from '#text/customise.ts';
import type { Note } from '../../state/builder.ts';
import { Chips } from '../../ui/Chips.tsx';
import { Field } from '../../ui/Field.tsx';
import { FoldHead } from './FoldHead.tsx';
import css from './CustomiseScreen.module.css';

const NOTE_MAX = 80;

interface NoteFoldProps {
  note: Note;
  /** Notes that need only a tap. */
  ready: readonly string[];
  onChange: (note: Note) => void;
}

/** A note for the kitchen: ready ones, and the customer's own words. */
export function NoteFold({ note: { notes, text }, ready, onChange }: NoteFoldProps) {
  return (
    <details className={css.fold} open={notes.length > 0 || text !== '' || undefined}>
      <FoldHead title={t.noteTitle}>{[...notes, text].filter(Boolean).join(', ') || t.noteExamples}</FoldHead>
      <Chips
        label={t.notes}
        chips={ready.map((one) => ({ id: one, text: one }))}
        pressed={notes}
        onToggle={(note) =>
          onChange({ text, notes: notes.includes(note) ? notes.filter((one) => one !== note) : [...notes, note] })
        }
      />
      <Field
        label={t.noteOther}
        hint={t.noteHint}
        value={text}
        maxLength={NOTE_MAX}
        enterKeyHint="done"
        onChange={(event) => onChange({ notes, text: event.target.value })}
      />
    </details>
  );
}
