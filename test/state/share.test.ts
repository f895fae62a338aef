import { expect, test } from 'vitest';
import * as t from '#text/alive.ts';
import type { HostBridge } from '../../src/bridge/hostBridge.ts';
import { hostAtom } from '../../src/state/first/seams.ts';
import { addShortcutAtom, canAddShortcutAtom, followHostAtom, shareAtom } from '../../src/state/base/share.ts';
import { addLineAtom } from '../../src/state/first/cart.ts';
import { popupAtom } from '../../src/state/base/popup.ts';
import { shareCartAtom } from '../../src/state/group/sharedCart.ts';
import { toastAtom } from '../../src/state/first/toast.ts';
import { startServer } from '../kit/server.ts';
import { openCustomer, type Customer } from './customer.ts';
import { during } from '../kit/during.ts';

const server = during(() => startServer({ settings: { distDir: null } }));

const DISH = { title: 'Garden Four', path: '/customise/PZ004' };

test('a sheet that is closed says nothing; where there is none the address is copied, and the page says so', async () => {
  const customer = openCustomer(server, { controls: { share: 'dismiss' } });
  await customer.set(shareAtom, DISH);
  expect(customer.get(toastAtom)).toBeNull();
  Object.defineProperty(customer.phone.window.navigator, 'share', { value: undefined });
  await customer.set(shareAtom, DISH);
  expect(customer.get(toastAtom)?.message).toBe('The link is copied.');
});

test('a cart is shared as long as its link is one that servers take; a bigger one is said, and nothing is shared', async () => {
  const customer = openCustomer(server);
  const toppings = ['onion', 'capsicum', 'corn', 'tomato', 'mushroom'];
  const add = () =>
    customer.set(addLineAtom, {
      productId: 'PZ001',
      size: 'M',
      crust: 'hand-tossed',
      quantity: 1,
      build: { toppings: toppings.map((id) => ({ id, half: 'WHOLE' as const, amount: 'extra' as const })) },
    });
  let most = 0;
  for (let count = 1; count <= 50; count += 1) {
    add();
    await customer.set(shareCartAtom);
    const shared = customer.fake!.log.map(({ args }) => (args as { url: string }).url.length);
    most = Math.max(most, ...shared);
    if (shared.length < count) break;
  }
  // Most carts are far smaller; an address may have 8 KB at the strictest of those between.
  expect(customer.fake!.log.length).toBeGreaterThan(8);
  expect(customer.fake!.log.length).toBeLessThan(50);
  expect(most).toBeLessThan(6_200);
  expect(customer.get(popupAtom)?.message).toBe(
    'This cart is too big for a link. Take some dishes out, then share it again.',
  );
});

/** From now on the host answers this call so. */
function answers(customer: Customer, name: keyof HostBridge, answer: () => Promise<unknown>): void {
  customer.set(
    hostAtom,
    new Proxy(customer.host, { get: (host, of) => (of === name ? answer : Reflect.get(host, of)) as unknown }),
  );
}

test.each(['BUSY', 'ABORTED', 'NOT_ABORTED', undefined])(
  'a sheet or an icon that fails with %s: who has opened another one hears nothing, everybody else that it did not work',
  async (code) => {
    const isOther = code === 'BUSY' || code === 'ABORTED';
    const fail = () => Promise.reject(Object.assign(new Error('x'), code === undefined ? {} : { code }));
    const sharing = openCustomer(server);
    answers(sharing, 'share', fail);
    await sharing.set(shareAtom, { ...DISH, failed: 'Copy it by hand.' });
    expect(sharing.get(toastAtom)?.message).toBe(isOther ? undefined : 'Copy it by hand.');

    const adding = openCustomer(server);
    adding.set(followHostAtom);
    adding.fake!.set({ install: 'offered' });
    expect(adding.get(canAddShortcutAtom)).toBe(true);
    answers(adding, 'offerShortcut', fail);
    await adding.set(addShortcutAtom);
    expect(adding.get(toastAtom)?.message).toBe(isOther ? undefined : t.shortcutRefused);
    // Once it was answered, it is not offered again on this device.
    expect(adding.get(canAddShortcutAtom)).toBe(isOther);
  },
);
