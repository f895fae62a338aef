import { createStore } from 'jotai';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Cart, CartLine } from '../../src/contract/cart.ts';
import type { Menu, MenuItem } from '../../src/contract/menu.ts';
import type { Store } from '../../src/contract/stores.ts';
import {
  addLineAtom,
  cartAtom,
  cartCountAtom,
  cartLinesAtom,
  changeLineAtom,
  isCartWaitingAtom,
  pendingAtom,
  pendingOptionsAtom,
  quantityByProductAtom,
  setQuantityAtom,
} from '../../src/state/first/cart.ts';
import { seatAtom } from '../../src/state/first/group.ts';
import { openStorage, wakeAtom } from '../../src/state/first/lib/kept.ts';
import {
  chosenStoreAtom,
  deliveryPlaceAtom,
  deliveryTypeAtom,
  isStoreGuessedAtom,
  placePath,
  storeIdAtom,
  switchTypeAtom,
} from '../../src/state/first/location.ts';
import {
  defaultMenuAtom,
  isMenuDefaultAtom,
  liveMenuAtom,
  loadMenuAtom,
  menuAtom,
  menuWantedAtom,
} from '../../src/state/first/menu.ts';
import { firstCountryAtom } from '../../src/state/first/seams.ts';
import { toastAtom } from '../../src/state/first/toast.ts';
import { schemas } from '../../src/state/schemas.ts';

let store: ReturnType<typeof createStore>;
let devices = 0;
beforeEach(() => {
  openStorage(`first-${(devices += 1)}`, () => {});
  store = createStore();
  store.set(firstCountryAtom, { DEFAULT_STORE: 'S-0', locale: 'en-IN' } as never);
  store.set(wakeAtom, schemas);
});

const dish = (id: string, more: Partial<MenuItem> = {}) =>
  ({
    id,
    name: `Dish ${id}`,
    prices: { ONE: 100 },
    foodType: 'VEG',
    tags: [],
    categoryIds: ['all'],
    ...more,
  }) as MenuItem;
const PIZZA = dish('P', { prices: { M: 300, R: 200 } as never, customisable: true });
const menu = (storeId: string, items: readonly MenuItem[], categories: object[] = [{ id: 'all', path: '/menu/all' }]) =>
  ({ version: '1', storeId, currencyCode: 'INR', categories, items }) as unknown as Menu;

