import type { MenuItem } from '../../contract/menu.ts';
import * as t from '#text/customise.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { useState } from 'react';
import { firstSize } from '../../domain/sizes.ts';
import { multiply } from '../../domain/money.ts';
import { fitsAtom } from '../../state/first/filters.ts';
import {
  buildPieceAtom,
  choosePieceAtom,
  dealAtom,
  dealDraftAtom,
  dealPriceAtom,
  dealStateAtom,
  finishDealAtom,
  openDealAtom,
  piecesAtom,
  setDealQuantityAtom,
  writeDealNoteAtom,
  type PieceView,
} from '../../state/cart/deals.ts';
import { builderAtom, builderStateAtom } from '../../state/menu/priceList.ts';
import { closedAtom, itemsByIdAtom } from '../../state/first/menu.ts';
import { sentenceOf } from '../../state/base/popup.ts';
import { toastMessageAtom } from '../../state/first/toast.ts';
import { hostAtom, navigateAtom } from '../../state/first/seams.ts';
import { AmountSaid } from '../../ui/money/AmountSaid.tsx';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { BarToCome, BottomBar } from '../../ui/page/BottomBar.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { DishName } from '../../ui/DishName.tsx';
import { FoodMark } from '../../ui/pictures/FoodMark.tsx';
import { ItemPicture } from '../../ui/pictures/ItemPicture.tsx';
import { Price } from '../../ui/money/Price.tsx';
import { QuantityStepper } from '../../ui/forms/QuantityStepper.tsx';
import { rich } from '../../ui/rich.ts';
import { Sheet } from '../../ui/overlays/Sheet.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { hourText } from '../first/hour.ts';
import { NotLoaded } from '../base/NotLoaded.tsx';
import { useFacts } from './facts.ts';
import { backToMenu, leave } from './leave.ts';
import { NoteFold } from './NoteFold.tsx';
import page from './CustomiseScreen.module.css';
import css from './ComboScreen.module.css';

export const enter = openDealAtom;

