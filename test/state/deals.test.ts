import { expect, test } from 'vitest';
import { chooseCheeseAtom, draftAtom, effectAtom } from '../../src/state/cart/builder.ts';
import { buildPieceAtom, dealDraftAtom, keepPieceAtom, openDealAtom } from '../../src/state/cart/deals.ts';
import { startServer } from '../kit/server.ts';
import { openShop } from '../server/shop.ts';
import { openAtStore, type Customer } from './customer.ts';
import { during } from '../kit/during.ts';

const server = during(() => startServer({ settings: { distDir: null } }), openShop);

const open = (customer: Customer, line = '') =>
  customer.set(openDealAtom, { params: { dealId: 'DL003' }, query: new URLSearchParams(line && { line }) });

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
