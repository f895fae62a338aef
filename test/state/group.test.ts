import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { Failure } from '../../src/api/failure.ts';
import * as cart from '../../src/contract/cart.ts';
import * as contract from '../../src/contract/group.ts';
import * as stores from '../../src/contract/stores.ts';
import * as errors from '#text/errors.ts';
import * as t from '#text/group.ts';
import { setQuantityAtom } from '../../src/state/first/cart.ts';
import { isSharedAtom, loadCartAtom, putLineAtom, syncCartAtom, takeSessionAtom } from '../../src/state/cart/cart.ts';
import {
  addLineAtom,
  cartAtom,
  cartLinesAtom,
  isCartWaitingAtom,
  pendingAtom,
  quantityByProductAtom,
} from '../../src/state/first/cart.ts';
import { noteCartAtom } from '../../src/state/after/cartDiff.ts';
import {
  changeMeAtom,
  endGroupAtom,
  groupState,
  isOver,
  joinGroupAtom,
  meAtom,
  ownCodeAtom,
  ownGroupAtom,
  removePersonAtom,
  ruleGroupAtom,
  shareGroupAtom,
  sitDownAtom,
  standUpAtom,
  startGroupAtom,
  watchGroupAtom,
} from '../../src/state/group/group.ts';
import { refreshMenuAtom } from '../../src/state/menu/menu.ts';
import { chosenStoreAtom, deliveryTypeAtom, storeIdAtom } from '../../src/state/first/location.ts';
import { itemsByIdAtom } from '../../src/state/first/menu.ts';
import { popupAtom } from '../../src/state/base/popup.ts';
import { toastAtom } from '../../src/state/first/toast.ts';
import { apiAtom, pathAtom } from '../../src/state/first/seams.ts';
import { seatAtom } from '../../src/state/first/group.ts';
import { startServer } from '../kit/server.ts';
import { guest } from '../server/people.ts';
import { openShop, visitor, type Customer as Caller } from '../server/shop.ts';
import { between, openCustomer, type Customer } from './customer.ts';
import { during } from '../kit/during.ts';

const server = during(() => startServer({ settings: { distDir: null } }), openShop);
let host: Caller;
let code: string;
beforeEach(async () => {
  host = await visitor(server, 'IN', { storeId: '10102', deliveryType: 'PICKUP' });
  await host.fill();
  ({ code } = (
    await host.call(contract.start, {
      cartId: host.cartId,
      body: { name: 'Asha', diet: [], minutes: 30, limit: 60_000 },
    })
  ).body.group);
});

const RAVI = { name: 'Ravi', diet: ['NO_EGG' as const] };
const dishes = (customer: Customer) =>
  customer
    .get(cartLinesAtom)
    .filter((line) => !line.priced?.free)
    .map((line) => [line.productId, line.quantity]);
const view = async () => (await host.call(contract.byCode, { code, query: {} })).body.group!;
const hostsView = async (name: string) =>
  (await view()).people.find((person) => person.name === name)!.lines.map((line) => [line.product.id, line.quantity]);

/** As a phone in a lift: every call fails until `back`. */
const offline = (customer: Customer) => between(customer, () => Promise.reject(new Failure('offline')));

async function joined(): Promise<Customer> {
  const guest = openCustomer(server);
  await guest.set(refreshMenuAtom);
  guest.set(addLineAtom, { productId: 'BV001', quantity: 1 });
  await guest.set(syncCartAtom);
  expect(await guest.set(joinGroupAtom, code, RAVI)).toBe(true);
  return guest;
}

test("joining turns the menu and the cart to the host's order, and the own cart comes back as it was [CART-X06]", async () => {
  const guest = await joined();
  expect(guest.get(seatAtom)).toEqual({ code, storeId: '10102' });
  expect(guest.get(storeIdAtom)).toBe('10102');
  expect(dishes(guest)).toEqual([]);
  guest.set(addLineAtom, { productId: 'SD001', quantity: 2 });
  await guest.set(syncCartAtom);
  expect(await hostsView('Ravi')).toEqual([['SD001', 2]]);
  expect(guest.get(cartAtom)?.group).toMatchObject({ role: 'guest', hostName: 'Asha' });
  await guest.set(standUpAtom);
  expect(dishes(guest)).toEqual([['BV001', 1]]);
  expect(guest.get(storeIdAtom)).toBe('10101');
  expect(await hostsView('Ravi')).toEqual([['SD001', 2]]);
});

