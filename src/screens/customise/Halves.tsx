import * as t from '#text/customise.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { useState } from 'react';
import type { Builder } from '../../contract/menu.ts';
import { chooseHalfAtom, either, type Draft, type DraftResult } from '../../state/cart/builder.ts';
import { fitsAtom } from '../../state/first/filters.ts';
import { menuAtom } from '../../state/first/menu.ts';
import { hostAtom } from '../../state/first/seams.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { FoodMark } from '../../ui/pictures/FoodMark.tsx';
import { ItemPicture } from '../../ui/pictures/ItemPicture.tsx';
import { Price } from '../../ui/money/Price.tsx';
import { Sheet } from '../../ui/overlays/Sheet.tsx';
import { useFacts } from './facts.ts';
import css from './CustomiseScreen.module.css';

/** A second recipe on the right half. */
export function Halves({ draft, worked, builder }: { draft: Draft; worked: DraftResult; builder: Builder }) {
  const [isChoosing, setChoosing] = useState(false);
  const choose = useSetAtom(chooseHalfAtom);
  const { items } = useAtomValue(menuAtom);
  const fits = useAtomValue(fitsAtom);
  const host = useAtomValue(hostAtom);
  const factsOf = useFacts();
  const sizes = builder.halfAndHalfSizes;
  const names = builder.sizes.filter((size) => sizes.includes(size.id)).map((size) => size.name.toLowerCase());
  const canBe = sizes.some((size) => worked.item.prices[size] !== undefined);
  if (!canBe || worked.item.kind !== 'PIZZA' || draft.piece !== null) return null;
  const others = items.filter(
    (item) =>
      item.kind === 'PIZZA' &&
      item.customisable &&
      !item.soldOut &&
      item.id !== worked.item.id &&
      fits(item) &&
      sizes.some((size) => item.prices[size] !== undefined),
  );
  const priceSize = sizes.includes(draft.size) ? draft.size : sizes[0]!;
  return (
    <div className={css.halves}>
      <div>
        <b>{draft.secondHalf ? t.halvesTitle : t.halvesAsk}</b>
        <p>
          {draft.secondHalf
            ? t.halvesNow({ left: worked.item.name, right: worked.second.name })
            : t.halvesHow({ sizes: either(names) })}
        </p>
      </div>
      <Button kind="secondary" small onClick={() => setChoosing(true)}>
        {draft.secondHalf ? t.change : t.choose}
      </Button>
      {draft.secondHalf && (
        <Button kind="quiet" small onClick={() => choose(null)}>
          {t.oneRecipe}
        </Button>
      )}
      {isChoosing && (
        <Sheet title={t.halvesRight} onClose={() => setChoosing(false)} closeOnOutside={host.fullMode}>
          <ul className={css.picks}>
            {others.map((item) => (
              <li key={item.id}>
                <button
                  type="button"
                  onClick={() => {
                    choose(item.id);
                    setChoosing(false);
                  }}
                  aria-pressed={item.id === draft.secondHalf}
                >
                  <span>
                    <ItemPicture item={item} />
                  </span>
                  <span>
                    <FoodMark type={item.foodType} /> <b lang="en">{item.name}</b>
                    <small>{item.description}</small>
                    <small>{factsOf(item, priceSize)}</small>
                  </span>
                  {item.prices[priceSize] !== undefined && <Price amount={item.prices[priceSize]} />}
                </button>
              </li>
            ))}
          </ul>
        </Sheet>
      )}
    </div>
  );
}
