import { afterEach, describe, expect, test, vi } from 'vitest';
import * as errors from '#text/errors.ts';
import * as t from '#text/payment.ts';
import { Failure } from '../../src/api/failure.ts';
import * as cards from '../../src/contract/cards.ts';
import * as contract from '../../src/contract/payments.ts';
import { cardAtom, isBackWithCardAtom, cardTasks } from '../../src/state/drafts/card.ts';
import { apiAtom, hostAtom } from '../../src/state/first/seams.ts';
import { toastAtom } from '../../src/state/first/toast.ts';
import {
  ANOTHER,
  cardFieldsAtom,
  chosenCardAtom,
  enterCardsAtom,
  firstDigitsAtom,
  isCardKeptAtom,
  pickCardAtom,
  savedCardsState,
  takeCardAtom,
} from '../../src/state/payment/payments.ts';
import { renewSessionAtom } from '../../src/state/base/session.ts';

import { logIn } from '../server/people.ts';
import { fails, openCustomer, type Customer } from './customer.ts';
import { CARD } from '../server/typed.ts';
import { enteredCard, fieldsWith, typed } from './typed.ts';
import { shopHere } from '../server/shopHere.ts';

const { server } = shopHere({ settings: { distDir: null } });

const MASTERCARD = { ...CARD, number: '5555555555554444' };
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
    const { token } = await enteredCard(customer, server, { ...CARD, number });
    await call(cards.save, { body: { cardToken: token } });
  }
  await customer.set(savedCardsState.load);
  return { customer, kept: customer.get(savedCardsState.atom).data! };
}

describe("a card that is typed into the bank's fields", () => {
  test('becomes a token once, and nothing of it comes to the page', async () => {
    const customer = openCustomer(server);
    await customer.get(apiAtom).ensureSession();
    customer.set(cardTasks.refuse, { card: 'of before' });
    fieldsWith(customer, server, CARD);
    customer.set(firstDigitsAtom, '411111');
    const taking = customer.set(takeCardAtom);
    expect([customer.get(cardTasks.isBusyAtom), customer.get(cardTasks.problemsAtom).card ?? '']).toEqual([true, '']);
    expect([await customer.set(takeCardAtom), await taking]).toEqual([false, true]);
    expect(customer.get(cardAtom)).toMatchObject({
      lastFour: '1111',
      brand: 'Visa',
      token: expect.stringMatching(/./),
    });
    expect([customer.get(firstDigitsAtom), customer.get(cardTasks.isBusyAtom)]).toEqual(['', false]);
    expect(await customer.set(takeCardAtom)).toBe(true);
    expect(customer.calls.filter((path) => path === contract.cardToken.path)).toHaveLength(1);
    expect(customer.calls).not.toContain(cards.save.path);
  });

  test('what is wrong with it the fields say themselves; that they do not answer, or are not there, the page says', async () => {
    const customer = openCustomer(server);
    await customer.get(apiAtom).ensureSession();
    fieldsWith(customer, server, { ...CARD, number: '4111' });
    expect(await customer.set(takeCardAtom)).toBe(false);
    expect([
      customer.get(cardTasks.problemsAtom).card ?? '',
      customer.get(cardAtom),
      customer.get(cardTasks.isBusyAtom),
    ]).toEqual(['', null, false]);
    customer.set(cardFieldsAtom, { token: () => Promise.resolve('away'), stop: () => undefined });
    expect([await customer.set(takeCardAtom), customer.get(cardTasks.problemsAtom).card ?? '']).toEqual([
      false,
      t.cardFrameAway,
    ]);
    customer.set(cardFieldsAtom, null);
    customer.set(cardTasks.clear);
    expect([await customer.set(takeCardAtom), customer.get(cardTasks.problemsAtom).card ?? '']).toEqual([
      false,
      t.cardFrameAway,
    ]);
    // In a host that forbids frames they are on a page of the bank.
    customer.set(hostAtom, { ...customer.get(hostAtom), forbids: new Set(['foreign-frame'] as const) });
    expect([await customer.set(takeCardAtom), customer.get(cardTasks.problemsAtom).card ?? '']).toEqual([
      false,
      t.cardAtBankFirst,
    ]);
    expect(customer.calls).not.toContain(contract.cardToken.path);
  });

  test('is kept only if that was ticked, by who has an account, and the payment goes on where it could not be kept', async () => {
    const customer = await member();
    fieldsWith(customer, server, CARD);
    customer.set(isCardKeptAtom, true);
    expect(await customer.set(takeCardAtom)).toBe(true);
    expect(customer.get(savedCardsState.atom).data).toMatchObject([{ lastFour: '1111', brand: 'Visa' }]);
    expect([customer.get(isCardKeptAtom), customer.get(toastAtom)]).toEqual([false, null]);

    customer.set(cardAtom, null);
    customer.set(pickCardAtom, ANOTHER);
    fieldsWith(customer, server, MASTERCARD);
    expect(await customer.set(takeCardAtom)).toBe(true);
    expect(customer.get(savedCardsState.atom).data).toHaveLength(1);

    customer.set(cardAtom, null);
    customer.set(isCardKeptAtom, true);
    fails(customer, cards.save, new Failure('offline'));
    expect(await customer.set(takeCardAtom)).toBe(true);
    expect([customer.get(cardAtom)?.lastFour, customer.get(toastAtom)?.message]).toEqual([
      '4444',
      errors.connectionLost,
    ]);

    const guest = openCustomer(server);
    await guest.get(apiAtom).ensureSession();
    guest.set(isCardKeptAtom, true);
    fieldsWith(guest, server, CARD);
    expect(await guest.set(takeCardAtom)).toBe(true);
    expect(guest.calls).not.toContain(cards.save.path);
    await guest.set(savedCardsState.load);
    expect([guest.get(savedCardsState.atom).data, guest.calls.includes(cards.list.path)]).toEqual([[], false]);
  });
});

