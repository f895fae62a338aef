import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import * as errors from '#text/errors.ts';
import * as t from '#text/payment.ts';
import { Failure } from '../../src/api/failure.ts';
import * as contract from '../../src/contract/paylinks.ts';
import { cardAtom } from '../../src/state/drafts/card.ts';
import { apiAtom } from '../../src/state/first/seams.ts';
import { chooseWithinAtom } from '../../src/state/drafts/paymentChoice.ts';
import {
  beginPayLinkAtom,
  collectByLinkAtom,
  payLinkTasks,
  leaveLinkStepAtom,
  linkModeAtom,
  linkStepAtom,
  payByLinkAtom,
  payLinkState,
  sharePayLinkAtom,
} from '../../src/state/payment/paylinks.ts';
import type { TestServer } from '../kit/server.ts';
import { openedShop, pay, PICKUP, visitor, type Shop } from '../server/shop.ts';
import { fails, openCustomer, type Customer } from './customer.ts';
import { enteredCard } from './typed.ts';

let shop: Shop;
let server: TestServer;
let token: string;
let payer: Customer;
beforeAll(async () => {
  shop = await openedShop({ settings: { distDir: null } });
  ({ server } = shop);
  vi.stubGlobal('document', { baseURI: 'https://pizza.example/in/' });
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await shop.stop();
});
/** Somebody else opens the link of an order. */
beforeEach(async () => {
  const who = await visitor(server, 'IN', PICKUP);
  const { next } = await who.order({ paymentMode: 'LINK' });
  ({ token } = next as Extract<typeof next, { kind: 'link' }>);
  payer = openCustomer(server);
  await payer.get(apiAtom).ensureSession();
  await payer.set(payLinkState.load, token);
});
const times = ({ path }: { path: string }) => payer.calls.filter((one) => one === path).length;

test('somebody else pays once a way is chosen, once however often it is tapped; the step is there until it is left or over', async () => {
  expect(payer.get(payLinkState.atom).data).toMatchObject({ state: 'OPEN', hasFailed: false });
  await payer.set(payByLinkAtom, token);
  expect(times(contract.pay)).toBe(0);
  payer.set(payLinkTasks.refuse, { pay: 'of before' });
  payer.set(linkModeAtom, 'UPI');
  const paying = payer.set(payByLinkAtom, token);
  expect([payer.get(payLinkTasks.isBusyAtom), payer.get(payLinkTasks.problemsAtom).pay ?? '']).toEqual([true, '']);
  await Promise.all([payer.set(payByLinkAtom, token), paying]);
  expect([times(contract.pay), payer.get(payLinkTasks.isBusyAtom), payer.get(linkStepAtom)?.kind]).toEqual([
    1,
    false,
    'upi',
  ]);
  await payer.set(collectByLinkAtom, token, 'asha@okbank');
  expect(payer.get(linkStepAtom)?.kind).toBe('upi');
  const link = payer.get(payLinkState.atom).data!;
  for (const change of [{ hasFailed: true }, { tries: link.tries + 1 }]) {
    payer.set(payLinkState.put, { ...link, ...change });
    expect(payer.get(linkStepAtom)).toBeNull();
  }
  payer.set(payLinkState.put, link);
  expect(payer.get(linkStepAtom)).not.toBeNull();
  payer.set(leaveLinkStepAtom);
  expect([payer.get(linkStepAtom), payer.get(linkModeAtom)]).toEqual([null, 'UPI']);
  payer.set(payLinkTasks.refuse, { pay: 'x' });
  payer.set(beginPayLinkAtom);
  expect([payer.get(linkModeAtom), payer.get(payLinkTasks.problemsAtom).pay ?? '']).toEqual([null, '']);
});

test('declined, the step is gone, and another way can be tried: a card that was entered, or a bank that was chosen', async () => {
  payer.set(linkModeAtom, 'UPI');
  await payer.set(payByLinkAtom, token);
  await pay(server, payer.get(linkStepAtom)!, 'decline');
  await payer.set(payLinkState.load, token);
  expect(payer.get(linkStepAtom)).toBeNull();
  const { token: cardToken, lastFour, brand } = await enteredCard(payer, server);
  payer.set(cardAtom, { token: cardToken, lastFour, brand });
  payer.set(linkModeAtom, 'CARD');
  await payer.set(payByLinkAtom, token);
  expect([payer.get(linkStepAtom)?.kind, payer.get(cardAtom), payer.get(payLinkTasks.problemsAtom).pay ?? '']).toEqual([
    'redirect',
    null,
    '',
  ]);
  await pay(server, payer.get(linkStepAtom)!, 'decline');
  await payer.set(payLinkState.load, token);
  const bank = payer.get(payLinkState.atom).data!.options.find(({ id }) => id === 'NETBANKING')!.choices![0]!;
  payer.set(chooseWithinAtom, 'NETBANKING', bank.id);
  payer.set(linkModeAtom, 'NETBANKING');
  await payer.set(payByLinkAtom, token);
  expect(payer.get(linkStepAtom)?.kind).toBe('redirect');
  await pay(server, payer.get(linkStepAtom)!);
  await payer.set(payLinkState.load, token);
  expect(payer.get(payLinkState.atom).data?.state).toBe('PAID');
});

test('what fails is said, the card is forgotten, and what holds now is shown', async () => {
  payer.set(cardAtom, { token: 'x', lastFour: '1111', brand: 'Visa' });
  payer.set(linkModeAtom, 'CARD');
  fails(payer, contract.pay, new Failure('offline'));
  payer.calls.length = 0;
  await payer.set(payByLinkAtom, token);
  expect([
    payer.get(payLinkTasks.problemsAtom).pay ?? '',
    payer.get(cardAtom),
    payer.get(payLinkTasks.isBusyAtom),
    payer.calls,
  ]).toEqual([errors.connectionLost, null, false, [contract.byToken.path]]);
});

test('the link is shared with what it is', async () => {
  await payer.set(sharePayLinkAtom, token);
  expect(payer.fake!.log).toEqual([
    { method: 'share', args: { title: t.linkShareTitle, url: `https://pizza.example/pay/${token}` } },
  ]);
});
