import { beforeEach, expect, test } from 'vitest';
import * as errors from '#text/errors.ts';
import * as t from '#text/menu.ts';
import { Failure } from '../../src/api/failure.ts';
import * as menu from '../../src/contract/menu.ts';
import { syncCartAtom } from '../../src/state/cart/cart.ts';
import { cartCountAtom, cartLinesAtom } from '../../src/state/first/cart.ts';
import { vegOnlyAtom } from '../../src/state/first/filters.ts';
import { toastAtom } from '../../src/state/first/toast.ts';
import { itemsByIdAtom } from '../../src/state/first/menu.ts';
import { addPartyAtom, guestsAtom, partyTasks, partyState, planPartyAtom } from '../../src/state/cart/party.ts';
import { popupAtom } from '../../src/state/base/popup.ts';
import { startServer } from '../kit/server.ts';
import { openShop } from '../server/shop.ts';
import { fails, openAtStore } from './customer.ts';
import { during } from '../kit/during.ts';

const server = during(() => startServer({ settings: { distDir: null } }), openShop);
beforeEach(() => server.switches({ soldOut: [] }));

test('what feeds so many guests is planned for the chosen store, again for as many as before, without meat for who wants none', async () => {
  const customer = await openAtStore(server);
  expect(customer.get(guestsAtom)).toBe(8);
  await customer.set(planPartyAtom, 20);
  const plan = customer.get(partyState.atom).data!;
  expect([customer.get(guestsAtom), plan.storeId, plan.plan!.lines.length > 0]).toEqual([20, '10101', true]);
  customer.set(vegOnlyAtom, true);
  await customer.set(planPartyAtom);
  const veg = customer.get(partyState.atom).data!.plan!;
  expect(customer.get(guestsAtom)).toBe(20);
  const items = customer.get(itemsByIdAtom);
  expect(
    veg.lines.flatMap(({ productId }) => items.get(productId)?.foodType ?? []).filter((one) => one !== 'VEG'),
  ).toEqual([]);
});

test('the whole plan comes into the cart at once, combos with what is in them, and is priced', async () => {
  const customer = await openAtStore(server);
  expect(await customer.set(addPartyAtom)).toBe(false);
  await customer.set(planPartyAtom, 30);
  const { lines } = customer.get(partyState.atom).data!.plan!;
  const adding = customer.set(addPartyAtom);
  expect(customer.get(partyTasks.isBusyAtom)).toBe(true);
  expect([await customer.set(addPartyAtom), await adding]).toEqual([false, true]);
  expect([customer.get(partyTasks.isBusyAtom), customer.get(toastAtom)?.message]).toEqual([false, t.partyAdded]);
  await customer.set(syncCartAtom);
  const own = customer.get(cartLinesAtom).filter(({ priced }) => !priced?.free);
  expect(own.map(({ productId, quantity }) => [productId, quantity]).sort()).toEqual(
    lines.map(({ productId, quantity }) => [productId, quantity]).sort(),
  );
  expect(own.every(({ priced }) => priced !== undefined)).toBe(true);
});

test('all of it or nothing: a combo that cannot be looked at is said', async () => {
  const customer = await openAtStore(server);
  await customer.set(planPartyAtom, 30);
  const { plan } = customer.get(partyState.atom).data!;
  const [line] = plan!.lines;
  const { size: _size, ...combo } = { ...line!, productId: 'EDV1' };
  customer.set(partyState.put, { storeId: '10101', plan: { ...plan!, lines: [line!, combo] } });
  fails(customer, menu.deal, new Failure('offline'));
  expect(await customer.set(addPartyAtom)).toBe(false);
  expect([customer.get(popupAtom)?.message, customer.get(cartCountAtom), customer.get(partyTasks.isBusyAtom)]).toEqual([
    errors.connectionLost,
    0,
    false,
  ]);
  // A store that has nothing for them.
  customer.set(partyState.put, { storeId: '10101', plan: null });
  expect(await customer.set(addPartyAtom)).toBe(false);
});
