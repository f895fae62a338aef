import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import type * as z from 'zod/mini';
import * as development from '../../src/contract/development.ts';
import * as config from '../../src/contract/config.ts';
import * as pageErrors from '../../src/contract/pageErrors.ts';
import * as payments from '../../src/contract/payments.ts';
import * as contract from '../../src/contract/trains.ts';
import { setSoldOut } from '../../src/server/store/stores.ts';
import { PRODUCTION } from '../kit/production.ts';
import { engines, startServer } from '../kit/server.ts';
import { codeFor, codeOf, freshMobile, guest, proof } from './people.ts';
import { openShop, pay } from './shop.ts';
import { shopHere } from './shopHere.ts';
import { ordered, PNR, railway, saved, trainOf, traveller } from './trainShop.ts';

const HOUR_MS = 3_600_000;

describe.each(await engines())('food on trains on %s', (engine) => {
  const { server, db } = shopHere({ engine }, 4 * 86_400);

  test('a PNR tells the journey, and each wrong one has its own sentence [TRN-01] [API-69]', async () => {
    const who = await traveller(server, '10802');
    const ask = (pnr: string) => who.call(contract.pnr, { pnr });
    const { status, body } = await ask(PNR.long);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.journey).toMatchObject({
      pnrEnd: '5601',
      train: { number: '12622' },
      from: { stationId: 'NDLS' },
      to: { stationId: 'MAS' },
      ticket: 'CONFIRMED',
      coach: 'B4',
      berth: '32',
      passengers: 2,
    });
    expect(JSON.stringify(body)).not.toContain(PNR.long);
    const wrong = await Promise.all(
      ['12345', 'abcdefghij', '0612345601', PNR.unknown, PNR.cancelled, PNR.over, PNR.unserved].map(ask),
    );
    expect(wrong.map(codeOf)).toEqual([
      'PNR_MALFORMED',
      'PNR_MALFORMED',
      'PNR_MALFORMED',
      'PNR_UNKNOWN',
      'PNR_CANCELLED',
      'PNR_OVER',
      'TRAIN_NOT_SERVED',
    ]);
    expect(new Set(wrong.map((one) => one.body.errors?.[0]?.displayMsg)).size).toBe(5);
    // At the box that it was typed into.
    expect(new Set(wrong.slice(0, 6).map((one) => one.body.errors?.[0]?.field))).toEqual(new Set(['pnr']));
    expect((await ask(PNR.waiting)).body.journey).toMatchObject({ ticket: 'WAITING', coach: null, berth: null });
  });

  test('a station of a store has its rules and what travels well, and the terms are there for all [TRN-05] [TRN-06] [API-57]', async () => {
    const { status, body } = await server.call(contract.station, { storeId: '10802', stationId: 'NGP' });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.station).toMatchObject({
      name: 'Nagpur Junction',
      cutoffMinutes: 45,
      payMinutes: 40,
      cancelMinutes: 120,
    });
    expect(body.travelsWell).toContain('SD001');
    expect((await server.call(contract.station, { storeId: '10802', stationId: 'NDLS' })).status).toBe(404);
    expect((await server.call(contract.station, { storeId: '10802', stationId: 'ET' })).status).toBe(404);
    const terms = (await server.call(contract.terms, {})).body;
    expect(terms.terms.map(({ text }) => text).join(' ')).toMatch(/96 hours.*Without an answer.*forget it/s);
  });

  test('a train order carries its label and its service code, and is brought [ORD-18] [LOC-05]', async () => {
    const who = await traveller(server, '10104');
    const train = await saved(server, who, PNR.long, 'NDLS');
    await who.fill(2);
    expect(await ordered(server, who, train)).toMatchObject({
      serviceCode: 'IRCTC',
      serviceLabel: 'IRCTC',
      orderType: 'DELIVERY',
    });
  });

  test('switched off while a cart is filled, trains are refused at checkout without a discount; on again, they work [CFG-X03]', async () => {
    const who = await traveller(server, '10104');
    const { trainOrderId } = await saved(server, who, PNR.long, 'NDLS');
    await who.fill(2, 'L');
    await who.coupon('TRAIN50');
    const checkout = async () => {
      const answer = await who.validate({ paymentMode: 'UPI', train: trainOrderId });
      return [answer.status, codeOf(answer)];
    };
    const isGiven = async () =>
      (await who.cart()).offers.some(({ code, status }) => code === 'TRAIN50' && status === 'APPLIED');
    expect(await isGiven()).toBe(true);
    await server.switches({ features: JSON.stringify({ features: [{ name: 'irctc', value: 'D' }] }) });
    try {
      expect(await checkout()).toEqual([403, 'FEATURE_BLOCKED']);
      const { body } = await who.validate({ paymentMode: 'UPI', train: trainOrderId });
      expect(body.errors?.[0]?.displayMsg).toMatch(/^We bring no food to trains at the moment/);
      expect(await isGiven()).toBe(false);
    } finally {
      await server.switches({ features: JSON.stringify({ features: [] }) });
    }
    expect(await checkout()).toEqual([200, '']);
    expect(await isGiven()).toBe(true);
  });

  test('a train order is saved, its phone checked, listed, paid and handed over by its code [TRN-07] [TRN-08] [TRN-09]', async () => {
    const who = await traveller(server, '10104');
    const first = await who.call(contract.save, {
      body: {
        cartId: who.cartId,
        pnr: '261 234-5601',
        stationId: 'NDLS',
        mobile: who.mobile,
        passenger: { name: 'Baba', mobile: '9812345678' },
      },
    });
    expect(first.status, JSON.stringify(first.body)).toBe(200);
    expect(first.body).toMatchObject({
      otp: { digits: 6 },
      train: { state: 'SAVED', isPhoneChecked: false, coach: 'B4', berth: '32', passenger: { name: 'Baba' } },
    });
    const { trainOrderId } = first.body.train;
    await who.fill(2);
    const early = await who.submit({ body: { train: trainOrderId } });
    expect(early.body.errors?.map(({ code }) => code)).toEqual(['TRAIN_OTP']);
    const wrong = await who.call(contract.validateOtp, { body: { trainOrderId, code: '000000' } });
    expect(codeOf(wrong)).toBe('OTP_WRONG');
    const code = await codeFor(server, who.mobile);
    const right = await who.call(contract.validateOtp, { body: { trainOrderId, code } });
    expect(right.body.train.isPhoneChecked).toBe(true);
    expect((await who.call(contract.list, {})).body.trains.map((one) => one.state)).toEqual(['SAVED']);

    const order = await ordered(server, who, right.body.train);
    expect(order).toMatchObject({
      orderStatus: 'ADVANCE ORDER',
      train: { trainOrderId, state: 'ORDERED', pnrEnd: '5601', train: { number: '12622' } },
    });
    expect(order.scheduledFor).toBe(order.train!.station.arrivesAt);
    expect(order.handOverCode).toMatch(/^[A-HJ-NP-Z2-9]{6}$/);
    expect((await who.call(contract.list, {})).body.trains).toMatchObject([{ orderId: order.orderId }]);
    const stranger = await guest(server);
    expect((await server.call(contract.byId, { orderId: trainOrderId }, stranger.as)).status).toBe(404);
    expect((await server.call(contract.remove, { orderId: trainOrderId }, stranger.as)).status).toBe(404);

    // The seat is changed until the rider leaves.
    const moved = await who.call(contract.change, { orderId: order.orderId, body: { coach: 's9', berth: '11' } });
    expect(moved.body.train).toMatchObject({ coach: 'S9', berth: '11', mayChange: true });
    const { arrivesAt } = order.train!.station;
    const now = () => server.call(development.clock, {}).then(({ body }) => body.now);
    await server.advance(Math.round((arrivesAt - (await now())) / 1000) - 120);
    const close = await who.read(order.orderId);
    expect(close.orderStatus).toBe('PICKED UP');
    expect(codeOf(await who.call(contract.change, { orderId: order.orderId, body: { berth: '12' } }))).toBe(
      'TRAIN_LEFT',
    );
    const kinds = close.train!.timeline.map((step) => `${step.kind} ${step.id} ${step.state}`);
    expect(kinds.slice(-3)).toEqual(['KITCHEN PICKED UP current', 'TRAIN TRAIN NDLS next', 'KITCHEN DELIVERED next']);

    const { token } = (await server.call(development.rider, { orderId: order.orderId })).body;
    const hand = (typed: string, key = token) => server.call(contract.handOver, { body: { token: key, code: typed } });
    expect(codeOf(await hand('AAAAAA'))).toBe('CODE_WRONG');
    expect((await hand(order.handOverCode!, `${token}x`)).status).toBe(404);
    const done = await hand(order.handOverCode!.toLowerCase());
    expect(done.body, JSON.stringify(done.body)).toMatchObject({ orderNumber: order.orderNumber });
    expect((await who.read(order.orderId)).orderStatus).toBe('DELIVERED');
    expect(codeOf(await who.call(contract.change, { orderId: order.orderId, body: { berth: '12' } }))).toBe(
      'TRAIN_LEFT',
    );
  });

  test('who eats, and whose phone hears of it, is changed before it is ordered; a new phone has to be checked', async () => {
    const who = await traveller(server, '10802');
    const { trainOrderId } = await saved(server, who, PNR.long, 'NGP');
    const change = async (body: Partial<z.input<typeof contract.change.body>>) => {
      const reply = await who.call(contract.change, { orderId: trainOrderId, body });
      expect(reply.status, JSON.stringify(reply.body)).toBe(200);
      return reply.body;
    };
    const eats = (await change({ passenger: { name: 'Amma', mobile: '98123 45678' } })).train;
    expect(eats).toMatchObject({ passenger: { name: 'Amma', mobile: '9812345678' }, isPhoneChecked: true });
    expect((await change({ coach: 's4' })).train).toMatchObject({ coach: 'S4', passenger: { name: 'Amma' } });
    expect((await change({ passenger: null })).train.passenger).toBeNull();
    const other = freshMobile();
    const asked = await change({ mobile: other });
    expect(asked).toMatchObject({ otp: { digits: 6 }, train: { mobile: other, isPhoneChecked: false } });
    const code = await codeFor(server, other);
    const checked = await who.call(contract.validateOtp, { body: { trainOrderId, code } });
    expect(checked.body.train, JSON.stringify(checked.body)).toMatchObject({ mobile: other, isPhoneChecked: true });
  });

  const refundsOf = async (orderId: string) =>
    await db.selectFrom('refunds').selectAll().where('order_id', '=', orderId).execute();
  const clock = async () => (await server.call(development.clock, {})).body.now;
  const until = async (at: number) => await server.advance(Math.max(1, Math.round((at - (await clock())) / 1000)));
  /** An order that is paid, for a ticket and a station. */
  async function traveling(pnr: string, stationId: string, storeId: string) {
    const who = await traveller(server, storeId);
    const train = await saved(server, who, pnr, stationId);
    await who.fill(2);
    const order = await ordered(server, who, train);
    return { who, order, arrivesAt: order.train!.station.arrivesAt };
  }

  test('an order is taken back with all its money until two hours before the train, and not later [TRN-10]', async () => {
    const { who, order, arrivesAt } = await traveling(PNR.mumbai, 'NDLS', '10104');
    const late = await traveling(PNR.mumbai, 'NDLS', '10104');
    expect(order.cancel).toMatchObject({ possible: true, until: arrivesAt - 2 * HOUR_MS });
    await until(arrivesAt - 2 * HOUR_MS - 60_000);
    const gone = await who.call(contract.remove, { orderId: order.train!.trainOrderId });
    expect(gone.body.order, JSON.stringify(gone.body)).toMatchObject({ orderStatus: 'CANCELLED' });
    expect(await refundsOf(order.orderId)).toMatchObject([{ amount: order.bill.total }]);
    expect((await who.call(contract.remove, { orderId: order.orderId })).status).toBe(200);
    await until(arrivesAt - 2 * HOUR_MS + 60_000);
    const refused = await late.who.call(contract.remove, { orderId: late.order.orderId });
    expect([refused.status, codeOf(refused)]).toEqual([409, 'CANCEL_TOO_LATE']);
    expect(codeOf(await late.who.cancel(late.order.orderId))).toBe('CANCEL_TOO_LATE');
    await until(arrivesAt + 10 * 60_000);
    expect((await late.who.read(late.order.orderId)).orderStatus).toBe('DELIVERED');
    expect(await refundsOf(late.order.orderId)).toEqual([]);
  });

  test('once the kitchen has begun, a train order cannot be cancelled, even if its train is hours away, and says so [TRN-10]', async () => {
    await openShop(server);
    const { who, order, arrivesAt } = await traveling(PNR.long, 'NDLS', '10104');
    await until(arrivesAt - 26 * 60_000);
    expect((await who.read(order.orderId)).orderStatus).toBe('INPROCESS');
    await railway(server, { pnr: PNR.long, event: 'delay', stationId: 'NDLS', minutes: 200 });
    await server.advance(600);
    const { station, cancel, question } = await trainOf(who, order.orderId);
    expect(station.arrivesAt - (await clock())).toBeGreaterThan(2 * HOUR_MS);
    expect(question?.kind).toBe('LATE');
    // What is made at one station cannot come to another.
    expect(question?.choices.map(({ choice }) => choice)).toEqual(['TIME', 'REFUND']);
    const elsewhere = { choice: 'STATION' as const, stationId: 'NGP' };
    expect(codeOf(await who.call(contract.answer, { orderId: order.orderId, body: elsewhere }))).toBe('TRAIN_CHOICE');
    const rule = 'Our store has begun with this order, so it cannot be cancelled any more.';
    expect(cancel).toEqual({ possible: false, until: null, rule });
    const refused = await who.call(contract.remove, { orderId: order.orderId });
    expect([refused.status, codeOf(refused), refused.body.errors![0]!.displayMsg]).toEqual([
      409,
      'CANCEL_TOO_LATE',
      rule,
    ]);
  });

  test('a slightly late train moves its order; for a late one the passenger chooses, and no answer means a refund [TRN-X02]', async () => {
    await openShop(server);
    const [time, station, money, silent] = [
      await traveling(PNR.mumbai, 'NDLS', '10104'),
      await traveling(PNR.mumbai, 'NDLS', '10104'),
      await traveling(PNR.mumbai, 'NDLS', '10104'),
      await traveling(PNR.mumbai, 'NDLS', '10104'),
    ];
    type One = typeof time;
    const at = (one: One) => trainOf(one.who, one.order.orderId);
    const answer = (one: One, body: { choice: 'TIME' | 'STATION' | 'REFUND'; stationId?: string }) =>
      one.who.call(contract.answer, { orderId: one.order.orderId, body });
    await railway(server, { pnr: PNR.mumbai, event: 'delay', stationId: 'NDLS', minutes: 20 });
    await railway(server, { pnr: PNR.mumbai, event: 'platform', stationId: 'NDLS', platform: '77' });
    await server.advance(3600);
    const little = await at(time);
    expect(little).toMatchObject({ state: 'ORDERED', question: null, station: { delayMinutes: 20 } });
    expect(little.news.map(({ text }) => text)).toEqual([expect.stringMatching(/20 minutes late/)]);
    expect((await time.who.read(time.order.orderId)).scheduledFor).toBe(little.station.arrivesAt);
    expect(codeOf(await answer(time, { choice: 'TIME' }))).toBe('TRAIN_NO_QUESTION');

    await railway(server, { pnr: PNR.mumbai, event: 'delay', stationId: 'NDLS', minutes: 150 });
    await server.advance(3600);
    const asked = await at(station);
    expect(asked.state).toBe('ASKING');
    const { question } = asked;
    expect(question!.choices.map(({ choice, stationId }) => stationId ?? choice)).toEqual([
      'TIME',
      'MMCT',
      'BRC',
      'REFUND',
    ]);
    expect(question!.choices.at(-1)!.amount).toBe(station.order.bill.total);
    expect(await server.inbox(`+91${silent.who.mobile}`)).toContainEqual(
      expect.stringContaining('your train has changed'),
    );
    const moved = await answer(station, { choice: 'STATION', stationId: 'BRC' });
    expect(moved.body.train, JSON.stringify(moved.body)).toMatchObject({
      state: 'ORDERED',
      storeId: '10803',
      station: { stationId: 'BRC' },
    });
    expect(codeOf(await answer(station, { choice: 'REFUND' }))).toBe('TRAIN_NO_QUESTION');
    expect(codeOf(await answer(time, { choice: 'STATION', stationId: 'ADI' }))).toBe('TRAIN_CHOICE');
    // The railway is asked for another station alone: the other answers count also while it is away.
    await railway(server, { pnr: PNR.mumbai, away: true });
    try {
      const unheard = await answer(time, { choice: 'STATION', stationId: 'BRC' });
      expect([unheard.status, codeOf(unheard)]).toEqual([503, 'RAILWAY_AWAY']);
      expect((await answer(time, { choice: 'TIME' })).body.train).toMatchObject({ state: 'ORDERED', question: null });
      expect((await answer(money, { choice: 'REFUND' })).body.train).toMatchObject({ state: 'CANCELLED' });
    } finally {
      await railway(server, { pnr: PNR.mumbai, away: false });
    }
    await until((await at(silent)).question!.answerBy + 1000);
    expect((await at(silent)).state).toBe('CANCELLED');
    for (const one of [money, silent])
      expect(await refundsOf(one.order.orderId)).toMatchObject([{ amount: one.order.bill.total }]);
    await until(moved.body.train.station.arrivesAt + 10 * 60_000);
    expect((await station.who.read(station.order.orderId)).orderStatus).toBe('DELIVERED');
    await until(asked.station.arrivesAt + 3 * 60_000);
    const done = await at(time);
    expect(done.state).toBe('DELIVERED');
    expect(done.station.platform).toBe('77');
  });

  test('another station is offered only while its store has all dishes; what it lacks is said, also if sold out later [TRN-X02]', async () => {
    await openShop(server);
    const [first, second] = [
      await traveling(PNR.mumbai, 'NDLS', '10104'),
      await traveling(PNR.mumbai, 'NDLS', '10104'),
    ];
    const dish = first.order.lines[0]!.product;
    const now = await clock();
    await setSoldOut(db, '10204', dish.id, true, now);
    try {
      await railway(server, { pnr: PNR.mumbai, event: 'skip', stationId: 'NDLS' });
      await server.advance(3600);
      const { question } = await trainOf(first.who, first.order.orderId);
      expect(question!.choices.map(({ choice, stationId }) => stationId ?? choice)).toEqual(['BRC', 'REFUND']);
      expect(question!.whyNot).toEqual([
        `It cannot come to Mumbai Central: our store there has no ${dish.name} at that time.`,
      ]);
      const answer = (stationId: string) =>
        first.who.call(contract.answer, { orderId: first.order.orderId, body: { choice: 'STATION', stationId } });
      // A train that does not stop there comes at no other time.
      const wait = { choice: 'TIME' as const };
      expect(codeOf(await first.who.call(contract.answer, { orderId: first.order.orderId, body: wait }))).toBe(
        'TRAIN_CHOICE',
      );
      expect(codeOf(await answer('MMCT'))).toBe('TRAIN_DISHES');
      await setSoldOut(db, '10803', dish.id, true, now);
      const late = await answer('BRC');
      expect([late.status, codeOf(late), late.body.errors![0]!.displayMsg]).toEqual([
        422,
        'TRAIN_DISHES',
        `Our store at Vadodara Junction has no ${dish.name} any more. Please choose again.`,
      ]);
      const left = (await trainOf(first.who, first.order.orderId)).question!;
      expect(left.choices.map(({ choice }) => choice)).toEqual(['REFUND']);
      expect(left.whyNot).toEqual(
        ['Mumbai Central', 'Vadodara Junction'].map(
          (station) => `It cannot come to ${station}: our store there has no ${dish.name} at that time.`,
        ),
      );
      await setSoldOut(db, '10803', dish.id, false, now);
      expect(
        (
          await first.who.call(contract.answer, {
            orderId: first.order.orderId,
            body: { choice: 'STATION', stationId: 'BRC' },
          })
        ).body.train,
      ).toMatchObject({ storeId: '10803' });
      // With no station left, nobody waits for an answer that there is none to.
      await setSoldOut(db, '10803', dish.id, true, now);
      await server.advance(2000);
      expect((await trainOf(second.who, second.order.orderId)).state).toBe('CANCELLED');
      expect(await refundsOf(second.order.orderId)).toMatchObject([{ amount: second.order.bill.total }]);
    } finally {
      for (const store of ['10204', '10803']) await setSoldOut(db, store, dish.id, false, now);
    }
  });

  test('what is for trains counts for them alone, the order is for whoever eats, and cash is taken at the coach [TRN-X03]', async () => {
    await openShop(server);
    const who = await traveller(server, '10802');
    const train = await saved(server, who, PNR.long, 'NGP', { passenger: { name: 'Amma', mobile: '98123 45678' } });
    expect(train).toMatchObject({ passenger: { name: 'Amma', mobile: '9812345678' }, mobile: who.mobile });
    await who.fill(2, 'L');
    const offered = await who.coupon('TRAIN50');
    expect(offered.cart?.offers, JSON.stringify(offered)).toMatchObject([{ code: 'TRAIN50', status: 'APPLIED' }]);
    const order = await ordered(server, who, train, { paymentMode: 'COD' });
    expect(order).toMatchObject({ orderStatus: 'ADVANCE ORDER', payment: { state: 'DUE_AT_DOOR' } });
    expect(order.handOverCode).toHaveLength(6);
    expect(order.train!.passenger).toMatchObject({ name: 'Amma' });
    // Without its train the same cart has no such offer.
    const other = await traveller(server, '10802');
    await other.fill(2, 'L');
    expect((await other.coupon('TRAIN50')).cart?.offers ?? []).not.toContainEqual(
      expect.objectContaining({ code: 'TRAIN50', status: 'APPLIED' }),
    );
    await until(order.train!.station.arrivesAt + 4 * 60_000);
    expect(await who.read(order.orderId)).toMatchObject({ orderStatus: 'DELIVERED', payment: { state: 'CAPTURED' } });
  });

  test('it is ordered before the cut-off, paid five minutes after it, and at the store of its station', async () => {
    await openShop(server);
    const [late, unpaid, wrong] = [
      await traveller(server, '10204'),
      await traveller(server, '10204'),
      await traveller(server, '10104'),
    ];
    const train = await saved(server, late, PNR.mumbai, 'MMCT');
    const mine = await saved(server, unpaid, PNR.mumbai, 'MMCT');
    const elsewhere = await saved(server, wrong, PNR.mumbai, 'MMCT');
    for (const who of [late, unpaid, wrong]) await who.fill(2);
    const submit = (who: typeof late, id: string) => who.submit({ body: { train: id } });
    expect((await submit(wrong, elsewhere.trainOrderId)).body.errors).toMatchObject([{ code: 'TRAIN_STORE' }]);
    expect((await submit(wrong, train.trainOrderId)).body.errors).toMatchObject([{ code: 'TRAIN_SAVED' }]);
    await until(train.orderUntil - 30_000);
    const waiting = await submit(unpaid, mine.trainOrderId);
    expect(waiting.status, JSON.stringify(waiting.body)).toBe(200);
    expect(waiting.body.order.payment.settlesBy).toBe(train.payUntil);
    await until(train.orderUntil + 1_000);
    expect((await submit(late, train.trainOrderId)).body.errors).toMatchObject([{ code: 'TRAIN_CUTOFF' }]);
    const again = await late.call(contract.save, { body: { cartId: late.cartId, pnr: PNR.mumbai, stationId: 'MMCT' } });
    expect(codeOf(again)).toBe('TRAIN_CUTOFF');
    const { order } = waiting.body;
    const retry = () =>
      unpaid.call(
        payments.retry,
        { body: { orderId: order.orderId, paymentMode: 'UPI' } },
        { 'idempotency-key': randomUUID() },
      );
    await pay(server, waiting.body.next, 'decline');
    await unpaid.confirm(order);
    await until(train.payUntil - 30_000);
    const last = await retry();
    expect(last.status, JSON.stringify(last.body)).toBe(200);
    expect(last.body.payment.settlesBy).toBe(train.payUntil);
    await until(train.payUntil + 1_000);
    expect((await unpaid.read(order.orderId)).orderStatus).toBe('FAILED');
    expect(codeOf(await retry())).toBe('ORDER_FAILED');
  });

  test('the code at the coach door has five tries [TRN-X04]', async () => {
    await openShop(server);
    const { order, arrivesAt, who } = await traveling(PNR.long, 'NDLS', '10104');
    const { token } = (await server.call(development.rider, { orderId: order.orderId })).body;
    const hand = (code: string) => server.call(contract.handOver, { body: { token, code } });
    expect(codeOf(await hand(order.handOverCode!))).toBe('TRAIN_NOT_HERE');
    await until(arrivesAt + 10_000);
    const answers: string[] = [];
    for (let n = 0; n < 5; n += 1) answers.push(codeOf(await hand('ZZZZZZ')));
    expect(answers).toEqual(['CODE_WRONG', 'CODE_WRONG', 'CODE_WRONG', 'CODE_WRONG', 'CODE_TRIES']);
    expect(codeOf(await hand(order.handOverCode!))).toBe('CODE_TRIES');
    expect((await who.read(order.orderId)).orderStatus).toBe('PICKED UP');
    await until(arrivesAt + 4 * 60_000);
    expect((await who.read(order.orderId)).orderStatus).toBe('DELIVERED');
  });

  test('where there is no food on trains, there is none of its calls [TRN-12]', async () => {
    for (const apiKey of ['lk-web', 'bg-web', 'in-gpay', 'in-paytm']) {
      const who = await guest(server, apiKey);
      const answers = [
        await server.call(contract.pnr, { pnr: PNR.long }, who.as),
        await server.call(contract.list, {}, who.as),
        await server.call(contract.terms, {}, who.as),
        await server.call(contract.station, { storeId: '10802', stationId: 'NGP' }, who.as),
        await server.call(contract.save, { body: { cartId: who.cartId, pnr: PNR.long, stationId: 'NGP' } }, who.as),
      ];
      expect(
        answers.map((one) => [one.status, codeOf(one)]),
        apiKey,
      ).toEqual(answers.map(() => [403, 'FEATURE_BLOCKED']));
    }
  });

  test('an order that stands is changed, read and cancelled as was said, also after trains were switched off [CFG-X03]', async () => {
    await openShop(server);
    const { who, order } = await traveling(PNR.mumbai, 'NDLS', '10104');
    await server.switches({ features: JSON.stringify({ features: [{ name: 'irctc', value: 'D' }] }) });
    try {
      expect(codeOf(await who.call(contract.pnr, { pnr: PNR.long }))).toBe('FEATURE_BLOCKED');
      const changed = await who.call(contract.change, { orderId: order.orderId, body: { coach: 'B2', berth: '17' } });
      expect(changed.body.train).toMatchObject({ coach: 'B2', berth: '17' });
      expect((await who.call(contract.byId, { orderId: order.orderId })).body.train.coach).toBe('B2');
      expect(codeOf(await who.call(contract.answer, { orderId: order.orderId, body: { choice: 'REFUND' } }))).toBe(
        'TRAIN_NO_QUESTION',
      );
      const removed = await who.call(contract.remove, { orderId: order.orderId });
      expect(removed.body).toMatchObject({ order: { orderStatus: 'CANCELLED' } });
    } finally {
      await server.switches({ features: JSON.stringify({ features: [] }) });
    }
  });

  test('a shop in production without a railway has no food on trains: not in its config, not among its calls', async () => {
    for (const [more, isOff] of [
      [{}, true],
      [{ RAILWAY_URL: 'https://rail.example', RAILWAY_PARTNER: 'us', RAILWAY_SECRET: 'secret' }, false],
    ] as const) {
      const own = await startServer({
        engine,
        settings: { development: false, environment: { ...PRODUCTION, ...more } },
      });
      try {
        const { vendorConfig } = (await own.call(config.app, {})).body.config;
        expect(['irctc', 'deliver_on_train'].map((one) => vendorConfig.blockedFeatures.includes(one))).toEqual([
          isOff,
          isOff,
        ]);
        const terms = await own.call(contract.terms, {});
        expect([terms.status, codeOf(terms)]).toEqual(isOff ? [403, 'FEATURE_BLOCKED'] : [200, '']);
      } finally {
        await own.stop();
      }
    }
  });

  test('the store is told an order’s coach and berth and each change, also the berth that comes with the chart [TRN-04]', async () => {
    const written: string[] = [];
    const said = vi.spyOn(console, 'log').mockImplementation((line) => void written.push(String(line)));
    const own = await startServer({ engine, settings: { quiet: false } });
    try {
      await openShop(own);
      const who = await traveller(own, '10104');
      const train = await saved(own, who, PNR.long, 'NDLS');
      await who.fill(2);
      const { orderId } = await ordered(own, who, train);
      const told = (id: string) =>
        written
          .filter((line) => line.includes(id) && /told the store of an order|changed the seat/.test(line))
          .map((line) => {
            const { coach, berth } = JSON.parse(line.slice(line.indexOf('{'))) as Record<string, string | null>;
            return [line.includes('changed'), coach, berth];
          });
      await own.advance(1);
      expect(told(orderId)).toEqual([[false, 'B4', '32']]);
      await who.call(contract.change, { orderId, body: { coach: 's9', berth: '11' } });
      expect(told(orderId).slice(1)).toEqual([[true, 'S9', '11']]);

      const waiting = await traveller(own, '10802');
      const later = await saved(own, waiting, PNR.waiting, 'NGP');
      await waiting.fill(2);
      const second = await ordered(own, waiting, later);
      await own.advance(1);
      expect(told(second.orderId)).toEqual([[false, null, null]]);
      await own.advance(5_400);
      expect(told(second.orderId).slice(1)).toEqual([[true, 'S2', '18']]);
    } finally {
      said.mockRestore();
      await own.stop();
    }
  });

  test('one proof of work is enough for a PNR, what lacks it is not counted, and a railway that is away uses up nothing', async () => {
    const who = await traveller(server, '10802');
    const ask = async (pnr: string, headers: Record<string, string> = {}) =>
      codeOf(await who.call(contract.pnr, { pnr }, headers));
    const proven = () => proof(server, who.person, 'guesses');
    await railway(server, { pnr: PNR.rac, away: true });
    for (let n = 0; n < 3; n += 1) expect(await ask(PNR.rac)).toBe('RAILWAY_AWAY');
    await railway(server, { pnr: PNR.rac, away: false });
    for (let n = 0; n < 25; n += 1) expect(await ask(PNR.rac)).toBe('');
    for (let n = 0; n < 5; n += 1) expect(await ask(`44444444${20 + n}`)).toBe('PNR_UNKNOWN');
    expect(await ask('4444444430', await proven())).toBe('PNR_UNKNOWN');
    for (let n = 0; n < 30; n += 1) expect(await ask(PNR.rac)).toBe('CHALLENGE');
    expect(await ask(PNR.rac, await proven())).toBe('');
  });

  test('nobody tries out PNRs, and no PNR is in a log', async () => {
    const written: string[] = [];
    const said = vi.spyOn(console, 'log').mockImplementation((line) => void written.push(String(line)));
    const own = await startServer({ engine, settings: { quiet: false } });
    try {
      const who = await traveller(own, '10802');
      const ask = (pnr: string) => who.call(contract.pnr, { pnr });
      const codes: string[] = [];
      for (let n = 0; n < 8; n += 1) codes.push(codeOf(await ask(`44444444${10 + n}`)));
      expect(codes).toEqual([...Array.from({ length: 6 }, () => 'PNR_UNKNOWN'), 'CHALLENGE', 'CHALLENGE']);
      // The next ones cost work, and after six of those there are none for an hour.
      const headers = await proof(own, who.person, 'guesses');
      expect(codeOf(await who.call(contract.pnr, { pnr: '5555555510' }, headers))).toBe('PNR_UNKNOWN');
      await own.switches({ faults: [{ match: 'locator-service/pnr', status: 500, times: 1 }] });
      await ask(PNR.rac);
      await railway(own, { pnr: PNR.rac, away: true });
      const other = await traveller(own, '10802');
      expect(codeOf(await other.call(contract.pnr, { pnr: PNR.rac }))).toBe('RAILWAY_AWAY');
      // A page reports an error whose address has one.
      await own.call(pageErrors.report, {
        body: {
          name: 'Error',
          message: `no journey for ${PNR.rac}`,
          stack: `at /irctc?pnr=${PNR.rac}`,
          bundle: 'in/browser',
          release: '1',
          page: `/irctc/${PNR.rac}`,
          requestId: '',
        },
      });
    } finally {
      said.mockRestore();
      await own.stop();
    }
    expect(written.length).toBeGreaterThan(1);
    const all = written.join('\n');
    for (const pnr of [...Object.values(PNR), '4444444410', '5555555510']) expect(all).not.toContain(pnr);
  });
});