test('what a guest chooses without a network arrives later, once, beside what the others did meanwhile [CART-X06] [CART-X03]', async () => {
  const guest = await joined();
  const lineId = guest.set(addLineAtom, { productId: 'SD001', quantity: 1 });
  await guest.set(syncCartAtom);
  const back = offline(guest);
  guest.set(addLineAtom, { productId: 'DS001', quantity: 1 });
  guest.set(setQuantityAtom, guest.get(itemsByIdAtom).get('SD001')!, 3);
  await guest.set(syncCartAtom);
  expect(guest.get(pendingAtom)).toHaveLength(2);
  expect(dishes(guest)).toEqual([
    ['SD001', 3],
    ['DS001', 1],
  ]);
  await host.call(cart.change, {
    cartId: host.cartId,
    body: { items: [{ operationId: randomUUID(), lineId, quantity: 0 }] },
  });
  back();
  await guest.set(syncCartAtom);
  // A removal wins, whoever made it.
  expect(dishes(guest)).toEqual([['DS001', 1]]);
  expect(await hostsView('Ravi')).toEqual([['DS001', 1]]);
  // In a shared cart that is no change from another device.
  guest.set(noteCartAtom);
  expect(guest.get(popupAtom)).toBeNull();
});

test('a group that ended while a guest was away: the guest is told, and what was chosen goes into the own cart [CART-X06]', async () => {
  const guest = await joined();
  const back = offline(guest);
  guest.set(addLineAtom, { productId: 'DS001', quantity: 1 });
  await guest.set(syncCartAtom);
  await host.call(contract.end, { code });
  back();
  await guest.set(syncCartAtom);
  expect(guest.get(seatAtom)).toBeNull();
  expect(guest.get(popupAtom)?.message).toMatch(/your own cart/);
  await guest.set(loadCartAtom);
  expect(dishes(guest)).toEqual([
    ['BV001', 1],
    ['DS001', 1],
  ]);
});

test('watching tells what is new and nothing else: done, closed, taken out, ordered [CART-X06]', async () => {
  const guest = await joined();
  const me = (await view()).people[1]!.personId;
  expect(await guest.set(changeMeAtom, code, me, { done: true })).toBe(true);
  expect((await view()).people[1]!.done).toBe(true);
  await guest.set(groupState.load, code);
  const before = guest.get(groupState.atom).data;
  expect(await guest.set(watchGroupAtom, code)).toBe(true);
  expect(guest.get(groupState.atom).data).toBe(before);
  await host.call(contract.rule, { code, body: { close: true } });
  await guest.set(watchGroupAtom, code);
  expect(guest.get(groupState.atom).data?.state).toBe('CLOSED');
  expect(guest.get(cartAtom)?.group?.state).toBe('CLOSED');
  const back = offline(guest);
  expect(await guest.set(watchGroupAtom, code)).toBe(false);
  back();
  await host.call(contract.leave, { code, personId: me });
  await guest.set(watchGroupAtom, code);
  expect(guest.get(seatAtom)).toBeNull();
  expect(guest.get(toastAtom)?.message).toBe(errors.groupOut);
  expect(dishes(guest)).toEqual([['BV001', 1]]);
});

test("a host's taps on the menu never touch a guest's dish, and a refusal is said [CART-X06]", async () => {
  const own = openCustomer(server);
  await own.set(refreshMenuAtom);
  expect(await own.set(startGroupAtom, { me: { name: 'Asha', diet: [] }, minutes: 30, limit: 30_000 })).toBe(true);
  const mine = own.get(ownCodeAtom)!;
  expect(own.went).toEqual([`/group/${mine}`]);
  expect(own.get(meAtom).name).toBe('Asha');
  const ravi = await visitor(server);
  await ravi.call(contract.join, { code: mine, body: RAVI });
  await ravi.call(cart.add, {
    cartId: mine,
    body: { items: [{ operationId: randomUUID(), line: { lineId: 'ravis', productId: 'SD001', quantity: 2 } }] },
  });
  await own.set(watchGroupAtom, mine);
  expect(own.get(quantityByProductAtom).get('SD001')).toBeUndefined();
  const sides = () =>
    own
      .get(cartLinesAtom)
      .filter((line) => line.productId === 'SD001')
      .map((line) => [line.quantity, line.by?.name]);
  own.set(setQuantityAtom, own.get(itemsByIdAtom).get('SD001')!, 1);
  await own.set(syncCartAtom);
  expect(sides()).toEqual([
    [2, 'Ravi'],
    [1, undefined],
  ]);
  own.set(putLineAtom, { productId: 'SD001', quantity: 1 });
  await own.set(syncCartAtom);
  expect(sides()).toEqual([
    [2, 'Ravi'],
    [2, undefined],
  ]);
  expect(await own.set(removePersonAtom, mine, 'nobody')).toBe(false);
  expect(own.get(popupAtom)?.message).toBeTruthy();
});

