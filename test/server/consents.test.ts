import { describe, expect, test } from 'vitest';
import * as addresses from '../../src/contract/addresses.ts';
import * as contract from '../../src/contract/consents.ts';
import * as copy from '../../src/contract/copy.ts';
import { type Purpose } from '../../src/contract/consents.ts';
import { CONSENT_VERSIONS, mayI, type Consent } from '../../src/domain/consents.ts';
import * as t from '#text/privacy.ts';
import { PERSONAL } from '../../src/server/store/personal.ts';
import { engines } from '../kit/server.ts';
import { codeFor, codeOf, logIn } from './people.ts';
import { member, visitor } from './shop.ts';
import { shopHere } from './shopHere.ts';

const word = (purpose: Purpose, given: boolean, at: number): Consent => ({
  purpose,
  given,
  version: CONSENT_VERSIONS[purpose],
  at,
});

test('nothing may be done that was not agreed to, or that was agreed to in other words', () => {
  expect(mayI('usage', [])).toBe(false);
  const yes = word('usage', true, 1);
  expect([mayI('usage', [yes]), mayI('offers', [yes])]).toEqual([true, false]);
  expect(mayI('usage', [word('usage', false, 2), yes])).toBe(false);
  expect(mayI('usage', [{ ...yes, version: '2020-01-01' }])).toBe(false);
  // The last word is about another sentence: what was said before it no longer holds.
  expect(mayI('usage', [yes, { ...yes, at: 2, version: '2020-01-01' }])).toBe(false);
});

test('every table that a copy may hold has a title of its own, and none that of another', () => {
  type Name = Parameters<typeof t.table>[0]['name'];
  const told = Object.entries(PERSONAL).flatMap(([name, stand]) =>
    'section' in stand && stand.section !== undefined ? [name] : [],
  );
  const titles = told.map((name) => t.table({ name: name as Name }));
  expect(titles).not.toContain(t.table({ name: 'rest' }));
  expect(new Set(titles).size).toBe(told.length);
});

describe.each(await engines())('consents and the copy of all data, on %s', (engine) => {
  const shop = shopHere({ engine }, 1);
  const { server } = shop;

  test('an account keeps each word with its date, of two devices the last one holds, and a time to come is now [AUTH-X02]', async () => {
    const me = await member(server);
    expect((await me.call(contract.list, {})).body.consents).toEqual([]);
    const now = await server.advance(0);
    const said = async (consents: readonly Consent[]) =>
      (await me.call(contract.say, { body: { consents: [...consents] } })).body.consents;
    const first = word('usage', true, now - 1_000);
    expect(await said([first])).toEqual([first]);
    // Another device that was asked earlier comes later.
    expect(await said([word('usage', false, now - 2_000)])).toEqual([first]);
    const [, offers] = await said([word('usage', false, now - 500), word('offers', true, now + 9e9)]);
    expect(offers!.at).toBeLessThan(now + 60_000);
    const held = (await me.call(contract.list, {})).body.consents;
    expect(held).toHaveLength(2);
    expect(held).toContainEqual(word('usage', false, now - 500));
    expect(held).toContainEqual(expect.objectContaining({ purpose: 'offers', given: true }));
    const rows = await shop.db.selectFrom('consents').selectAll().where('user_id', '=', me.userId).execute();
    expect(rows).toHaveLength(3);
    const old = await me.call(contract.say, {
      body: { consents: [{ ...word('news', true, now), version: '2020-01-01' }] },
    });
    expect([old.status, codeOf(old)]).toEqual([422, 'CONSENT_TEXT']);
    const guest = await visitor(server);
    expect((await guest.call(contract.list, {})).status).toBe(403);
  });

  test('a copy holds what is known and no secret, is never cached, and needs a login of just now or a code [AUTH-X02]', async () => {
    const me = await member(server);
    const home = { latitude: 28.64, longitude: 77.22, houseNo: '7', address: 'Lodhi Road', type: 'home' as const };
    await me.call(addresses.create, { mobNo: me.mobile, body: home });
    const { order } = await me.order({ paymentMode: 'COD' });
    const fresh = await me.call(copy.make, { body: {} });
    expect(fresh.status, JSON.stringify(fresh.body).slice(0, 300)).toBe(200);
    expect(fresh.headers.get('cache-control')).toBe('no-store');
    const { sections, format } = fresh.body.copy;
    expect(format).toBe('golden-oven-personal-data');
    const rowsOf = (name: string) =>
      sections.flatMap(({ tables }) => tables.filter((table) => table.name === name)).flatMap(({ rows }) => rows);
    expect(rowsOf('users')).toContainEqual(expect.objectContaining({ mobile: me.mobile }));
    expect(rowsOf('addresses')).toEqual([expect.objectContaining({ address: home })]);
    expect(rowsOf('orders')).toEqual([
      expect.objectContaining({
        id: order.orderId,
        total: order.bill.total,
        snapshot: expect.objectContaining({ customer: expect.objectContaining({ mobile: me.mobile }) }),
      }),
    ]);
    const text = JSON.stringify(fresh.body);
    for (const secret of Object.values(me.person.reply.credentials)) expect(text).not.toContain(secret);
    const other = await member(server);
    expect(text).not.toContain(other.mobile);

    await server.advance(11 * 60);
    expect((await me.call(copy.look, {})).body).toMatchObject({ needsCode: true });
    const stale = await me.call(copy.make, { body: {} });
    expect(stale.status).toBe(422);
    await me.call(copy.sendCode, { body: {} });
    const code = await codeFor(server, me.mobile);
    expect((await me.call(copy.make, { body: { code } })).status).toBe(200);
    // Once: the next one needs a new code.
    expect((await me.call(copy.make, { body: { code } })).status).toBe(422);
  });

  test('ten copies an hour are enough for anybody', async () => {
    const who = await logIn(server);
    const made: number[] = [];
    for (let n = 0; n < 11; n += 1) made.push((await server.call(copy.make, { body: {} }, who.as)).status);
    expect(made).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
  });

  test('an order that a stranger gave with the number of the account, perhaps by mistake, is not told', async () => {
    const me = await member(server);
    const stranger = await visitor(server);
    const { order } = await stranger.order({
      paymentMode: 'NETBANKING',
      body: { customer: { firstName: 'Ottoline', lastName: '', mobile: me.mobile } },
    });
    const made = await me.call(copy.make, { body: {} });
    expect(made.status).toBe(200);
    const text = JSON.stringify(made.body);
    expect([text.includes(me.mobile), text.includes('Ottoline'), text.includes(order.orderId)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
