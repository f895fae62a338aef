import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as errors from '#text/errors.ts';
import * as t from '#text/payment.ts';
import { Failure } from '../../src/api/failure.ts';
import * as cards from '../../src/contract/cards.ts';
import * as contract from '../../src/contract/payments.ts';
import { cardAtom, isCardBusyAtom } from '../../src/state/checkout.ts';
import { apiAtom } from '../../src/state/first/seams.ts';
import { toastAtom } from '../../src/state/first/toast.ts';
import {
  ANOTHER,
  cardDraftAtom,
  cardErrorsAtom,
  chosenCardAtom,
  collectAtom,
  isCardKeptAtom,
  isVpaSentAtom,
  pickCardAtom,
  removeCardAtom,
  savedCardsState,
  takeCardAtom,
  vpaAtom,
  vpaErrorAtom,
} from '../../src/state/payments.ts';
import { popupAtom } from '../../src/state/popup.ts';
import { renewSessionAtom } from '../../src/state/session.ts';
import type { TestServer } from '../kit/server.ts';
import { logIn } from '../server/people.ts';
import { openedShop, PICKUP, visitor, type Shop } from '../server/shop.ts';
import { fails, openCustomer, type Customer } from './customer.ts';

let shop: Shop;
let server: TestServer;
beforeAll(async () => {
  shop = await openedShop({ settings: { distDir: null } });
  ({ server } = shop);
});
afterAll(() => shop.stop());

const VISA = { number: '4111111111111111', expiry: '12/39', cvv: '123', name: 'Asha Rao' };
const NONE = { number: '', expiry: '', cvv: '', name: '' };
async function member(): Promise<Customer> {
  const customer = openCustomer(server);
  customer.set(renewSessionAtom, (await logIn(server)).reply);
  return customer;
}
/** Somebody whose account keeps these cards, the last one first. */
async function keeper(...numbers: string[]) {
  const customer = await member();
  const { call } = customer.get(apiAtom);
  for (const number of numbers) {
    const { token } = await call(contract.cardToken, { body: { ...VISA, number } });
    await call(cards.save, { body: { cardToken: token } });
  }
  await customer.set(savedCardsState.load);
  return { customer, kept: customer.get(savedCardsState.atom).data! };
}

describe('a card that is typed in', () => {
  test('becomes a token once, and nothing of it stays on the page', async () => {
    const customer = openCustomer(server);
    await customer.get(apiAtom).ensureSession();
    customer.set(cardErrorsAtom, { number: 'of before' });
    customer.set(cardDraftAtom, VISA);
    const taking = customer.set(takeCardAtom);
    expect([customer.get(isCardBusyAtom), customer.get(cardErrorsAtom)]).toEqual([true, {}]);
    expect([await customer.set(takeCardAtom), await taking]).toEqual([false, true]);
    expect(customer.get(cardAtom)).toMatchObject({
      lastFour: '1111',
      brand: 'Visa',
      token: expect.stringMatching(/./),
    });
    expect([customer.get(cardDraftAtom), customer.get(isCardBusyAtom)]).toEqual([NONE, false]);
    expect(await customer.set(takeCardAtom)).toBe(true);
    expect(customer.calls.filter((path) => path === contract.cardToken.path)).toHaveLength(1);
    expect(customer.calls).not.toContain(cards.save.path);
  });

  test('what is wrong with it stands beside each field, and what was typed stays', async () => {
    const customer = openCustomer(server);
    await customer.get(apiAtom).ensureSession();
    const wrong = { number: '4111', expiry: '12/19', cvv: '1', name: 'Asha' };
    customer.set(cardDraftAtom, wrong);
    expect(await customer.set(takeCardAtom)).toBe(false);
    expect(Object.keys(customer.get(cardErrorsAtom)).sort()).toEqual(['cvv', 'expiry', 'number']);
    expect([customer.get(cardDraftAtom), customer.get(cardAtom), customer.get(isCardBusyAtom)]).toEqual([
      wrong,
      null,
      false,
    ]);
  });

  test.each([
    [[{ code: 'CARD_NUMBER', displayMsg: 'a' }], { number: 'a' }],
    [[{ code: 'CARD_NAME', displayMsg: 'a', field: 'number' }], { name: 'a' }],
    [[{ code: 'CARD_TOKEN', displayMsg: 'a' }], { cvv: 'a' }],
    [[{ code: 'INVALID_INPUT', displayMsg: 'a', field: 'body.card.expiry' }], { expiry: 'a' }],
    [[{ code: 'INVALID_INPUT', displayMsg: 'a', field: 'name' }], { name: 'a' }],
    [[{ code: 'CARD_OFF', displayMsg: 'a' }], { number: 'a' }],
    [[], { number: errors.connectionLost }],
  ])('a refusal of %j is read beside %j', async (list, beside) => {
    const customer = openCustomer(server);
    const failure = list.length === 0 ? new Failure('offline') : new Failure('refused', { errors: list });
    fails(customer, contract.cardToken, failure);
    expect(await customer.set(takeCardAtom)).toBe(false);
    expect(customer.get(cardErrorsAtom)).toEqual(beside);
  });

  test('is kept only if that was ticked, by who has an account, and the payment goes on where it could not be kept', async () => {
    const customer = await member();
    customer.set(cardDraftAtom, VISA);
    customer.set(isCardKeptAtom, true);
    expect(await customer.set(takeCardAtom)).toBe(true);
    expect(customer.get(savedCardsState.atom).data).toMatchObject([{ lastFour: '1111', brand: 'Visa' }]);
    expect([customer.get(isCardKeptAtom), customer.get(toastAtom)]).toEqual([false, null]);

    customer.set(cardAtom, null);
    customer.set(pickCardAtom, ANOTHER);
    customer.set(cardDraftAtom, { ...VISA, number: '5555555555554444' });
    expect(await customer.set(takeCardAtom)).toBe(true);
    expect(customer.get(savedCardsState.atom).data).toHaveLength(1);

    customer.set(cardAtom, null);
    customer.set(isCardKeptAtom, true);
    customer.set(cardDraftAtom, { ...VISA, number: '5555555555554444' });
    fails(customer, cards.save, new Failure('offline'));
    expect(await customer.set(takeCardAtom)).toBe(true);
    expect([customer.get(cardAtom)?.lastFour, customer.get(toastAtom)?.message]).toEqual([
      '4444',
      errors.connectionLost,
    ]);

    const guest = openCustomer(server);
    await guest.get(apiAtom).ensureSession();
    guest.set(isCardKeptAtom, true);
    guest.set(cardDraftAtom, VISA);
    expect(await guest.set(takeCardAtom)).toBe(true);
    expect(guest.calls).not.toContain(cards.save.path);
    await guest.set(savedCardsState.load);
    expect([guest.get(savedCardsState.atom).data, guest.calls.includes(cards.list.path)]).toEqual([[], false]);
  });
});

