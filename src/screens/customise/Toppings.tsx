import * as t from '#text/customise.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { useState } from 'react';
import type { Topping } from '../../contract/menu.ts';
import type { Amount, Half } from '../../contract/names.ts';
import { vegOnlyAtom } from '../../state/first/filters.ts';
import { allergensTextAtom } from '../../state/first/menu.ts';
import { draftAtom, partsAtom, setToppingAtom, spreadAtom, workedAtom } from '../../state/cart/builder.ts';
import { FoodMark } from '../../ui/pictures/FoodMark.tsx';
import { Price } from '../../ui/money/Price.tsx';
import { Segment } from './Segment.tsx';
import { FoldHead } from './FoldHead.tsx';
import css from './Toppings.module.css';

type Both = { readonly left: Amount; readonly right: Amount };
const NONE: Both = { left: 'none', right: 'none' };
const GROUPS = ['cheese', 'vegetable', 'protein', 'herb'] as const;
const AMOUNTS = ['light', 'normal', 'extra'] as const;
const HALVES = ['WHOLE', 'LEFT', 'RIGHT'] as const;

const isOn = ({ left, right }: Both) => left !== 'none' || right !== 'none';
const halfOf = ({ left, right }: Both): Half => (right === 'none' ? 'LEFT' : left === 'none' ? 'RIGHT' : 'WHOLE');
const amountOf = ({ left, right }: Both): Amount => (left === 'none' ? right : left);

/** A circle of which this half is filled. */
function HalfSign({ half }: { half: Half }) {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden className={css.sign}>
      <circle
        cx="8"
        cy="8"
        r="6.5"
        fill={half === 'WHOLE' ? 'currentColor' : 'none'}
        stroke="currentColor"
        strokeWidth="1.5"
      />
      {half !== 'WHOLE' && (
        <path d={half === 'LEFT' ? 'M8 1.5a6.5 6.5 0 0 0 0 13z' : 'M8 1.5a6.5 6.5 0 0 1 0 13z'} fill="currentColor" />
      )}
    </svg>
  );
}

function Row({ topping, both }: { topping: Topping; both: Both }) {
  const set = useSetAtom(setToppingAtom);
  const size = useAtomValue(draftAtom)!.size;
  const allergensText = useAtomValue(allergensTextAtom);
  const [isOpen, setOpen] = useState(false);
  const on = isOn(both);
  const half = halfOf(both);
  const amount = amountOf(both);
  const price = topping.prices[size];
  return (
    <li className={css.row} data-on={on || undefined}>
      <div className={css.head}>
        <label className={css.line}>
          <input
            type="checkbox"
            checked={on}
            onChange={(event) => set(topping.id, 'WHOLE', event.target.checked ? 'normal' : 'none')}
          />
          <i className={css.dot} aria-hidden>
            <svg viewBox="0 0 10 10">
              <circle cx="5" cy="5" r="5" fill={topping.draw.colour} />
            </svg>
          </i>
          <span className={css.name}>
            {topping.name} {topping.foodType === 'NON_VEG' && <FoodMark type="NON_VEG" />}
            <small>
              {t.kcal({ kcal: topping.kcal[size] ?? 0 })}
              {topping.allergens.length > 0 && ` · ${allergensText(topping.allergens)}`}
            </small>
          </span>
          {!on && price !== undefined && (
            <span className={css.price}>
              +<Price amount={price} />
            </span>
          )}
        </label>
        {on && (
          <button type="button" className={css.more} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            <span className="visually-hidden">{topping.name}: </span>
            {both.left !== both.right && half === 'WHOLE'
              ? t.amount({ amount })
              : t.amountOnHalf({ amount: t.amount({ amount }), half })}
          </button>
        )}
      </div>
      {on && isOpen && (
        <div className={css.choices}>
          <Segment
            legend={t.amountOf({ name: topping.name })}
            quietLegend
            options={AMOUNTS.map((one) => ({ value: one, text: t.amount({ amount: one }) }))}
            value={amount as 'light' | 'normal' | 'extra'}
            onChange={(value) => set(topping.id, half, value)}
          />
          <Segment
            legend={t.whereToPut({ name: topping.name })}
            quietLegend
            options={HALVES.map((one) => ({
              value: one,
              text: (
                <>
                  <HalfSign half={one} />
                  {t.half({ half: one })}
                </>
              ),
            }))}
            value={half}
            onChange={(value) => set(topping.id, value, amount)}
          />
        </div>
      )}
    </li>
  );
}

/** First what is on the pizza, then everything else in groups to open. */
export function Toppings() {
  const parts = useAtomValue(partsAtom);
  const worked = useAtomValue(workedAtom);
  const spread = useAtomValue(spreadAtom);
  const isVegOnly = useAtomValue(vegOnlyAtom);
  if (!parts || !worked) return null;
  const recipe = new Set([...worked.item.defaultToppings, ...worked.second.defaultToppings]);
  const of = (topping: Topping) => <Row key={topping.id} topping={topping} both={spread.get(topping.id) ?? NONE} />;
  const all = parts.builder.toppings.filter(
    (topping) => !isVegOnly || topping.foodType === 'VEG' || spread.has(topping.id),
  );
  const own = all.filter((topping) => recipe.has(topping.id));
  const { used, limit } = worked.tally;
  return (
    <section className={css.toppings} aria-labelledby="toppings">
      <header>
        <h2 id="toppings">{t.toppings}</h2>
        {limit !== undefined && <p data-full={used >= limit || undefined}>{t.toppingsUsed({ used, limit })}</p>}
      </header>
      {own.length > 0 && (
        <>
          <h3>{t.inRecipe}</h3>
          <ul>{own.map(of)}</ul>
        </>
      )}
      {GROUPS.map((group) => {
        const list = all.filter((topping) => topping.group === group && !recipe.has(topping.id));
        const chosen = list.filter((topping) => isOn(spread.get(topping.id) ?? NONE));
        return (
          list.length > 0 && (
            <details key={group} name="topping-group" open={group === 'vegetable' || undefined}>
              <FoldHead title={t.toppingGroup({ group })}>
                {chosen.length > 0
                  ? chosen.map((topping) => topping.name).join(', ')
                  : t.toChooseFrom({ count: list.length })}
              </FoldHead>
              <ul>{list.map(of)}</ul>
            </details>
          )
        );
      })}
    </section>
  );
}
