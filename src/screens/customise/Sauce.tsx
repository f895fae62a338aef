import * as t from '#text/customise.ts';
import { useSetAtom } from 'jotai';
import type { Amount } from '../../contract/names.ts';
import type { Builder } from '../../contract/menu.ts';
import { chooseCheeseAtom, chooseSauceAtom, type Draft, type DraftResult } from '../../state/cart/builder.ts';
import { RadioCards } from '../../ui/forms/RadioCards.tsx';
import { FoldHead } from './FoldHead.tsx';
import { Segment } from './Segment.tsx';
import css from './CustomiseScreen.module.css';

const AMOUNTS = ['none', 'light', 'normal', 'extra'] as const;

const amountOption = <A extends Amount>(amount: A) => ({ value: amount, text: t.amount({ amount }) });

export function Sauce({ draft, worked, builder }: { draft: Draft; worked: DraftResult; builder: Builder }) {
  const [chooseSauce, chooseCheese] = [useSetAtom(chooseSauceAtom), useSetAtom(chooseCheeseAtom)];
  const own = builder.sauces.find((sauce) => sauce.id === worked.item.sauce);
  const chosen = builder.sauces.find((sauce) => sauce.id === draft.sauce?.id);
  const isSplit = worked.item.sauce !== worked.second.sauce;
  const level = draft.sauce?.level ?? 'normal';
  return (
    <details className={css.fold}>
      <FoldHead title={t.sauceTitle}>
        {t.sauceNow({ sauce: chosen?.name ?? (isSplit ? t.sauceEach : own?.name) ?? '', level })} ·{' '}
        {t.cheeseNow({ amount: draft.cheese })}
      </FoldHead>
      <RadioCards
        legend={t.sauce}
        quietLegend
        tiles
        value={draft.sauce && draft.sauce.id !== (isSplit ? '' : own?.id) ? draft.sauce.id : 'own'}
        // A customer who picks a sauce by name wants some of it.
        onChange={(id) => chooseSauce(id === 'own' ? null : { id, level: level === 'none' ? 'normal' : level })}
        options={[
          { value: 'own', title: isSplit ? t.sauceEach : (own?.name ?? t.sauceRecipe) },
          ...builder.sauces
            .filter((sauce) => isSplit || sauce.id !== own?.id)
            .map((sauce) => ({ value: sauce.id, title: sauce.name })),
        ]}
      />
      {(draft.sauce || own) && (
        <Segment
          legend={t.sauceLevel}
          value={level}
          onChange={(value) =>
            chooseSauce(value === 'normal' && !chosen ? null : { id: draft.sauce?.id ?? own!.id, level: value })
          }
          options={AMOUNTS.map(amountOption)}
        />
      )}
      <Segment
        legend={t.cheeseLevel}
        value={draft.cheese}
        onChange={chooseCheese}
        options={AMOUNTS.map(amountOption)}
      />
    </details>
  );
}
