import * as t from '#text/customise.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import type { Builder } from '../../contract/menu.ts';
import { crustsFor } from '../../domain/build.ts';
import { chooseCrustAtom, chooseSizeAtom, partsAtom, type Draft, type DraftResult } from '../../state/cart/builder.ts';
import { FoodMark } from '../../ui/pictures/FoodMark.tsx';
import { Price } from '../../ui/money/Price.tsx';
import { RadioCards } from '../../ui/forms/RadioCards.tsx';

export function Basics({ draft, worked, builder }: { draft: Draft; worked: DraftResult; builder: Builder }) {
  const [chooseSize, chooseCrust] = [useSetAtom(chooseSizeAtom), useSetAtom(chooseCrustAtom)];
  const parts = useAtomValue(partsAtom)!;
  const { item } = worked;
  const sizes = builder.sizes.filter((size) => item.prices[size.id] !== undefined);
  const crusts = crustsFor(parts, item, draft.size);
  return (
    <>
      {draft.piece === null && sizes.length > 1 && (
        <RadioCards
          legend={t.size}
          tiles
          value={draft.size}
          onChange={chooseSize}
          options={sizes.map((size) => ({
            value: size.id,
            title: size.name,
            detail: (
              <>
                {t.diameter({ inches: size.diameterInches })}
                <br />
                {t.serves({ people: size.serves })}
              </>
            ),
            end: <Price amount={item.prices[size.id]!} />,
          }))}
        />
      )}
      {crusts.length > 1 && (
        <RadioCards
          legend={t.crust}
          value={worked.finished?.crust?.id ?? null}
          onChange={chooseCrust}
          options={crusts.map((crust) => ({
            value: crust.id,
            title: crust.name,
            end:
              (crust.surcharge[draft.size] ?? 0) > 0 ? (
                <>
                  +<Price amount={crust.surcharge[draft.size]!} />
                </>
              ) : (
                t.included
              ),
            ...(crust.foodType === 'NON_VEG' ? { icon: <FoodMark type="NON_VEG" /> } : {}),
          }))}
        />
      )}
    </>
  );
}
