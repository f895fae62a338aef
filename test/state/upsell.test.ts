import { expect, test } from 'vitest';
import * as contract from '../../src/contract/cart.ts';
import { putLineAtom, syncCartAtom } from '../../src/state/cart/cart.ts';
import { addLineAtom } from '../../src/state/first/cart.ts';
import { refreshMenuAtom } from '../../src/state/menu/menu.ts';
import { upsellItemsAtom, upsellState } from '../../src/state/cart/upsell.ts';
import { startServer } from '../kit/server.ts';
import { openShop } from '../server/shop.ts';
import { openAtStore, type Customer } from './customer.ts';
import { during } from '../kit/during.ts';

const server = during(() => startServer({ settings: { distDir: null } }), openShop);

const offered = (customer: Customer) => customer.get(upsellItemsAtom).map((item) => item.id);

test('what goes with the cart is offered in the order of the server, until it is in the cart or sold out', async () => {
  const customer = await openAtStore(server);
  await customer.set(upsellState.load);
  // An empty cart asks for nothing.
  expect([offered(customer), customer.calls.includes(contract.upsell.path)]).toEqual([[], false]);

  customer.set(addLineAtom, { productId: 'PZ004', size: 'M', quantity: 1 });
  await customer.set(syncCartAtom);
  await customer.set(upsellState.load);
  const all = customer.get(upsellState.atom).data!;
  expect(all.length).toBeGreaterThan(2);
  expect(offered(customer)).toEqual(all);

  const [taken, gone, ...rest] = all;
  customer.set(putLineAtom, { productId: taken!, quantity: 1 });
  await customer.set(syncCartAtom);
  expect(offered(customer)).toEqual([gone, ...rest]);
  // It sells out while the list lies on the page.
  await server.switches({ soldOut: [gone!] });
  await customer.set(refreshMenuAtom);
  expect(offered(customer)).toEqual(rest);
  await server.switches({ soldOut: [] });
});

test('where nobody answers what goes with the cart, what many like stands in its place', async () => {
  const customer = await openAtStore(server);
  customer.set(addLineAtom, { productId: 'PZ004', size: 'M', quantity: 1 });
  await customer.set(syncCartAtom);
  await server.switches({ faults: [{ match: 'upsell', status: 500, times: 9 }] });
  await customer.set(upsellState.load);
  await server.switches({ faults: [] });
  const items = customer.get(upsellItemsAtom);
  expect(items.length).toBeGreaterThan(2);
  expect(items.every(({ id, tags }) => tags.includes('bestseller') && id !== 'PZ004')).toBe(true);
});
