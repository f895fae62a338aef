import * as t from '#text/first.ts';
import { atom, useAtomValue, useSetAtom } from 'jotai';
import { memo, useMemo } from 'react';
import type { MenuItem } from '../../contract/menu.ts';
import type { Size } from '../../contract/names.ts';
import { firstSize } from '../../domain/sizes.ts';
import { fitsAtom, madeAtom, madePictureAtom, type FilterBuild } from '../../state/first/filters.ts';
import { quantityByProductAtom, setQuantityAtom } from '../../state/first/cart.ts';
import { allergensTextAtom, closedAtom, isMenuDefaultAtom, itemsByIdAtom } from '../../state/first/menu.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { FoodMark } from '../../ui/pictures/FoodMark.tsx';
import { href } from '../../ui/href.ts';
import { FlameIcon } from '../../ui/pictures/icons.ts';
import { ItemPicture } from '../../ui/pictures/ItemPicture.tsx';
import { Price } from '../../ui/money/Price.tsx';
import { QuantityStepper } from '../../ui/forms/QuantityStepper.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { Heart } from './Heart.tsx';
import { hourText } from './hour.ts';
import { rich } from '../../ui/rich.ts';
import css from './ItemCard.module.css';

/** The page on which a dish is built or a combo is chosen; null for a dish without choices. */
const detailOf = (item: MenuItem) =>
  item.kind === 'DEAL' ? `/combo/${item.id}` : item.customisable ? `/customise/${item.id}` : null;

function Action({ item, made }: { item: MenuItem; made: FilterBuild | null | undefined }) {
  // An atom for each row, so that a tap renders this row alone.
  const quantity = useAtomValue(useMemo(() => atom((get) => get(quantityByProductAtom).get(item.id) ?? 0), [item.id]));
  const setQuantity = useSetAtom(setQuantityAtom);
  const instead = useAtomValue(
    useMemo(
      () =>
        atom((get) => {
          const other = get(itemsByIdAtom).get(item.alternativeId ?? '');
          return other && get(fitsAtom)(other) && get(madeAtom)(other) !== null ? other : null;
        }),
      [item.alternativeId],
    ),
  );
  const isClosed = useAtomValue(useMemo(() => atom((get) => get(closedAtom).has(item.id)), [item.id]));
  const detail = detailOf(item);
  if (item.soldOut) {
    return (
      <p className={css.sold}>
        <b>{t.soldOut}</b>
        {instead &&
          (instead.kind === 'DEAL' ? (
            <a href={href(detailOf(instead)!)}>{t.seeItem({ name: instead.name })}</a>
          ) : (
            <Button kind="quiet" small onClick={() => setQuantity(instead, 1)}>
              {t.addItem({ name: instead.name })}
            </Button>
          ))}
      </p>
    );
  }
  if (isClosed)
    return (
      <p className={css.sold}>
        <b>{t.notNow}</b>
        {t.soldFromTo({ from: hourText(item.availableFrom ?? ''), to: hourText(item.availableTo ?? '') })}
      </p>
    );
  if (item.kind === 'DEAL' || made === null)
    return (
      <Button kind="secondary" small href={href(detail!)} aria-label={t.chooseItem({ name: item.name })}>
        {t.choose}
      </Button>
    );
  return (
    <QuantityStepper
      add
      label={made ? `${item.name}, ${made.note}` : item.name}
      value={quantity}
      onChange={(value) => setQuantity(item, value)}
    />
  );
}

// Functions instead of components: a menu has hundreds of rows, and every component would be one more to hydrate.
const marksOf = (item: MenuItem) => (
  <p className={css.marks}>
    <FoodMark type={item.foodType} />
    {item.tags.includes('new') ? (
      <Tag tone="lime">{t.fresh}</Tag>
    ) : (
      item.tags.includes('bestseller') && <Tag tone="sun">{t.bestseller}</Tag>
    )}
    {item.spice > 0 && (
      <span className={css.spice} role="img" aria-label={t.spice({ spice: item.spice })}>
        {[1, 2, 3].slice(0, item.spice).map((one) => (
          <FlameIcon key={one} size={14} />
        ))}
      </span>
    )}
    {item.jain && <Tag tone="lime">{t.jain}</Tag>}
  </p>
);

/** What the law wants beside every dish: serving size, calories and allergens. */
export const factsOf = (item: MenuItem, size: Size, allergens: string) => (
  <p className={css.facts}>
    {[
      size !== 'ONE' && t.size({ size }),
      item.serving ?? (size === 'R' && t.servesOne),
      item.kcal[size] && t.kcal({ kcal: item.kcal[size] }),
    ]
      .filter(Boolean)
      .join(' · ')}
    {allergens && ' · '}
    {allergens && rich(t.contains, { allergens, hidden: <span className="visually-hidden" /> })}
  </p>
);

/** One dish: a row of the menu, or with `tile` a narrow tile of a shelf. */
export const ItemCard = memo(function ItemCard({ item, tile }: { item: MenuItem; tile?: boolean }) {
  const isDefault = useAtomValue(isMenuDefaultAtom);
  const made = useAtomValue(useMemo(() => atom((get) => get(madeAtom)(item)), [item]));
  const picture = useAtomValue(useMemo(() => atom((get) => get(madePictureAtom)(item)), [item]));
  const allergens = useAtomValue(allergensTextAtom)(item.allergens);
  const size = firstSize(item);
  const detail = detailOf(item);
  const amount = item.prices[size];
  const isFrom = isDefault || Object.keys(item.prices).length > 1;
  return (
    <li className={css.card} data-tile={tile} data-sold={item.soldOut}>
      <div className={css.words}>
        {marksOf(item)}
        {/* A dish keeps its name on pages in other languages, which say beside it how it sounds. */}
        <h3 lang={item.spoken && 'en'}>{detail ? <a href={href(detail)}>{item.name}</a> : item.name}</h3>
        {item.spoken && <p className={css.facts}>{item.spoken}</p>}
        {amount !== undefined && (
          <p className={css.price}>
            {/* Another element, not a moved one, when the store is known and 'from' goes. */}
            <Price
              key={`p${isFrom}`}
              amount={amount}
              original={item.originalPrices?.[size]}
              {...(isFrom && { around: (price) => rich(t.fromPrice, { price, small: <small /> }) })}
            />
          </p>
        )}
        {made && (
          <p className={css.facts}>
            <b>{made.note}</b>
          </p>
        )}
        {!tile && <p className={css.text}>{item.description}</p>}
        {item.availableFrom && (
          <p>
            <Tag tone="blue">
              {t.onlyFromTo({ from: hourText(item.availableFrom), to: hourText(item.availableTo ?? '') })}
            </Tag>
          </p>
        )}
        {factsOf(item, size, allergens)}
      </div>
      <div className={css.plate}>
        <ItemPicture item={item} src={picture} />
      </div>
      <Heart item={item} />
      {/* Another element, not a higher one, once it is known that it is sold out. */}
      <div key={`a${item.soldOut}`} className={css.action} data-dish={size === 'ONE' ? item.id : `${item.id} ${size}`}>
        <Action item={item} made={made} />
        {!tile && detail && !item.soldOut && item.kind !== 'DEAL' && <small aria-hidden>{t.customise}</small>}
      </div>
    </li>
  );
});
