import { describe, expect, test } from 'vitest';
import * as words from '#text/orders.ts';
import * as railwayText from '#text/railway.ts';
import { countryConfig } from '../../country/index.ts';
import * as development from '../../src/contract/development.ts';
import type { OrderView } from '../../src/contract/orders.ts';
import * as push from '../../src/contract/push.ts';
import * as tracking from '../../src/contract/tracking.ts';
import * as contract from '../../src/contract/trains.ts';
import { distanceKm } from '../../src/domain/geo.ts';
import { momentText } from '../../src/server/rules/order/trainView.ts';
import { leadMs, lifeOf, serviceContent } from '../../src/server/rules/order/orders.ts';
import { usualOf } from '../../src/server/rules/order/stepDurations.ts';
import { enqueue } from '../../src/server/store/jobs.ts';
import { readSeeds, readTrainSeed } from '../../src/server/store/seeds.ts';
import { setSoldOut } from '../../src/server/store/stores.ts';
import { engines } from '../kit/server.ts';
import { codeOf } from './people.ts';
import { pushService } from './pushService.ts';
import { openedShop, pay } from './shop.ts';
import { ordered, PNR, railway, saved, trainOf, traveller } from './trainShop.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Until the rider leaves and on to the coach, as the catalogue has it. */
const LEAD = 24 * MINUTE;
const app = countryConfig('IN').appName;

