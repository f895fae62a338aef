import { useAtomValue, useSetAtom } from 'jotai';
import { addLineAtom, changeLineAtom, type ViewLine } from '../../state/cart.ts';
import { avoidedAtom } from '../../state/household.ts';
import { itemsByIdAtom } from '../../state/menu.ts';
import { toastMessageAtom } from '../../state/popup.ts';
import { FoodMark } from '../../ui/FoodMark.tsx';
import { href } from '../../ui/href.ts';
import { ItemPicture } from '../../ui/ItemPicture.tsx';
import { Price } from '../../ui/Price.tsx';
import { QuantityStepper } from '../../ui/QuantityStepper.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Tag } from '../../ui/Tag.tsx';
import css from './CartLine.module.css';

/** One line of the cart: what it is, what was chosen, how many, what it costs. */
export function CartLine({ line }: { line: ViewLine }) {
  const item = useAtomValue(itemsByIdAtom).get(line.productId);
  const change = useSetAtom(changeLineAtom);
  const add = useSetAtom(addLineAtom);
  const say = useSetAtom(toastMessageAtom);
  const { priced } = line;
  const avoided = useAtomValue(avoidedAtom)(priced?.allergens ?? []);
  const kind = priced?.product.kind ?? item?.kind ?? 'SIDE';
  const foodType = priced?.product.foodType ?? item?.foodType;
  const editor = kind === 'DEAL' ? `/combo/${line.productId}` : item?.customisable ? `/customise/${line.productId}` : null;
  const setQuantity = (quantity: number) => {
    change({ lineId: line.lineId, quantity });
    if (quantity > 0) return;
    const { lineId: _gone, ...again } = line.input;
    say(`${line.name} is removed.`, { label: 'Undo', act: () => { add(again); } });
  };
  return (
    <li className={css.line} data-problem={line.problem !== null || undefined}>
      <div className={css.picture}><ItemPicture item={item ?? { id: line.productId, kind, name: line.name }} /></div>
      <div className={css.words}>
        <p className={css.name}>{foodType && <FoodMark type={foodType} />} {line.name}{line.by && <> <Tag tone="blue">{line.by.name}</Tag></>}</p>
        {priced && priced.choices.length > 0 && <p className={css.choices}>{priced.choices.join(' · ')}</p>}
        {priced?.note && <p className={css.choices}>“{priced.note}”</p>}
        {avoided.length > 0 && <p><Tag tone="red">Not for your home: {avoided.join(', ')}</Tag></p>}
        {line.problem && <p className={css.problem}>{line.problem}</p>}
        {!priced?.free && (
          <div className={css.row}>
            <QuantityStepper label={line.name} value={line.quantity} onChange={setQuantity} />
          </div>
        )}
      </div>
      <div className={css.price}>
        {priced && priced.quantity === line.quantity
          ? <Price amount={priced.lineTotal} zero="Free" />
          : line.problem === null && <Skeleton width="3.5rem" height="1.1em" />}
        {editor && !line.problem && !priced?.free && <a className={css.edit} href={href(`${editor}?line=${encodeURIComponent(line.lineId)}`)}>Edit<span className="visually-hidden"> {line.name}</span></a>}
      </div>
    </li>
  );
}
