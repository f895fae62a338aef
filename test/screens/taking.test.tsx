import { expect, test } from 'vitest';
import type { DeliveryType } from '../../src/contract/names.ts';
import * as stores from '../../src/contract/stores.ts';
import { lentServer } from '../kit/lentServer.ts';

import { freshMobile } from '../server/people.ts';
import { openShop } from '../server/shop.ts';
import { deviceWithCart } from './device.ts';
import { openPage } from './page.ts';
import { during } from '../kit/during.ts';

// What a store takes (contract/stores.ts) is said by every page that speaks of its orders, and none promises more.

const server = during(() => lentServer(), openShop);

const put = (key: string, value: unknown) => localStorage.setItem(`IN/browser:${key}`, JSON.stringify(value));

const STATES = [
  { state: 'takes orders now', storeId: '10101', offline: [], takes: 'now' },
  { state: 'is offline, another makes its orders for later', storeId: '10304', offline: ['10304'], takes: 'later' },
  { state: 'is offline, and nobody makes its orders for later', storeId: '10102', offline: ['10102'], takes: 'none' },
  { state: 'is offline, and so is its maker', storeId: '10304', offline: ['10304', '10301'], takes: 'none' },
] as const;

const PROMISES = /\d+ (?:to \d+ )?min(?!imum)|In \d+ to \d+|As soon as possible/;
const LATER = /[Oo]rders for later|advance orders|Choose a time/;
const NONE = /No orders right now|taking no orders|temporary issues with the store/;
/** What one of them says, and what it says nowhere. */
const SAYS = { now: [PROMISES, LATER, NONE], later: [LATER, PROMISES, NONE], none: [NONE, PROMISES, LATER] } as const;

const PAGES: Readonly<Record<string, { readonly path: string; readonly types?: readonly DeliveryType[] }>> = {
  home: { path: '/' },
  cart: { path: '/cart' },
  payment: { path: '/payment' },
  address: { path: '/address', types: ['DELIVERY'] },
  list: { path: '/postorder-ui/selectRestaurant?deliveryType=PICKUP', types: ['PICKUP'] },
};

test.each(STATES)(
  'a store that $state: home, cart, payment, address and list say so',
  async ({ storeId, offline, takes }) => {
    await deviceWithCart(server, ['Garden Four']);
    await server.switches({ offlineStores: [...offline] });
    try {
      const { store } = (await server.call(stores.byId, { storeId, query: {} }, { apiKey: 'in-web' })).body;
      const point = { latitude: store.latitude, longitude: store.longitude };
      const address = { ...point, houseNo: '12', address: 'Main Road', type: 'home' };
      put('store', store);
      put('takeaway-store', store);
      put('place', { ...point, text: store.locality, address });
      put('around', { ...point, text: store.locality });
      put('checkout-detail', { fName: 'Asha', lName: '', mobNo: freshMobile(), email: '' });
      for (const [name, { path, types = ['DELIVERY', 'PICKUP'] }] of Object.entries(PAGES))
        for (const type of types) {
          put('delivery-type', type);
          const page = await openPage(server.url, path, { keep: true });
          const [says, ...never] = SAYS[takes];
          const where = `${name} ${type}`;
          // Of a list only the card of the store itself.
          const text = () =>
            name === 'list'
              ? ([...document.querySelectorAll('article')].find((card) => card.textContent.includes(store.name))
                  ?.textContent ?? '')
              : page.text();
          if (!(name === 'list' && takes === 'now')) await expect.poll(text, { message: where }).toMatch(says);
          // What stands for a moment until the answer is there is none of it.
          await expect.poll(() => never.filter((one) => one.test(text())), { message: where }).toEqual([]);
        }
    } finally {
      await server.switches({ offlineStores: [] });
    }
  },
);
