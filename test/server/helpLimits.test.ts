import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { DEVICE_HEADER } from '../../src/contract/challenge.ts';
import * as help from '../../src/contract/help.ts';
import * as payments from '../../src/contract/payments.ts';
import type { OrderView } from '../../src/contract/orders.ts';
import { inLanguage } from '../../src/server/call/language.ts';
import { ticketViews } from '../../src/server/rules/help/tickets.ts';

import { ticketsOfUser } from '../../src/server/store/help.ts';
import { engines } from '../kit/server.ts';
import { about, ask } from './claims.ts';
import { openShop, pay, PICKUP, PLACES, visitor, type Customer, type Extras, type Where } from './shop.ts';
import { enteredCard } from './typed.ts';
import { shopHere } from './shopHere.ts';

const home = PLACES['IN']!.where;

describe.each(await engines())('how often help pays by rule, on %s', (engine) => {
  const { server, db } = shopHere({ engine }, 3600);

  interface Eaten {
    readonly who: Customer;
    readonly order: OrderView;
  }
  /** Guests with a number of their own each, who have all had a pizza. */
  async function guests(
    count: number,
    where: (n: number) => Where,
    extras: (who: Customer, n: number) => Promise<Extras> = async () => ({ paymentMode: 'NETBANKING' }),
    pays?: (who: Customer, order: OrderView) => Promise<unknown>,
  ): Promise<Eaten[]> {
    await openShop(server);
    const found: Eaten[] = [];
    for (let n = 0; n < count; n += 1) {
      const who = await visitor(server, 'IN', where(n));
      const { order, next } = await who.order(await extras(who, n));
      await (pays === undefined ? pay(server, next) : pays(who, order));
      await who.confirm(order);
      found.push({ who, order });
    }
    await server.advance(3600);
    return found;
  }
  /** Whether a claim of each was answered by the rules, one after the other. */
  async function statesOf(all: readonly Eaten[], headers: Record<string, string> = {}): Promise<string[]> {
    const states: string[] = [];
    for (const { who, order } of all) {
      const claim = about(order, { issue: 'cold' });
      const { kind } = (await who.call(help.quote, { body: claim }, headers)).body;
      const { ticket } = (await ask(who, claim, randomUUID(), headers)).body;
      expect(kind).toBe(ticket.state === 'DONE' ? 'PAY' : 'PERSON');
      states.push(ticket.state);
    }
    return states;
  }
  const rulesThen = (times: number) => [...Array.from({ length: times }, () => 'DONE'), 'PERSON'];

  test('a door is answered nine times a month by rule, whatever numbers and spellings its guests invent; another door is not its', async () => {
    const ways = [
      ['12A', 'Barakhamba Road'],
      ['No. 12-a', 'barakhamba rd.'],
      ['#12 A', 'Bárakhamba Road'],
    ] as const;
    const doors = await guests(11, (n) => {
      const [houseNo, address] = n === 10 ? (['14', 'Barakhamba Road'] as const) : ways[n % ways.length]!;
      return { ...home, address: { ...home.address!, houseNo, address } };
    });
    expect(await statesOf(doors.slice(0, 10))).toEqual(rulesThen(9));
    expect(await statesOf(doors.slice(10))).toEqual(['DONE']);
    const rows = JSON.stringify(await db.selectFrom('help_customers').selectAll().execute()).toLowerCase();
    expect(rows).not.toContain('barakhamba');
  }, 60_000);

  test('a device, a card and a UPI id have the limits of two people', async () => {
    const byDevice = await guests(7, () => PICKUP);
    expect(await statesOf(byDevice, { [DEVICE_HEADER]: 'd'.repeat(43) })).toEqual(rulesThen(6));

    const card = { number: '4111 1111 1111 1111', expiry: '12/49', cvv: '123', name: 'Asha Rao' };
    const byCard = await guests(
      7,
      () => PICKUP,
      async (who) => {
        const token = await enteredCard(who, card);
        return { paymentMode: 'CARD', body: { cardToken: token } };
      },
    );
    expect(await statesOf(byCard)).toEqual(rulesThen(6));

    const byUpi = await guests(
      7,
      () => PICKUP,
      async () => ({ paymentMode: 'UPI' }),
      async (who, { transactionId }) =>
        who.call(payments.upiCollect, { transactionId, body: { vpa: 'success@okaxis' } }),
    );
    expect(await statesOf(byUpi)).toEqual(rulesThen(6));
  }, 120_000);

  test('fifty tickets are read with as many statements as five', async () => {
    const who = await visitor(server, 'IN', PICKUP);
    const [first] = await guests(1, () => PICKUP);
    const [order] = await db.selectFrom('orders').selectAll().where('id', '=', first!.order.orderId).execute();
    const payment = await db
      .selectFrom('payments')
      .selectAll()
      .where('order_id', '=', order!.id)
      .executeTakeFirstOrThrow();
    await ask(first!.who, about(first!.order));
    const ticket = await db
      .selectFrom('help_tickets')
      .selectAll()
      .where('order_id', '=', order!.id)
      .executeTakeFirstOrThrow();
    let statements = 0;
    const counting = db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        statements += 1;
        return result;
      },
    });
    const asked: number[] = [];
    for (let made = 0; made < 50; made += 1) {
      const id = `${order!.id}-${made}`;
      const mine = { order_id: id, user_id: who.userId };
      const row = { ...order!, id, user_id: who.userId, idempotency_key: id, cart_id: id };
      await db.insertInto('orders').values(row).execute();
      await db
        .insertInto('payments')
        .values({ ...payment, ...mine, id: `p${id}`, reference: id })
        .execute();
      await db
        .insertInto('help_tickets')
        .values({ ...ticket, ...mine, id: `t${id}` })
        .execute();
      if (made !== 4 && made !== 49) continue;
      const rows = await ticketsOfUser(db, who.userId, 50);
      statements = 0;
      expect(await inLanguage('en', () => ticketViews(counting, rows))).toHaveLength(made + 1);
      asked.push(statements);
    }
    expect(asked[0]).toBeGreaterThan(0);
    expect(asked[1]).toBe(asked[0]);
    for (const table of ['help_tickets', 'payments', 'orders'] as const)
      await db.deleteFrom(table).where('user_id', '=', who.userId).execute();
  });
});
