import { beforeAll, describe, expect, it, vi } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import { NOTE_AT_MOST, type Build } from '../../src/contract/cart.ts';
import type { Menu, MenuItem } from '../../src/contract/menu.ts';
import { money } from '../../src/contract/price.ts';
import { SIZE_ORDER } from '../../src/domain/sizes.ts';
import { catalogueFromDisk } from '../../src/server/rules/catalogue/catalogue.ts';
import { priceLine } from '../../src/server/rules/pricing/price.ts';
import { loadCartAtom, syncCartAtom } from '../../src/state/cart/cart.ts';
import { filterGroupsAtom, followFiltersAtom } from '../../src/state/menu/filters.ts';
import { cartAtom, cartLinesAtom, setQuantityAtom } from '../../src/state/first/cart.ts';
import {
  clearFiltersAtom,
  filtersAtom,
  fitsAtom,
  madeAtom,
  madePictureAtom,
  toggleFilterAtom,
} from '../../src/state/first/filters.ts';
import { liveMenuAtom, menuAtom } from '../../src/state/first/menu.ts';
import { refreshMenuAtom } from '../../src/state/menu/menu.ts';
import { networkAtom } from '../../src/state/base/network.ts';
import { builderAtom, loadBuilderAtom } from '../../src/state/menu/priceList.ts';
import { startServer } from '../kit/server.ts';
import { openShop } from '../server/shop.ts';
import { openCustomer, type Customer } from './customer.ts';
import { during } from '../kit/during.ts';

const server = during(() => startServer({ settings: { distDir: null } }), openShop);

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

  it('no dish that can be added holds what the diet filters forbid, in any size or filter combination [MENU-X07] [MENU-X06]', async () => {
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
});

describe('the filters that the menu offers', () => {
  const open = async () => {
    const customer = openCustomer(server);
    await customer.set(refreshMenuAtom);
    return customer;
  };
  let shop: { readonly customer: Customer; readonly menu: Menu };
  beforeAll(async () => {
    const customer = await open();
    shop = { customer, menu: customer.get(menuAtom) };
  });
  const idsOf = (customer: Customer) =>
    customer.get(filterGroupsAtom).map(({ filters }) => filters.map(({ id }) => id));
  /** A menu of these dishes, each like the first one of the shop but for this. */
  function menuOf(...dishes: readonly Partial<MenuItem>[]): Customer {
    const [like] = shop.menu.items;
    const items = dishes.map((dish, at) => ({ ...like!, allergens: [], tags: [], spice: 0, id: `D-${at}`, ...dish }));
    shop.customer.set(liveMenuAtom, { status: 'ready', menu: { ...shop.menu, items } });
    return shop.customer;
  }
  const BUDGET = countryConfig('in').budgetForTwo;

  it.each<[string, readonly Partial<MenuItem>[], readonly string[]]>([
    ['mild', [{ spice: 0 }, { spice: 1 }, { spice: 2 }], ['D-0']],
    ['medium', [{ spice: 0 }, { spice: 1 }, { spice: 2 }], ['D-1']],
    ['spicy', [{ spice: 0 }, { spice: 1 }, { spice: 2 }, { spice: 3 }], ['D-2', 'D-3']],
    [
      'budget',
      [{ priceForTwo: money(BUDGET) }, { priceForTwo: money(BUDGET - 1) }, { priceForTwo: undefined }],
      ['D-1'],
    ],
    ['bestseller', [{ tags: ['bestseller'] }, { tags: ['value'] }], ['D-0']],
    ['daily', [{ tags: ['bestseller'] }, { tags: ['value'] }], ['D-1']],
    ['now', [{ soldOut: true }, { soldOut: false }, { soldOut: undefined }], ['D-1', 'D-2']],
    ['egg', [{ allergens: ['egg', 'milk'] }, { allergens: ['milk'] }], ['D-1']],
    ['nuts', [{ allergens: ['tree nuts'] }, { allergens: ['peanuts'] }, { allergens: ['milk'] }], ['D-2']],
  ])('%s leaves what it says, and is offered only where it leaves some and not all', (id, dishes, left) => {
    const customer = menuOf(...dishes);
    customer.set(toggleFilterAtom, filterOf(customer, id)!);
    const shown = () =>
      customer
        .get(menuAtom)
        .items.filter(customer.get(fitsAtom))
        .map((item) => item.id);
    expect(shown()).toEqual(left);
    customer.set(toggleFilterAtom, customer.get(filtersAtom)[0]!);
    expect(shown()).toHaveLength(dishes.length);
    for (const keep of [true, false]) {
      const one = dishes.filter((_, at) => left.includes(`D-${at}`) === keep);
      expect(filterOf(menuOf(...one), id), `${id} ${keep}`).toBeUndefined();
    }
  });

  it('groups without a filter have no title', () => {
    expect(idsOf(menuOf({ spice: 0 }, { spice: 1 }))).toEqual([['mild', 'medium']]);
    expect(idsOf(menuOf({}))).toEqual([]);
  });

  it('the price list is asked for where dishes have to be made, once there is a network', async () => {
    const customer = await open();
    customer.calls.length = 0;
    press(customer, 'egg');
    expect(customer.calls).toEqual([]);
    customer.set(networkAtom, { isConnected: false, networkType: 'none' });
    press(customer, 'jain');
    expect(customer.calls).toEqual([]);
    customer.set(networkAtom, { isConnected: true, networkType: 'wifi' });
    customer.set(followFiltersAtom);
    await vi.waitFor(() => expect(customer.get(builderAtom)).not.toBeNull());
    customer.calls.length = 0;
    customer.set(followFiltersAtom);
    expect(customer.calls).toEqual([]);
  });

  it('a dish that is made otherwise has a picture of its own, and a note of at most what the kitchen reads', async () => {
    const customer = await open();
    await customer.set(loadBuilderAtom);
    const items = customer.get(menuAtom).items;
    const picture = () => customer.get(madePictureAtom);
    expect(items.map((item) => picture()(item))).toEqual(items.map(() => undefined));
    press(customer, 'egg');
    expect(items.map((item) => picture()(item))).toEqual(items.map(() => undefined));
    press(customer, 'onion');
    const fitting = items.filter(customer.get(fitsAtom));
    const made = fitting.filter((item) => customer.get(madeAtom)(item));
    expect(made.length).toBeGreaterThan(3);
    for (const item of fitting) expect(picture()(item) !== undefined, item.name).toBe(made.includes(item));
    for (const item of made) {
      const { note, build } = customer.get(madeAtom)(item)!;
      expect(note, item.name).toMatch(/^No onion or garlic: (no |.+ sauce)/);
      expect(note.length).toBeLessThanOrEqual(NOTE_AT_MOST);
      const sauce = build.sauce && customer.get(builderAtom)!.sauces.find(({ id }) => id === build.sauce!.id)!.name;
      if (sauce) expect(note).toContain(`${sauce.replace(/ *\(.*\)/, '')} sauce`);
      else expect(note).not.toContain('sauce');
    }
    press(customer, 'jain');
    for (const item of made.filter(customer.get(fitsAtom)))
      expect(customer.get(madeAtom)(item)!.note, item.name).toMatch(/^Jain: /);
  });
});