describe('a card that is kept', () => {
  test('the newest one is chosen that is still good, until another one is, or a number is typed', async () => {
    const { customer, kept } = await keeper(VISA.number, '5555555555554444');
    expect(kept.map(({ lastFour }) => lastFour)).toEqual(['4444', '1111']);
    const chosen = () => customer.get(chosenCardAtom)?.lastFour ?? null;
    expect(chosen()).toBe('4444');
    customer.set(savedCardsState.put, [{ ...kept[0]!, isExpired: true }, kept[1]!]);
    expect(chosen()).toBe('1111');
    customer.set(cardErrorsAtom, { cvv: 'x' });
    customer.set(cardDraftAtom, { ...NONE, cvv: '12' });
    customer.set(pickCardAtom, kept[0]!.cardId);
    expect([chosen(), customer.get(cardErrorsAtom), customer.get(cardDraftAtom)]).toEqual(['4444', {}, NONE]);
    customer.set(pickCardAtom, ANOTHER);
    expect(chosen()).toBeNull();
    customer.set(pickCardAtom, 'gone');
    expect(chosen()).toBe('1111');

    const { customer: typing } = await keeper(VISA.number);
    typing.set(cardDraftAtom, { ...NONE, number: '4' });
    expect(typing.get(chosenCardAtom)).toBeNull();
    expect(openCustomer(server).get(chosenCardAtom)).toBeNull();
    typing.set(savedCardsState.put, [{ ...kept[0]!, isExpired: true }]);
    typing.set(cardDraftAtom, NONE);
    expect(typing.get(chosenCardAtom)).toBeNull();
  });

  test('pays again with its CVV alone, and is not kept twice', async () => {
    const { customer, kept } = await keeper(VISA.number);
    customer.set(isCardKeptAtom, true);
    customer.calls.length = 0;
    customer.set(cardDraftAtom, { ...NONE, cvv: '1' });
    expect(await customer.set(takeCardAtom)).toBe(false);
    expect(Object.keys(customer.get(cardErrorsAtom))).toEqual(['cvv']);
    customer.set(cardDraftAtom, { ...NONE, cvv: '123' });
    expect(await customer.set(takeCardAtom)).toBe(true);
    expect(customer.get(cardAtom)).toMatchObject({ lastFour: '1111', brand: 'Visa' });
    expect([customer.calls, customer.get(cardDraftAtom)]).toEqual([[cards.again.path, cards.again.path], NONE]);
    expect(kept).toHaveLength(1);
  });

  test('is taken off the account, which is said, or why it was not', async () => {
    const { customer, kept } = await keeper(VISA.number, '5555555555554444');
    await customer.set(removeCardAtom, kept[0]!.cardId);
    expect(customer.get(savedCardsState.atom).data!.map(({ lastFour }) => lastFour)).toEqual(['1111']);
    expect([customer.get(toastAtom)?.message, customer.get(popupAtom)]).toEqual([t.cardRemoved, null]);
    fails(customer, cards.remove, new Failure('offline'));
    await customer.set(removeCardAtom, kept[1]!.cardId);
    expect(customer.get(popupAtom)?.message).toBe(errors.connectionLost);
    expect(customer.get(savedCardsState.atom).data).toHaveLength(1);
  });
});

test('a request to a UPI id: sent with the white space off, or told what is wrong with it', async () => {
  const who = await visitor(server, 'IN', PICKUP);
  const { order } = await who.order();
  const customer = openCustomer(server, { as: who.person.reply });
  customer.set(vpaAtom, 'no id');
  await customer.set(collectAtom, order.transactionId);
  expect([customer.get(vpaErrorAtom) === '', customer.get(isVpaSentAtom)]).toEqual([false, false]);
  customer.set(vpaAtom, ' asha@okbank ');
  await customer.set(collectAtom, order.transactionId);
  expect([customer.get(vpaErrorAtom), customer.get(isVpaSentAtom)]).toEqual(['', true]);
});
