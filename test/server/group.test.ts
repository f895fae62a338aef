import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import * as cart from '../../src/contract/cart.ts';
import * as coupons from '../../src/contract/coupons.ts';
import * as development from '../../src/contract/development.ts';
import * as group from '../../src/contract/group.ts';
import type { Group } from '../../src/contract/group.ts';
import * as orders from '../../src/contract/orders.ts';
import { money } from '../../src/contract/price.ts';
import { openDb } from '../../src/server/store/db.ts';
import { setSoldOut } from '../../src/server/store/stores.ts';
import { on } from '../kit/engines.ts';
import { bothEngines, startServer } from '../kit/server.ts';
import { about, ask, handsOver } from './claims.ts';
import { codeOf, logIn } from './people.ts';
import { Customer, late, openShop, pay, PICKUP, PLACES, visitor } from './shop.ts';
import { during } from '../kit/during.ts';

const NOBODY = 'aaaa-aaaa-aaaa-aaaa';
const sum = (amounts: readonly number[]) => amounts.reduce((total, one) => total + one, 0);

describe.each(await bothEngines())('a group order on %s', (engine) => {
  const { raced, test } = on(engine);
  const server = during(() => startServer({ engine }), openShop);

  /** PZ004 is 199 and SD001 109 at the Indian stores. */
  const add = (
    who: Customer,
    cartId: string,
    productId: string,
    quantity = 1,
    lineId: string = randomUUID(),
    operationId: string = randomUUID(),
  ) =>
    who.call(cart.add, {
      cartId,
      body: {
        items: [
          {
            operationId,
            line: { lineId, productId, quantity, ...(productId.startsWith('PZ') ? { size: 'R' as const } : {}) },
          },
        ],
        options: { storeId: '10102', deliveryType: 'PICKUP', tip: 5_000 },
      },
    });
  const change = (who: Customer, cartId: string, item: { lineId: string; quantity: number }) =>
    who.call(cart.change, { cartId, body: { items: [{ operationId: randomUUID(), ...item }] } });
  const look = async (who: Customer, code: string) =>
    (await who.call(group.byCode, { code, query: {} })).body.group as Group;
  const start = async (host: Customer, more: { minutes?: number; limit?: number | null; name?: string } = {}) =>
    (
      await host.call(group.start, {
        cartId: host.cartId,
        body: { name: more.name ?? 'Asha', diet: ['VEG'], minutes: more.minutes ?? 30, limit: more.limit ?? null },
      })
    ).body.group;
  const join = async (code: string, name: string, diet: group.Diet[] = [], apiKey?: string) => {
    const who = await visitor(server, 'IN', PICKUP, apiKey);
    const { status, body } = await who.call(group.join, { code, body: { name, diet } });
    expect(status, JSON.stringify(body)).toBe(200);
    return who;
  };
  const of = (view: Group, name: string) => view.people.find((one) => one.name === name)!;
  const party = async (more: Parameters<typeof start>[1] = {}) => {
    const host = await visitor(server, 'IN', PICKUP);
    await host.fill();
    const { code } = await start(host, more);
    return { host, code, ravi: await join(code, 'Ravi', ['NO_EGG']), mina: await join(code, 'Mina') };
  };

  test('by a link and a name alone: everybody sees who added what, a stranger only whose it is [CART-X06]', async () => {
    const { host, code, ravi, mina } = await party({ limit: 50_000 });
    expect(code).toMatch(/^([a-z2-9]{4}-){3}[a-z2-9]{4}$/);
    expect((await add(ravi, code, 'SD001', 2)).body.cart).toMatchObject({
      cartId: code,
      displayNetPrice: 21_800,
      group: { code, role: 'guest', hostName: 'Asha', limit: 50_000, state: 'OPEN' },
    });
    await add(mina, code, 'BV001');
    const seen = await look(ravi, code);
    expect(seen).toMatchObject({
      role: 'guest',
      state: 'OPEN',
      hostName: 'Asha',
      size: 3,
      left: 50_000 - 21_800,
      limit: 50_000,
    });
    expect(
      seen.people.map((one) => [
        one.name,
        one.isHost,
        one.isMe,
        one.diet,
        one.lines.map((line) => [line.product.id, line.quantity]),
      ]),
    ).toEqual([
      ['Asha', true, false, ['VEG'], [['PZ001', 1]]],
      ['Ravi', false, true, ['NO_EGG'], [['SD001', 2]]],
      ['Mina', false, false, [], [['BV001', 1]]],
    ]);
    // The host's own cart has everything, with names; the guests' stays what it was, and so does what the host chose.
    const { body } = await host.call(cart.byId, { cartId: host.cartId, query: {} });
    expect(body.cart.validItems.filter((line) => !line.free).map((line) => line.by?.name)).toEqual([
      undefined,
      'Ravi',
      'Mina',
    ]);
    expect(body.cart).toMatchObject({
      deliveryType: 'PICKUP',
      storeId: '10101',
      options: { tip: 0 },
      group: { role: 'host' },
    });
    expect((await ravi.cart()).validItems).toEqual([]);
    // What they eat comes from one store, and what is free beside it is nobody's. The host may spend what they like.
    const whole = await look(host, code);
    expect([whole.store, whole.deliveryType, whole.left]).toEqual([seen.store, 'PICKUP', null]);
    expect(seen.store).toEqual({ id: '10101', name: expect.stringMatching(/.{5}/) as string });
    expect(seen.free).toEqual(body.cart.validItems.filter((line) => line.free));
    expect(seen.free.map((line) => line.product.id)).toEqual(['SD007']);
    const stranger = await look(await visitor(server), code);
    expect([stranger.store, stranger.size, stranger.free]).toEqual([seen.store, 3, []]);
    expect(stranger).toMatchObject({
      role: 'stranger',
      hostName: 'Asha',
      people: [],
      bill: null,
      order: null,
      left: null,
    });
    expect(JSON.stringify(stranger)).not.toContain('Ravi');
    expect(codeOf(await (await visitor(server)).call(group.byCode, { code: NOBODY, query: {} }))).toBe('NOT_FOUND');
    expect(codeOf(await (await visitor(server, 'LK')).call(group.byCode, { code, query: {} }))).toBe('NOT_FOUND');
  });

  test('a guest sees the own dishes at menu prices, without what the host has chosen beside [CART-X06]', async () => {
    const { host, code, ravi } = await party();
    await add(ravi, code, 'SD001', 2);
    const chosen = { tip: 0, carryBag: true, cutlery: true, bestOffer: true };
    await host.call(cart.change, { cartId: host.cartId, body: { items: [], options: chosen } });
    expect((await host.coupon('SAVE15')).cart!.options.carryBag).toBe(true);
    const { body } = await ravi.call(cart.byId, { cartId: code, query: {} });
    expect(body.cart.offers).toEqual([]);
    expect(body.cart.bill.lines.map(({ id, amount }) => [id, amount])).toEqual([
      ['items', 21_800],
      ['tax:CGST', 545],
      ['tax:SGST', 545],
      ['rounding', 10],
    ]);
    expect(body.cart.validItems.map(({ by }) => by)).toEqual([undefined]);
    expect(body.cart).toMatchObject({ options: { tip: 0, carryBag: false }, group: { role: 'guest' } });
    expect(body.cart.aside).toBeUndefined();
  });

  raced(
    'starting a group order again gives the same group, equal names are told apart, known answers are not resent [CART-X06]',
    async () => {
      const host = await visitor(server, 'IN', PICKUP);
      await host.fill();
      const all = await Promise.all(Array.from({ length: 6 }, () => start(host)));
      expect(new Set(all.map(({ code }) => code)).size).toBe(1);
      const [{ code }] = all as [Group];
      await join(code, 'Ravi');
      // As it is written down, and as it is copied out of a sentence.
      await join(` ${code.toUpperCase()}.`, 'ravi');
      expect((await look(host, code)).people.map((one) => one.name)).toEqual(['Asha', 'Ravi', 'ravi 2']);
      const { stamp } = (await host.call(group.byCode, { code, query: {} })).body;
      expect((await host.call(group.byCode, { code, query: { have: stamp } })).body.group).toBeNull();
      await host.fill();
      expect((await host.call(group.byCode, { code, query: { have: stamp } })).body.group).not.toBeNull();
    },
  );

  test('an answer is sent anew when anything in it has changed, and to each as they may see it [CART-X06]', async () => {
    const { host, code, ravi, mina } = await party({ minutes: 15 });
    const ask = async (who: Customer, have?: string) =>
      (await who.call(group.byCode, { code, query: have === undefined ? {} : { have } })).body;
    const { personId } = of(await look(mina, code), 'Mina');
    let { stamp } = await ask(ravi);
    const changes = async (what: () => Promise<unknown>) => {
      expect((await ask(ravi, stamp)).group).toBeNull();
      await what();
      const next = await ask(ravi, stamp);
      expect(next.group).not.toBeNull();
      expect(next.stamp).toMatch(/^\S+$/);
      ({ stamp } = next);
    };
    await changes(() => add(ravi, code, 'SD001'));
    await changes(() => mina.call(group.change, { code, personId, body: { name: 'Minu' } }));
    await changes(() => mina.call(group.join, { code, body: { name: 'Mina', diet: ['NO_NUTS'] } }));
    const { db } = await openDb(server.database.target);
    for (const isSoldOut of [true, false]) await changes(() => setSoldOut(db, '10101', 'BV001', isSoldOut, 0));
    await db.destroy();
    await changes(() => server.advance(15 * 60));
    expect((await ask(host, stamp)).group).toMatchObject({ role: 'host' });
    let placed: Awaited<ReturnType<Customer['submit']>>['body'] | undefined;
    await changes(async () => {
      placed = (await host.submit()).body;
    });
    await changes(async () => {
      await pay(server, placed!.next);
      await host.confirm(placed!.order);
    });
    // Prepared, and then baked: the word for both is the same.
    await changes(() => server.advance(85));
    await changes(() => server.advance(160));
    expect((await look(ravi, code)).order?.orderStatus).toBe('INPROCESS');
  });

  test('a guest says their name, diet and that they are done; the host says how long it is open and each one’s limit [CART-X06]', async () => {
    const { host, code, ravi } = await party({ minutes: 30, limit: 33_000 });
    const me = async () => (await look(ravi, code)).people.find((one) => one.isMe)!;
    const { personId } = await me();
    const say = (body: { diet?: group.Diet[]; done?: boolean }) => ravi.call(group.change, { code, personId, body });
    await say({ diet: ['JAIN', 'NO_MILK'] });
    expect(await me()).toMatchObject({ name: 'Ravi', diet: ['JAIN', 'NO_MILK'], done: false });
    await say({ done: true });
    await say({ done: false });
    expect(await me()).toMatchObject({ diet: ['JAIN', 'NO_MILK'], done: false });
    // Who comes by the link once more is the same person, with the own name.
    const again = await ravi.call(group.join, { code, body: { name: 'Ravi', diet: ['VEG'] } });
    expect(again.body.group.size).toBe(3);
    expect(await me()).toMatchObject({ personId, name: 'Ravi', diet: ['VEG'] });

    const rule = async (body: { close?: boolean; moreMinutes?: number; limit?: number | null }) =>
      (await host.call(group.rule, { code, body })).body.group;
    const { closesAt } = await look(host, code);
    const longer = await rule({ moreMinutes: 10 });
    expect([longer.closesAt - closesAt, longer.limit]).toEqual([10 * 60_000, 33_000]);
    await server.advance(60 * 60);
    // From now on, not from when it was closed; and closed is closed since then.
    const { now } = (await server.call(development.clock, {})).body;
    const closed = await rule({ close: true });
    expect([closed.state, closed.closesAt]).toEqual(['CLOSED', longer.closesAt]);
    const open = await rule({ moreMinutes: 10 });
    expect(open.state).toBe('OPEN');
    expect(Math.round((open.closesAt - now) / 60_000)).toBe(10);
    expect((await add(ravi, code, 'SD001', 3)).status).toBe(200);
    await rule({ limit: 15_000 });
    expect([(await look(ravi, code)).left, (await look(host, code)).left]).toEqual([0, null]);
    await rule({ limit: null });
    expect((await look(ravi, code)).left).toBeNull();
  });

  test('what may not be done is refused with what it is about, and a group that is over shows nothing of the cart [CART-X06]', async () => {
    const { host, code, ravi, mina } = await party();
    await add(ravi, code, 'SD001', 1, 'own');
    const refused = (answer: {
      status: number;
      body: { errors?: { code: string; field?: string | undefined }[] | undefined };
    }) => [answer.status, ...(answer.body.errors ?? []).flatMap((one) => [one.code, one.field])];
    const { personId } = of(await look(host, code), 'Ravi');
    const done = { body: { done: true } };
    const theirs = [403, 'GROUP_NOT_YOURS', 'personId'];
    // The host takes people out, and speaks for nobody.
    expect(refused(await host.call(group.change, { code, personId, ...done }))).toEqual(theirs);
    expect(refused(await mina.call(group.change, { code, personId, ...done }))).toEqual(theirs);
    expect(refused(await mina.call(group.leave, { code, personId }))).toEqual(theirs);
    for (const who of [host, mina])
      expect(refused(await who.call(group.change, { code, personId: 'nobody', ...done }))).toEqual([
        ...[404, 'NOT_FOUND', 'code'],
      ]);
    const stranger = await visitor(server, 'IN', PICKUP);
    expect(refused(await stranger.call(group.leave, { code, personId }))).toEqual([404, 'NOT_FOUND', 'code']);
    expect(refused(await add(stranger, code, 'SD001'))).toEqual([403, 'GROUP_JOIN_FIRST', undefined]);
    expect(refused(await change(mina, code, { lineId: 'own', quantity: 2 }))).toEqual([
      ...[403, 'GROUP_NOT_YOURS', 'lineId'],
    ]);
    const asha = of(await look(host, code), 'Asha').personId;
    expect(refused(await host.call(group.leave, { code, personId: asha }))).toEqual([422, 'GROUP_HOST', 'personId']);
    expect(refused(await mina.call(group.leave, { code, personId: asha }))).toEqual(theirs);
    await host.call(group.rule, { code, body: { limit: 10_000 } });
    expect(refused(await add(mina, code, 'SD001'))).toEqual([422, 'GROUP_LIMIT', 'quantity']);
    await host.call(group.end, { code });
    expect(refused(await host.call(group.rule, { code, body: { moreMinutes: 10 } }))).toEqual([
      ...[409, 'GROUP_OVER', undefined],
    ]);
    const over = await look(ravi, code);
    expect([over.state, over.bill, over.free, over.store, over.deliveryType]).toEqual([
      ...['ENDED', null, [], { id: '', name: '' }, 'DELIVERY'],
    ]);
    const nothing = { dishes: 0, discount: 0, charges: 0, total: 0 };
    expect(over.people.map(({ lines, share }) => [lines, share])).toEqual(over.people.map(() => [[], nothing]));
  });

  test('a guest can touch no line but the own ones, no coupon, no rule, and cannot order [CART-X06]', async () => {
    const { host, code, ravi, mina } = await party();
    const [hosts] = (await host.cart()).validItems;
    await add(ravi, code, 'SD001', 1, 'ravis');
    for (const lineId of [hosts!.lineId, 'ravis']) {
      for (const quantity of [0, 5])
        expect(codeOf(await change(mina, code, { lineId, quantity }))).toBe('GROUP_NOT_YOURS');
      expect(codeOf(await add(mina, code, 'BV001', 1, lineId))).toBe('GROUP_NOT_YOURS');
    }
    const persons = (await look(ravi, code)).people;
    expect(codeOf(await mina.call(group.change, { code, personId: persons[1]!.personId, body: { done: true } }))).toBe(
      'GROUP_NOT_YOURS',
    );
    expect(codeOf(await mina.call(group.leave, { code, personId: persons[1]!.personId }))).toBe('GROUP_NOT_YOURS');
    expect(codeOf(await mina.call(group.rule, { code, body: { moreMinutes: 30 } }))).toBe('GROUP_HOST_ONLY');
    expect(codeOf(await mina.call(group.end, { code }))).toBe('GROUP_HOST_ONLY');
    expect(
      codeOf(
        await mina.call(coupons.apply, { cartId: code, code: 'WELCOME50', query: { includePartnerOffer: 'true' } }),
      ),
    ).toBe('GROUP_HOST_ONLY');
    const submission = {
      ...PICKUP,
      customer: { firstName: 'Mina', lastName: '', mobile: mina.mobile },
      paymentMode: 'COD' as const,
      cartVersion: (await host.cart()).version,
      total: (await host.cart()).bill.total,
      termsAccepted: true,
    };
    for (const [cartId, refusal] of [
      [code, 'GROUP_HOST_ONLY'],
      [host.cartId, 'NOT_FOUND'],
    ] as const) {
      expect(
        codeOf(
          await mina.call(orders.submit, { body: { cartId, ...submission } }, { 'idempotency-key': randomUUID() }),
        ),
      ).toBe(refusal);
      expect(codeOf(await mina.call(orders.validations, { body: { cartId, ...PICKUP } }))).toBe(refusal);
    }
    const stranger = await visitor(server);
    expect(codeOf(await add(stranger, code, 'BV001'))).toBe('GROUP_JOIN_FIRST');
    expect(
      codeOf(await stranger.call(group.change, { code, personId: persons[1]!.personId, body: { done: true } })),
    ).toBe('NOT_FOUND');
    expect(
      (await host.cart()).validItems.filter((line) => !line.free).map((line) => [line.quantity, line.by?.name]),
    ).toEqual([
      [1, undefined],
      [1, 'Ravi'],
    ]);
  });

  raced(
    'the limit holds under parallel calls, tells how much it is, and less is always possible [CART-X06]',
    async () => {
      const { host, code, ravi, mina } = await party({ limit: 33_000 });
      const answers = await Promise.all(Array.from({ length: 12 }, () => add(ravi, code, 'SD001')));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
      expect(new Set(answers.filter(({ status }) => status !== 200).map(codeOf))).toEqual(new Set(['GROUP_LIMIT']));
      expect(answers.find(({ status }) => status !== 200)!.body.errors![0]!.displayMsg).toContain('₹330');
      expect(of(await look(ravi, code), 'Ravi').share.dishes).toBe(32_700);
      expect((await add(mina, code, 'SD001', 3)).status).toBe(200);
      expect((await add(host, host.cartId, 'PZ004', 3)).status).toBe(200);
      expect((await host.call(group.rule, { code, body: { limit: 15_000 } })).body.group.limit).toBe(15_000);
      const [line] = of(await look(ravi, code), 'Ravi').lines;
      expect((await change(ravi, code, { lineId: line!.lineId, quantity: 0 })).status).toBe(200);
      expect(codeOf(await add(ravi, code, 'BV002'))).toBe('GROUP_LIMIT');
      expect((await host.call(group.rule, { code, body: { limit: null } })).status).toBe(200);
      expect((await add(ravi, code, 'SD001', 9)).status).toBe(200);
    },
  );

  test('a dish removed by the host by mistake comes back as it was, for the same guest; guests restore only their own [CART-X06]', async () => {
    const { host, code, ravi, mina } = await party();
    const bring = (who: Customer, cartId: string, productId: string, again: string) => {
      const line = { lineId: randomUUID(), productId, quantity: 1, again };
      return who.call(cart.add, { cartId, body: { items: [{ operationId: randomUUID(), line }] } });
    };
    const kept = async () =>
      (await host.cart()).validItems.flatMap(({ by, product, size }) => (by ? [[by.name, product.id, size]] : []));
    await add(ravi, code, 'PZ004', 1, 'ravi-1');
    const before = await kept();
    await change(host, host.cartId, { lineId: 'ravi-1', quantity: 0 });
    expect(await kept()).toEqual([]);
    expect((await bring(host, host.cartId, 'PZ004', 'ravi-1')).status).toBe(200);
    expect(await kept()).toEqual(before);
    // Nobody takes over another's dish, nor gets another dish for it.
    await bring(mina, code, 'PZ004', 'ravi-1');
    await bring(host, host.cartId, 'SD001', 'ravi-1');
    expect(await kept()).toEqual([...before, ['Mina', 'PZ004', 'R']]);
    await add(mina, code, 'SD001', 1, 'mina-1');
    await change(mina, code, { lineId: 'mina-1', quantity: 0 });
    await bring(mina, code, 'SD001', 'mina-1');
    expect((await kept()).at(-1)).toEqual(['Mina', 'SD001', 'ONE']);
  });

  test("closes by the database's clock; then only the host changes it, until it is opened again [CART-X06]", async () => {
    const { host, code, ravi } = await party({ minutes: 15 });
    const operation = randomUUID();
    await add(ravi, code, 'SD001', 1, 'before', operation);
    await server.advance(15 * 60);
    const late = await visitor(server, 'IN', PICKUP);
    expect((await look(ravi, code)).state).toBe('CLOSED');
    expect(codeOf(await add(ravi, code, 'BV001'))).toBe('GROUP_CLOSED');
    expect(codeOf(await change(ravi, code, { lineId: 'before', quantity: 0 }))).toBe('GROUP_CLOSED');
    // What had arrived before may be sent again, for an answer that was lost.
    expect((await add(ravi, code, 'SD001', 1, 'before', operation)).status).toBe(200);
    expect(codeOf(await late.call(group.join, { code, body: { name: 'Late', diet: [] } }))).toBe('GROUP_CLOSED');
    expect((await change(host, host.cartId, { lineId: 'before', quantity: 2 })).status).toBe(200);
    expect((await look(host, code)).people[1]!.lines).toMatchObject([{ lineId: 'before', quantity: 2 }]);
    expect((await host.call(group.rule, { code, body: { moreMinutes: 10 } })).body.group.state).toBe('OPEN');
    expect((await add(ravi, code, 'BV001')).status).toBe(200);
    expect((await host.call(group.rule, { code, body: { close: true } })).body.group.state).toBe('CLOSED');
    expect(codeOf(await add(ravi, code, 'BV001'))).toBe('GROUP_CLOSED');
  });

  test("a guest removed by the host stays out; one who leaves may come back; calling off removes the guests' dishes [CART-X06]", async () => {
    const { host, code, ravi, mina } = await party();
    await add(ravi, code, 'SD001');
    await add(mina, code, 'BV001');
    const view = await look(host, code);
    expect((await host.call(group.leave, { code, personId: of(view, 'Ravi').personId })).status).toBe(200);
    expect(codeOf(await add(ravi, code, 'BV001'))).toBe('GROUP_OUT');
    expect(codeOf(await ravi.call(group.join, { code, body: { name: 'Ravi', diet: [] } }))).toBe('GROUP_OUT');
    expect((await mina.call(group.leave, { code, personId: of(view, 'Mina').personId })).status).toBe(200);
    expect((await host.cart()).validItems.filter((line) => !line.free)).toHaveLength(1);
    expect((await mina.call(group.join, { code, body: { name: 'Mina', diet: ['JAIN'] } })).body.group.size).toBe(2);
    await add(mina, code, 'BV001');
    expect((await host.call(group.end, { code })).status).toBe(200);
    expect((await host.call(group.end, { code })).status).toBe(200);
    expect((await host.cart()).validItems.filter((line) => !line.free).map((line) => line.product.id)).toEqual([
      'PZ001',
    ]);
    expect((await host.cart()).group).toBeUndefined();
    expect(codeOf(await add(mina, code, 'BV001'))).toBe('GROUP_OVER');
    expect((await look(mina, code)).state).toBe('ENDED');
    expect((await start(host)).code).not.toBe(code);
  });

  test('the host stays in it, a name and a diet are for an open group, and of one that is over nobody is taken out [CART-X06]', async () => {
    const { host, code, ravi } = await party();
    await add(ravi, code, 'SD001');
    const view = await look(host, code);
    const [asha, guest] = ['Asha', 'Ravi'].map((name) => of(view, name).personId) as [string, string];
    const away = await host.call(group.leave, { code, personId: asha });
    expect([away.status, codeOf(away)]).toEqual([422, 'GROUP_HOST']);
    expect((await look(host, code)).size).toBe(3);
    const { order, next } = (await host.submit()).body;
    await pay(server, next);
    await host.confirm(order);
    const after = await look(ravi, code);
    expect([after.state, of(after, 'Ravi').share.dishes]).toEqual(['ORDERED', of(view, 'Ravi').share.dishes]);
    const renamed = await ravi.call(group.change, { code, personId: guest, body: { name: 'Rex' } });
    const late = await visitor(server, 'IN', PICKUP);
    const joined = await late.call(group.join, { code, body: { name: 'Late', diet: [] } });
    const ended = await host.call(group.end, { code });
    for (const answer of [renamed, joined, ended]) expect([answer.status, codeOf(answer)]).toEqual([409, 'GROUP_OVER']);
    expect((await host.call(group.leave, { code, personId: guest })).status).toBe(200);
    expect((await look(ravi, code)).people).toEqual(after.people);
  });

  raced('holds no more than twenty, however many come at once [CART-X06]', async () => {
    const host = await visitor(server, 'IN', PICKUP);
    await host.fill();
    const { code } = await start(host);
    const guests = await Promise.all(Array.from({ length: 23 }, () => visitor(server, 'IN', PICKUP)));
    const answers = await Promise.all(
      guests.map((who, index) => who.call(group.join, { code, body: { name: `Guest ${index}`, diet: [] } })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(19);
    expect(new Set(answers.filter(({ status }) => status !== 200).map(codeOf))).toEqual(new Set(['GROUP_FULL']));
    expect((await look(host, code)).size).toBe(20);
  });

  test("one pays a group order: it holds each guest's share, they come to the total, and guests follow it [CART-X06] [CART-X07]", async () => {
    const host = await visitor(server, 'IN', PLACES['IN']!.where, 'in-gpay');
    await host.fill(2, 'M');
    const { code } = await start(host);
    const ravi = await join(code, 'Ravi');
    const mina = await join(code, 'Mina', [], 'in-paytm');
    await add(ravi, code, 'SD001', 2);
    await add(mina, code, 'PZ004');
    await host.call(cart.change, { cartId: host.cartId, body: { items: [], options: { tip: 2_000 } } });
    const before = await look(mina, code);
    const owed = (view: Group) => view.people.map((one) => one.share.total);
    expect(sum(owed(before))).toBe(before.bill!.total);
    expect(before.bill).toEqual((await host.cart()).bill);
    const version = (await host.cart()).version;
    await add(mina, code, 'BV001');
    expect(codeOf(await host.submit({ cartVersion: version, total: before.bill!.total, paymentMode: 'GPAY' }))).toBe(
      'CART_CHANGED',
    );
    const { status, body } = await host.submit({ paymentMode: 'GPAY' });
    expect(status, JSON.stringify(body)).toBe(200);
    const { order } = body;
    expect(order.group!.people.map((one) => one.name)).toEqual(['Asha', 'Ravi', 'Mina']);
    expect(sum(order.group!.people.map((one) => one.share.total))).toBe(order.bill.total);
    expect(order.lines.filter((line) => line.by?.name === 'Mina')).toHaveLength(2);
    const seen = await look(mina, code);
    expect(seen).toMatchObject({
      role: 'guest',
      state: 'ORDERED',
      order: { orderNumber: order.orderNumber, orderStatus: 'PENDING' },
    });
    expect(owed(seen)).toEqual(order.group!.people.map((one) => one.share.total));
    expect(of(seen, 'Mina').lines.map((line) => line.product.id)).toEqual(['PZ004', 'BV001']);
    expect((await look(host, code)).order).toMatchObject({ orderId: order.orderId });
    await pay(server, body.next);
    await host.confirm(order);
    const paid = await look(ravi, code);
    // How far the host lives from the store is the host's alone.
    expect(paid.order).toMatchObject({
      orderStatus: 'ORDER PLACED',
      eta: { reason: '', from: expect.any(Number) as number },
    });
    expect((await look(host, code)).order!.eta!.reason).toMatch(/^The kitchen /);
    expect(paid.order!.steps.length).toBeGreaterThan(3);
    const text = JSON.stringify([seen, paid]);
    for (const secret of [host.mobile, order.orderId, 'Rao', 'Barakhamba', host.cartId, host.userId])
      expect(text).not.toContain(secret);
    expect(codeOf(await add(ravi, code, 'BV001'))).toBe('GROUP_OVER');
    expect((await ravi.call(cart.byId, { cartId: code, query: {} })).body.cart).toMatchObject({
      validItems: [],
      group: { state: 'ORDERED' },
    });
    expect((await host.cart()).group).toBeUndefined();
    expect((await host.cart()).validItems).toEqual([]);
  });

  test('an order that comes to nothing leaves the group as it was, closed; the host orders it again [CART-X06] [CART-X07]', async () => {
    const { host, code, ravi } = await party({ minutes: 60 });
    await add(ravi, code, 'SD001', 2);
    const first = (await host.submit({ paymentMode: 'UPI' })).body.order;
    expect((await host.cancel(first.orderId)).status).toBe(200);
    const back = await look(ravi, code);
    expect(back).toMatchObject({ state: 'CLOSED', order: null, role: 'guest' });
    expect(back.people.map((one) => one.lines.map((line) => [line.product.id, line.quantity]))).toEqual([
      [['PZ001', 1]],
      [['SD001', 2]],
      [],
    ]);
    expect(codeOf(await add(ravi, code, 'BV001'))).toBe('GROUP_CLOSED');
    await host.call(group.rule, { code, body: { moreMinutes: 15 } });
    expect((await add(ravi, code, 'BV001')).status).toBe(200);
    const second = (await host.submit({ paymentMode: 'COD' })).body.order;
    expect(sum(second.group!.people.map((one) => one.share.total))).toBe(second.bill.total);
    expect(second.group!.people[1]!.share.dishes).toBe(27_800);
    expect((await look(ravi, code)).state).toBe('ORDERED');
  });

  test('nobody owes anything for an order that was paid and cancelled: its money goes back [CART-X06] [CART-X07]', async () => {
    const { host, code, ravi } = await party();
    await add(ravi, code, 'SD001');
    const { order, next } = (await host.submit({ paymentMode: 'UPI' })).body;
    await pay(server, next);
    await host.confirm(order);
    expect(of(await look(ravi, code), 'Ravi').share.total).toBe(11_445);
    expect((await host.cancel(order.orderId)).body.order).not.toHaveProperty('group');
    const { people, order: seen } = await look(ravi, code);
    expect([seen?.orderStatus, people.map(({ lines, share }) => [lines.length, share.total])]).toEqual([
      'CANCELLED',
      [
        [1, 0],
        [1, 0],
        [0, 0],
      ],
    ]);
  });

  test('of an order that came late everybody gets a part back, by what they owed [CART-X06] [CART-X07]', async () => {
    const { db } = await openDb(server.database.target);
    const host = await visitor(server, 'IN');
    await host.fill();
    const { code } = await start(host);
    const ravi = await join(code, 'Ravi');
    await add(ravi, code, 'SD001');
    const where = { storeId: '10101', deliveryType: 'DELIVERY' as const };
    await host.call(cart.change, { cartId: host.cartId, body: { items: [], options: { ...where, tip: 0 } } });
    const { order, next } = (await host.submit()).body;
    await pay(server, next);
    await host.confirm(order);
    const owed = order.group!.people.map(({ share }) => share.total);
    await late(server, db, order.orderId);
    await db.destroy();
    const { promise, group: after } = await host.read(order.orderId);
    // It cost less than what a late order gives back at most.
    expect([promise?.credit, sum(owed)]).toEqual([order.bill.total, order.bill.total]);
    const shares = after!.people.map(({ share }) => share);
    expect(shares.map(({ total }) => total)).toEqual([0, 0]);
    for (const { dishes, discount, charges, total } of shares) expect(dishes + discount + charges).toBe(total);
    expect((await look(ravi, code)).people.map(({ share }) => share)).toEqual(shares);
  });

  test('what the help gives back for a dish is taken off what the guest owes who had it, and everybody is told [CART-X06] [CART-X07]', async () => {
    const { host, code, ravi } = await party();
    await add(ravi, code, 'SD001', 2);
    const order = await handsOver(server, host, { paymentMode: 'UPI' });
    const seen = await ravi.call(group.byCode, { code, query: {} });
    const before = seen.body.group as Group;
    const dish = before.people.find(({ name }) => name === 'Ravi')!.lines[0]!;
    const body = about(order, { items: [{ lineId: dish.lineId, quantity: 1 }] });
    const { body: claimed } = await ask(host, body);
    const back = claimed.ticket.money!.amount;
    expect(back).toBeGreaterThan(0);
    // Asked with the stamp of what is known already.
    const after = (await ravi.call(group.byCode, { code, query: { have: seen.body.stamp } })).body.group as Group;
    const owed = (view: Group) => view.people.map(({ name, share }) => [name, share.total]);
    expect(owed(after)).toEqual(
      owed(before).map(([name, total]) => [name, Number(total) - (name === 'Ravi' ? back : 0)]),
    );
    for (const { share } of after.people) expect(share.dishes + share.discount + share.charges).toBe(share.total);
    const { group: shares } = await host.read(order.orderId);
    expect(shares!.people.map(({ share }) => share)).toEqual(after.people.map(({ share }) => share));
  });

  test("logging in keeps a group order: the host's cart moves unnoticed by guests; a guest keeps the seat [CART-X06] [CART-X09]", async () => {
    const { host, code, ravi, mina } = await party();
    await add(ravi, code, 'SD001');
    const before = await host.cart();
    const someone = await logIn(server, host.mobile, 'in-web', host.person);
    const owner = new Customer(server, someone, PICKUP, host.productId, host.mobile);
    expect(owner.cartId).not.toBe(host.cartId);
    expect((await add(mina, code, 'BV001')).status).toBe(200);
    const cartNow = await owner.cart();
    expect(cartNow.validItems.filter((line) => !line.free).map((line) => [line.product.id, line.by?.name])).toEqual([
      ['PZ001', undefined],
      ['SD001', 'Ravi'],
      ['BV001', 'Mina'],
    ]);
    expect(cartNow.group).toMatchObject({ code, role: 'host' });
    expect(before.group).toMatchObject({ code });
    const known = new Customer(
      server,
      await logIn(server, ravi.mobile, 'in-web', ravi.person),
      PICKUP,
      ravi.productId,
      ravi.mobile,
    );
    expect((await add(known, code, 'DS001')).status).toBe(200);
    const view = await look(known, code);
    expect(view.size).toBe(3);
    expect(of(view, 'Ravi')).toMatchObject({ isMe: true });
    expect(of(view, 'Ravi').lines).toHaveLength(2);
    // Somebody who logs in to the host's account is the host.
    const tablet = await join(code, 'Tablet');
    await add(tablet, code, 'BV002');
    await server.advance(31);
    const again = new Customer(
      server,
      await logIn(server, host.mobile, 'in-web', tablet.person),
      PICKUP,
      host.productId,
      host.mobile,
    );
    const last = await look(again, code);
    expect(last).toMatchObject({ role: 'host', size: 3 });
    expect(of(last, 'Asha').lines.map((line) => line.product.id)).toEqual(['PZ001', 'BV002']);
    const { body } = await again.submit({ paymentMode: 'UPI' });
    expect(body.order.group!.people.map((one) => one.name)).toEqual(['Asha', 'Ravi', 'Mina']);
    expect((await look(again, code)).state).toBe('ORDERED');
  });

  test('once it is closed a guest stays with what was chosen, and only the host takes anybody out [CART-X06]', async () => {
    const { host, code, ravi, mina } = await party();
    await add(ravi, code, 'SD001');
    const view = await look(host, code);
    const away = (who: Customer, name: string) => who.call(group.leave, { code, personId: of(view, name).personId });
    await host.call(group.rule, { code, body: { close: true } });
    expect(codeOf(await away(ravi, 'Ravi'))).toBe('GROUP_CLOSED');
    expect(of(await look(host, code), 'Ravi').lines).toHaveLength(1);
    expect((await away(host, 'Mina')).status).toBe(200);
    expect((await look(host, code)).size).toBe(2);
    // When it is over, who was in it stays in it.
    await host.call(group.end, { code });
    expect((await away(ravi, 'Ravi')).status).toBe(200);
    expect(await look(ravi, code)).toMatchObject({ state: 'ENDED', role: 'guest', size: 2 });
    expect((await look(mina, code)).role).toBe('stranger');
  });

  test('who comes back has not chosen everything yet, and may be called as before [CART-X06]', async () => {
    const { code, ravi } = await party();
    const me = async () => (await look(ravi, code)).people.find((one) => one.isMe)!;
    const { personId } = await me();
    const say = (body: { done?: boolean; name?: string }) => ravi.call(group.change, { code, personId, body });
    expect((await say({ done: true })).status).toBe(200);
    expect(await me()).toMatchObject({ name: 'Ravi', done: true });
    expect((await say({ name: 'Ravi' })).status).toBe(200);
    expect(await me()).toMatchObject({ name: 'Ravi', done: true });
    await say({ name: 'mina' });
    expect((await me()).name).toBe('mina 2');
    await ravi.call(group.leave, { code, personId });
    await ravi.call(group.join, { code, body: { name: 'Ravi', diet: [] } });
    expect(await me()).toMatchObject({ personId, name: 'Ravi', done: false });
  });

  test('however often it is extended, it closes within twelve hours [CART-X06]', async () => {
    const { host, code } = await party({ minutes: 15 });
    const began = (await look(host, code)).closesAt - 15 * 60_000;
    let closesAt = 0;
    for (let count = 0; count < 14; count += 1)
      ({ closesAt } = (await host.call(group.rule, { code, body: { moreMinutes: 60 } })).body.group);
    const hours = (closesAt - began) / 3_600_000;
    expect(Math.round(hours)).toBe(12);
  });

  test('a host who logs in where another group is open keeps the new one; the older one ends [CART-X06] [CART-X09]', async () => {
    const { host, code, ravi } = await party();
    await server.advance(31);
    const elsewhere = new Customer(server, await logIn(server, host.mobile), PICKUP, host.productId, host.mobile);
    await elsewhere.fill();
    const older = (await start(elsewhere)).code;
    const kim = await join(older, 'Kim');
    await server.advance(31);
    const login = await logIn(server, host.mobile, 'in-web', host.person);
    const owner = new Customer(server, login, PICKUP, host.productId, host.mobile);
    expect(await look(owner, code)).toMatchObject({ role: 'host', state: 'OPEN', size: 3 });
    expect((await look(kim, older)).state).toBe('ENDED');
    expect(codeOf(await add(kim, older, 'SD001'))).toBe('GROUP_OVER');
    expect((await add(ravi, code, 'SD001')).status).toBe(200);
    expect((await start(owner)).code).toBe(code);
  });

  raced('adding while the host logs in loses no dish [CART-X06] [CART-X03]', async () => {
    const { host, code, ravi } = await party();
    const [, ...answers] = await Promise.all([
      logIn(server, host.mobile, 'in-web', host.person),
      ...Array.from({ length: 8 }, () => add(ravi, code, 'BV001')),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(of(await look(ravi, code), 'Ravi').lines).toHaveLength(8);
  });

  test('a dish that sells out is on the name of who chose it, and costs nobody anything [CART-X06]', async () => {
    const { code, ravi, host } = await party();
    await add(ravi, code, 'BV001', 1, 'cola');
    const [own] = (await host.cart()).validItems;
    await server.switches({ soldOut: ['BV001', 'PZ001'] });
    const view = await look(host, code);
    expect(view.people.map((one) => one.gone)).toEqual([
      [{ lineId: own!.lineId, name: own!.product.name, reason: `${own!.product.name} is sold out at this store` }],
      [{ lineId: 'cola', name: 'Cola 475 ml', reason: 'Cola 475 ml is sold out at this store' }],
      [],
    ]);
    expect(of(view, 'Ravi')).toMatchObject({ gone: [{ name: 'Cola 475 ml' }], lines: [], share: { total: money(0) } });
    await server.switches({ soldOut: [] });
  });

  test('a wish that makes no sense is refused in words', async () => {
    const host = await visitor(server);
    await host.fill();
    const bad = (body: object) =>
      host.call(group.start, {
        cartId: host.cartId,
        body: { name: 'Asha', diet: [], minutes: 30, limit: null, ...body },
      });
    for (const body of [
      { name: ' ' },
      { name: 'x'.repeat(31) },
      { minutes: 0 },
      { minutes: 10_000 },
      { limit: -1 },
      { diet: ['MEAT'] },
    ])
      expect((await bad(body)).status, JSON.stringify(body)).toBe(400);
    expect(
      codeOf(
        await (
          await visitor(server)
        ).call(group.start, { cartId: host.cartId, body: { name: 'Thief', diet: [], minutes: 30, limit: null } }),
      ),
    ).toBe('NOT_FOUND');
  });
});
