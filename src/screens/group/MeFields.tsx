import type { Diet } from '../../contract/group.ts';
import { DIETS } from '../../domain/group.ts';
import type { Me } from '../../state/group.ts';
import { Chips } from '../../ui/Chips.tsx';
import { Field } from '../../ui/Field.tsx';
import css from './GroupScreen.module.css';

/** What a group order asks of anybody: a name, and what does not go with them. */
export function MeFields({ me, error, onChange }: { me: Me; error?: string | undefined; onChange: (me: Me) => void }) {
  const toggle = (id: string) => onChange({ ...me, diet: me.diet.includes(id as Diet) ? me.diet.filter((one) => one !== id) : [...me.diet, id as Diet] });
  return (
    <div className={css.stack}>
      <Field
        id="group-name" label="Your name" name="given-name" autoComplete="given-name" enterKeyHint="done" maxLength={30} value={me.name} error={error}
        hint="The others see it beside your dishes." onChange={(event) => onChange({ ...me, name: event.target.value })}
      />
      <div>
        <p className={css.label}>What you eat (optional)</p>
        <Chips label="What you eat" chips={DIETS.map(({ id, label }) => ({ id, text: label }))} pressed={me.diet} onToggle={toggle} />
      </div>
    </div>
  );
}