describe.each(await engines())('what becomes of an order as its train goes, on %s', (engine) => {
  /** A shop of its own at one o'clock, where the tickets of the railway begin. */
  async function station() {
    const { server, db, stop } = await openedShop({ engine });
    const clock = async () => (await server.call(development.clock, {})).body.now;
    const until = async (at: number) => await server.advance(Math.max(1, Math.ceil((at - (await clock())) / 1000)));
    async function traveling(pnr: string, stationId: string, storeId: string, paymentMode: 'UPI' | 'COD' = 'UPI') {
      const who = await traveller(server, storeId);
      const train = await saved(server, who, pnr, stationId);
      await who.fill(2);
      const order = await ordered(server, who, train, { paymentMode });
      return { who, order, arrivesAt: order.train!.station.arrivesAt };
    }
    type One = Awaited<ReturnType<typeof traveling>>;
    return {
      server,
      db,
      stop,
      clock,
      until,
      traveling,
      at: ({ who, order }: One) => trainOf(who, order.orderId),
      read: ({ who, order }: One) => who.read(order.orderId),
      answer: ({ who, order }: One, choice: 'TIME' | 'STATION' | 'REFUND', stationId?: string) =>
        who.call(contract.answer, {
          orderId: order.orderId,
          body: { choice, ...(stationId === undefined ? {} : { stationId }) },
        }),
      refunds: async ({ order }: One) =>
        (await db.selectFrom('refunds').select('amount').where('order_id', '=', order.orderId).execute()).map(
          ({ amount }) => amount,
        ),
      sms: async ({ who }: One) =>
        (await server.inbox(`+91${who.mobile}`)).filter((text) => text.includes('your train')),
      actorOf: async ({ order }: One, status: 'CANCELLED') =>
        (
          await db
            .selectFrom('order_events')
            .select('actor')
            .where('order_id', '=', order.orderId)
            .where('status', '=', status)
            .executeTakeFirstOrThrow()
        ).actor,
    };
  }
  const texts = (train: { news: readonly { text: string }[] }) => train.news.map(({ text }) => text);
  const kitchenAt = (train: NonNullable<OrderView['train']>, id: string) =>
    train.timeline.find((step) => step.kind === 'KITCHEN' && step.id === id)?.expectedAt;
  const picks = ({ question }: NonNullable<OrderView['train']>) =>
    question!.choices.map(({ choice, stationId }) => stationId ?? choice);

  test('a train order moves silently if four minutes late, with a message at five; a caught-up train ends the question', async () => {
    const { server, db, traveling, at, read, sms, until, clock, stop } = await station();
    try {
      const one = await traveling(PNR.mumbai, 'NDLS', '10104');
      const { arrivesAt } = one;
      const delay = async (minutes: number) => {
        await railway(server, { pnr: PNR.mumbai, event: 'delay', stationId: 'NDLS', minutes });
        await server.advance(1_830);
        return await at(one);
      };
      const of = (ms: number) => momentText(arrivesAt + ms, 'IN', arrivesAt - 20 * HOUR);
      expect(one.order.train).toMatchObject({ news: [], station: { delayMinutes: 0, haltMinutes: 10 } });
      expect(kitchenAt(one.order.train!, 'ORDER PLACED')).toBe(arrivesAt - 10 * MINUTE - LEAD);
      expect(kitchenAt(one.order.train!, 'PREP')).toBe(arrivesAt - 10 * MINUTE - LEAD + 80_000);
      expect(kitchenAt(one.order.train!, 'DELIVERED')).toBe(arrivesAt + 1);
      expect(one.order.eta).toEqual({ from: arrivesAt, to: arrivesAt + 10 * MINUTE, rate: 1, reason: '' });
      expect(await delay(4)).toMatchObject({ news: [], station: { delayMinutes: 4 } });
      expect((await read(one)).scheduledFor).toBe(arrivesAt + 4 * MINUTE);
      // Where the train does not stop any more, it is not expected.
      const halts = (train: typeof one.order.train & object) =>
        train.timeline.flatMap(({ kind, id, expectedAt }) =>
          kind === 'TRAIN' ? [`${id.slice(6)} ${expectedAt}`] : [],
        );
      const codes = (train: typeof one.order.train & object) => halts(train).map((halt) => halt.split(' ')[0]);
      expect(codes(one.order.train!)).toEqual(['MMCT', 'ST', 'BRC', 'RTM', 'NDLS']);
      await railway(server, { pnr: PNR.mumbai, event: 'skip', stationId: 'ST' });
      const nine = await delay(9);
      expect(codes(nine)).toEqual(['MMCT', 'BRC', 'RTM', 'NDLS']);
      expect(halts(nine).at(-1)).toBe(`NDLS ${arrivesAt + 9 * MINUTE}`);
      const kept = await db.selectFrom('train_orders').select(['forget_at', 'seen_at']).executeTakeFirstOrThrow();
      expect(kept).toEqual({ forget_at: arrivesAt + 9 * MINUTE + 3 * HOUR, seen_at: nine.news[0]!.at });
      expect(texts(nine)).toEqual([railwayText.newsLate({ minutes: 9, time: of(9 * MINUTE) })]);
      expect(kitchenAt(nine, 'ORDER PLACED')).toBe(arrivesAt - MINUTE - LEAD);
      const asked = await delay(150);
      expect(asked.state).toBe('ASKING');
      const { answerBy } = asked.question!;
      expect(answerBy).toBe(asked.news[0]!.at + 2 * HOUR);
      expect(texts(asked)).toEqual([railwayText.newsAsked, texts(nine)[0]]);
      const told = [railwayText.smsAsk({ app, paid: 'yes', time: momentText(answerBy, 'IN', answerBy) })];
      expect(await sms(one)).toEqual(told);
      const caught = await delay(0);
      expect(caught).toMatchObject({ state: 'ORDERED', question: null, station: { arrivesAt, delayMinutes: 0 } });
      expect(texts(caught)).toEqual([railwayText.newsOnTime({ time: of(0) }), ...texts(asked)]);
      expect((await read(one)).scheduledFor).toBe(arrivesAt);
      expect(kitchenAt(caught, 'ORDER PLACED')).toBe(arrivesAt - 10 * MINUTE - LEAD);
      await until(answerBy + MINUTE);
      expect(await at(one)).toMatchObject({ state: 'ORDERED', news: caught.news });
      expect(await sms(one)).toEqual(told);
      expect(await clock()).toBeLessThan(arrivesAt - 10 * HOUR);
    } finally {
      await stop();
    }
  });

  test('another platform, a question and the end of a train are told where notices are wanted, each once', async () => {
    const service = pushService();
    await service.listen();
    const { server, traveling, at, sms, refunds, actorOf, clock, stop } = await station();
    try {
      const one = await traveling(PNR.long, 'NDLS', '10104');
      const phone = service.browser('phone');
      await one.who.call(push.subscribe, { body: { subscription: phone.subscription, mount: '/in/' } });
      const heard = () => service.got.map(({ body }) => phone.read(body).body);
      await railway(server, { pnr: PNR.long, event: 'platform', stationId: 'NDLS', platform: '77' });
      await server.advance(900);
      expect(await at(one)).toMatchObject({
        state: 'ORDERED',
        station: { platform: '77', haltMinutes: 20 },
        news: [{ text: railwayText.newsPlatform({ platform: '77' }) }],
      });
      await railway(server, { pnr: PNR.long, event: 'delay', stationId: 'NDLS', minutes: 20 });
      await server.advance(900);
      const time = momentText((await at(one)).station.arrivesAt, 'IN', await clock());
      await expect.poll(heard).toEqual([railwayText.pushPlatform, railwayText.pushNewTime({ time })]);
      expect(phone.read(service.got.at(-1)!.body)).toMatchObject({
        title: `Order ${one.order.orderNumber}`,
        path: `/in/order/${one.order.orderId}`,
      });
      await railway(server, { pnr: PNR.long, event: 'delay', stationId: 'NDLS', minutes: 200 });
      await server.advance(900);
      const asked = await at(one);
      expect(picks(asked)).toEqual(['TIME', 'NGP', 'BZA', 'REFUND']);
      await railway(server, { pnr: PNR.long, event: 'cancel' });
      await server.advance(900);
      const gone = await at(one);
      expect(gone).toMatchObject({ state: 'CANCELLED', question: null });
      expect(texts(gone)).toEqual([
        railwayText.newsRefunded({ why: 'CANCELLED', paid: 'yes' }),
        railwayText.newsAsked,
        railwayText.newsLate({ minutes: 20, time }),
        railwayText.newsPlatform({ platform: '77' }),
      ]);
      await expect.poll(() => heard().slice(2)).toEqual([railwayText.pushAsk, railwayText.pushRefund({ paid: 'yes' })]);
      expect(await sms(one)).toEqual([
        railwayText.smsRefund({ app, paid: 'yes' }),
        expect.stringContaining('your train has changed'),
      ]);
      expect([await refunds(one), await actorOf(one, 'CANCELLED')]).toEqual([[one.order.bill.total], 'system']);
    } finally {
      await stop();
      service.close();
    }
  });

  test('food already made waits half an hour for an answer, then is refunded; agreeing to the new time ends the asking', async () => {
    const { server, db, traveling, at, read, refunds, actorOf, answer, until, clock, sms, stop } = await station();
    try {
      const [agrees, silent, leaves] = [
        await traveling(PNR.long, 'NDLS', '10104'),
        await traveling(PNR.long, 'NDLS', '10104'),
        await traveling(PNR.long, 'NDLS', '10104'),
      ];
      const { arrivesAt } = agrees;
      // What stores elsewhere lack is nothing to those whose food is made.
      await setSoldOut(db, '10802', agrees.order.lines[0]!.product.id, true, await clock());
      await until(arrivesAt - 30 * MINUTE);
      expect((await read(agrees)).orderStatus).toBe('INPROCESS');
      const delay = async (minutes: number) => {
        await railway(server, { pnr: PNR.long, event: 'delay', stationId: 'NDLS', minutes });
        await server.advance(400);
      };
      await delay(31);
      for (const one of [agrees, silent, leaves]) {
        const asked = await at(one);
        expect([picks(asked), asked.question!.whyNot]).toEqual([['TIME', 'REFUND'], []]);
        expect(asked.question!.answerBy).toBe(asked.news[0]!.at + 30 * MINUTE);
      }
      const agreed = (await answer(agrees, 'TIME')).body.train;
      expect(agreed).toMatchObject({ state: 'ORDERED', question: null });
      const time = momentText(arrivesAt + 31 * MINUTE, 'IN', arrivesAt);
      expect(texts(agreed)).toEqual([railwayText.newsAgreed({ time }), railwayText.newsAsked]);
      const told = await sms(leaves);
      const left = (await answer(leaves, 'REFUND')).body.train;
      expect([left.state, texts(left)[0]]).toEqual([
        'CANCELLED',
        railwayText.newsRefunded({ why: 'CHOSEN', paid: 'yes' }),
      ]);
      // It was made: the store takes it back.
      expect([await refunds(leaves), await actorOf(leaves, 'CANCELLED')]).toEqual([[leaves.order.bill.total], 'store']);
      await delay(61);
      expect(await sms(leaves)).toEqual(told);
      expect(await at(agrees)).toMatchObject({ state: 'ORDERED', question: null, station: { delayMinutes: 61 } });
      await until((await at(silent)).question!.answerBy + MINUTE);
      const gone = await at(silent);
      expect(gone.state).toBe('CANCELLED');
      expect(texts(gone)[0]).toBe(railwayText.newsRefunded({ why: 'SILENT', paid: 'yes' }));
      expect([await refunds(silent), await actorOf(silent, 'CANCELLED')]).toEqual([[silent.order.bill.total], 'store']);
      await until(arrivesAt + 61 * MINUTE - 30_000);
      // It was made for the time of before.
      expect(await read(agrees)).toMatchObject({ orderStatus: 'PICKED UP', scheduledFor: arrivesAt });
      await until(arrivesAt + 61 * MINUTE + 4 * MINUTE + 10_000);
      const done = await read(agrees);
      expect(done.orderStatus).toBe('DELIVERED');
      const halt = done.train!.timeline.find(({ id }) => id === 'TRAIN NDLS');
      expect(halt).toMatchObject({ at: arrivesAt + 61 * MINUTE, state: 'done' });
      expect(done.steps.at(-1)!.at! - halt!.at!).toBeGreaterThanOrEqual(2 * MINUTE);
      expect(await refunds(agrees)).toEqual([]);
    } finally {
      await stop();
    }
  });

  test('an answer is due as long as there is a station that it could be; without any the money goes back at once', async () => {
    const { server, db, traveling, at, refunds, until, stop } = await station();
    try {
      await server.switches({ offlineStores: ['10805'] });
      const [one, elsewhere] = [await traveling(PNR.long, 'NGP', '10802'), await traveling(PNR.long, 'NGP', '10802')];
      // This passenger boards after New Delhi.
      const { trainOrderId } = elsewhere.order.train!;
      const { stops } = await db
        .selectFrom('train_orders')
        .select('stops')
        .where('id', '=', trainOrderId)
        .executeTakeFirstOrThrow();
      const after = (JSON.parse(stops) as { code: string }[]).filter(({ code }) => code !== 'NDLS');
      await db
        .updateTable('train_orders')
        .set({ stops: JSON.stringify(after) })
        .where('id', '=', trainOrderId)
        .execute();
      await railway(server, { pnr: PNR.long, event: 'skip', stationId: 'NGP' });
      await server.advance(1_830);
      const asked = await at(one);
      expect(picks(asked)).toEqual(['NDLS', 'REFUND']);
      const [delhi] = asked.question!.choices;
      expect(delhi).toEqual({
        choice: 'STATION',
        label: railwayText.choiceStation({ station: 'New Delhi' }),
        detail: railwayText.choiceStationDetail({ time: momentText(delhi!.arrivesAt!, 'IN', delhi!.arrivesAt!) }),
        stationId: 'NDLS',
        arrivesAt: delhi!.arrivesAt,
      });
      expect(asked.question!.answerBy).toBe(delhi!.arrivesAt! - 45 * MINUTE);
      const gone = await at(elsewhere);
      expect([gone.state, texts(gone), await refunds(elsewhere)]).toEqual([
        'CANCELLED',
        [railwayText.newsRefunded({ why: 'SKIPPED', paid: 'yes' })],
        [elsewhere.order.bill.total],
      ]);
      await until(asked.question!.answerBy - MINUTE);
      expect(texts(await at(one))).toEqual([railwayText.newsAsked]);
      await until(asked.question!.answerBy + MINUTE);
      expect(texts(await at(one))).toEqual([
        railwayText.newsRefunded({ why: 'SILENT', paid: 'yes' }),
        railwayText.newsAsked,
      ]);
      // Now the train is past the hour for it.
      await railway(server, { pnr: PNR.long, event: 'restore' });
      const late = await traveling(PNR.long, 'NGP', '10802');
      await railway(server, { pnr: PNR.long, event: 'short', stationId: 'BPL' });
      await server.advance(1_830);
      expect(await at(late)).toMatchObject({ state: 'CANCELLED', question: null });
      expect(texts(await at(late))).toEqual([railwayText.newsRefunded({ why: 'SHORT', paid: 'yes' })]);
      expect(await refunds(late)).toEqual([late.order.bill.total]);
    } finally {
      await stop();
    }
  });

  test('a train that comes when the store is shut is not waited for: another station, or the money', async () => {
    const { server, traveling, at, answer, read, stop } = await station();
    try {
      const one = await traveling(PNR.long, 'NDLS', '10104');
      await railway(server, { pnr: PNR.long, event: 'delay', stationId: 'NDLS', minutes: 540 });
      await server.advance(700);
      const asked = await at(one);
      // Of the others one is shut then, too.
      expect(picks(asked)).toEqual(['BPL', 'NGP', 'MAS', 'REFUND']);
      expect(asked.question).toMatchObject({ kind: 'LATE', whyNot: [] });
      const refused = await answer(one, 'TIME');
      expect([refused.status, codeOf(refused), refused.body.errors![0]!.displayMsg]).toEqual([
        422,
        'TRAIN_CHOICE',
        railwayText.choiceGone,
      ]);
      await server.switches({ offlineStores: ['10801', '10802', '10503'] });
      await server.advance(1_830);
      const gone = await at(one);
      expect(gone).toMatchObject({ state: 'CANCELLED', question: null, mayChange: false });
      expect(texts(gone)).toEqual([railwayText.newsRefunded({ why: 'SHUT', paid: 'yes' }), railwayText.newsAsked]);
      expect((await read(one)).eta).toBeNull();
    } finally {
      await stop();
    }
  });

  test('a rider who comes after the train delivers nothing, and an order of unknown outcome waits six hours at most', async () => {
    const { server, db, traveling, at, read, answer, refunds, actorOf, until, sms, stop } = await station();
    try {
      const [missed, unknown, stuck] = [
        await traveling(PNR.long, 'NDLS', '10104'),
        await traveling(PNR.mumbai, 'MMCT', '10204'),
        await traveling(PNR.long, 'NDLS', '10104'),
      ];
      await until(missed.arrivesAt - 25 * MINUTE);
      const ofOrder = db.selectFrom('orders').select('life').where('id', '=', missed.order.orderId);
      const life = JSON.parse((await ofOrder.executeTakeFirstOrThrow()).life!) as {
        steps: { status: string; at: number }[];
      };
      for (const step of life.steps) if (step.status === 'PICKED UP') step.at += 3 * HOUR;
      await db
        .updateTable('orders')
        .set({ life: JSON.stringify(life) })
        .where('id', '=', missed.order.orderId)
        .execute();
      await until(missed.arrivesAt - 10 * MINUTE);
      // One that was there in time, as far as is known, is waited for an hour longer.
      await db
        .updateTable('orders')
        .set({ status: 'INPROCESS', stage: 'QC' })
        .where('id', '=', stuck.order.orderId)
        .execute();
      await until(missed.arrivesAt + 19 * MINUTE);
      expect((await read(missed)).orderStatus).toBe('INPROCESS');
      await until(missed.arrivesAt + 25 * MINUTE);
      const gone = await at(missed);
      expect([gone.state, texts(gone), await refunds(missed), await actorOf(missed, 'CANCELLED')]).toEqual([
        'CANCELLED',
        [railwayText.newsRefunded({ why: 'MISSED', paid: 'yes' })],
        [missed.order.bill.total],
        'store',
      ]);

      await until(stuck.arrivesAt + 20 * MINUTE + HOUR - MINUTE);
      expect((await read(stuck)).orderStatus).toBe('INPROCESS');
      await until(stuck.arrivesAt + 20 * MINUTE + HOUR + 11 * MINUTE);
      expect(texts(await at(stuck))).toEqual([railwayText.newsRefunded({ why: 'MISSED', paid: 'yes' })]);

      await railway(server, { pnr: PNR.mumbai, away: true });
      // Nobody was asked anything, so the railway is not asked either.
      const unasked = await answer(unknown, 'STATION', 'BRC');
      expect([unasked.status, codeOf(unasked)]).toEqual([409, 'TRAIN_NO_QUESTION']);
      await until(unknown.arrivesAt + 6 * HOUR - MINUTE);
      expect((await read(unknown)).orderStatus).toBe('PICKED UP');
      await until(unknown.arrivesAt + 6 * HOUR + 11 * MINUTE);
      expect(texts(await at(unknown))).toEqual([railwayText.newsRefunded({ why: 'UNKNOWN', paid: 'yes' })]);
      expect(await sms(unknown)).toEqual([railwayText.smsRefund({ app, paid: 'yes' })]);
      expect(await refunds(unknown)).toEqual([unknown.order.bill.total]);
    } finally {
      await stop();
    }
  });

  test('at another station it is made by the store there, at its pace and for its way, under the same number', async () => {
    const { server, db, traveling, at, read, answer, until, clock, stop } = await station();
    try {
      await server.switches({ kitchen: 'varied' });
      const one = await traveling(PNR.mumbai, 'NDLS', '10104');
      const starts = (storeId: string, code: string, arrivesAt: number) => {
        const store = readSeeds('IN').stores.find(({ id }) => id === storeId)!;
        const to = readTrainSeed('IN')!.stations.find((own) => own.code === code)!;
        const usual = usualOf(store, distanceKm(store, to), arrivesAt, 'Asia/Kolkata');
        const own = { ...usual, draw: () => 0 };
        const steps = lifeOf(serviceContent('IN').orderTimeline, 'IRCTC', arrivesAt, { delayMs: 0, own });
        return arrivesAt - 10 * MINUTE - leadMs(steps);
      };
      expect(kitchenAt(one.order.train!, 'ORDER PLACED')).toBe(starts('10104', 'NDLS', one.arrivesAt));
      await railway(server, { pnr: PNR.mumbai, event: 'skip', stationId: 'NDLS' });
      await railway(server, { pnr: PNR.mumbai, event: 'delay', stationId: 'BRC', minutes: 3 });
      await server.advance(1_830);
      const { body } = await answer(one, 'STATION', 'BRC');
      const moved = body.train;
      const { arrivesAt } = moved.station;
      expect(moved.station).toMatchObject({
        stationId: 'BRC',
        name: 'Vadodara Junction',
        city: 'Vadodara',
        scheduledAt: arrivesAt - 3 * MINUTE,
        departsAt: arrivesAt + 5 * MINUTE,
        haltMinutes: 5,
        delayMinutes: 3,
      });
      expect([moved.storeId, moved.orderUntil, moved.state, moved.question]).toEqual([
        '10803',
        arrivesAt - 45 * MINUTE,
        'ORDERED',
        null,
      ]);
      const time = momentText(arrivesAt, 'IN', await clock());
      expect(texts(moved)[0]).toBe(railwayText.newsMoved({ station: 'Vadodara Junction', time }));
      expect(kitchenAt(moved, 'ORDER PLACED')).toBe(starts('10803', 'BRC', arrivesAt));
      const order = await read(one);
      expect(order).toMatchObject({
        store: { id: '10803', name: 'Alkapuri, Vadodara' },
        orderNumber: one.order.orderNumber,
        scheduledFor: arrivesAt,
      });
      const kept = db.selectFrom('orders').select(['store_id', 'snapshot']).where('id', '=', order.orderId);
      const { store_id, snapshot } = await kept.executeTakeFirstOrThrow();
      expect(store_id).toBe('10803');
      expect(JSON.parse(snapshot)).toMatchObject({
        kitchen: { maxOrdersPer10Min: 12, prepMinutes: 11, minutesPerKm: 2.6 },
        train: { number: '12951', station: 'Vadodara Junction', latitude: 22.3107, longitude: 73.1812 },
      });
      const numbers = db.selectFrom('order_numbers').select('number').where('store_id', '=', '10803');
      expect(await numbers.execute()).toEqual([{ number: order.orderNumber }]);
      // What is agreed now is the time there.
      await railway(server, { pnr: PNR.mumbai, event: 'delay', stationId: 'BRC', minutes: 33 });
      await server.advance(1_830);
      expect(await at(one)).toMatchObject({ state: 'ORDERED', question: null, station: { delayMinutes: 33 } });
      await until(arrivesAt + 40 * MINUTE);
      expect((await read(one)).orderStatus).toBe('DELIVERED');
    } finally {
      await stop();
    }
  });

  test('a passenger gets no message on what they have chosen, each in their language, and no refund of cash is promised', async () => {
    const { server, db, traveling, at, answer, sms, refunds, actorOf, until, stop } = await station();
    try {
      const [hindi, chooses, silent, cancels] = [
        await traveling(PNR.mumbai, 'NDLS', '10104'),
        await traveling(PNR.mumbai, 'NDLS', '10104', 'COD'),
        await traveling(PNR.mumbai, 'NDLS', '10104', 'COD'),
        await traveling(PNR.mumbai, 'NDLS', '10104'),
      ];
      const change = { orderId: hindi.order.orderId, body: {} };
      await hindi.who.call(contract.change, change, { 'accept-language': 'hi-IN' });
      await railway(server, { pnr: PNR.mumbai, event: 'delay', stationId: 'NDLS', minutes: 150 });
      await server.advance(1_830);
      expect((await server.inbox(`+91${hindi.who.mobile}`))[0]).toMatch(/\p{Script=Devanagari}/u);
      const { trainOrderId, question } = await at(chooses);
      const asked = railwayText.smsAsk({
        app,
        paid: 'no',
        time: momentText(question!.answerBy, 'IN', question!.answerBy),
      });
      expect(await sms(chooses)).toEqual([asked]);
      const done = (await answer(chooses, 'REFUND')).body.train;
      expect(texts(done)[0]).toBe(railwayText.newsRefunded({ why: 'CHOSEN', paid: 'no' }));
      expect([await refunds(chooses), await actorOf(chooses, 'CANCELLED')]).toEqual([[], 'customer']);
      await enqueue(db, { kind: 'train.sms', runAt: 0, payload: { trainId: trainOrderId, about: 'ASK' } });
      await server.advance(1);
      expect(await sms(chooses)).toEqual([asked]);
      // Nor is one that was taken back meanwhile given back once more when the time is over.
      const { answerBy } = (await at(cancels)).question!;
      expect((await cancels.who.cancel(cancels.order.orderId)).body.order.orderStatus).toBe('CANCELLED');
      await until(answerBy + MINUTE);
      expect(texts(await at(cancels))).toEqual([railwayText.newsAsked]);
      expect([await refunds(cancels), (await sms(cancels)).length]).toEqual([[cancels.order.bill.total], 1]);
      // Who pays at the coach is promised no money.
      await server.advance(2 * 3_600);
      expect(texts(await at(silent))[0]).toBe(railwayText.newsRefunded({ why: 'SILENT', paid: 'no' }));
      expect([(await sms(silent))[0], await refunds(silent)]).toEqual([railwayText.smsRefund({ app, paid: 'no' }), []]);
    } finally {
      await stop();
    }
  });

  test('the rider hands over from ten minutes before the train, to who has the code, and says it again as often as needed', async () => {
    const { server, db, traveling, read, until, stop } = await station();
    try {
      const one = await traveling(PNR.long, 'NDLS', '10104');
      const { token } = (await server.call(development.rider, { orderId: one.order.orderId })).body;
      const hand = (code: string, key = token) => server.call(contract.handOver, { body: { token: key, code } });
      const code = one.order.handOverCode!;
      await until(one.arrivesAt - 12 * MINUTE);
      expect((await read(one)).orderStatus).toBe('PICKED UP');
      // Whoever has the link of it sees that it goes to a train, and nobody where its rider is.
      const { body: shared } = await one.who.call(tracking.share, { orderHistoryId: one.order.orderId });
      expect((await server.call(tracking.shared, { token: shared.token })).body.order).toMatchObject({
        orderType: 'DELIVERY',
        serviceLabel: 'IRCTC',
        orderStatus: 'PICKED UP',
        text: words.status({ news: 'TO_TRAIN' }),
        eta: { from: one.arrivesAt, to: one.arrivesAt + 20 * MINUTE, rate: 1, reason: '' },
        progress: null,
        isOver: false,
      });
      expect((await one.who.call(tracking.onMap, { orderId: one.order.orderId })).body).toMatchObject({
        customer: null,
        route: [],
        rider: null,
      });
      const early = await hand(code);
      expect([early.status, codeOf(early), early.body.errors![0]!.displayMsg]).toEqual([
        409,
        'TRAIN_NOT_HERE',
        railwayText.trainNotHere,
      ]);
      await until(one.arrivesAt - 9 * MINUTE);
      const wrong = await hand('ZZZZZZ');
      expect([wrong.status, codeOf(wrong), wrong.body.errors![0]]).toMatchObject([
        422,
        'CODE_WRONG',
        { displayMsg: railwayText.codeWrong, field: 'code' },
      ]);
      expect(codeOf(await hand(code.slice(1)))).toBe('CODE_WRONG');
      // Of another train, and of none.
      const last = token.endsWith('A') ? 'B' : 'A';
      for (const key of [token.slice(0, -1) + last, `trn_none.${token.split('.')[1]!}`])
        expect(codeOf(await hand(code, key)), key).toBe('NOT_FOUND');
      const typed = `${code.slice(0, 3)}-${code.slice(3)}`.toLowerCase();
      for (let again = 0; again < 6; again += 1)
        expect((await hand(typed)).body, String(again)).toMatchObject({ orderNumber: one.order.orderNumber });
      expect((await read(one)).orderStatus).toBe('DELIVERED');
      const { halted_at: at } = await db.selectFrom('train_orders').select('halted_at').executeTakeFirstOrThrow();
      expect(at).toBeLessThan(one.arrivesAt);
    } finally {
      await stop();
    }
  });

  test('an order of the last minutes is begun at once and is made faster, so that it is there with the train', async () => {
    const { server, until, stop } = await station();
    try {
      const who = await traveller(server, '10805');
      const train = await saved(server, who, PNR.long, 'BZA');
      const { arrivesAt } = train.station;
      await who.fill(2);
      await until(train.orderUntil - MINUTE);
      const { body } = await who.submit({ body: { train: train.trainOrderId } });
      expect(body.order).toMatchObject({ orderStatus: 'PENDING', eta: null, train: { state: 'UNPAID', news: [] } });
      for (const name of ['noPromise', 'handOverCode']) expect(body.order).not.toHaveProperty(name);
      // Before it is paid nobody knows when the kitchen begins.
      expect(new Set(body.order.train!.timeline.map(({ kind }) => kind))).toEqual(new Set(['TRAIN']));
      await pay(server, body.next);
      const { order } = await who.confirm(body.order);
      expect(order).toMatchObject({
        orderStatus: 'ORDER PLACED',
        scheduledFor: arrivesAt,
        promise: null,
        way: null,
        train: { state: 'ORDERED' },
      });
      expect(order).not.toHaveProperty('noPromise');
      const steps = order.train!.timeline.filter(({ kind, state }) => kind === 'KITCHEN' && state !== 'next');
      expect(steps.map(({ id, state, at }) => [id, state, at])).toEqual([
        ['ORDER PLACED', 'current', order.steps[0]!.at],
      ]);
      expect(kitchenAt(order.train!, 'PICKED UP')).toBe(arrivesAt - 5 * MINUTE);
      await until(arrivesAt + 5 * MINUTE);
      expect((await who.read(order.orderId)).orderStatus).toBe('DELIVERED');
    } finally {
      await stop();
    }
  });

  test('the seat that a passenger has given stays, whatever the chart says', async () => {
    const { server, stop } = await station();
    try {
      const who = await traveller(server, '10802');
      const train = await saved(server, who, PNR.waiting, 'NGP', { coach: 'b1', berth: ' 2 ' });
      await who.fill(2);
      const { orderId } = await ordered(server, who, train);
      await server.advance(5_400);
      expect(await trainOf(who, orderId)).toMatchObject({ coach: 'B1', berth: '2', news: [] });
    } finally {
      await stop();
    }
  });

  test('each halt says whether food can come to it, until when, and why not; each ticket what is to be known [TRN-02] [TRN-X01]', async () => {
    const { server, until, clock, stop } = await station();
    try {
      const who = await traveller(server, '10802');
      const ask = async (pnr: string) => (await who.call(contract.pnr, { pnr })).body.journey;
      const began = await clock();
      const long = await ask(PNR.long);
      const at = (journey: typeof long, code: string) => journey.stations.find(({ stationId }) => stationId === code)!;
      const [delhi, agra, nagpur] = ['NDLS', 'AGC', 'NGP'].map((code) => at(long, code)) as [
        (typeof long.stations)[number],
        (typeof long.stations)[number],
        (typeof long.stations)[number],
      ];
      expect(long.stations.map(({ stationId, state }) => `${stationId} ${state}`)).toEqual([
        'NDLS OPEN',
        'AGC NOT_SERVED',
        'GWL NOT_SERVED',
        'VGLJ NOT_SERVED',
        'BPL STORE_SHUT',
        'NGP OPEN',
        'BZA OPEN',
        'MAS STORE_SHUT',
      ]);
      // Outlets set their own.
      expect(at(long, 'BZA').arrivesAt - at(long, 'BZA').orderUntil!).toBe(15 * MINUTE);
      const { latitude, longitude } = readTrainSeed('IN')!.stations.find(({ code }) => code === 'NGP')!;
      expect(nagpur).toEqual({
        stationId: 'NGP',
        name: 'Nagpur Junction',
        city: 'Nagpur',
        latitude,
        longitude,
        scheduledAt: nagpur.arrivesAt,
        arrivesAt: delhi.arrivesAt + 20 * MINUTE + 16 * HOUR,
        departsAt: nagpur.arrivesAt + 10 * MINUTE,
        haltMinutes: 10,
        delayMinutes: 0,
        // It is said twelve hours before.
        platform: null,
        isBoarding: false,
        isDestination: false,
        state: 'OPEN',
        reason: null,
        storeId: '10802',
        storeName: 'Sitabuldi, Nagpur',
        opensAt: nagpur.arrivesAt - 96 * HOUR,
        orderUntil: nagpur.arrivesAt - 45 * MINUTE,
        payUntil: nagpur.arrivesAt - 40 * MINUTE,
      });
      expect(agra).toMatchObject({
        city: 'Agra',
        state: 'NOT_SERVED',
        reason: railwayText.stopNotServed,
        storeId: null,
        storeName: null,
        opensAt: null,
        orderUntil: null,
        payUntil: null,
      });
      expect(at(long, 'BPL')).toMatchObject({ state: 'STORE_SHUT', reason: railwayText.stopStoreShut });
      expect(long).toMatchObject({
        from: { stationId: 'NDLS', name: 'New Delhi' },
        to: { stationId: 'MAS', name: 'MGR Chennai Central' },
        ticket: 'CONFIRMED',
        isCharted: true,
        notice: null,
      });
      expect(Math.abs(long.departsAt - began - 2 * HOUR)).toBeLessThan(MINUTE);
      expect(await ask(PNR.waiting)).toMatchObject({
        ticket: 'WAITING',
        isCharted: false,
        notice: railwayText.ticketWaiting,
      });
      expect(await ask(PNR.rac)).toMatchObject({ ticket: 'RAC', notice: railwayText.ticketShared });
      const far = await ask(PNR.far);
      expect(far).toMatchObject({ ticket: 'CONFIRMED', isCharted: false, notice: railwayText.ticketNotCharted });
      await railway(server, { pnr: PNR.far, event: 'delay', stationId: 'MMCT', minutes: 600 });
      expect(at(await ask(PNR.far), 'MMCT')).toMatchObject({
        state: 'TOO_EARLY',
        reason: railwayText.stopTooEarly({ hours: 96 }),
        isBoarding: true,
      });
      await until(delhi.arrivesAt - 44 * MINUTE);
      expect(at(await ask(PNR.long), 'NDLS')).toMatchObject({
        state: 'CLOSED',
        reason: railwayText.stopClosed({ minutes: 45 }),
      });
      await railway(server, { pnr: PNR.long, event: 'skip', stationId: 'NGP' });
      await until(delhi.arrivesAt + MINUTE);
      const later = await ask(PNR.long);
      expect(at(later, 'NDLS')).toMatchObject({ state: 'PASSED', reason: railwayText.stopPassed });
      expect(at(later, 'NGP')).toMatchObject({ state: 'SKIPPED', reason: railwayText.stopSkipped });
      // A ticket that waited has a seat with the chart.
      expect(await ask(PNR.waiting)).toMatchObject({ ticket: 'CONFIRMED', isCharted: true, notice: null, coach: 'S2' });
    } finally {
      await stop();
    }
  });

  test('the kitchen does not begin for a halt that the train will not make, while it is asked what to do', async () => {
    const { server, traveling, at, read, answer, until, stop } = await station();
    try {
      const one = await traveling(PNR.long, 'NGP', '10802');
      await until(one.arrivesAt - 50 * MINUTE);
      await railway(server, { pnr: PNR.long, event: 'skip', stationId: 'NGP' });
      await server.advance(330);
      expect(picks(await at(one))).toEqual(['BZA', 'REFUND']);
      await until(one.arrivesAt - 15 * MINUTE);
      expect(await read(one)).toMatchObject({ orderStatus: 'ADVANCE ORDER', train: { state: 'ASKING' } });
      const moved = (await answer(one, 'STATION', 'BZA')).body.train;
      expect(kitchenAt(moved, 'ORDER PLACED')).toBe(moved.station.arrivesAt - 10 * MINUTE - LEAD);
      await until(moved.station.arrivesAt + 5 * MINUTE);
      expect(await read(one)).toMatchObject({ orderStatus: 'DELIVERED', store: { id: '10805' } });
    } finally {
      await stop();
    }
  });
});
