import { expect, test } from 'vitest';
import * as errors from '#text/errors.ts';
import * as t from '#text/memory.ts';
import { Failure } from '../../src/api/failure.ts';
import * as contract from '../../src/contract/memory.ts';
import { addressesAtom, accountAddressesState, localAddressesAtom } from '../../src/state/places/addresses.ts';
import { serverClockAtom } from '../../src/state/base/clock.ts';
import { favouritesAtom } from '../../src/state/first/favourites.ts';
import { vegOnlyAtom } from '../../src/state/first/filters.ts';
import { allergensTextAtom } from '../../src/state/first/menu.ts';
import { toastAtom } from '../../src/state/first/toast.ts';
import { usualLinesAtom } from '../../src/state/first/usual.ts';
import { householdAtom } from '../../src/state/menu/household.ts';
import {
  enterMemoryAtom,
  givenAtom,
  giveMemoryAtom,
  memoryTasks,
  memoryAtom,
  memoryWordsAtom,
  takeMemoryAtom,
  takenWordsAtom,
  typedMemoryCodeAtom,
} from '../../src/state/people/memory.ts';
import { popupAtom } from '../../src/state/base/popup.ts';
import { renewSessionAtom } from '../../src/state/base/session.ts';
import { startServer } from '../kit/server.ts';
import { logIn } from '../server/people.ts';
import { fails, openCustomer, type Customer } from './customer.ts';
import { during } from '../kit/during.ts';

const server = during(() => startServer({ settings: { distDir: null } }));

const HOME = {
  address_id: 'local-1',
  latitude: 28.64,
  longitude: 77.22,
  houseNo: '12',
  address: 'Barakhamba Road',
  type: 'home' as const,
};
const WORK = { ...HOME, address_id: 'local-2', houseNo: '7', type: 'office' as const };
const USUAL = [{ productId: 'PZ004', size: 'M' as const, quantity: 1 }];
/** A phone that remembers all kinds of things. */
function full(): Customer {
  const customer = openCustomer(server);
  customer.set(usualLinesAtom, USUAL);
  customer.set(favouritesAtom, ['PZ001', 'PZ002']);
  customer.set(localAddressesAtom, [HOME, WORK]);
  customer.set(householdAtom, ['milk']);
  customer.set(vegOnlyAtom, true);
  return customer;
}
async function given(customer = full()): Promise<string> {
  await customer.set(giveMemoryAtom);
  return customer.get(givenAtom)!.code;
}

test('what a phone remembers is told in words, each only if it is there, and is given without the ids of this phone', async () => {
  const customer = full();
  const memory = customer.get(memoryAtom);
  const { address_id: _id, ...home } = HOME;
  expect(memory.addresses[0]).toEqual(home);
  expect(customer.get(memoryWordsAtom)(memory)).toEqual([
    t.usual,
    t.favourites({ count: 2 }),
    t.addresses({ count: 2 }),
    t.household({ allergens: customer.get(allergensTextAtom)(['milk']) }),
    t.vegOnly,
  ]);
  const empty = openCustomer(server);
  expect(empty.get(memoryWordsAtom)(empty.get(memoryAtom))).toEqual([]);
  customer.set(
    favouritesAtom,
    Array.from({ length: 250 }, (_, at) => `PZ${at}`),
  );
  expect(customer.get(memoryAtom).favourites).toHaveLength(200);
});

