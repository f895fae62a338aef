import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import * as help from '../../src/contract/help.ts';
import type { PaymentMode } from '../../src/contract/names.ts';
import type { OrderView } from '../../src/contract/orders.ts';
import * as paylinks from '../../src/contract/paylinks.ts';
import type { PaymentStep } from '../../src/contract/payments.ts';
import * as wallet from '../../src/contract/wallet.ts';
import { answerByPerson } from '../../src/server/rules/help/operatorDesk.ts';

import { engines } from '../kit/server.ts';
import { about, ask, eats } from './claims.ts';
import { violations } from './invariants.ts';
import { codeOf } from './people.ts';
import { late, member, openShop, pay, PICKUP, visitor, type Customer, type Where } from './shop.ts';
import { shopHere } from './shopHere.ts';

describe.each(await engines())('the money of somebody else who paid by a link, on %s', (engine) => {
  const { server, db } = shopHere({ engine }, 3600);

  const OWN = 10_000;
  interface Asked {
    readonly owner: Customer;
    readonly order: OrderView;
    readonly payer: Customer;
    readonly token: string;
  }
  /** An order whose customer has a wallet and asks somebody else to pay; with `own` the wallet pays a part of it. */
  async function asked({ own = 0, where = PICKUP }: { own?: number; where?: Where | undefined } = {}): Promise<Asked> {
    const owner = await member(server, 'IN', where);
    await server.call(wallet.credit, { body: { mobile: owner.mobile, amount: OWN } });
    await owner.fill(2);
    const { body } = await owner.submit({
      paymentMode: 'LINK',
      ...(own === 0 ? {} : { body: { funds: { wallet: own } } }),
    });
    if (body.next.kind !== 'link') throw new Error(`no link: ${JSON.stringify(body)}`);
    return { owner, order: body.order, payer: await visitor(server), token: body.next.token };
  }
  async function begins({ payer, token }: Asked, paymentMode: PaymentMode = 'UPI'): Promise<PaymentStep> {
    const headers = { 'idempotency-key': randomUUID(), returnpath: '/in/' };
    const { status, body } = await payer.call(paylinks.pay, { token, body: { paymentMode } }, headers);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.next;
  }
  async function paid(of: Asked): Promise<Asked> {
    await pay(server, await begins(of));
    // The payer's page looks.
    expect((await of.payer.call(paylinks.byToken, { token: of.token })).body.link.state).toBe('PAID');
    return of;
  }
  const eaten = async (of: Asked): Promise<Asked> => {
    await server.advance(2400);
    const order = await of.owner.read(of.order.orderId);
    expect(['DELIVERED', 'PICKED']).toContain(order.orderStatus);
    return { ...of, order };
  };
  const balanceOf = async (who: Customer) => (await who.call(wallet.summary, {})).body.balance as number;
  /** What the payer's bank got back, and that it is the payer's. */
  async function atPayers({ order }: Asked): Promise<number> {
    await server.advance(60);
    const rows = await db
      .selectFrom('bank_movements')
      .innerJoin('bank_charges', 'bank_charges.id', 'bank_movements.charge_id')
      .innerJoin('payments', 'payments.reference', 'bank_charges.reference')
      .select(['bank_movements.amount', 'payments.link'])
      .where('payments.order_id', '=', order.orderId)
      .where('bank_movements.kind', '=', 'refund')
      .execute();
    expect(rows.every((row) => row.link !== null)).toBe(true);
    return rows.reduce((sum, row) => sum + row.amount, 0);
  }

  test('help refunds an outside payer alone and says so; for their own order the customer may still choose the wallet [PAY-X06]', async () => {
    const of = await eaten(await paid(await asked()));
    const { owner, order } = of;
    expect(order.payment.label).toBe('Payer’s UPI');
    const { ways } = (await owner.call(help.quote, { body: about(order) })).body;
    expect(ways).toMatchObject([{ id: 'SOURCE', label: 'Payer’s UPI' }]);
    for (const way of ['WALLET', 'VOUCHER', 'COUNTER'] as const)
      expect(codeOf(await ask(owner, about(order, { way })))).toBe('HELP_WAY');
    const { ticket } = (await ask(owner, about(order))).body;
    expect(ticket.answer).toContain('back to your Payer’s UPI by');
    const waits = (await ask(owner, { orderId: order.orderId, issue: 'bill', way: 'SOURCE' })).body.ticket;
    // A choice of before, which an older release let through.
    await db.updateTable('help_tickets').set({ way: 'WALLET' }).where('id', '=', waits.eventId).execute();
    await answerByPerson(db, waits.eventId, { amount: '50', isRefused: false });
    expect(await atPayers(of)).toBe(ticket.money!.amount + 5_000);
    expect(await balanceOf(owner)).toBe(OWN);

    const own = await eats(server, owner, { paymentMode: 'UPI' });
    const mine = (await owner.call(help.quote, { body: about(own) })).body.ways;
    expect(mine).toMatchObject([{ id: 'SOURCE', label: 'UPI' }, { id: 'WALLET' }]);
  });

  test('a cancelled order gives each their own: the payer what the payer paid, the wallet what it had paid', async () => {
    await openShop(server);
    for (const own of [0, OWN]) {
      const of = await paid(await asked({ own }));
      expect(await balanceOf(of.owner)).toBe(OWN - own);
      const { body } = await of.owner.cancel(of.order.orderId);
      expect(body.order).toMatchObject({ orderStatus: 'CANCELLED', payment: { label: 'Payer’s UPI' } });
      expect(await atPayers(of)).toBe(of.order.bill.total - own);
      expect(await balanceOf(of.owner)).toBe(OWN);
      const { ticket } = (await ask(of.owner, { orderId: of.order.orderId, issue: 'payment' })).body;
      expect(ticket.answer).toMatch(/is on its way back and arrives by/);
    }
  });

  test('help of an order that both paid takes the payer’s part first and all of it, and then the wallet’s own', async () => {
    await openShop(server);
    const of = await eaten(await paid(await asked({ own: OWN })));
    const { ticket } = (await ask(of.owner, { orderId: of.order.orderId, issue: 'bill' })).body;
    const amount = String(of.order.bill.total / 100);
    await answerByPerson(db, ticket.eventId, { amount, isRefused: false });
    expect(await atPayers(of)).toBe(of.order.bill.total - OWN);
    expect(await balanceOf(of.owner)).toBe(OWN);
    expect(await violations(db, { settled: true })).toEqual([]);
  });

  test('a missed promise pays the payer back, and the wallet no more than it paid', async () => {
    await openShop(server);
    for (const own of [0, OWN]) {
      const where = (await visitor(server)).where;
      const of = await paid(await asked({ own, where }));
      await late(server, db, of.order.orderId);
      const order = await of.owner.read(of.order.orderId);
      expect(order.promise).toMatchObject({ state: 'missed', paid: { way: 'REFUND' } });
      const credit = order.promise!.credit!;
      expect(await atPayers(of)).toBe(Math.min(credit, order.bill.total - own));
      expect(await balanceOf(of.owner)).toBe(OWN - own + Math.max(0, credit - (order.bill.total - own)));
    }
  });

  test('what comes through the link after the order failed goes back to them, and the wallet has its part again', async () => {
    await openShop(server);
    const of = await asked({ own: OWN });
    const next = await begins(of, 'NETBANKING');
    await pay(server, next, 'pending');
    await server.advance(16 * 60);
    expect(await of.owner.read(of.order.orderId)).toMatchObject({ orderStatus: 'FAILED' });
    expect(await balanceOf(of.owner)).toBe(OWN);
    await server.advance(86_400);
    expect(await balanceOf(of.owner)).toBe(OWN);
    const captured = await db.selectFrom('captures').selectAll().where('order_id', '=', of.order.orderId).execute();
    expect(await atPayers(of)).toBe(captured.reduce((sum, one) => sum + one.amount, 0));
    expect(await violations(db, { settled: true })).toEqual([]);
  });
});
