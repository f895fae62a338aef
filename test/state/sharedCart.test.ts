import { expect, test } from 'vitest';
import * as errors from '#text/errors.ts';
import * as t from '#text/cart.ts';
import { syncCartAtom } from '../../src/state/cart/cart.ts';
import { addLineAtom, cartLinesAtom } from '../../src/state/first/cart.ts';
import { toastAtom } from '../../src/state/first/toast.ts';
import {
  decideSharedAtom,
  openSharedCartAtom,
  sharedDishesAtom,
  sharedMissingAtom,
  shareCartAtom,
} from '../../src/state/group/sharedCart.ts';
import { startServer } from '../kit/server.ts';
import { openShop } from '../server/shop.ts';
import { openAtStore, openCustomer, type Customer } from './customer.ts';
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

test.each([['rubbish!'], [written([])], [written([{ productId: 'PZ004' }])]])(
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
