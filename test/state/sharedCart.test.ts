import { expect, test } from 'vitest';
import * as errors from '#text/errors.ts';
import * as t from '#text/cart.ts';
import { Failure } from '../../src/api/failure.ts';
import * as contract from '../../src/contract/wheel.ts';
import { syncCartAtom } from '../../src/state/cart/cart.ts';
import { addLineAtom, cartLinesAtom, isCartWaitingAtom } from '../../src/state/first/cart.ts';
import { vegOnlyAtom } from '../../src/state/first/filters.ts';
import { menuAtom } from '../../src/state/first/menu.ts';
import { toastAtom } from '../../src/state/first/toast.ts';
import { popupAtom } from '../../src/state/base/popup.ts';
import { foundAtom, queryAtom, recentQueriesAtom, rememberQueryAtom } from '../../src/state/menu/search.ts';
import { loadSearchAtom } from '../../src/state/menu/searched.ts';
import {
  decideSharedAtom,
  openSharedCartAtom,
  sharedDishesAtom,
  sharedMissingAtom,
  shareCartAtom,
} from '../../src/state/group/sharedCart.ts';
import { isSpinningAtom, spinAtom, wheelState } from '../../src/state/offers/wheel.ts';
import { startServer } from '../kit/server.ts';
import { openShop } from '../server/shop.ts';
import { fails, openAtStore, openCustomer, type Customer } from './customer.ts';
import { during } from '../kit/during.ts';

const server = during(() => startServer({ settings: { distDir: null } }), openShop);

const written = (dishes: unknown) =>
  btoa(JSON.stringify(dishes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const dishes = (customer: Customer) =>
  customer.get(cartLinesAtom).map(({ productId, quantity }) => [productId, quantity]);

test('the link of a cart has its dishes as they are made, and nothing of whose they are', async () => {
  const customer = await openAtStore(server);
  customer.set(addLineAtom, { productId: 'PZ004', size: 'M', quantity: 2, note: 'for Mira???>>>' });
  await customer.set(syncCartAtom);
  await customer.set(shareCartAtom);
  const { title, url } = customer.fake!.log[0]!.args as { title: string; url: string };
  expect([title, /^https:\/\/pizza\.example\/cart\?dishes=[\w-]+$/.test(url)]).toEqual([t.shareTitle, true]);
  const other = await openAtStore(server);
  other.set(openSharedCartAtom, url.split('dishes=')[1]!);
  expect(other.get(sharedDishesAtom)).toMatchObject([
    { dish: { productId: 'PZ004', size: 'M', quantity: 2 }, item: { id: 'PZ004' } },
  ]);
  expect(JSON.stringify(other.get(sharedDishesAtom).map(({ dish }) => dish))).not.toMatch(/Mira|lineId/);
  expect([other.get(sharedMissingAtom), dishes(other)]).toEqual([0, []]);
});

test('what the menu does not have is counted once the menu is here; wanted or left, the link is used up', async () => {
  const link = written([
    { productId: 'PZ004', size: 'M', quantity: 1 },
    { productId: 'GONE', quantity: 1 },
  ]);
  const early = openCustomer(server);
  early.set(openSharedCartAtom, link);
  expect([early.get(sharedDishesAtom), early.get(sharedMissingAtom)]).toEqual([[], 0]);
  const customer = await openAtStore(server);
  customer.set(openSharedCartAtom, link);
  expect([customer.get(sharedDishesAtom).length, customer.get(sharedMissingAtom)]).toEqual([1, 1]);
  customer.set(decideSharedAtom, true);
  expect([dishes(customer), customer.replaced, customer.get(toastAtom)?.message]).toEqual([
    [['PZ004', 1]],
    ['/cart'],
    t.olderAdded({ count: 1 }),
  ]);
  expect([customer.get(sharedDishesAtom), customer.get(sharedMissingAtom)]).toEqual([[], 0]);
  customer.set(openSharedCartAtom, link);
  customer.set(decideSharedAtom, false);
  expect([dishes(customer), customer.get(toastAtom)?.message]).toEqual([[['PZ004', 1]], t.olderDropped]);
});

test.each([['rubbish!'], [written([])], [written({ productId: 'PZ004' })], [written([{ productId: 'PZ004' }])]])(
  'a link of %s is broken, and that is said',
  async (text) => {
    const customer = await openAtStore(server);
    customer.set(openSharedCartAtom, text);
    expect([customer.get(sharedDishesAtom), customer.get(toastAtom)?.message]).toEqual([[], errors.brokenLink]);
    customer.set(toastAtom, null);
    customer.set(openSharedCartAtom, null);
    expect([customer.get(toastAtom), customer.get(sharedMissingAtom)]).toEqual([null, 0]);
  },
);

test('the wheel turns once for a cart with all that was put in, and stays where it stopped', async () => {
  const customer = await openAtStore(server);
  customer.set(addLineAtom, { productId: 'PZ004', size: 'M', quantity: 2 });
  await customer.set(syncCartAtom);
  await customer.set(wheelState.load);
  expect(customer.get(wheelState.atom).data).toMatchObject({ result: null });
  customer.set(addLineAtom, { productId: 'PZ001', size: 'M', quantity: 2 });
  customer.calls.length = 0;
  const spinning = customer.set(spinAtom);
  expect(customer.get(isSpinningAtom)).toBe(true);
  await Promise.all([customer.set(spinAtom), spinning]);
  expect([customer.calls.filter((path) => path === contract.spin.path).length, customer.get(isSpinningAtom)]).toEqual([
    1,
    false,
  ]);
  const { slots, result } = customer.get(wheelState.atom).data!;
  expect([slots.length > 0, result !== null, customer.get(isCartWaitingAtom)]).toEqual([true, true, false]);
  await customer.set(wheelState.load);
  expect(customer.get(wheelState.atom).data?.result).toEqual(result);
  fails(customer, contract.spin, new Failure('offline'));
  await customer.set(spinAtom);
  expect([customer.get(popupAtom)?.message, customer.get(isSpinningAtom)]).toEqual([errors.connectionLost, false]);
});

test('a search finds what the menu has, without meat for who eats none, and is remembered when it was of use', async () => {
  const customer = await openAtStore(server);
  await customer.set(loadSearchAtom);
  customer.set(queryAtom, 'pizza');
  customer.set(rememberQueryAtom);
  customer.set(queryAtom, 'chicken');
  customer.set(rememberQueryAtom);
  expect(customer.get(recentQueriesAtom)).toEqual(['chicken', 'pizza']);
  const all = JSON.stringify(customer.get(foundAtom));
  const meat = customer.get(menuAtom).items.filter(({ foodType }) => foodType !== 'VEG');
  expect(meat.some(({ id }) => all.includes(`"${id}"`))).toBe(true);
  customer.set(vegOnlyAtom, true);
  const veg = JSON.stringify(customer.get(foundAtom));
  expect(meat.filter(({ id }) => veg.includes(`"${id}"`))).toEqual([]);
});
