import * as t from '#text/customise.ts';
import { useSetAtom } from 'jotai';
import { NOTE_AT_MOST } from '../../contract/cart.ts';
import { typedText } from '../../domain/typedText.ts';
import { noteFrom, noteParts, roomFor, type Note, type NoteParts } from '../../state/cart/builder.ts';
import { toastMessageAtom } from '../../state/first/toast.ts';
import { Chips } from '../../ui/forms/Chips.tsx';
import { Field } from '../../ui/forms/Field.tsx';
import { FoldHead } from './FoldHead.tsx';
import css from './CustomiseScreen.module.css';

/** From here on the field says how many characters are left. */
const FEW = 30;

interface NoteFoldProps {
  note: Note;
  /** Notes that need only a tap. */
  ready: readonly string[];
  onChange: (note: Note) => void;
}

/** A note for the kitchen: ready ones, and the customer's own words. Nothing that was typed gives way to a ready one. */
export function NoteFold({ note, ready, onChange }: NoteFoldProps) {
  const { notes, text } = noteParts(note, ready);
  const change = (parts: NoteParts) => onChange(noteFrom(parts, ready));
  const toast = useSetAtom(toastMessageAtom);
  const left = Math.max(0, roomFor(notes) - text.length);
  const toggle = (tapped: string) => {
    const next = notes.includes(tapped) ? notes.filter((one) => one !== tapped) : [...notes, tapped];
    if (next.length > notes.length && roomFor(next) < typedText(text).length)
      toast(t.noteFull({ note: tapped, most: NOTE_AT_MOST }));
    else change({ text, notes: next });
  };
  return (
    <details className={css.fold} open={notes.length > 0 || text !== '' || undefined}>
      <FoldHead title={t.noteTitle}>{[...notes, text].filter(Boolean).join(', ') || t.noteExamples}</FoldHead>
      <Chips label={t.notes} chips={ready.map((one) => ({ id: one, text: one }))} pressed={notes} onToggle={toggle} />
      <Field
        label={t.noteOther}
        hint={left < FEW ? t.noteLeft({ count: left, most: NOTE_AT_MOST }) : t.noteHint}
        value={text}
        maxLength={roomFor(notes)}
        enterKeyHint="done"
        onChange={(event) => change({ notes, text: event.target.value })}
      />
    </details>
  );
}
