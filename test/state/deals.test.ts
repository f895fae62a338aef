import { expect, test } from 'vitest';
import { syncCartAtom } from '../../src/state/cart/cart.ts';
import { chooseCheeseAtom, draftAtom, effectAtom } from '../../src/state/cart/builder.ts';
import {
  buildPieceAtom,
  choosePieceAtom,
  dealDraftAtom,
  dealPriceAtom,
  finishDealAtom,
  keepPieceAtom,
  openDealAtom,
  piecesAtom,
  setDealQuantityAtom,
  writeDealNoteAtom,
} from '../../src/state/cart/deals.ts';
import { cartLinesAtom } from '../../src/state/first/cart.ts';
import { startServer } from '../kit/server.ts';
import { openShop } from '../server/shop.ts';
import { openAtStore, type Customer } from './customer.ts';
import { during } from '../kit/during.ts';

const server = during(() => startServer({ settings: { distDir: null } }), openShop);

const open = (customer: Customer, line = '') =>
  customer.set(openDealAtom, { params: { dealId: 'DL003' }, query: new URLSearchParams(line && { line }) });
const lines = (customer: Customer) =>
  customer
    .get(cartLinesAtom)
    .map(({ quantity, input }) => [input.productId, quantity, input.slots?.map((one) => one.productId), input.note]);

test('a combo goes into the cart as it was put together, once; one that is changed takes the place of its line', async () => {
  const customer = await openAtStore(server);
  expect(customer.set(finishDealAtom)).toBe(false);
  await open(customer);
  const [first, second] = customer.get(piecesAtom).map((piece) => piece.item.id);
  expect([first, second].every(Boolean)).toBe(true);
  const price = customer.get(dealPriceAtom)!;
  expect([price.price, price.saving]).toEqual([39_900, price.apart - 39_900]);
  customer.set(choosePieceAtom, 1, 'PZ004');
  customer.set(setDealQuantityAtom, 2);
  customer.set(writeDealNoteAtom, 'well done');
  expect(customer.set(finishDealAtom)).toBe(true);
  // A second tap finds nothing that is being put together any more.
  expect([customer.get(dealDraftAtom), customer.set(finishDealAtom)]).toEqual([null, false]);
  await customer.set(syncCartAtom);
  expect(lines(customer)).toEqual([['DL003', 2, [first, 'PZ004'], 'well done']]);

  await open(customer, customer.get(cartLinesAtom)[0]!.lineId);
  expect(customer.get(dealDraftAtom)).toMatchObject({ quantity: 2, note: 'well done' });
  expect(customer.get(piecesAtom).map((piece) => piece.item.id)).toEqual([first, 'PZ004']);
  customer.set(choosePieceAtom, 1, second!);
  customer.set(setDealQuantityAtom, 1);
  customer.set(writeDealNoteAtom, '');
  expect(customer.set(finishDealAtom)).toBe(true);
  await customer.set(syncCartAtom);
  expect(lines(customer)).toEqual([['DL003', 1, [first, second], undefined]]);
});

test('a combo’s dish is built in the builder and goes back into its own place; without one nothing changes', async () => {
  const customer = await openAtStore(server);
  expect(customer.set(keepPieceAtom)).toBe(false);
  await open(customer);
  const before = customer.get(dealDraftAtom)!.pieces;
  customer.set(buildPieceAtom, before.length);
  expect([customer.get(draftAtom), customer.set(keepPieceAtom)]).toEqual([null, false]);

  customer.set(effectAtom, { text: 'of another dish', difference: null, isRefused: false });
  customer.set(buildPieceAtom, 1);
  // In the size in which the combo has it.
  expect(customer.get(draftAtom)).toMatchObject({ piece: 1, productId: before[1]!.productId, size: 'R' });
  expect(customer.get(effectAtom)).toBe(null);
  customer.set(chooseCheeseAtom, 'extra');
  expect(customer.set(keepPieceAtom)).toBe(true);
  expect(customer.get(draftAtom)).toBe(null);
  expect(customer.get(dealDraftAtom)!.pieces).toEqual([
    before[0],
    expect.objectContaining({ slot: before[1]!.slot, productId: before[1]!.productId, build: { cheese: 'extra' } }),
  ]);

  // As it was built, it is opened again.
  customer.set(buildPieceAtom, 1);
  expect(customer.get(draftAtom)).toMatchObject({ cheese: 'extra' });
  // A dish of its own is no place of a combo.
  customer.set(draftAtom, { ...customer.get(draftAtom)!, piece: null });
  expect(customer.set(keepPieceAtom)).toBe(false);
  expect(customer.get(draftAtom)).not.toBe(null);
});
