import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as errors from '#text/errors.ts';
import * as t from '#text/loyalty.ts';
import type { Api } from '../../src/api/api.ts';
import { Failure } from '../../src/api/failure.ts';
import * as contract from '../../src/contract/loyalty.ts';
import { readSystem } from '../../src/server/store/system.ts';
import { confettiAtom } from '../../src/state/offers/coupons.ts';
import { addLineAtom, isCartWaitingAtom } from '../../src/state/first/cart.ts';
import { apiAtom } from '../../src/state/first/seams.ts';
import { toastAtom } from '../../src/state/first/toast.ts';
import {
  joinAtom,
  loyaltyState,
  memberAtom,
  optOutAtom,
  pointsAtom,
  pointsState,
  rewardOfferAtom,
  setRewardAtom,
  useRewardAtom,
} from '../../src/state/offers/loyalty.ts';
import { popupAtom } from '../../src/state/base/popup.ts';
import { renewSessionAtom } from '../../src/state/base/session.ts';
import type { TestServer } from '../kit/server.ts';
import { logIn } from '../server/people.ts';
import { openedShop, type Shop } from '../server/shop.ts';
import { fails, openAtStore, type Customer } from './customer.ts';

let shop: Shop;
let server: TestServer;
beforeAll(async () => {
  shop = await openedShop({ settings: { distDir: null } });
  ({ server } = shop);
  const at = (await readSystem(shop.db)).now;
  // Whoever joins is given a free pizza.
  await shop.db
    .insertInto('loyalty_campaigns')
    .values({
      id: randomUUID(),
      country: 'IN',
      reason: 'Welcome',
      points: 600,
      starts_at: at - 1,
      ends_at: at + 3_600_000,
    })
    .execute();
});
afterAll(() => shop.stop());

async function member(): Promise<Customer> {
  const customer = await openAtStore(server);
  customer.set(renewSessionAtom, (await logIn(server)).reply);
  await customer.set(loyaltyState.load);
  return customer;
}
const times = (customer: Customer, { path }: { path: string }) => customer.calls.filter((one) => one === path).length;

test('joining and leaving: one call each, said, with the points that came or went', async () => {
  const customer = await member();
  expect([customer.get(loyaltyState.atom).data?.info.enrollmentStatus, customer.get(memberAtom)]).toEqual([
    'NOT_ENROLLED',
    null,
  ]);
  const joining = customer.set(joinAtom);
  expect([await customer.set(joinAtom), await customer.set(optOutAtom), await joining]).toEqual([false, false, true]);
  expect([times(customer, contract.register), times(customer, contract.optOut)]).toEqual([1, 0]);
  expect(customer.get(memberAtom)?.balance.overall.points).toBe(600);
  expect([customer.get(toastAtom)?.message, customer.get(pointsAtom).entries.map(({ amount }) => amount)]).toEqual([
    t.joined,
    [600],
  ]);
  expect(await customer.set(optOutAtom)).toBe(true);
  expect([customer.get(memberAtom), customer.get(toastAtom)?.message]).toEqual([null, t.left]);
});

test('what fails is said and leaves everything as it was', async () => {
  const customer = await member();
  for (const endpoint of [contract.register, contract.optOut, contract.useReward])
    fails(customer, endpoint, new Failure('offline'));
  for (const work of [
    () => customer.set(joinAtom),
    () => customer.set(optOutAtom),
    () => customer.set(setRewardAtom, true),
  ]) {
    customer.set(popupAtom, null);
    expect(await work()).toBe(false);
    expect([customer.get(popupAtom)?.message, customer.get(toastAtom)]).toEqual([errors.connectionLost, null]);
  }
  await customer.set(useRewardAtom);
  expect(customer.went).toEqual([]);
});

test('movements page by page, each once; from the beginning by the code of the programme, else from an instant', async () => {
  const customer = await member();
  expect(await customer.set(joinAtom)).toBe(true);
  const api = customer.get(apiAtom);
  const asked: unknown[] = [];
  const entry = (entryId: string) => ({ ...customer.get(pointsAtom).entries[0]!, entryId });
  const pages = [[entry('a'), entry('b')], [entry('b'), entry('c')], [entry('d')]];
  customer.set(apiAtom, {
    ...api,
    call: ((...given: Parameters<Api['call']>) => {
      asked.push((given[1] as { query?: unknown }).query);
      return Promise.resolve({ status: 'SUCCESS', entries: pages.shift(), pageNumber: asked.length, pages: 2 });
    }) as Api['call'],
  });
  const { loyaltyProgramCode } = customer.country.LOYALTY_INFO_DEFAULT_DATA;
  await customer.set(pointsState.load);
  await customer.set(pointsState.load, { pageNumber: 2 });
  expect(customer.get(pointsAtom).entries.map(({ entryId }) => entryId)).toEqual(['a', 'b', 'c']);
  await customer.set(pointsState.load, { from: 1_000 });
  expect(customer.get(pointsAtom).entries.map(({ entryId }) => entryId)).toEqual(['d']);
  expect(asked).toEqual([
    { pageNumber: '1', loyaltyProgramCode },
    { pageNumber: '2', loyaltyProgramCode },
    { pageNumber: '1', from: '1000' },
  ]);
});

test('a free pizza is taken along to the menu, or to the cart where it pays for one; kept for later, it is off again', async () => {
  const customer = await member();
  expect(await customer.set(joinAtom)).toBe(true);
  await customer.set(useRewardAtom);
  expect([customer.went, customer.get(confettiAtom)]).toEqual([['/menu'], null]);
  expect(customer.get(rewardOfferAtom)?.status).not.toBe('APPLIED');
  customer.set(toastAtom, null);
  expect(await customer.set(setRewardAtom, false)).toBe(true);
  expect([customer.get(rewardOfferAtom), customer.get(toastAtom)?.message]).toEqual([undefined, t.cartKept]);

  customer.set(toastAtom, null);
  customer.set(addLineAtom, { productId: 'PZ001', quantity: 1, size: 'R' });
  await customer.set(useRewardAtom);
  expect([customer.went.at(-1), customer.get(isCartWaitingAtom)]).toEqual(['/cart', false]);
  expect([customer.get(rewardOfferAtom)?.status, customer.get(toastAtom)]).toEqual(['APPLIED', null]);
  expect(customer.get(confettiAtom)).toEqual({ message: t.cartOn, subMessage: t.cartOnText });
});