/** Somebody whose cart is shared with Ravi, who has chosen a side. */
async function hosting() {
  const own = openCustomer(server);
  await own.set(refreshMenuAtom);
  own.set(addLineAtom, { productId: 'PZ001', size: 'R', quantity: 1 });
  await own.set(syncCartAtom);
  expect(own.get(isSharedAtom)).toBe(false);
  expect(await own.set(startGroupAtom, { me: { name: 'Asha', diet: [] }, minutes: 30, limit: 30_000 })).toBe(true);
  const mine = own.get(ownCodeAtom)!;
  const ravi = await visitor(server);
  await ravi.call(contract.join, { code: mine, body: RAVI });
  const choose = (productId: string) =>
    ravi.call(cart.add, {
      cartId: mine,
      body: { items: [{ operationId: randomUUID(), line: { lineId: randomUUID(), productId, quantity: 1 } }] },
    });
  await choose('SD001');
  await own.set(watchGroupAtom, mine);
  return { own, mine, ravi, choose };
}

test('another store of the host is that of the guests at once, and is sent once', async () => {
  const { own, mine, ravi } = await hosting();
  const { store } = await own.get(apiAtom).call(stores.byId, { storeId: '10102', query: {} });
  own.set(deliveryTypeAtom, 'PICKUP');
  own.set(chosenStoreAtom, store);
  await own.set(loadCartAtom);
  await own.set(syncCartAtom);
  expect((await ravi.call(contract.byCode, { code: mine, query: {} })).body.group!.store.id).toBe('10102');
  await own.set(loadCartAtom);
  expect(own.get(isCartWaitingAtom)).toBe(false);
});

test("a host whom the server has forgotten takes the own dishes along, and not the guests'", async () => {
  const { own } = await hosting();
  own.set(takeSessionAtom, (await guest(server)).reply);
  await own.set(syncCartAtom);
  expect(dishes(own)).toEqual([['PZ001', 1]]);
});

test('what is answered about a group that the guest has left meanwhile is not shown as the own cart', async () => {
  const visiting = await joined();
  between(visiting, async (next, endpoint) => {
    const reply = await next();
    if (endpoint === cart.add || endpoint === cart.byId) {
      visiting.set(seatAtom, null);
      visiting.set(cartAtom, null);
    }
    return reply;
  });
  visiting.set(addLineAtom, { productId: 'SD001', quantity: 2 });
  await visiting.set(syncCartAtom);
  expect(visiting.get(cartAtom)).toBeNull();
  visiting.set(seatAtom, { code, storeId: '10102' });
  await visiting.set(loadCartAtom);
  expect([visiting.get(cartAtom), visiting.get(isSharedAtom)]).toEqual([null, false]);
});

test('a host of a group sets its rules, gives it more time, takes out who is in it, and calls it off', async () => {
  const own = openCustomer(server);
  await own.set(refreshMenuAtom);
  own.set(addLineAtom, { productId: 'PZ001', size: 'R', quantity: 1 });
  expect(await own.set(startGroupAtom, { me: { name: ' Asha ', diet: [] }, minutes: 30, limit: 30_000 })).toBe(true);
  const mine = own.get(ownCodeAtom)!;
  expect(own.replaced).toEqual([`/group/${mine}`]);
  expect(own.get(ownGroupAtom)).toMatchObject({ code: mine, hostName: 'Asha', state: 'OPEN', limit: 30_000 });
  await own.set(groupState.load, mine);
  expect(await own.set(ruleGroupAtom, mine, { limit: 50_000 })).toBe(true);
  expect([own.get(groupState.atom).data?.limit, own.get(ownGroupAtom)?.limit]).toEqual([50_000, 50_000]);
  const ravi = await visitor(server);
  await ravi.call(contract.join, { code: mine, body: RAVI });
  await own.set(watchGroupAtom, mine);
  const person = own.get(ownGroupAtom)!.people.find(({ name }) => name === 'Ravi')!;
  expect(await own.set(removePersonAtom, mine, person.personId)).toBe(true);
  expect(own.get(ownGroupAtom)!.people.map(({ name }) => name)).toEqual(['Asha']);
  expect(own.went).toHaveLength(1);
  expect(await own.set(endGroupAtom, mine)).toBe(true);
  expect([own.get(ownGroupAtom)?.state, isOver(own.get(ownGroupAtom)!)]).toEqual(['ENDED', true]);
  expect(dishes(own)).toEqual([['PZ001', 1]]);
});

