import * as buildText from '#text/build.ts';
import { atom } from 'jotai';
import type { LineInput } from '../../contract/cart.ts';
import * as contract from '../../contract/menu.ts';
import type { Size } from '../../contract/names.ts';
import type { Money } from '../../contract/price.ts';
import { slotSurcharge, workOut, LineProblem } from '../../domain/build.ts';
import { add, subtract, ZERO } from '../../domain/money.ts';
import { firstSize } from '../../domain/sizes.ts';
import { buildOf, draftAtom, draftOf, effectAtom, noteOf, partsAtom, workedAtom, type Note } from './builder.ts';
import { isBuilderHereAtom, loadBuilderAtom } from '../menu/priceList.ts';
import { putLineAtom } from './cart.ts';
import { cartLinesAtom, changeLineAtom } from '../first/cart.ts';
import { customerAtom } from '../lib/forget.ts';
import { remote } from '../lib/remote.ts';
import { storeIdAtom } from '../first/location.ts';
import { itemsByIdAtom } from '../first/menu.ts';
import { apiAtom } from '../first/seams.ts';

type Piece = NonNullable<LineInput['slots']>[number];

/** A combo that is being put together, with one entry for each piece of every slot. */
export interface DealDraft {
  readonly dealId: string;
  readonly pieces: readonly Piece[];
  readonly quantity: number;
  readonly lineId: string | null;
  /** For the kitchen, about all of it. */
  readonly note: Note;
}
export const dealDraftAtom = customerAtom<DealDraft | null>(null);

const live = remote(
  async (get, set, signal, dealId: string) => {
    const { deal } = await get(apiAtom).call(contract.deal, { storeId: get(storeIdAtom), dealId }, { signal });
    // After building one piece the customer returns to the same combo: everything is still in place.
    set(dealDraftAtom, (now) =>
      now?.dealId === deal.id && now.pieces.length > 0
        ? now
        : {
            dealId: deal.id,
            quantity: now?.dealId === deal.id ? now.quantity : 1,
            lineId: now?.dealId === deal.id ? now.lineId : null,
            note: now?.dealId === deal.id ? now.note : '',
            pieces: deal.slots.flatMap((slot, at) =>
              slot.defaults.map((productId): Piece => ({ slot: at, productId })),
            ),
          },
    );
    return deal;
  },
  { isCustomers: false },
);
export const dealStateAtom = live.atom;

/** Opens a combo: a new one with its defaults, or a cart line as it was put together (`line`). */
export const openDealAtom = atom(
  null,
  async (
    get,
    set,
    { params, query }: { readonly params: Readonly<Record<string, string>>; readonly query: URLSearchParams },
  ) => {
    const dealId = params['dealId'] ?? '';
    const held = get(dealDraftAtom);
    const line = get(cartLinesAtom).find((one) => one.lineId === query.get('line') && one.productId === dealId);
    if (held?.dealId !== dealId || held.lineId !== (line?.lineId ?? null)) {
      set(dealDraftAtom, {
        dealId,
        pieces: line?.input.slots ?? [],
        quantity: line?.quantity ?? 1,
        lineId: line?.lineId ?? null,
        note: line?.input.note ?? '',
      });
    }
    await Promise.all([set(live.load, dealId), get(isBuilderHereAtom) ? null : set(loadBuilderAtom)]);
  },
);

export const dealAtom = atom((get) => {
  const deal = get(live.atom).data;
  return deal && deal.id === get(dealDraftAtom)?.dealId ? deal : null;
});

export interface PieceView {
  readonly at: number;
  readonly slot: contract.Deal['slots'][number];
  readonly item: contract.MenuItem;
  readonly ownSize: Size;
  readonly surcharge: Money;
  /** What differs from the recipe, or why it cannot be made like this. */
  readonly choices: readonly string[];
  readonly allergens: readonly string[];
  readonly kcal: number;
  readonly foodType: contract.MenuItem['foodType'];
}

