import * as t from '#text/group.ts';
import type { Diet } from '../../contract/group.ts';
import { DIETS } from '../../domain/group.ts';
import type { Me } from '../../state/group.ts';
import { Chips } from '../../ui/Chips.tsx';
import { NameField } from '../NameField.tsx';
import css from './GroupScreen.module.css';

/** What everybody in a group order is asked: a name, and what they do not eat. */
export function MeFields({ me, error, onChange }: { me: Me; error?: string | undefined; onChange: (me: Me) => void }) {
  const toggle = (id: string) =>
    onChange({
      ...me,
      diet: me.diet.includes(id as Diet) ? me.diet.filter((one) => one !== id) : [...me.diet, id as Diet],
    });
  return (
    <div className={css.stack}>
      <NameField
        id="group-name"
        part="given"
        label={t.name}
        enterKeyHint="done"
        maxLength={30}
        value={me.name}
        error={error}
        hint={t.nameHint}
        onChange={(event) => onChange({ ...me, name: event.target.value })}
      />
      <div>
        <p className={css.label}>{t.dietOptional}</p>
        <Chips
          label={t.diet}
          chips={DIETS.map((id) => ({ id, text: t.dietMark({ diet: id }) }))}
          pressed={me.diet}
          onToggle={toggle}
        />
      </div>
    </div>
  );
}