describe('the cart as the customer sees it', () => {
  const line = (lineId: string, id: string, quantity: number, more: Partial<CartLine> = {}) =>
    ({
      lineId,
      product: { id, name: `Dish ${id}` },
      quantity,
      choices: [],
      allergens: [],
      ...more,
    }) as unknown as CartLine;
  const cart = (validItems: CartLine[], invalidItems: object[] = []) =>
    store.set(cartAtom, { validItems, invalidItems } as unknown as Cart);
  const shown = () => store.get(cartLinesAtom).map(({ lineId, quantity }) => [lineId, quantity]);
  beforeEach(() => store.set(defaultMenuAtom, menu('S-0', [dish('A'), dish('B'), PIZZA])));

  test("is the server's with what was done since, each at once", () => {
    expect([shown(), store.get(isCartWaitingAtom), store.get(cartCountAtom)]).toEqual([[], false, 0]);
    cart([line('1', 'A', 2, { note: 'hot' }), line('2', 'B', 1)]);
    const added = store.set(addLineAtom, { productId: 'B', quantity: 3 });
    store.set(changeLineAtom, { lineId: '1', quantity: 5 });
    store.set(changeLineAtom, { lineId: '2', quantity: 0 });
    store.set(changeLineAtom, { lineId: 'gone', quantity: 4 });
    expect([shown(), store.get(isCartWaitingAtom)]).toEqual([
      [
        ['1', 5],
        [added, 3],
      ],
      true,
    ]);
    const [first, last] = store.get(cartLinesAtom);
    expect(first).toMatchObject({
      name: 'Dish A',
      input: { lineId: '1', quantity: 5, productId: 'A', note: 'hot' },
      problem: null,
      priced: { lineId: '1' },
    });
    expect(last).toMatchObject({ name: 'Dish B', priced: null, problem: null, alternativeId: null });
    store.set(pendingAtom, []);
    expect([shown(), store.get(isCartWaitingAtom)]).toEqual([
      [
        ['1', 2],
        ['2', 1],
      ],
      false,
    ]);
    store.set(pendingOptionsAtom, { tip: 10 } as never);
    expect(store.get(isCartWaitingAtom)).toBe(true);
  });

  test('a line that is built anew has no price until the server says it, and the name of its dish', () => {
    cart([line('1', 'A', 2)]);
    store.set(changeLineAtom, { lineId: '1', line: { productId: 'B', note: 'cold' } });
    expect(store.get(cartLinesAtom)).toMatchObject([
      { lineId: '1', productId: 'B', name: 'Dish B', quantity: 2, priced: null, input: { note: 'cold', quantity: 2 } },
    ]);
    store.set(changeLineAtom, { lineId: '1', quantity: 3, line: { productId: 'X' } });
    // A dish that the menu has no more keeps the name that was known.
    expect(store.get(cartLinesAtom)).toMatchObject([{ productId: 'X', name: 'Dish B', quantity: 3 }]);
    store.set(addLineAtom, { productId: 'X', quantity: 1 });
    expect(store.get(cartLinesAtom).at(-1)?.name).toBe('');
  });

  test('one that the server has already is not there twice; what cannot be sold says why, and what else there is', () => {
    const added = store.set(addLineAtom, { productId: 'A', quantity: 1 });
    cart(
      [line(added, 'A', 1)],
      [
        { lineId: '8', productId: 'B', name: 'Dish B', quantity: 1, reason: 'Sold out', alternativeId: 'A' },
        { lineId: '9', productId: 'X', name: 'Dish X', quantity: 2, reason: 'Gone' },
      ],
    );
    expect(shown()).toEqual([
      [added, 1],
      ['8', 1],
      ['9', 2],
    ]);
    expect(store.get(cartLinesAtom).slice(1)).toMatchObject([
      { problem: 'Sold out', alternativeId: 'A', priced: null },
      { problem: 'Gone', alternativeId: null, input: { productId: 'X', quantity: 2 } },
    ]);
  });

  test("gifts are counted nowhere, and another guest's dishes not on its card", () => {
    cart([
      line('1', 'A', 2),
      line('2', 'A', 1, { free: true }),
      line('3', 'A', 3, { by: { personId: 'G', name: 'Asha' } }),
      line('4', 'B', 1),
      line('5', 'A', 1),
    ]);
    expect(store.get(cartCountAtom)).toBe(7);
    expect([...store.get(quantityByProductAtom)]).toEqual([
      ['A', 3],
      ['B', 1],
    ]);
  });

  test('from its card a dish is added as it comes, and more or fewer go onto the last line of it', () => {
    store.set(setQuantityAtom, dish('A'), 2);
    expect(store.get(pendingAtom)).toMatchObject([{ kind: 'add', line: { productId: 'A', quantity: 2 } }]);
    expect(store.get(pendingAtom)[0]).not.toHaveProperty('line.size');
    expect(store.get(toastAtom)).toBeNull();
    store.set(pendingAtom, []);
    cart([
      line('1', 'A', 2),
      line('2', 'A', 1),
      line('3', 'A', 1, { free: true }),
      line('4', 'A', 1, { by: { personId: 'G', name: 'Asha' } }),
    ]);
    store.set(setQuantityAtom, dish('A'), 5);
    expect(shown().slice(0, 2)).toEqual([
      ['1', 2],
      ['2', 3],
    ]);
    store.set(setQuantityAtom, dish('A'), 2);
    expect(shown().map(([id]) => id)).toEqual(['1', '3', '4']);
    store.set(setQuantityAtom, dish('A'), 0);
    expect(shown().map(([id]) => id)).toEqual(['3', '4']);
  });
});