test('a guest who leaves is back at the menu with the own cart; what was not sent yet is dropped with the group', async () => {
  const guest = await joined();
  const me = (await view()).people[1]!.personId;
  guest.set(addLineAtom, { productId: 'DS001', quantity: 1 });
  guest.went.length = 0;
  expect(await guest.set(removePersonAtom, code, me)).toBe(true);
  expect([guest.get(seatAtom), guest.get(pendingAtom), guest.replaced]).toEqual([null, [], ['/menu']]);
  expect(dishes(guest)).toEqual([['BV001', 1]]);
  expect((await view()).people.map(({ name }) => name)).toEqual(['Asha']);
});

test('a guest who had gone back to the own cart sits down again, and nothing of either cart is lost', async () => {
  const guest = await joined();
  guest.set(addLineAtom, { productId: 'SD001', quantity: 2 });
  await guest.set(standUpAtom);
  expect(await hostsView('Ravi')).toEqual([['SD001', 2]]);
  guest.set(addLineAtom, { productId: 'DS001', quantity: 1 });
  await guest.set(groupState.load, code);
  await guest.set(sitDownAtom, guest.get(groupState.atom).data!);
  expect([guest.get(seatAtom), dishes(guest)]).toEqual([{ code, storeId: '10102' }, [['SD001', 2]]]);
  await guest.set(standUpAtom);
  expect(dishes(guest)).toEqual([
    ['BV001', 1],
    ['DS001', 1],
  ]);
});

test('a group that is called off is said wherever the guest is, with the way to it, but not on its own page', async () => {
  const [away, here] = [await joined(), await joined()];
  away.set(pathAtom, '/menu');
  here.set(pathAtom, `/group/${code}`);
  await host.call(contract.end, { code });
  await away.set(watchGroupAtom, code);
  await here.set(watchGroupAtom, code);
  expect([away.get(seatAtom), here.get(seatAtom), here.get(toastAtom)]).toEqual([null, null, null]);
  const toast = away.get(toastAtom)!;
  expect([toast.message, toast.action?.label]).toEqual([t.toastCalledOff({ host: 'Asha' }), t.toastSee]);
  toast.action!.act!();
  expect(away.went.at(-1)).toBe(`/group/${code}`);
  // One that nobody knows any more leaves the own cart.
  const lost = await openedIn('ZZZZZZ');
  expect(await lost.set(watchGroupAtom, 'ZZZZZZ')).toBe(false);
  expect(lost.get(seatAtom)).toBeNull();
});
async function openedIn(of: string): Promise<Customer> {
  const customer = openCustomer(server);
  await customer.get(apiAtom).ensureSession();
  customer.set(seatAtom, { code: of, storeId: '10102' });
  return customer;
}

test('the link says whose group it is, or that it was ordered; who wants a copy gets one', async () => {
  const group = await view();
  const customer = openCustomer(server);
  await customer.set(shareGroupAtom, group, 'share');
  await customer.set(shareGroupAtom, { ...group, state: 'ORDERED' }, 'share');
  const url = `https://pizza.example/group/${code}`;
  expect(customer.fake!.log).toEqual(
    [t.shareTitle({ host: 'Asha' }), t.shareTitleOrdered({ host: 'Asha' })].map((title) => ({
      method: 'share',
      args: { title, text: title, url },
    })),
  );
  await customer.set(shareGroupAtom, group, 'copy');
  expect([customer.fake!.log.length, customer.get(toastAtom)?.message]).toEqual([2, t.shareFailed]);
});