/** Every piece with its dish and what it adds to the price. */
export const piecesAtom = atom((get): PieceView[] => {
  const deal = get(dealAtom);
  const parts = get(partsAtom);
  const items = get(itemsByIdAtom);
  const views: PieceView[] = [];
  for (const [at, piece] of (get(dealDraftAtom)?.pieces ?? []).entries()) {
    const slot = deal?.slots[piece.slot];
    const item = items.get(piece.productId);
    if (!slot || !item) continue;
    const ownSize = slot.size ?? firstSize(item);
    const fixed = slot.choices.find((choice) => choice.productId === item.id)?.surcharge ?? ZERO;
    const plain = {
      at,
      slot,
      item,
      ownSize,
      surcharge: fixed,
      choices: [],
      allergens: item.allergens,
      kcal: item.kcal[ownSize] ?? 0,
      foodType: item.foodType,
    };
    if (!parts) {
      views.push(plain);
      continue;
    }
    try {
      const finished = workOut(
        parts,
        item,
        { size: piece.size ?? ownSize, crust: piece.crust, build: piece.build },
        buildText,
      );
      const crust = finished.crust && !finished.crust.isDefault ? [finished.crust.name] : [];
      const { kcal, allergens, foodType } = finished;
      views.push({
        ...plain,
        kcal,
        allergens,
        foodType,
        surcharge: add(fixed, slotSurcharge(item, ownSize, finished)),
        choices: [...crust, ...finished.choices],
      });
    } catch (thrown) {
      if (!(thrown instanceof LineProblem)) throw thrown;
      views.push({ ...plain, choices: [thrown.message] });
    }
  }
  return views;
});

/**
 * What one combo costs now (estimated by the rules shared with the server), and what its parts would cost one by one.
 */
export const dealPriceAtom = atom((get) => {
  const deal = get(dealAtom);
  if (!deal) return null;
  const pieces = get(piecesAtom);
  const price = add(deal.price, ...pieces.map((piece) => piece.surcharge));
  const apart = add(...pieces.map((piece) => add(piece.item.prices[piece.ownSize] ?? ZERO, piece.surcharge)));
  return { price, apart, saving: apart > price ? subtract(apart, price) : ZERO };
});

export const choosePieceAtom = atom(null, (_get, set, at: number, productId: string) =>
  set(
    dealDraftAtom,
    (now) =>
      now && {
        ...now,
        pieces: now.pieces.map((piece, index) => (index === at ? { slot: piece.slot, productId } : piece)),
      },
  ),
);
export const setDealQuantityAtom = atom(null, (_get, set, quantity: number) =>
  set(dealDraftAtom, (now) => now && { ...now, quantity }),
);

export const writeDealNoteAtom = atom(null, (_get, set, note: Note) =>
  set(dealDraftAtom, (now) => now && { ...now, note }),
);

/** Puts a piece into the builder's draft. */
export const buildPieceAtom = atom(null, (get, set, at: number) => {
  const view = get(piecesAtom).find((piece) => piece.at === at);
  const piece = get(dealDraftAtom)?.pieces[at];
  if (!view || !piece) return;
  set(effectAtom, null);
  set(draftAtom, { ...draftOf(view.item, { ...piece, size: piece.size ?? view.ownSize }), piece: at });
});
/** Puts the built piece back into its place. @returns false while something is wrong with it */
export const keepPieceAtom = atom(null, (get, set): boolean => {
  const draft = get(draftAtom);
  const worked = get(workedAtom);
  if (!draft || draft.piece === null || !worked) return false;
  if (worked.problem) {
    set(effectAtom, { text: worked.problem, difference: null, isRefused: true });
    return false;
  }
  const build = buildOf(draft);
  set(
    dealDraftAtom,
    (now) =>
      now && {
        ...now,
        pieces: now.pieces.map((piece, index) =>
          index !== draft.piece
            ? piece
            : {
                slot: piece.slot,
                productId: draft.productId,
                size: draft.size,
                ...(draft.crust ? { crust: draft.crust } : {}),
                ...(build ? { build } : {}),
              },
        ),
      },
  );
  set(draftAtom, null);
  return true;
});

/** Adds the combo to the cart, or replaces the line that is being changed. */
export const finishDealAtom = atom(null, (get, set): boolean => {
  const draft = get(dealDraftAtom);
  const deal = get(dealAtom);
  if (!draft || !deal) return false;
  const note = noteOf(draft.note);
  const line = { productId: deal.id, slots: [...draft.pieces], ...(note ? { note } : {}) };
  if (draft.lineId) set(changeLineAtom, { lineId: draft.lineId, quantity: draft.quantity, line });
  else set(putLineAtom, { ...line, quantity: draft.quantity });
  set(dealDraftAtom, null);
  return true;
});
