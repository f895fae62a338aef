import { describe, expect, test } from 'vitest';
import * as help from '../../src/contract/help.ts';
import * as wallet from '../../src/contract/wallet.ts';
import { answerByPerson } from '../../src/server/rules/help/operatorDesk.ts';

import { engines } from '../kit/server.ts';
import { about, ask, eats } from './claims.ts';
import { violations } from './invariants.ts';
import { member, pay, PICKUP, visitor } from './shop.ts';
import { shopHere } from './shopHere.ts';

describe.each(await engines())('help under attack, on %s', (engine) => {
  const { server, db } = shopHere({ engine }, 3600);

  test('fourteen invented guests of one door, all at once, are paid nine times by rule and no more', async () => {
    const guests = await Promise.all(
      Array.from({ length: 14 }, async () => {
        const who = await visitor(server);
        const { order, next } = await who.order({ paymentMode: 'NETBANKING' });
        await pay(server, next);
        await who.confirm(order);
        return { who, order };
      }),
    );
    await server.advance(7200);
    const answers = await Promise.all(guests.map(({ who, order }) => ask(who, about(order, { issue: 'cold' }))));
    expect(answers.map(({ status }) => status)).toEqual(guests.map(() => 200));
    expect(answers.filter(({ body }) => body.ticket.state === 'DONE')).toHaveLength(9);
    await server.advance(60);
    expect(await violations(db, { settled: true })).toEqual([]);
  });

  test('every question of an order answered in full by as many people at once: it gives back what was paid, once', async () => {
    const who = await member(server, 'IN', PICKUP);
    await server.call(wallet.credit, { body: { mobile: who.mobile, amount: 10_000 } });
    const order = await eats(server, who, { quantity: 2, body: { funds: { wallet: 10_000 } } });
    const asked = await Promise.all(
      (['bill', 'payment'] as const).map((issue) => ask(who, { orderId: order.orderId, issue, way: 'WALLET' })),
    );
    await db.deleteFrom('jobs').where('kind', '=', 'help.desk').execute();
    const amount = String(order.bill.total / 100);
    const answers = await Promise.allSettled([
      ...asked.flatMap(({ body }) =>
        Array.from({ length: 3 }, () => answerByPerson(db, body.ticket.eventId, { amount, isRefused: false })),
      ),
      ask(who, about(order, { way: 'WALLET' })),
      who.cancel(order.orderId),
    ]);
    expect(answers.length).toBe(8);
    await server.advance(60);
    const { tickets } = (await who.call(help.tickets, {})).body;
    expect(tickets.reduce((sum, { money }) => sum + (money?.amount ?? 0), 0)).toBe(order.bill.total);
    expect(await violations(db, { settled: true })).toEqual([]);
  });
});
