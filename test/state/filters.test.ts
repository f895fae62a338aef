import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import type { Build } from '../../src/contract/cart.ts';
import type { MenuItem } from '../../src/contract/menu.ts';
import { SIZE_ORDER } from '../../src/domain/sizes.ts';
import { catalogueFromDisk } from '../../src/server/rules/catalogue/catalogue.ts';
import { priceLine } from '../../src/server/rules/pricing/price.ts';
import { loadCartAtom, syncCartAtom } from '../../src/state/cart.ts';
import { filterGroupsAtom, followFiltersAtom } from '../../src/state/filters.ts';
import { cartAtom, cartLinesAtom, setQuantityAtom } from '../../src/state/first/cart.ts';
import { clearFiltersAtom, filtersAtom, fitsAtom, madeAtom, toggleFilterAtom } from '../../src/state/first/filters.ts';
import { itemsByIdAtom, menuAtom } from '../../src/state/first/menu.ts';
import { refreshMenuAtom } from '../../src/state/menu.ts';
import { loadBuilderAtom } from '../../src/state/priceList.ts';
import { startServer, type TestServer } from '../kit/server.ts';
import { openShop } from '../server/shop.ts';
import { openCustomer, type Customer } from './customer.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ settings: { distDir: null } });
  await openShop(server);
});
afterAll(() => server.stop());

const filterOf = (customer: Customer, id: string) =>
  customer
    .get(filterGroupsAtom)
    .flatMap((group) => group.filters)
    .find((one) => one.id === id);
/** Presses a filter, as the sheet does; what watches filters then runs. */
function press(customer: Customer, id: string): void {
  customer.set(toggleFilterAtom, filterOf(customer, id)!);
  customer.set(followFiltersAtom);
}

describe.each(['in', 'lk', 'bg'])('diet filters in %s', (name) => {
  const catalogue = catalogueFromDisk(countryConfig(name));
  /** What is on the finished pizza, read from recipe and changes, without the rules under test. */
  const partsOf = (item: MenuItem, build: Build | undefined) => {
    const off = new Set(build?.toppings?.filter((one) => one.amount === 'none').map((one) => one.id));
    const on = [
      ...item.defaultToppings.filter((id) => !off.has(id)),
      ...(build?.toppings ?? []).filter((one) => one.amount !== 'none').map((one) => one.id),
    ];
    return {
      toppings: on.map((id) => catalogue.toppings.get(id)!),
      sauce: catalogue.sauces.get(build?.sauce?.id ?? item.sauce ?? ''),
    };
  };
  const forbidden: Readonly<
    Record<string, (item: MenuItem, build: Build | undefined, allergens: string[]) => unknown>
  > = {
    jain: (item, build) =>
      !item.jain &&
      (partsOf(item, build).toppings.some((one) => !one.jainFriendly || one.onionGarlic === true) ||
        partsOf(item, build).sauce?.jain === false),
    onion: (item, build) =>
      !item.jain &&
      (partsOf(item, build).toppings.some((one) => one.onionGarlic === true) ||
        partsOf(item, build).sauce?.jain === false),
    egg: (_item, _build, allergens) => allergens.includes('egg'),
    nuts: (_item, _build, allergens) => allergens.some((one) => one.includes('nut')),
  };

  it('no dish that can be added holds what the filters forbid, in any size and under any of them together [MENU-X07] [MENU-X06]', async () => {
    const customer = openCustomer(server, { country: name });
    await customer.set(refreshMenuAtom);
    await customer.set(loadBuilderAtom);
    const ids = Object.keys(forbidden).filter((id) => filterOf(customer, id) !== undefined);
    expect(ids.length).toBeGreaterThan(0);
    let added = 0;
    for (let mask = 1; mask < 2 ** ids.length; mask += 1) {
      const active = ids.filter((_, at) => (mask >> at) & 1);
      for (const id of active) press(customer, id);
      expect(customer.get(filtersAtom).map((one) => one.id)).toEqual(active);
      for (const item of customer.get(menuAtom).items.filter(customer.get(fitsAtom))) {
        const made = customer.get(madeAtom)(item);
        expect(made, `${item.name} needs no builder`).not.toBeNull();
        for (const size of SIZE_ORDER.filter((one) => item.prices[one] !== undefined)) {
          const wish = { productId: item.id, ...(size === 'ONE' ? {} : { size }), build: made?.build };
          const { view } = priceLine(catalogue, 'a', 1, wish, null);
          for (const id of active)
            expect(forbidden[id]!(item, made?.build, view.allergens), `${item.name} ${size} under ${id}`).toBe(false);
          if (active.includes('jain')) expect(view.jain, `${item.name} ${size}`).toBe(true);
          added += 1;
        }
      }
      customer.set(clearFiltersAtom);
      customer.set(followFiltersAtom);
    }
    expect(added).toBeGreaterThan(50);
  });
});

describe('one tap under a filter', () => {
  const open = async (device?: string) => {
    const customer = openCustomer(server, device ? { device } : {});
    await customer.set(refreshMenuAtom);
    return customer;
  };
  const send = async (customer: Customer) => {
    await customer.set(syncCartAtom);
    await customer.set(loadCartAtom);
  };
  const onion = (customer: Customer) =>
    customer.get(menuAtom).items.find((item) => item.jainOnRequest && item.defaultToppings.includes('onion'))!;

  it('orders the dish without what the diet forbids, and tells the kitchen; pieces from before stay as they were', async () => {
    const customer = await open();
    await customer.set(loadBuilderAtom);
    const item = onion(customer);
    customer.set(setQuantityAtom, item, 1);
    press(customer, 'jain');
    const { note } = customer.get(madeAtom)(item)!;
    expect(note).toMatch(/^Jain: no onion/i);
    customer.set(setQuantityAtom, item, 2);
    customer.set(setQuantityAtom, item, 3);
    await send(customer);
    const lines = customer.get(cartLinesAtom).filter((line) => line.productId === item.id);
    expect(lines.map((line) => [line.quantity, line.priced?.jain, line.priced?.note])).toEqual([
      [1, undefined, undefined],
      [2, true, note],
    ]);
    expect(lines[1]!.priced!.choices).toContain('No Onion');
    expect(customer.get(cartAtom)!.vegType).toBe('YES');
  });

  it('asks for the builder while the price list is not here, and knows how as soon as it is', async () => {
    const customer = await open();
    press(customer, 'jain');
    const item = onion(customer);
    expect(customer.get(madeAtom)(item)).toBeNull();
    await customer.set(loadBuilderAtom);
    customer.set(followFiltersAtom);
    expect(customer.get(madeAtom)(item)?.build.toppings).toContainEqual({ id: 'onion', half: 'WHOLE', amount: 'none' });
  });

  it('filters outlast a reload on this device, until they are taken off [MENU-X07]', async () => {
    const device = crypto.randomUUID();
    const first = await open(device);
    first.set(followFiltersAtom);
    press(first, 'jain');
    press(first, 'egg');
    const again = await open(device);
    expect(again.get(filtersAtom)).toEqual([]);
    again.set(followFiltersAtom);
    expect(again.get(filtersAtom).map((one) => one.id)).toEqual(['jain', 'egg']);
    expect(again.get(fitsAtom)(onion(again))).toBe(true);
    expect(again.get(itemsByIdAtom).size).toBeGreaterThan(50);
    again.set(clearFiltersAtom);
    again.set(followFiltersAtom);
    const third = await open(device);
    third.set(followFiltersAtom);
    expect(third.get(filtersAtom)).toEqual([]);
  });
});