/** The other dishes that may take this place of the combo. */
function Choices({ piece, onClose }: { piece: PieceView; onClose: () => void }) {
  const items = useAtomValue(itemsByIdAtom);
  const fits = useAtomValue(fitsAtom);
  const host = useAtomValue(hostAtom);
  const choose = useSetAtom(choosePieceAtom);
  const factsOf = useFacts();
  const listed = piece.slot.choices.flatMap(({ productId, surcharge }) => {
    const item = items.get(productId);
    return item && !item.soldOut && (fits(item) || item.id === piece.item.id) ? [{ item, surcharge }] : [];
  });
  return (
    <Sheet title={piece.slot.label} onClose={onClose} closeOnOutside={host.fullMode}>
      <ul className={page.picks}>
        {listed.map(({ item, surcharge }) => (
          <li key={item.id}>
            <button
              type="button"
              aria-pressed={item.id === piece.item.id}
              onClick={() => {
                choose(piece.at, item.id);
                onClose();
              }}
            >
              <span>
                <ItemPicture item={item} />
              </span>
              <span>
                <FoodMark type={item.foodType} /> <b lang="en">{item.name}</b>
                <small>{item.description}</small>
                <small>{factsOf(item, piece.slot.size ?? firstSize(item))}</small>
              </span>
              <span className={css.extra}>
                {surcharge > 0 ? (
                  <>
                    +<Price amount={surcharge} />
                  </>
                ) : (
                  t.included
                )}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}

function Piece({ piece, label, onChange }: { piece: PieceView; label: string; onChange: () => void }) {
  const build = useSetAtom(buildPieceAtom);
  const { go } = useAtomValue(navigateAtom);
  const { item, slot, at } = piece;
  const factsOf = useFacts();
  return (
    <li className={css.piece}>
      <span className={css.plate}>
        <ItemPicture item={item} />
      </span>
      <div>
        <p className={css.slot}>{label}</p>
        <h2>
          <FoodMark type={piece.foodType} /> <DishName name={item.name} />
        </h2>
        {piece.choices.length > 0 && <p className={css.detail}>{piece.choices.join(', ')}</p>}
        <p className={css.detail}>
          {factsOf(item, piece.ownSize, piece.kcal, piece.allergens)}
          {piece.surcharge > 0 && (
            <b>
              {' '}
              · +<Price amount={piece.surcharge} />
            </b>
          )}
        </p>
        <div className={css.acts}>
          {slot.choices.length > 1 && (
            <Button kind="secondary" small onClick={onChange} aria-label={t.pieceChange({ label, name: item.name })}>
              {t.change}
            </Button>
          )}
          {item.customisable && (
            <Button
              kind="quiet"
              small
              onClick={() => {
                build(at);
                go(`/customise/${item.id}?piece=${at}`);
              }}
              aria-label={t.pieceCustomiseItem({ name: item.name })}
            >
              {t.pieceCustomise}
            </Button>
          )}
        </div>
      </div>
    </li>
  );
}

/** The places of the combo; those with the same name are numbered. */
function Pieces({ onOpen }: { onOpen: (at: number) => void }) {
  const pieces = useAtomValue(piecesAtom);
  const labelOf = (piece: (typeof pieces)[number]) => {
    const { label } = piece.slot;
    const alike = pieces.filter((one) => one.slot === piece.slot);
    return alike.length > 1 ? t.pieceOf({ label, number: alike.indexOf(piece) + 1, count: alike.length }) : label;
  };
  return (
    <ul className={css.pieces}>
      {pieces.map((piece) => (
        <Piece key={piece.at} piece={piece} label={labelOf(piece)} onChange={() => onOpen(piece.at)} />
      ))}
    </ul>
  );
}

function Choice({ name, item }: { name: string; item: MenuItem | undefined }) {
  const draft = useAtomValue(dealDraftAtom);
  const price = useAtomValue(dealPriceAtom);
  const isClosed = useAtomValue(closedAtom).has(item?.id ?? '');
  const finish = useSetAtom(finishDealAtom);
  const setQuantity = useSetAtom(setDealQuantityAtom);
  const toast = useSetAtom(toastMessageAtom);
  const { go } = useAtomValue(navigateAtom);
  if (!draft || !price) return null;
  const isChange = draft.lineId !== null;
  const onPress = () => {
    if (!finish()) return;
    if (isChange) return leave(go, '/cart');
    leave(go, '/menu', () => toast(t.added({ name, count: 1 }), { label: t.viewCart, act: () => go('/cart') }));
  };
  return (
    <BottomBar
      label={t.comboChoice}
      action={
        isClosed && item ? (
          <Button disabled>
            {t.comboSold({ from: hourText(item.availableFrom ?? ''), to: hourText(item.availableTo ?? '') })}
          </Button>
        ) : (
          <Button onClick={onPress}>
            {isChange ? t.update : t.add} <Price amount={multiply(price.price, draft.quantity)} />
          </Button>
        )
      }
    >
      <AmountSaid amount={multiply(price.price, draft.quantity)} text={t.priceSaid} />
      <QuantityStepper label={name} value={draft.quantity} min={1} onChange={setQuantity} />
    </BottomBar>
  );
}

/** Shown until the combo is known, and when it cannot be loaded. */
function Missing({ params }: { params: Readonly<Record<string, string>> }) {
  const state = useAtomValue(dealStateAtom);
  const reload = useSetAtom(openDealAtom);
  return state.status === 'failed' ? (
    <NotLoaded
      title={t.comboMissing}
      failure={state.failure}
      onRetry={() => void reload({ params, query: new URLSearchParams(location.search) })}
    >
      {sentenceOf(state.failure)}
    </NotLoaded>
  ) : (
    <div className={page.bones} aria-busy>
      <BarToCome />
      <Skeleton height="7rem" />
      <Skeleton height="7rem" />
      <Skeleton height="7rem" />
    </div>
  );
}

/** A combo: one line for each dish in it. */
export default function ComboScreen({ params }: { params: Readonly<Record<string, string>> }) {
  const deal = useAtomValue(dealAtom);
  const draft = useAtomValue(dealDraftAtom);
  const pieces = useAtomValue(piecesAtom);
  const price = useAtomValue(dealPriceAtom);
  const item = useAtomValue(itemsByIdAtom).get(params['dealId'] ?? '');
  const [open, setOpen] = useState<number | null>(null);
  const builder = useAtomValue(builderAtom);
  // Without it dishes are listed in fewer words; once it is there, lines would move.
  const isPriceListComing = useAtomValue(builderStateAtom).status === 'loading' && !builder;
  const writeNote = useSetAtom(writeDealNoteAtom);
  const { go } = useAtomValue(navigateAtom);
  const name = deal?.name ?? item?.name ?? t.combo;
  const back = backToMenu(go);
  const opened = pieces.find((piece) => piece.at === open);
  return (
    <div className={page.page}>
      <AppBar title={<DishName name={name} />} subtitle={deal?.description ?? item?.description} back={back} />
      {deal && draft && price && !isPriceListComing ? (
        <>
          <div className={css.body}>
            {price.saving > 0 && (
              <p className={css.saving}>{rich(t.comboSaving, { amount: <Price amount={price.saving} />, b: <b /> })}</p>
            )}
            <Pieces onOpen={setOpen} />
            <NoteFold note={draft.note} ready={builder?.cookingNotes ?? []} onChange={writeNote} />
          </div>
          <Choice name={name} item={item} />
        </>
      ) : (
        <Missing params={params} />
      )}
      {opened && <Choices piece={opened} onClose={() => setOpen(null)} />}
    </div>
  );
}