test('one phone gives a code, another takes what was given, and nothing that it knew is lost', async () => {
  const giver = full();
  await giver.set(giveMemoryAtom);
  const { code } = giver.get(givenAtom)!;

  const taker = openCustomer(server);
  taker.set(favouritesAtom, ['PZ009', 'PZ002']);
  taker.set(householdAtom, ['nuts', 'milk']);
  taker.set(localAddressesAtom, [{ ...HOME, address_id: 'local-9', address: 'BARAKHAMBA ROAD' }]);
  taker.set(usualLinesAtom, [{ productId: 'PZ009', quantity: 2 }]);
  taker.set(typedMemoryCodeAtom, ` ${code.toUpperCase().replace('-', ' ')}`);
  await taker.set(takeMemoryAtom);
  expect(taker.get(favouritesAtom)).toEqual(['PZ009', 'PZ002', 'PZ001']);
  expect(taker.get(householdAtom)).toEqual(['nuts', 'milk']);
  expect(taker.get(localAddressesAtom).map(({ houseNo }) => houseNo)).toEqual(['12', '7']);
  expect(taker.get(localAddressesAtom)[1]!.address_id).toMatch(/^local-./);
  expect([taker.get(usualLinesAtom), taker.get(vegOnlyAtom)]).toEqual([USUAL, true]);
  expect([taker.get(typedMemoryCodeAtom), taker.get(toastAtom)?.message]).toEqual(['', t.taken]);
  expect(taker.get(takenWordsAtom)).toEqual(giver.get(memoryWordsAtom)(giver.get(memoryAtom)));
});

test('a phone with no usual order and no wish takes none away', async () => {
  const code = await given(openCustomer(server));
  const taker = full();
  taker.set(typedMemoryCodeAtom, code);
  await taker.set(takeMemoryAtom);
  expect([taker.get(usualLinesAtom), taker.get(vegOnlyAtom), taker.get(favouritesAtom)]).toEqual([
    USUAL,
    true,
    ['PZ001', 'PZ002'],
  ]);
});

test('who has an account keeps the addresses there', async () => {
  const code = await given();
  const taker = openCustomer(server);
  taker.set(renewSessionAtom, (await logIn(server)).reply);
  taker.set(typedMemoryCodeAtom, code);
  await taker.set(takeMemoryAtom);
  await taker.set(accountAddressesState.load);
  expect(
    taker
      .get(addressesAtom)
      .map(({ houseNo }) => houseNo)
      .sort(),
  ).toEqual(['12', '7']);
});

test('a code that is none or is unknown is said beside it and stays; a lost network is said over the page', async () => {
  const customer = openCustomer(server);
  customer.set(typedMemoryCodeAtom, 'abc');
  await customer.set(takeMemoryAtom);
  expect([customer.get(memoryTasks.problemsAtom).code ?? '', customer.calls]).toEqual([errors.memoryCodeWrong, []]);
  customer.set(typedMemoryCodeAtom, 'abcd-efgh');
  await customer.set(takeMemoryAtom);
  expect([
    customer.get(memoryTasks.problemsAtom).code ?? '',
    customer.get(typedMemoryCodeAtom),
    customer.get(popupAtom),
  ]).toEqual([expect.stringMatching(/\w/), 'abcd-efgh', null]);
  fails(customer, contract.take, new Failure('offline'));
  await customer.set(takeMemoryAtom);
  expect([customer.get(memoryTasks.problemsAtom).code ?? '', customer.get(popupAtom)?.message]).toEqual([
    '',
    errors.connectionLost,
  ]);
  fails(customer, contract.give, new Failure('offline'));
  customer.set(popupAtom, null);
  await customer.set(giveMemoryAtom);
  expect([customer.get(popupAtom)?.message, customer.get(givenAtom)]).toEqual([errors.connectionLost, null]);
});

test('opened again, a code is there for as long as it works by the clock of the shop, and what was said is not', async () => {
  const customer = full();
  await customer.set(giveMemoryAtom);
  customer.set(takenWordsAtom, ['x']);
  customer.set(memoryTasks.refuse, { code: 'x' });
  const { expiresAt } = customer.get(givenAtom)!;
  customer.set(serverClockAtom, expiresAt - 60_000);
  customer.set(enterMemoryAtom);
  expect([
    customer.get(takenWordsAtom),
    customer.get(memoryTasks.problemsAtom).code ?? '',
    customer.get(givenAtom)?.expiresAt,
  ]).toEqual([null, '', expiresAt]);
  customer.set(serverClockAtom, expiresAt + 60_000);
  customer.set(enterMemoryAtom);
  expect(customer.get(givenAtom)).toBeNull();
});
