import { atom, useAtomValue, useSetAtom } from 'jotai';
import { memo, useMemo } from 'react';
import type { MenuItem } from '../../contract/menu.ts';
import { firstSize, SIZE_NAMES } from '../../domain/sizes.ts';
import { setQuantityAtom } from '../../state/additions.ts';
import { quantityByProductAtom } from '../../state/basket.ts';
import { closedAtom, isMenuDefaultAtom, itemsByIdAtom } from '../../state/menu.ts';
import { Button } from '../../ui/Button.tsx';
import { FoodMark } from '../../ui/FoodMark.tsx';
import { href } from '../../ui/href.ts';
import { FlameIcon } from '../../ui/icons/FlameIcon.tsx';
import { ItemPicture } from '../../ui/ItemPicture.tsx';
import { Price } from '../../ui/Price.tsx';
import { QuantityStepper } from '../../ui/QuantityStepper.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { Heart } from './Heart.tsx';
import css from './ItemCard.module.css';

/** Where a dish is chosen in detail; null for what comes as it is. */
const detailOf = (item: MenuItem) => (item.kind === 'DEAL' ? `/combo/${item.id}` : item.customisable ? `/customise/${item.id}` : null);

function Action({ item }: { item: MenuItem }) {
  // An atom per row: a tap renders this row and no other.
  const quantity = useAtomValue(useMemo(() => atom((get) => get(quantityByProductAtom).get(item.id) ?? 0), [item.id]));
  const setQuantity = useSetAtom(setQuantityAtom);
  const instead = useAtomValue(itemsByIdAtom).get(item.alternativeId ?? '');
  const isClosed = useAtomValue(useMemo(() => atom((get) => get(closedAtom).has(item.id)), [item.id]));
  const detail = detailOf(item);
  if (item.soldOut) {
    return (
      <p className={css.sold}>
        <b>Sold out</b>
        {instead && (instead.kind === 'DEAL' ? <a href={href(detailOf(instead)!)}>See {instead.name}</a> : <Button kind="quiet" small onClick={() => setQuantity(instead, 1)}>Add {instead.name}</Button>)}
      </p>
    );
  }
  if (isClosed) return <p className={css.sold}><b>Not now</b>Sold {item.availableFrom} to {item.availableTo}</p>;
  if (item.kind === 'DEAL') return <Button kind="secondary" small href={href(detail!)} aria-label={`Choose ${item.name}`}>Choose</Button>;
  return <QuantityStepper add label={item.name} value={quantity} onChange={(value) => setQuantity(item, value)} />;
}

/** One dish: as a row of the menu, or as a narrow tile of a shelf. */
export const ItemCard = memo(function ItemCard({ item, tile }: { item: MenuItem; tile?: boolean }) {
  const isDefault = useAtomValue(isMenuDefaultAtom);
  const size = firstSize(item);
  const detail = detailOf(item);
  const amount = item.prices[size];
  const facts = [SIZE_NAMES[size], item.serving ?? (size === 'R' && 'serves 1'), item.kcal[size] && `${item.kcal[size]} kcal`].filter(Boolean).join(' · ');
  return (
    <li className={css.card} data-tile={tile} data-sold={item.soldOut}>
      <div className={css.words}>
        <p className={css.marks}>
          <FoodMark type={item.foodType} />
          {item.tags.includes('new') ? <Tag tone="lime">New</Tag> : item.tags.includes('bestseller') && <Tag tone="sun">Bestseller</Tag>}
          {item.spice > 0 && <span className={css.spice} role="img" aria-label={`Spice ${item.spice} of 3`}>{[1, 2, 3].slice(0, item.spice).map((one) => <FlameIcon key={one} size={14} />)}</span>}
          {item.jain && <Tag tone="lime">Jain</Tag>}
        </p>
        <h3>{detail ? <a href={href(detail)}>{item.name}</a> : item.name}</h3>
        {amount !== undefined && (
          <p className={css.price}>
            {(isDefault || Object.keys(item.prices).length > 1) && <small>from </small>}
            <Price amount={amount} original={item.originalPrices?.[size]} />
          </p>
        )}
        {!tile && <p className={css.text}>{item.description}</p>}
        {item.availableFrom && <p><Tag tone="blue">Only {item.availableFrom} to {item.availableTo}</Tag></p>}
        {!tile && (
          <p className={css.facts}>
            {facts}
            {item.allergens.length > 0 && <> · <span className="visually-hidden">contains </span>{item.allergens.join(', ')}</>}
          </p>
        )}
      </div>
      <div className={css.plate}><ItemPicture item={item} /></div>
      <Heart item={item} />
      <div className={css.action}>
        <Action item={item} />
        {!tile && detail && !item.soldOut && item.kind !== 'DEAL' && <small aria-hidden>customise</small>}
      </div>
    </li>
  );
});
