import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import * as cards from '../../src/contract/cards.ts';

import { engines } from '../kit/server.ts';
import { codeOf } from './people.ts';
import { type Customer, member, pay, PICKUP, visitor } from './shop.ts';
import { CARD, enteredCard, sayOfFields, typedCard, typedCvv } from './typed.ts';
import { shopHere } from './shopHere.ts';

const NUMBER = '4111111111111111';

describe.each(await engines())('kept cards on %s', (engine) => {
  const { server, db } = shopHere({ engine }, 1);

  const enter = (who: Customer, number = NUMBER) => enteredCard(who, { ...CARD, number });
  const keep = async (who: Customer, number = NUMBER) =>
    (await who.call(cards.save, { body: { cardToken: await enter(who, number) } })).body.cards;

  test('a card is kept, listed, pays again with its CVV, and is removed; of its number nothing is written down [PAY-X03]', async () => {
    const who = await member(server, 'IN', PICKUP);
    const [kept, ...more] = await keep(who);
    expect(more).toEqual([]);
    expect(kept).toMatchObject({ brand: 'Visa', lastFour: '1111', expiry: '12/39', isExpired: false });
    // The same card entered again is one card.
    expect(await keep(who)).toHaveLength(1);
    expect(await keep(who, '5555555555554444')).toHaveLength(2);
    for (const cvv of ['', '12', '1234', 'abc'])
      expect((await sayOfFields(who, { cvv }, { kind: 'cvv', brand: 'Visa' })).body.problems).toMatchObject([
        { code: 'CARD_CVV', field: 'cvv' },
      ]);
    const again = async (body: { token: string }) => who.call(cards.again, { cardId: kept!.cardId, body });
    // Four digits are right for a card of another brand, and the token of a whole card is none for a CVV.
    expect(codeOf(await again(await typedCvv(who, '1234', 'American Express')))).toBe('CARD_CVV');
    for (const body of [await typedCard(who), { token: 'fields_made_up' }])
      expect(codeOf(await again(body))).toBe('CARD_TOKEN');
    const token = (await again(await typedCvv(who))).body;
    expect(token).toMatchObject({ lastFour: '1111', bin: '411111', brand: 'Visa' });
    // It is as good as a card that was typed in, also for offers of its bank.
    await who.fill(4, 'M');
    await who.coupon('CARD10');
    const { status, body } = await who.submit({ paymentMode: 'CARD', body: { cardToken: token.token } });
    expect(status, JSON.stringify(body)).toBe(200);
    await pay(server, body.next);
    expect((await who.confirm(body.order)).order).toMatchObject({
      orderStatus: 'ORDER PLACED',
      payment: { mode: 'CARD', state: 'CAPTURED' },
    });
    const dump = JSON.stringify([
      await db.selectFrom('saved_cards').selectAll().execute(),
      await db.selectFrom('bank_cards').selectAll().execute(),
      await db.selectFrom('payments').select('details').execute(),
      await db.selectFrom('idempotency').selectAll().execute(),
    ]);
    expect(dump).not.toContain(NUMBER);
    expect(dump).not.toMatch(/"cvv"/i);

    const vault = (
      await db.selectFrom('saved_cards').select('token').where('id', '=', kept!.cardId).executeTakeFirstOrThrow()
    ).token;
    expect((await who.call(cards.remove, { cardId: kept!.cardId })).body.cards.map(({ lastFour }) => lastFour)).toEqual(
      ['4444'],
    );
    expect(codeOf(await who.call(cards.again, { cardId: kept!.cardId, body: await typedCvv(who) }))).toBe('NOT_FOUND');
    expect(await db.selectFrom('bank_cards').select('token').where('token', '=', vault).execute()).toEqual([]);
  });

  test("cards are an account's own: a guest has none, and another account neither sees, uses nor keeps them [PAY-X03]", async () => {
    const guest = await visitor(server);
    expect((await guest.call(cards.list, {})).status).toBe(403);
    const who = await member(server);
    const other = await member(server);
    const [kept] = await keep(who);
    expect((await other.call(cards.list, {})).body.cards).toEqual([]);
    expect((await other.call(cards.again, { cardId: kept!.cardId, body: await typedCvv(other) })).status).toBe(404);
    expect((await other.call(cards.remove, { cardId: kept!.cardId })).status).toBe(404);
    expect(codeOf(await other.call(cards.save, { body: { cardToken: await enter(who) } }))).toBe('CARD_TOKEN');
    expect(codeOf(await who.call(cards.save, { body: { cardToken: `card_${randomUUID()}` } }))).toBe('CARD_TOKEN');
    expect((await who.call(cards.list, {})).body.cards).toHaveLength(1);
  });

  test('a card that has expired meanwhile is shown as that and pays no more [PAY-X03]', async () => {
    const who = await member(server);
    const [kept] = await keep(who);
    await db
      .updateTable('saved_cards')
      .set({ expires_at: Date.UTC(2020, 8, 1) })
      .where('id', '=', kept!.cardId)
      .execute();
    await db
      .updateTable('bank_cards')
      .set({ expires_at: Date.UTC(2020, 8, 1) })
      .where('token', 'like', 'kept_%')
      .execute();
    expect((await who.call(cards.list, {})).body.cards).toMatchObject([{ expiry: '08/20', isExpired: true }]);
    expect(codeOf(await who.call(cards.again, { cardId: kept!.cardId, body: await typedCvv(who) }))).toBe(
      'CARD_EXPIRY',
    );
  });
});