describe('the store and its menu', () => {
  const shop = (id: string, ...services: string[]) => ({ id, services }) as unknown as Store;

  test('each way of getting food has a store of its own, and another one is a guess', () => {
    expect([store.get(storeIdAtom), store.get(isStoreGuessedAtom)]).toEqual(['S-0', true]);
    store.set(chosenStoreAtom, shop('S-1', 'DELIVERY'));
    store.set(deliveryTypeAtom, 'PICKUP');
    // It does not serve that: named all the same, until one is chosen.
    expect([store.get(storeIdAtom), store.get(chosenStoreAtom)]).toEqual(['S-1', null]);
    store.set(chosenStoreAtom, shop('S-2', 'PICKUP'));
    expect([store.get(storeIdAtom), store.get(isStoreGuessedAtom)]).toEqual(['S-2', false]);
    store.set(deliveryTypeAtom, 'DINEIN');
    expect(store.get(chosenStoreAtom)?.id).toBe('S-2');
    store.set(deliveryTypeAtom, 'DELIVERY');
    expect(store.get(storeIdAtom)).toBe('S-1');
    store.set(chosenStoreAtom, shop('S-3', 'DELIVERY', 'DINEIN'));
    store.set(deliveryTypeAtom, 'DINEIN');
    expect(store.get(chosenStoreAtom)?.id).toBe('S-3');
    store.set(chosenStoreAtom, null);
    expect(store.get(chosenStoreAtom)?.id).toBe('S-3');
    store.set(seatAtom, { storeId: 'S-9' } as never);
    expect(store.get(storeIdAtom)).toBe('S-9');
  });

  test('the way is changed at once where its place or store is known, and else there is a page to choose it', () => {
    expect(['DELIVERY', 'PICKUP', 'DINEIN'].map((type) => store.set(switchTypeAtom, type as never))).toEqual([
      false,
      false,
      false,
    ]);
    expect(store.get(deliveryTypeAtom)).toBe('DELIVERY');
    store.set(chosenStoreAtom, shop('S-1', 'DELIVERY', 'PICKUP'));
    expect([store.set(switchTypeAtom, 'DINEIN'), store.set(switchTypeAtom, 'PICKUP')]).toEqual([false, true]);
    expect([store.get(deliveryTypeAtom), store.set(switchTypeAtom, 'DELIVERY')]).toEqual(['PICKUP', false]);
    store.set(deliveryPlaceAtom, {} as never);
    expect([store.set(switchTypeAtom, 'DELIVERY'), store.get(deliveryTypeAtom)]).toEqual([true, 'DELIVERY']);
    expect([placePath('DELIVERY'), placePath('PICKUP')]).toEqual([
      '/postorder-ui/searchAddress?page=%2Fmenu',
      '/postorder-ui/selectRestaurant?deliveryType=PICKUP&isFromHome=true',
    ]);
  });

  test("the store's own menu is shown once it is there, and until then the page's, as a guess", () => {
    expect(store.get(menuAtom).items).toEqual([]);
    store.set(defaultMenuAtom, menu('S-0', [dish('A')]));
    store.set(chosenStoreAtom, shop('S-1', 'DELIVERY'));
    expect([store.get(menuAtom).storeId, store.get(isMenuDefaultAtom)]).toEqual(['S-0', true]);
    store.set(liveMenuAtom, { status: 'ready', menu: menu('S-2', []) });
    expect(store.get(menuAtom).storeId).toBe('S-0');
    store.set(liveMenuAtom, { status: 'ready', menu: menu('S-1', []) });
    expect([store.get(menuAtom).storeId, store.get(isMenuDefaultAtom)]).toEqual(['S-1', false]);
    store.set(loadMenuAtom);
    store.set(loadMenuAtom);
    expect(store.get(menuWantedAtom)).toBe(2);
  });
});
