import { expect, test, vi } from 'vitest';
import * as errors from '#text/errors.ts';
import { Failure } from '../../src/api/failure.ts';
import * as contract from '../../src/contract/help.ts';
import type { OrderView } from '../../src/contract/orders.ts';
import {
  askPersonAtom,
  chooseIssueAtom,
  claimAtom,
  guideState,
  helpDraftAtom,
  helpTasks,
  lookAtHelpAtom,
  namePieceAtom,
  openHelpAtom,
  quoteState,
  ticketsState,
  ticketState,
  writeHelpAtom,
} from '../../src/state/after/help.ts';
import { popupAtom } from '../../src/state/base/popup.ts';

import { about, ask, eats } from '../server/claims.ts';
import { PICKUP, visitor, type Customer as Buyer } from '../server/shop.ts';
import { fails, openCustomer, type Customer } from './customer.ts';
import { shopHere } from '../server/shopHere.ts';

const { server } = shopHere({ settings: { distDir: null } });

/** Somebody who has eaten so many pizzas, on their page. */
async function eaten(quantity = 1): Promise<{ customer: Customer; order: OrderView; who: Buyer; lineId: string }> {
  const who = await visitor(server, 'IN', PICKUP);
  const order = await eats(server, who, { quantity });
  const customer = openCustomer(server, { as: who.person.reply });
  return { customer, order, who, lineId: order.lines[0]!.lineId };
}
const quoted = (customer: Customer) =>
  vi.waitFor(() => {
    const { status, data } = customer.get(quoteState);
    if (status !== 'ready') throw new Error(status);
    return data!;
  });
const times = (customer: Customer, { path }: { path: string }) => customer.calls.filter((one) => one === path).length;

test('the only dish of an order need not be named: what it brings is there with the issue, and sent it is a ticket', async () => {
  const { customer, order, lineId } = await eaten();
  await customer.set(openHelpAtom, order.orderId, null);
  expect(customer.get(guideState.atom).data).toMatchObject({ orderId: order.orderId, items: [{ lineId, left: 1 }] });
  expect(customer.get(helpDraftAtom)).toMatchObject({ orderId: order.orderId, issue: null, items: [] });
  expect([customer.get(quoteState).status, times(customer, contract.quote)]).toEqual(['idle', 0]);
  // Nothing is sent while nothing is said to be wrong.
  await customer.set(claimAtom);
  expect(times(customer, contract.claim)).toBe(0);

  customer.set(chooseIssueAtom, 'missing');
  expect(customer.get(helpDraftAtom)).toMatchObject({ issue: 'missing', items: [{ lineId, quantity: 1 }], way: null });
  const quote = await quoted(customer);
  expect(quote).toMatchObject({ kind: 'PAY', ways: [{ id: 'SOURCE' }] });
  customer.set(writeHelpAtom, { comment: '  Not in the bag. ' });
  const claiming = customer.set(claimAtom);
  expect(customer.get(helpTasks.isBusyAtom)).toBe(true);
  await Promise.all([customer.set(claimAtom), claiming]);
  expect([customer.get(helpTasks.isBusyAtom), times(customer, contract.claim)]).toEqual([false, 1]);
  const ticket = customer.get(ticketState.atom).data!;
  expect(ticket).toMatchObject({
    orderId: order.orderId,
    issue: 'missing',
    comment: 'Not in the bag.',
    money: { amount: quote.amount, way: 'SOURCE' },
  });
  expect(customer.replaced).toEqual([`/ticket/${ticket.eventId}`]);
  expect(customer.get(helpDraftAtom)).toMatchObject({ orderId: '', issue: null, comment: '' });
  await customer.set(ticketsState.load);
  expect(customer.get(ticketsState.atom).data).toEqual([ticket]);
  customer.set(ticketState.put, null);
  await customer.set(ticketState.load, ticket.eventId);
  expect(customer.get(ticketState.atom).data).toEqual(ticket);
  await customer.set(lookAtHelpAtom, order.orderId);
  expect(customer.get(guideState.atom).data?.tickets).toEqual([ticket]);
});

test('of several dishes each is named, and what they bring is asked for anew with every one; none brings nothing', async () => {
  const { customer, order, lineId } = await eaten(2);
  await customer.set(openHelpAtom, order.orderId, null);
  customer.set(chooseIssueAtom, 'cold');
  expect([customer.get(helpDraftAtom).items, times(customer, contract.quote)]).toEqual([[], 0]);
  const { key } = customer.get(helpDraftAtom);
  customer.set(namePieceAtom, { lineId, quantity: 1 });
  const one = await quoted(customer);
  customer.set(namePieceAtom, { lineId, quantity: 2 });
  expect(customer.get(helpDraftAtom).items).toEqual([{ lineId, quantity: 2 }]);
  await vi.waitFor(() => expect(customer.get(quoteState).data?.amount).toBeGreaterThan(one.amount!));
  // What is said anew is another claim.
  expect(customer.get(helpDraftAtom).key).not.toBe(key);
  customer.set(writeHelpAtom, { way: 'SOURCE' });
  customer.set(namePieceAtom, { lineId, quantity: 0 });
  expect(customer.get(helpDraftAtom)).toMatchObject({ items: [], way: null });
  await vi.waitFor(() => expect(customer.get(quoteState)).toMatchObject({ status: 'idle', data: null }));
});

