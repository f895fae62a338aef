import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import * as deletion from '../../src/contract/deletion.ts';
import * as help from '../../src/contract/help.ts';
import type { Claim } from '../../src/contract/help.ts';
import type { OrderView } from '../../src/contract/orders.ts';
import * as payments from '../../src/contract/payments.ts';
import type { TestServer } from '../kit/server.ts';
import { codeFor } from './people.ts';
import { pay, type Customer, type Extras } from './shop.ts';

/** Submits what is in the cart, pays for it and waits until it is handed over. */
export async function handsOver(server: TestServer, who: Customer, extras: Extras = {}): Promise<OrderView> {
  const { status, body } = await who.submit(extras);
  expect(status, JSON.stringify(body)).toBe(200);
  if (body.next.kind === 'cod-otp') {
    expect(await isCodeRight(server, who, body.order)).toBe(true);
  } else if (body.next.kind !== 'none') {
    await pay(server, body.next);
    await who.confirm(body.order);
  }
  await server.advance(2400);
  const order = await who.read(body.order.orderId);
  expect(['DELIVERED', 'PICKED']).toContain(order.orderStatus);
  return order;
}

async function isCodeRight(server: TestServer, who: Customer, order: OrderView): Promise<boolean> {
  await who.call(payments.codOtp, { transactionId: order.transactionId, body: {} });
  const code = await codeFor(server, who.mobile, who.person.as.apiKey);
  return (await who.call(payments.codOtp, { transactionId: order.transactionId, body: { code } })).body.verified;
}

/** An order of pizzas that was paid and handed over. */
export async function eats(
  server: TestServer,
  who: Customer,
  { quantity = 1, size, ...extras }: Extras & { quantity?: number; size?: 'R' | 'M' | 'L' | undefined } = {},
): Promise<OrderView> {
  await who.fill(quantity, size);
  return await handsOver(server, who, extras);
}

/** Asks for help. */
export const ask = (who: Customer, body: Claim, key: string = randomUUID(), headers: Record<string, string> = {}) =>
  who.call(help.claim, { body }, { 'idempotency-key': key, ...headers });

/** One piece of the first dish was missing, unless it is said otherwise. */
export const about = (order: OrderView, more: Partial<Claim> = {}): Claim => ({
  orderId: order.orderId,
  issue: 'missing',
  items: [{ lineId: order.lines[0]!.lineId, quantity: 1 }],
  ...more,
});

/** The code that an account is deleted with. */
export async function codeToDelete(server: TestServer, who: Customer): Promise<string> {
  await server.advance(31);
  const sent = await who.call(deletion.sendCode, { body: {} });
  expect(sent.status, JSON.stringify(sent.body)).toBe(200);
  return await codeFor(server, who.mobile, who.person.as.apiKey);
}

/** Has an account deleted in a week. */
export async function fallsAsleep(server: TestServer, who: Customer): Promise<void> {
  const done = await who.call(deletion.ask, { body: { code: await codeToDelete(server, who) } });
  expect(done.status, JSON.stringify(done.body)).toBe(200);
}
