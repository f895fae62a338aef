import * as t from '#text/group.ts';
import type { Diet } from '../../contract/group.ts';
import { DIETS } from '../../domain/group.ts';
import type { Me } from '../../state/group/group.ts';
import { Chips } from '../../ui/forms/Chips.tsx';
import { NameField } from '../base/NameField.tsx';
import css from './GroupScreen.module.css';

/** Questions to each member of a group order: a name, and what they do not eat. */
export function MeFields({
  me,
  error,
  onChange,
}: {
  me: Me;
  error?: string | undefined;
  /** What is to change of whatever it is by then: a tap may follow a letter before the page is drawn again. */
  onChange: (change: (me: Me) => Me) => void;
}) {
  const toggle = (id: string) =>
    onChange((now) => ({
      ...now,
      diet: now.diet.includes(id as Diet) ? now.diet.filter((one) => one !== id) : [...now.diet, id as Diet],
    }));
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
        onChange={({ target }) => onChange((now) => ({ ...now, name: target.value }))}
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