test('a whole dish and its parts are not named together, other dishes and other parts stay', async () => {
  const { customer, order, lineId } = await eaten(2);
  await customer.set(openHelpAtom, order.orderId, 'cold');
  const names = (...pieces: contract.Piece[]) => {
    for (const piece of pieces) customer.set(namePieceAtom, piece);
    return customer.get(helpDraftAtom).items;
  };
  const [left, right, other] = [
    { lineId, part: 'left', quantity: 1 },
    { lineId, part: 'right', quantity: 1 },
    { lineId: 'another', quantity: 1 },
  ];
  expect(names(other, left, right)).toEqual([other, left, right]);
  expect(names({ ...left, quantity: 2 })).toEqual([other, right, { ...left, quantity: 2 }]);
  expect(names({ lineId, quantity: 1 })).toEqual([other, { lineId, quantity: 1 }]);
  expect(names(right)).toEqual([other, right]);
});

test('opened at an issue that is not open for this order, it is chosen anew; what was said of this order stays', async () => {
  const { customer, order } = await eaten();
  await customer.set(openHelpAtom, order.orderId, 'notDelivered');
  expect([customer.get(helpDraftAtom).issue, times(customer, contract.quote)]).toEqual([null, 0]);
  await customer.set(openHelpAtom, order.orderId, 'cold');
  await quoted(customer);
  customer.set(writeHelpAtom, { comment: 'Ice' });
  await customer.set(openHelpAtom, order.orderId, null);
  expect(customer.get(helpDraftAtom)).toMatchObject({ issue: 'cold', comment: 'Ice' });
  await customer.set(openHelpAtom, order.orderId, 'taste');
  expect(customer.get(helpDraftAtom)).toMatchObject({ issue: 'taste', comment: '' });
  await customer.set(openHelpAtom, 'another', null);
  expect(customer.get(helpDraftAtom)).toMatchObject({ orderId: 'another', issue: null });
});

test('a try that was lost is the same claim again; what was claimed on another device is shown', async () => {
  const { customer, order, who } = await eaten();
  await customer.set(openHelpAtom, order.orderId, 'missing');
  await quoted(customer);
  const { key } = customer.get(helpDraftAtom);
  fails(customer, contract.claim, new Failure('offline'));
  await customer.set(claimAtom);
  expect([customer.get(popupAtom)?.message, customer.went, customer.get(helpTasks.isBusyAtom)]).toEqual([
    errors.connectionLost,
    [],
    false,
  ]);
  expect(customer.get(helpDraftAtom)).toMatchObject({ key, issue: 'missing' });
  expect(customer.get(guideState.atom).data?.tickets).toEqual([]);

  const { customer: other, order: second, who: buyer } = await eaten();
  await other.set(openHelpAtom, second.orderId, 'missing');
  await quoted(other);
  expect((await ask(buyer, about(second))).status).toBe(200);
  await other.set(claimAtom);
  expect(other.get(popupAtom)?.message).toMatch(/\w/);
  await vi.waitFor(() => expect(other.get(guideState.atom).data?.tickets).toHaveLength(1));
  expect([other.went, who.mobile === buyer.mobile]).toEqual([[], false]);
});

test('an answer by rule that does not help: a person looks, asked once however often it is tapped', async () => {
  const { customer, order, who } = await eaten();
  // It came in time.
  const { ticket } = (await ask(who, { orderId: order.orderId, issue: 'late' })).body;
  expect(ticket.mayAskPerson).toBe(true);
  await Promise.all([customer.set(askPersonAtom, ticket), customer.set(askPersonAtom, ticket)]);
  const asked = customer.get(ticketState.atom).data!;
  expect(asked).toMatchObject({ orderId: order.orderId, issue: 'late', state: 'PERSON' });
  expect(customer.replaced).toEqual([`/ticket/${asked.eventId}`]);
  // A lost answer, asked for again: the same one.
  await customer.set(askPersonAtom, ticket);
  expect(customer.get(ticketState.atom).data?.eventId).toBe(asked.eventId);
  await customer.set(ticketsState.load);
  expect(customer.get(ticketsState.atom).data).toHaveLength(2);
});
