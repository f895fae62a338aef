import { useAtomValue, useSetAtom } from 'jotai';
import { useState } from 'react';
import { multiply } from '../../domain/money.ts';
import { fitsAtom } from '../../state/filters.ts';
import { buildPieceAtom, choosePieceAtom, dealAtom, dealDraftAtom, dealPriceAtom, dealStateAtom, finishDealAtom, openDealAtom, piecesAtom, setDealQuantityAtom, type PieceView } from '../../state/deals.ts';
import { closedAtom, itemsByIdAtom } from '../../state/menu.ts';
import { sentenceOf, toastMessageAtom } from '../../state/popup.ts';
import { hostAtom, navigateAtom } from '../../state/seams.ts';
import { AppBar } from '../../ui/AppBar.tsx';
import { BottomBar } from '../../ui/BottomBar.tsx';
import { Button } from '../../ui/Button.tsx';
import { EmptyPicture } from '../../ui/EmptyPicture.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { FoodMark } from '../../ui/FoodMark.tsx';
import { href } from '../../ui/href.ts';
import { ItemPicture } from '../../ui/ItemPicture.tsx';
import { Price } from '../../ui/Price.tsx';
import { QuantityStepper } from '../../ui/QuantityStepper.tsx';
import { Sheet } from '../../ui/Sheet.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { leave } from './leave.ts';
import page from './CustomiseScreen.module.css';
import css from './ComboScreen.module.css';

export const enter = openDealAtom;

/** What else may stand in this place. */
function Choices({ piece, onClose }: { piece: PieceView; onClose: () => void }) {
  const items = useAtomValue(itemsByIdAtom);
  const fits = useAtomValue(fitsAtom);
  const host = useAtomValue(hostAtom);
  const choose = useSetAtom(choosePieceAtom);
  const listed = piece.slot.choices.flatMap(({ productId, surcharge }) => {
    const item = items.get(productId);
    return item && !item.soldOut && (fits(item) || item.id === piece.item.id) ? [{ item, surcharge }] : [];
  });
  return (
    <Sheet title={piece.slot.label} onClose={onClose} closeOnOutside={host.fullMode}>
      <ul className={page.picks}>
        {listed.map(({ item, surcharge }) => (
          <li key={item.id}>
            <button type="button" aria-pressed={item.id === piece.item.id} onClick={() => { choose(piece.at, item.id); onClose(); }}>
              <span><ItemPicture item={item} /></span>
              <span><FoodMark type={item.foodType} /> <b>{item.name}</b><small>{item.description}</small></span>
              <span className={css.extra}>{surcharge > 0 ? <>+<Price amount={surcharge} /></> : 'included'}</span>
            </button>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}

function Piece({ piece, of, onChange }: { piece: PieceView; of: string; onChange: () => void }) {
  const build = useSetAtom(buildPieceAtom);
  const { go } = useAtomValue(navigateAtom);
  const { item, slot, at } = piece;
  return (
    <li className={css.piece}>
      <span className={css.plate}><ItemPicture item={item} /></span>
      <div>
        <p className={css.slot}>{slot.label}{of}</p>
        <h2><FoodMark type={piece.foodType} /> {item.name}</h2>
        {piece.choices.length > 0 && <p className={css.detail}>{piece.choices.join(', ')}</p>}
        <p className={css.detail}>
          {piece.kcal > 0 && `${piece.kcal} kcal`}{piece.allergens.length > 0 && ` · contains ${piece.allergens.join(', ')}`}
          {piece.surcharge > 0 && <b> · +<Price amount={piece.surcharge} /></b>}
        </p>
        <div className={css.acts}>
          {slot.choices.length > 1 && <Button kind="secondary" small onClick={onChange} aria-label={`Change ${slot.label}${of}, now ${item.name}`}>Change</Button>}
          {item.customisable && <Button kind="quiet" small onClick={() => { build(at); go(`/customise/${item.id}?piece=${at}`); }} aria-label={`Customise ${item.name}`}>Customise</Button>}
        </div>
      </div>
    </li>
  );
}

/** A combo, place by place. */
export default function ComboScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const deal = useAtomValue(dealAtom);
  const draft = useAtomValue(dealDraftAtom);
  const state = useAtomValue(dealStateAtom);
  const pieces = useAtomValue(piecesAtom);
  const price = useAtomValue(dealPriceAtom);
  const item = useAtomValue(itemsByIdAtom).get(params['dealId'] ?? '');
  const isClosed = useAtomValue(closedAtom).has(params['dealId'] ?? '');
  const [open, setOpen] = useState<number | null>(null);
  const [finish, reload, setQuantity, toast] = [useSetAtom(finishDealAtom), useSetAtom(openDealAtom), useSetAtom(setDealQuantityAtom), useSetAtom(toastMessageAtom)];
  const { go } = useAtomValue(navigateAtom);
  const name = deal?.name ?? item?.name ?? 'Combo';
  const back = { label: 'Back', href: href('/menu'), onClick: (event: { preventDefault(): void }) => { event.preventDefault(); leave(go, '/menu'); } };
  const opened = pieces.find((piece) => piece.at === open);
  const onPress = () => {
    const isChange = draft?.lineId != null;
    if (!finish()) return;
    if (!isChange) toast(`${name} added`, { label: 'View cart', act: () => go('/cart') });
    leave(go, isChange ? '/cart' : '/menu');
  };
  return (
    <div className={page.page}>
      <AppBar title={name} subtitle={deal?.description ?? item?.description} back={back} />
      {deal && draft && price ? (
        <>
          <div className={css.body}>
            {price.saving > 0 && <p className={css.saving}>You save <b><Price amount={price.saving} /></b> on what these cost one by one.</p>}
            <ul className={css.pieces}>
              {pieces.map((piece) => {
                const alike = pieces.filter((one) => one.slot === piece.slot);
                return <Piece key={piece.at} piece={piece} of={alike.length > 1 ? ` ${alike.indexOf(piece) + 1} of ${alike.length}` : ''} onChange={() => setOpen(piece.at)} />;
              })}
            </ul>
          </div>
          <BottomBar label="Your combo" action={isClosed && item ? <Button disabled>Sold {item.availableFrom} to {item.availableTo}</Button> : <Button onClick={onPress}>{draft.lineId ? 'Update' : 'Add'} <Price amount={multiply(price.price, draft.quantity)} /></Button>}>
            <QuantityStepper label={name} value={draft.quantity} min={1} onChange={setQuantity} />
          </BottomBar>
        </>
      ) : state.status === 'failed' ? (
        <EmptyState picture={<EmptyPicture />} title="This combo did not arrive" action={<Button onClick={() => void reload({ params, query: new URLSearchParams(location.search) })}>Try again</Button>}>{sentenceOf(state.failure)}</EmptyState>
      ) : (
        <div className={page.bones} aria-busy><Skeleton height="7rem" /><Skeleton height="7rem" /><Skeleton height="7rem" /></div>
      )}
      {opened && <Choices piece={opened} onClose={() => setOpen(null)} />}
    </div>
  );
}
