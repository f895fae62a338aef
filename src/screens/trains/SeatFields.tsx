import * as t from '#text/trains.ts';
import type { ChangeEvent } from 'react';
import type { SeatDraft } from '../../state/trains/pnr.ts';
import type { SeatProblems } from '../../state/trains/trains.ts';
import { CheckBox } from '../../ui/forms/CheckBox.tsx';
import { Field } from '../../ui/forms/Field.tsx';
import { PhoneField } from '../base/PhoneField.tsx';
import css from './Trains.module.css';

interface SeatFieldsProps {
  draft: SeatDraft;
  problems: SeatProblems;
  onChange: (change: Partial<SeatDraft>) => void;
}

/** Coach and berth, which may follow later, and who eats if that is somebody else. */
export function SeatFields({ draft, problems, onChange }: SeatFieldsProps) {
  const bound = (field: 'coach' | 'berth' | 'name' | 'mobile') => ({
    id: `seat-${field}`,
    value: draft[field],
    error: problems[field],
    onChange: (event: ChangeEvent<HTMLInputElement>) => onChange({ [field]: event.target.value }),
  });
  return (
    <div className={css.stack}>
      <div className={css.pair}>
        <Field
          {...bound('coach')}
          label={t.coach}
          hint={t.coachHint}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          enterKeyHint="next"
          maxLength={8}
        />
        <Field
          {...bound('berth')}
          label={t.berth}
          hint={t.berthHint}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          enterKeyHint="done"
          maxLength={8}
        />
      </div>
      <p className={css.note}>{t.seatLater}</p>
      <CheckBox
        label={t.other}
        detail={t.otherDetail}
        checked={draft.isOther}
        onChange={(isOther) => onChange({ isOther })}
      />
      {draft.isOther && (
        <>
          <Field {...bound('name')} label={t.eaterName} autoComplete="off" enterKeyHint="next" maxLength={60} />
          <PhoneField {...bound('mobile')} label={t.eaterMobile} autoComplete="off" enterKeyHint="done" />
        </>
      )}
    </div>
  );
}

/** Puts the focus on the first field that something is wrong with. */
export function showProblem(problems: SeatProblems): void {
  const first = (['coach', 'berth', 'name', 'mobile'] as const).find((field) => problems[field]);
  if (first) requestAnimationFrame(() => document.getElementById(`seat-${first}`)?.focus());
}
