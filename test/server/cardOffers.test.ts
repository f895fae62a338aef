import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import * as payments from '../../src/contract/payments.ts';
import { openDb } from '../../src/server/store/db.ts';
import { engines, startServer } from '../kit/server.ts';
import { codeOf, freshMobile, logIn } from './people.ts';
import { Customer, openShop, PICKUP, visitor } from './shop.ts';
import { CARD, enteredCard } from './typed.ts';
import { during } from '../kit/during.ts';

const ELIGIBLE = '4111111111111111';
const OTHER = '4000000000000002';
const REFUSED = 'This coupon needs an eligible card';

describe.each(await engines())('card offers at payment on %s', (engine) => {
  const server = during(() => startServer({ engine }), openShop);

  const cardOf = (who: Customer, number: string) => enteredCard(who, { ...CARD, number });
  const shopper = async () => {
    const who = await visitor(server, 'IN', PICKUP);
    await who.fill(4, 'M');
    await who.coupon('CARD10');
    return who;
  };

  test('CARD10 is charged only with an eligible card, and refused before payment with any other [CART-16] [OFF-X03] [OFF-16]', async () => {
    const who = await shopper();
    const {
      body: { quote },
    } = await who.validate({ paymentMode: 'CARD' });
    expect(quote.bill.lines.map(({ id }) => id)).toContain('discount:CARD10');
    const seen = { cartVersion: quote.cartVersion, total: quote.bill.total, paymentMode: 'CARD' as const };
    const theirs = await cardOf(await shopper(), ELIGIBLE);
    for (const cardToken of [await cardOf(who, OTHER), undefined, 'card_made_up', theirs]) {
      const answer = await who.submit({ ...seen, ...(cardToken === undefined ? {} : { body: { cardToken } }) });
      expect(answer.status).toBe(422);
      expect(answer.body.errors).toContainEqual(
        expect.objectContaining({ code: 'COUPON_PAYMENT_MODE', displayMsg: REFUSED, field: 'CARD10' }),
      );
    }
    const done = await who.submit({ ...seen, body: { cardToken: await cardOf(who, ELIGIBLE) } });
    expect(done.status).toBe(200);
    expect(done.body.order.bill.total).toBe(quote.bill.total);
    expect(done.body.order.bill.lines.map(({ id }) => id)).toContain('discount:CARD10');
  });

  test('the validations say so as soon as the card is known, and quote its bill [CART-16] [OFF-X03]', async () => {
    const who = await shopper();
    const wrong = (await who.validate({ paymentMode: 'CARD', cardToken: await cardOf(who, OTHER) })).body;
    expect(wrong.problems).toContainEqual(
      expect.objectContaining({ code: 'COUPON_PAYMENT_MODE', field: 'CARD10', displayMsg: REFUSED }),
    );
    const right = (await who.validate({ paymentMode: 'CARD', cardToken: await cardOf(who, ELIGIBLE) })).body;
    expect(right.problems).toEqual([]);
    expect(right.quote.bill.total).toBeLessThan((await who.validate({ paymentMode: 'UPI' })).body.quote.bill.total);
  });

  test('a quote that was agreed on does not carry a card offer over to another card [CART-16]', async () => {
    const own = await startServer({ engine });
    try {
      await openShop(own);
      const who = await visitor(own, 'IN', PICKUP);
      await who.fill(4, 'M');
      await who.coupon('CARD10');
      const token = await cardOf(who, OTHER);
      const {
        body: { quote },
      } = await who.validate({ paymentMode: 'CARD' });
      // The coupon is off the cart while its price is still promised: no rule looks at it any more but this one.
      const { db } = await openDb(own.database.target);
      await db.deleteFrom('cart_coupons').where('code', '=', 'CARD10').execute();
      const seen = { cartVersion: quote.cartVersion, total: quote.bill.total, paymentMode: 'CARD' as const };
      expect(codeOf(await who.submit({ ...seen, body: { cardToken: token } }))).toBe('PRICE_CHANGED');
      expect((await who.submit({ ...seen, body: { cardToken: await cardOf(who, ELIGIBLE) } })).status).toBe(200);
      await db.destroy();
    } finally {
      await own.stop();
    }
  });

  test('another try at paying needs an eligible card again [CART-16]', async () => {
    const who = await shopper();
    const { order } = (await who.submit({ paymentMode: 'CARD', body: { cardToken: await cardOf(who, ELIGIBLE) } }))
      .body;
    const retry = async (cardToken?: string) =>
      await who.call(
        payments.retry,
        { body: { orderId: order.orderId, paymentMode: 'CARD', ...(cardToken === undefined ? {} : { cardToken }) } },
        { 'idempotency-key': randomUUID() },
      );
    const answer = await retry(await cardOf(who, OTHER));
    expect([answer.status, codeOf(answer)]).toEqual([422, 'COUPON_PAYMENT_MODE']);
    expect((await retry(await cardOf(who, ELIGIBLE))).status).toBe(200);
  });

  test('of a card nothing is kept but what it is good for, and a login keeps that', async () => {
    const who = await shopper();
    const token = await cardOf(who, ELIGIBLE);
    const { db } = await openDb(server.database.target);
    try {
      const rows = await db.selectFrom('card_offers').selectAll().where('user_id', '=', who.userId).execute();
      expect(rows).toMatchObject([{ codes: '["CARD10"]' }]);
      expect(JSON.stringify(rows)).not.toMatch(/411111|1111/);
      const mobile = freshMobile('in-web');
      const account = new Customer(server, await logIn(server, mobile, 'in-web', who.person), PICKUP, 'PZ001', mobile);
      expect((await account.validate({ paymentMode: 'CARD', cardToken: token })).body.problems).toEqual([]);
    } finally {
      await db.destroy();
    }
  });
});
