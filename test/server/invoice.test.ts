import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as cart from '../../src/contract/cart.ts';
import { fillPath } from '../../src/contract/endpoint.ts';
import * as contract from '../../src/contract/orders.ts';
import { money } from '../../src/contract/price.ts';
import * as vouchers from '../../src/contract/vouchers.ts';
import * as invoiceTexts from '#text/invoice.ts';
import * as serverTexts from '#text/server.ts';
import { countryConfig } from '../../country/index.ts';
import { formatMoney } from '../../src/domain/money.ts';
import { creditNote, makeInvoice } from '../../src/server/rules/order/invoice/invoices.ts';
import { transact } from '../../src/server/store/db.ts';
import { lockOrder } from '../../src/server/store/orders.ts';
import { engines, type TestServer } from '../kit/server.ts';
import { readPdf } from '../kit/pdf.ts';
import {
  DINEIN,
  late,
  member,
  openedShop,
  openShop,
  pay,
  PICKUP,
  PLACES,
  visitor,
  type Customer,
  type Shop,
} from './shop.ts';

const HANDED_OVER_SECONDS = 5_400;

describe.each(await engines())('invoices on %s', (engine) => {
  let server: TestServer;
  let shop: Shop;
  beforeAll(async () => {
    shop = await openedShop({ engine });
    ({ server } = shop);
  });
  afterAll(() => shop.close(HANDED_OVER_SECONDS));

  /** The file as a page gets it, or the answer that refuses it. */
  async function download(one: Customer, orderId: string, query: Record<string, string> = {}) {
    await one.call(contract.recent, {});
    const { apiKey, authToken } = one.person.as;
    const path = fillPath(contract.download.path, { orderId });
    const answer = await fetch(`${server.url}${path}?${new URLSearchParams(query).toString()}`, {
      headers: { api_key: apiKey!, authToken: authToken!, userId: one.userId },
    });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const isFile = answer.headers.get('content-type') === 'application/pdf';
    return {
      status: answer.status,
      headers: answer.headers,
      bytes,
      errors: isFile
        ? []
        : (JSON.parse(Buffer.from(bytes).toString()) as { errors: { code: string; displayMsg: string }[] }).errors,
      text: isFile ? readPdf(bytes).text : '',
    };
  }
  async function delivered(one: Customer, extras: Parameters<Customer['order']>[0] = {}) {
    const { order, next } = await one.order(extras);
    if (order.orderStatus === 'PENDING') {
      await pay(server, next);
      await one.confirm(order);
    }
    await server.advance(HANDED_OVER_SECONDS);
    return await one.read(order.orderId);
  }

  test('the file comes once the order is handed over, and the same to the byte ever after [HIST-07] [API-40]', async () => {
    const one = await member(server);
    const { order, next } = await one.order();
    const early = await download(one, order.orderId);
    expect([early.status, early.errors[0]]).toMatchObject([
      400,
      { code: 'INVOICE_NOT_YET', displayMsg: invoiceTexts.notYet },
    ]);
    await pay(server, next);
    await one.confirm(order);
    expect((await download(one, order.orderId)).status).toBe(400);
    await server.advance(HANDED_OVER_SECONDS);
    const first = await download(one, order.orderId, { wiOid: order.orderNumber, orderType: 'DELIVERY' });
    expect([first.status, first.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(first.headers.get('content-disposition')).toMatch(/^attachment; filename="I10101-\d\d-\d{6}\.pdf"$/);
    for (const said of ['Tax invoice', '07AAXCG0000K1ZM', '996331', 'Delhi (07)', 'CGST 2.5%', 'SGST 2.5%', 'Asha Rao'])
      expect(first.text).toContain(said);
    expect(first.text).toContain('₹');
    await shop.db.deleteFrom('invoice_files').where('order_id', '=', order.orderId).execute();
    const again = await download(one, order.orderId);
    expect(Buffer.compare(again.bytes, first.bytes)).toBe(0);
    expect(Buffer.compare((await download(one, order.orderId)).bytes, first.bytes)).toBe(0);
    for (const query of [{ wiOid: '0000' }, { orderType: 'DINEIN' }])
      expect((await download(one, order.orderId, query)).status).toBe(404);
  });

  test("it is its owner's alone, a guest's too; a cancelled order has none [HIST-08] [ERR-29]", async () => {
    const owner = await visitor(server, 'IN', PICKUP);
    const order = await delivered(owner);
    expect((await download(owner, order.orderId)).status).toBe(200);
    for (const other of [await visitor(server), await member(server), await visitor(server, 'LK')]) {
      const refused = await download(other, order.orderId);
      expect([refused.status, refused.errors[0]!.code]).toEqual([404, 'NOT_FOUND']);
    }
    const placed = (await owner.order()).order;
    await owner.cancel(placed.orderId);
    const { status, errors } = await download(owner, placed.orderId);
    expect([status, errors[0]]).toMatchObject([400, { code: 'NO_INVOICE', displayMsg: invoiceTexts.never }]);
  });

  test.each([
    ['LK', ['Invoice', '100000000-7000', 'VAT 18%, included', 'Rs.', 'Value without VAT']],
    ['BG', ['Mushak-6.3', 'মূসক-৬.৩', 'কর চালানপত্র', '000000000-0001', 'VAT 5%', '৳', 'Taxable value', 'Taka']],
  ])('that of %s says what its law asks for', async (country, said) => {
    const one = await member(server, country);
    const order = await delivered(one, { paymentMode: 'COD' });
    const { text } = await download(one, order.orderId);
    for (const part of said) expect(text).toContain(part);
  });

  test('an invoice is all in English, whatever language the customer speaks: dishes as built, bill and payment', async () => {
    const headers = { 'accept-language': 'hi-IN' };
    const cases = [
      [PICKUP, 'COD', 'Cash at the counter'],
      [PLACES['IN']!.where, 'NETBANKING', 'Net banking, State Bank of India'],
    ] as const;
    for (const [where, paymentMode, paid] of cases) {
      const one = await member(server, 'IN', where);
      const build = {
        secondHalf: 'PZ002',
        toppings: [{ id: 'onion', half: 'LEFT' as const, amount: 'extra' as const }],
      };
      const line = { lineId: randomUUID(), productId: 'PZ001', quantity: 1, size: 'M' as const, build };
      const { storeId, deliveryType } = where;
      const options = { storeId, deliveryType, carryBag: true, ...(deliveryType === 'DELIVERY' ? { tip: 2_000 } : {}) };
      const body = { items: [{ operationId: randomUUID(), line }], options };
      const added = await one.call(cart.add, { cartId: one.cartId, body }, headers);
      expect(added.body.cart.validItems[0]!.choices.join(' ')).toMatch(/\p{Script=Devanagari}/u);
      expect((await one.coupon('WELCOME50')).status).toBe('SUCCESS');
      const choice = paymentMode === 'COD' ? {} : { paymentChoice: 'SBIN' };
      const order = await delivered(one, { paymentMode, headers, body: choice });
      const papers = await shop.db
        .selectFrom('invoices')
        .select('paper')
        .where('order_id', '=', order.orderId)
        .execute();
      expect(papers).toHaveLength(1);
      for (const { paper } of papers) expect(paper.match(/"[^"]*\p{Script=Devanagari}[^"]*"/gu) ?? []).toEqual([]);
      expect(papers[0]!.paper).toContain(paid);
      for (const said of [
        ...['Left half', 'Add double Onion', 'Carry bag', 'free with an offer'],
        '50% off your first order (WELCOME50)',
      ])
        expect(papers[0]!.paper).toContain(said);
    }
  });

  test('what paid an order in parts stands on its invoice in parts, and what paid nothing is not there', async () => {
    const one = await member(server, 'IN', PICKUP);
    const { number, pin } = (await server.call(vouchers.issue, { body: { amount: 100_000 } })).body;
    const { voucherId } = (await one.call(vouchers.link, { body: { number, pin } })).body.voucher;
    const label = serverTexts.egvEnding({ digits: number.slice(-4) });
    const said = (amount: number) => formatMoney(money(amount), countryConfig('IN'));
    for (const [share, paymentMode] of [
      [0.5, 'UPI'],
      [1, 'EGV'],
    ] as const) {
      const { bill } = await one.fill();
      const amount = Math.round(bill.total * share);
      const { order, next } = (
        await one.submit({ paymentMode, body: { funds: { vouchers: [{ voucherId, amount }] } } })
      ).body;
      if (next.kind !== 'none') await pay(server, next);
      await one.confirm(order);
      await server.advance(HANDED_OVER_SECONDS);
      const { paper } = await shop.db
        .selectFrom('invoices')
        .select('paper')
        .where('order_id', '=', order.orderId)
        .executeTakeFirstOrThrow();
      expect((JSON.parse(paper) as { paid: unknown }).paid).toEqual([
        { label, value: said(amount) },
        ...(share === 1 ? [] : [{ label: 'UPI', value: said(bill.total - amount) }]),
      ]);
    }
  });

  test('what a missed promise gives back has a credit note in the same file', async () => {
    await openShop(server);
    const one = await visitor(server);
    const order = await one.paid();
    await late(server, shop.db, order.orderId);
    const { text, bytes } = await download(one, order.orderId);
    expect(readPdf(bytes).pages).toBe(2);
    expect(text).toContain(invoiceTexts.reasonPromise);
    expect(text).toMatch(/C10101\/\d\d\/\d{6}/);
  });

  test('drawing has its limit for one customer; what was drawn has none', async () => {
    const one = await visitor(server, 'IN', DINEIN);
    const order = await delivered(one);
    const file = await download(one, order.orderId);
    await shop.db.updateTable('counters').set({ used: 60 }).where('id', '=', `invoices|${one.userId}`).execute();
    expect((await download(one, order.orderId)).bytes).toEqual(file.bytes);
    await shop.db.deleteFrom('invoice_files').where('order_id', '=', order.orderId).execute();
    expect(await download(one, order.orderId)).toMatchObject({ status: 429, errors: [{ code: 'TOO_MANY' }] });
  });
});

test.each(await engines())(
  'numbers have neither gap nor double whoever takes them at once, and whatever goes wrong, on %s',
  async (engine) => {
    const shop = await openedShop({ engine });
    try {
      const { server, db } = shop;
      const people = await Promise.all(Array.from({ length: 4 }, () => visitor(server, 'IN', DINEIN)));
      const ids: string[] = [];
      for (const one of people) {
        const order = await one.paid();
        ids.push(order.orderId);
      }
      await server.advance(HANDED_OVER_SECONDS);
      await fc.assert(
        fc.asyncProperty(
          fc.array(
            fc.record({
              who: fc.nat({ max: people.length - 1 }),
              what: fc.constantFrom('invoice', 'credit', 'broken'),
              cause: fc.nat({ max: 2 }),
              amount: fc.integer({ min: 1, max: 30_000 }),
              at: fc.integer({ min: -5, max: 5 }),
            }),
            { minLength: 6, maxLength: 16 },
          ),
          async (acts) => {
            for (const table of ['invoices', 'invoice_series'] as const) await db.deleteFrom(table).execute();
            const now = Date.UTC(2027, 3, 1);
            await Promise.all(
              acts.map(({ who, what, cause, amount, at }) =>
                transact(db, async (tx) => {
                  const order = (await lockOrder(tx, ids[who]!))!;
                  await makeInvoice(tx, order, now + at);
                  if (what !== 'invoice')
                    await creditNote(tx, order, { cause: `${who}.${cause}`, amount, reason: 'REFUND', at: now + at });
                  if (what === 'broken') throw new Error('broken');
                }).catch((error: Error) => {
                  if (error.message !== 'broken') throw error;
                }),
              ),
            );
            const papers = await db.selectFrom('invoices').selectAll().orderBy('serial').execute();
            for (const kind of ['INVOICE', 'CREDIT'] as const) {
              const own = papers.filter((paper) => paper.kind === kind);
              expect(own.map(({ serial }) => serial)).toEqual(own.map((_, index) => index + 1));
              expect(own.map(({ issued_at: at }) => at)).toEqual(
                own.map(({ issued_at: at }) => at).toSorted((a, b) => a - b),
              );
              expect(own.map(({ year }) => year)).toEqual(own.map(() => 2027));
            }
            const kept = acts.filter(({ what }) => what !== 'broken');
            for (const [who, id] of ids.entries()) {
              const own = papers.filter((paper) => paper.order_id === id);
              const [invoice] = own.filter(({ kind }) => kind === 'INVOICE');
              expect(invoice !== undefined).toBe(kept.some((act) => act.who === who));
              const notes = own.filter(({ kind }) => kind === 'CREDIT');
              expect(notes.reduce((sum, { amount }) => sum + amount, 0)).toBeLessThanOrEqual(invoice?.amount ?? 0);
              // Parts of the tax that credit notes give back are never more than the tax.
              expect(new Set(notes.map(({ cause }) => cause)).size).toBe(notes.length);
            }
          },
        ),
        { numRuns: 6 },
      );
      // The year of India begins with April, by its own clock.
      for (const table of ['invoices', 'invoice_series'] as const) await db.deleteFrom(table).execute();
      const ends = [Date.UTC(2028, 0, 1), Date.UTC(2028, 2, 31, 18, 29, 59), Date.UTC(2028, 2, 31, 18, 30)];
      for (const [who, at] of ends.entries())
        await transact(db, async (tx) => makeInvoice(tx, (await lockOrder(tx, ids[who]!))!, at));
      const numbers = await db.selectFrom('invoices').select('number').orderBy('issued_at').execute();
      expect(numbers.map(({ number }) => number)).toEqual(['I10101/27/000001', 'I10101/27/000002', 'I10101/28/000001']);
    } finally {
      await shop.stop();
    }
  },
);
