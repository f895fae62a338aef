import { describe, expect, test } from 'vitest';
import * as railwayText from '#text/railway.ts';
import * as contract from '../../src/contract/trains.ts';
import { engines } from '../kit/server.ts';
import { codeOf, freshMobile, logIn } from './people.ts';
import { Customer } from './shop.ts';
import { shopHere } from './shopHere.ts';
import { ordered, PNR, railway, saved, trainOf, traveller } from './trainShop.ts';

const MINUTE_MS = 60_000;

describe.each(await engines())('a journey that is saved, on %s', (engine) => {
  const { server } = shopHere({ engine }, 1200);

  const save = (who: Customer, pnr: string, stationId: string, mobile?: string) =>
    who.call(contract.save, {
      body: { cartId: who.cartId, pnr, stationId, ...(mobile === undefined ? {} : { mobile }) },
    });
  /** What is wrong with an order to this train now. */
  const problems = async (who: Customer, train: string, body: object = {}) =>
    (await who.submit({ body: { train, ...body } })).body.errors?.map(({ code, field }) => [code, field]);

  test('a station that no food can come to is refused in its own words, at the station', async () => {
    const who = await traveller(server, '10802');
    const refused = async (pnr: string, stationId: string) => {
      const { status, body } = await save(who, pnr, stationId);
      const [error] = body.errors ?? [];
      return [status, error?.code, error?.displayMsg, error?.field];
    };
    const station = (code: string, says: string) => [422, code, says, 'stationId'];
    expect(await refused(PNR.long, 'AGC')).toEqual(station('TRAIN_STATION', railwayText.stopNotServed));
    // Ours, but not on this train.
    expect(await refused(PNR.long, 'BRC')).toEqual(station('TRAIN_STATION', railwayText.stopNotServed));
    expect(await refused(PNR.long, 'BPL')).toEqual(station('STORE_SHUT', railwayText.stopStoreShut));
    await railway(server, { pnr: PNR.far, event: 'delay', stationId: 'MMCT', minutes: 600 });
    await railway(server, { pnr: PNR.long, event: 'skip', stationId: 'NGP' });
    try {
      expect(await refused(PNR.far, 'MMCT')).toEqual(station('TRAIN_EARLY', railwayText.early({ hours: 96 })));
      expect(await refused(PNR.long, 'NGP')).toEqual(station('TRAIN_STATION', railwayText.stationGone));
      const stateAt = async (pnr: string, code: string) =>
        (await who.call(contract.pnr, { pnr })).body.journey.stations.find(({ stationId }) => stationId === code);
      expect(await stateAt(PNR.far, 'MMCT')).toMatchObject({
        state: 'TOO_EARLY',
        delayMinutes: 600,
        isBoarding: true,
        isDestination: false,
      });
      expect(await stateAt(PNR.long, 'NGP')).toMatchObject({
        state: 'SKIPPED',
        isBoarding: false,
        isDestination: false,
      });
      expect(await stateAt(PNR.long, 'MAS')).toMatchObject({ isBoarding: false, isDestination: true });
    } finally {
      for (const pnr of [PNR.far, PNR.long]) await railway(server, { pnr, event: 'restore' });
    }
  });

  test('the number of a journey need not be shown again for another one of the same cart, another number must [API-70]', async () => {
    const who = await traveller(server, '10802');
    await saved(server, who, PNR.long, 'NGP');
    const again = (await save(who, PNR.long, 'BZA', who.mobile)).body;
    expect([again.otp, again.train.isPhoneChecked]).toEqual([null, true]);
    expect((await who.call(contract.list, {})).body.trains.map(({ station }) => station.stationId)).toEqual(['BZA']);
    const other = (await save(who, PNR.long, 'NGP', freshMobile())).body;
    expect([other.otp?.digits, other.train.isPhoneChecked]).toEqual([6, false]);
    expect((await who.call(contract.remove, { orderId: other.train.trainOrderId })).status).toBe(200);
    expect((await who.call(contract.list, {})).body.trains).toEqual([]);
  });

  test('the number that somebody is logged in with needs no code, wherever it is said; one that was not said is sent none', async () => {
    const mobile = freshMobile();
    const { where, productId } = await traveller(server, '10802');
    const who = new Customer(server, await logIn(server, mobile), where, productId, mobile);
    const own = (await save(who, PNR.long, 'NGP', mobile)).body;
    expect([own.otp, own.train.isPhoneChecked]).toEqual([null, true]);
    const none = (await save(who, PNR.long, 'NGP')).body;
    expect([none.otp, none.train.mobile, none.train.isPhoneChecked]).toEqual([null, '', false]);
    const { trainOrderId } = none.train;
    const unsaid = await who.call(contract.sendOtp, { body: { trainOrderId } });
    expect([unsaid.status, codeOf(unsaid)]).toEqual([422, 'INVALID_MOBILE']);
    const later = (await who.call(contract.change, { orderId: trainOrderId, body: { mobile } })).body;
    expect([later.otp, later.train.mobile, later.train.isPhoneChecked]).toEqual([null, mobile, true]);
  });

  test('it goes with a guest into the account, with the number that was shown, and is ordered from there', async () => {
    const who = await traveller(server, '10104');
    const train = await saved(server, who, PNR.mumbai, 'NDLS');
    await who.fill(2);
    const account = await logIn(server, freshMobile(), 'in-web', who.person);
    const member = new Customer(server, account, who.where, who.productId, who.mobile);
    expect((await member.call(contract.list, {})).body.trains).toMatchObject([
      { trainOrderId: train.trainOrderId, state: 'SAVED', isPhoneChecked: true },
    ]);
    expect((await ordered(server, member, train)).train).toMatchObject({ state: 'ORDERED' });
  });

  test('nothing is ordered to a train that no longer comes, and again once it does', async () => {
    const who = await traveller(server, '10104');
    const { trainOrderId } = await saved(server, who, PNR.mumbai, 'NDLS');
    await who.fill(2);
    try {
      for (const event of ['skip', 'cancel'] as const) {
        await railway(server, { pnr: PNR.mumbai, event, stationId: 'NDLS' });
        expect(await problems(who, trainOrderId), event).toEqual([['TRAIN_GONE', 'train']]);
        const asked = await who.call(contract.pnr, { pnr: PNR.mumbai });
        if (event === 'cancel')
          expect([asked.status, asked.body.errors?.[0]]).toMatchObject([
            422,
            { code: 'TRAIN_CANCELLED', field: 'pnr' },
          ]);
        await railway(server, { pnr: PNR.mumbai, event: 'restore' });
      }
    } finally {
      await railway(server, { pnr: PNR.mumbai, event: 'restore' });
    }
    await server.switches({ offlineStores: ['10104'] });
    try {
      expect(await problems(who, trainOrderId)).toContainEqual(['STORE_SHUT', 'train']);
    } finally {
      await server.switches({ offlineStores: [] });
    }
    // The rider calls the number that was shown, so the order has no other.
    const mobile = freshMobile();
    expect(await problems(who, trainOrderId, { customer: { firstName: 'Asha', lastName: 'Rao', mobile } })).toEqual([
      ['TRAIN_OTP', 'customer.mobile'],
    ]);
    expect(await problems(who, trainOrderId)).toBeUndefined();
    // One journey is one order.
    await who.fill(2);
    expect(await problems(who, trainOrderId)).toEqual([['TRAIN_SAVED', 'train']]);
  });

  test('a passenger who ordered to a train that was known to be late is not asked about it', async () => {
    const who = await traveller(server, '10104');
    const train = await saved(server, who, PNR.mumbai, 'NDLS');
    await who.fill(2);
    await railway(server, { pnr: PNR.mumbai, event: 'delay', stationId: 'NDLS', minutes: 150 });
    try {
      const { orderId } = await ordered(server, who, train);
      await server.advance(1800);
      expect(await trainOf(who, orderId)).toMatchObject({
        state: 'ORDERED',
        question: null,
        news: [],
        station: { arrivesAt: train.station.arrivesAt + 150 * MINUTE_MS, delayMinutes: 150 },
      });
    } finally {
      await railway(server, { pnr: PNR.mumbai, event: 'restore' });
    }
  });

  test('once it is ordered a seat that is said again is no news, and the number stays the one that the rider has', async () => {
    const who = await traveller(server, '10104');
    const train = await saved(server, who, PNR.mumbai, 'NDLS');
    await who.fill(2);
    const { orderId } = await ordered(server, who, train);
    const change = async (body: object) => {
      const reply = await who.call(contract.change, { orderId, body });
      expect(reply.status, JSON.stringify(reply.body)).toBe(200);
      return reply.body;
    };
    expect((await change({ coach: 'a1', berth: '7', passenger: null })).train.news).toEqual([]);
    expect((await change({ berth: '8' })).train.news).toMatchObject([
      { text: railwayText.newsSeat({ coach: 'A1', berth: '8' }) },
    ]);
    const { otp, train: after } = await change({ mobile: freshMobile() });
    expect([otp, after.mobile, after.isPhoneChecked]).toEqual([null, who.mobile, true]);
  });

  // The last one: who was away is asked again after a while of this machine's own clock.
  test('where the railway has not answered for half an hour nothing is ordered, and an older answer does until then', async () => {
    const who = await traveller(server, '10104');
    const { trainOrderId } = await saved(server, who, PNR.mumbai, 'NDLS');
    await who.fill(2);
    await railway(server, { pnr: PNR.mumbai, away: true });
    try {
      await server.advance(29 * 60);
      const soon = await who.validate({ paymentMode: 'UPI', train: trainOrderId });
      expect(codeOf(soon), JSON.stringify(soon.body)).toBe('');
      await server.advance(2 * 60);
      expect(await problems(who, trainOrderId)).toEqual([['RAILWAY_AWAY', 'train']]);
    } finally {
      await railway(server, { pnr: PNR.mumbai, away: false });
    }
  });
});