describe("a card that the customer comes back with from the bank's page", () => {
  afterEach(() => void vi.unstubAllGlobals());
  /** The page at the address that the bank has led to. */
  function backWith(hash: string) {
    const replaceState = vi.fn();
    const location = { hash, pathname: '/in/payment', search: '?a=1' };
    vi.stubGlobal('window', { location, history: { state: null, replaceState } });
    return replaceState;
  }
  test('is taken over, and its token out of the address', async () => {
    const customer = openCustomer(server);
    await customer.get(apiAtom).ensureSession();
    const { token } = await typed(customer, server, CARD);
    const replaceState = backWith(`#card=${token}`);
    expect(await customer.set(enterCardsAtom)).toBe(true);
    expect(customer.get(cardAtom)).toMatchObject({ brand: 'Visa', lastFour: '1111' });
    expect([customer.get(isBackWithCardAtom), customer.get(cardTasks.isBusyAtom)]).toEqual([true, false]);
    expect(replaceState).toHaveBeenCalledWith(null, '', '/in/payment?a=1');
  });

  test('is said to be none any more where the bank refuses it, and nobody is left without a word', async () => {
    const customer = openCustomer(server);
    await customer.get(apiAtom).ensureSession();
    backWith('#card=fields_old');
    expect(await customer.set(enterCardsAtom)).toBe(true);
    expect([customer.get(cardAtom), customer.get(cardTasks.isBusyAtom)]).toEqual([null, false]);
    expect(customer.get(cardTasks.problemsAtom).card ?? '').not.toBe('');
    backWith('');
    expect([await customer.set(enterCardsAtom), customer.get(isBackWithCardAtom)]).toEqual([false, false]);
  });
});

describe('a card that is kept', () => {
  test('the newest one is chosen that is still good, until another one is, or a number is typed', async () => {
    const { customer, kept } = await keeper(CARD.number, MASTERCARD.number);
    expect(kept.map(({ lastFour }) => lastFour)).toEqual(['4444', '1111']);
    const chosen = () => customer.get(chosenCardAtom)?.lastFour ?? null;
    expect(chosen()).toBe('4444');
    customer.set(savedCardsState.put, [{ ...kept[0]!, isExpired: true }, kept[1]!]);
    expect(chosen()).toBe('1111');
    customer.set(cardTasks.refuse, { card: 'x' });
    customer.set(pickCardAtom, kept[0]!.cardId);
    expect([chosen(), customer.get(cardTasks.problemsAtom).card ?? '']).toEqual(['4444', '']);
    customer.set(pickCardAtom, ANOTHER);
    expect(chosen()).toBeNull();
    customer.set(pickCardAtom, 'gone');
    expect(chosen()).toBe('1111');

    const { customer: typing } = await keeper(CARD.number);
    typing.set(firstDigitsAtom, '411111');
    expect(typing.get(chosenCardAtom)).toBeNull();
    expect(openCustomer(server).get(chosenCardAtom)).toBeNull();
    typing.set(savedCardsState.put, [{ ...kept[0]!, isExpired: true }]);
    typing.set(firstDigitsAtom, '');
    expect(typing.get(chosenCardAtom)).toBeNull();
  });
});
