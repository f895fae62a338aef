import { afterAll, beforeAll, expect, test } from 'vitest';
import * as errors from '#text/errors.ts';
import * as coupons from '../../src/contract/coupons.ts';
import * as login from '../../src/contract/login.ts';
import * as orders from '../../src/contract/orders.ts';
import * as profile from '../../src/contract/profile.ts';
import * as stores from '../../src/contract/stores.ts';
import * as trains from '../../src/contract/trains.ts';
import { readInput } from '../../src/server/http/input.ts';
import { allEndpoints, jsonSchemaOf } from '../kit/contract.ts';
import { exampleOf, withText, type Place } from '../kit/examples.ts';
import { codeFor, freshMobile, guest, logIn, type Person } from './people.ts';
import { CURB, DINEIN, openedShop, type Shop } from './shop.ts';
import { PNR } from './trainShop.ts';

let shop: Shop;
let who: Person;
beforeAll(async () => {
  shop = await openedShop();
  who = await logIn(shop.server);
});
afterAll(() => shop.stop());

const bengali = (text: string) => text.replace(/\d/g, (digit) => String.fromCodePoint(0x9e6 + Number(digit)));
const wide = (text: string) => text.replace(/[!-~]/g, (sign) => String.fromCodePoint(sign.codePointAt(0)! + 0xfee0));
const WAYS: readonly ((text: string) => string)[] = [
  (text) => `\u202a${text}\u202c`,
  (text) => [...text].join('\u200b'),
  (text) => `\u00a0${text} `,
  bengali,
  wide,
];

test.each([...WAYS.map((way) => way('FLAT100')), 'flat 100', '"FLAT100"', '‘flat100’.', 'FLAT1\u00ad00'])(
  'a coupon that is typed %j is known',
  async (code) => {
    const { server } = shop;
    const { body } = await server.call(coupons.apply, { cartId: who.cartId, code, query: {} }, who.as);
    expect(JSON.stringify(body)).toContain('FLAT100');
  },
);

test.each([
  ...WAYS.map((way) => way(PNR.long)),
  `PNR:${PNR.long}`,
  `PNR:${PNR.long},TRN:12622,DOJ:28-11-26,SL,NDLS-MAS,DP:22:30,Boarding at NDLS only,ASHA RAO,S4 21,Fare:855`,
])('a PNR that is typed %j tells its journey', async (pnr) => {
  const traveller = await guest(shop.server);
  const { status, body } = await shop.server.call(trains.pnr, { pnr }, traveller.as);
  expect([status, body.journey.pnrEnd]).toEqual([200, PNR.long.slice(-4)]);
});

test.each([
  ['in-web', (number: string) => `0091 ${number.slice(0, 5)} ${number.slice(5)}`],
  ['in-web', (number: string) => `\u202a+91 ${number}\u202c`],
  ['in-web', (number: string) => wide(`+91-${number}`)],
  ['in-web', (number: string) => bengali(`91${number}`)],
  ['bg-web', (number: string) => `00880${number}`],
  ['bg-web', (number: string) => bengali(`0${number}`)],
  ['lk-web', (number: string) => `0094${number}`],
])('a mobile number of %s is sent its code however it is typed (%#)', async (apiKey, way) => {
  const { server } = shop;
  const mobile = freshMobile(apiKey);
  const stranger = await guest(server, apiKey);
  expect((await server.call(login.sendOtp, { body: { mobile: way(mobile) } }, stranger.as)).status).toBe(200);
  expect(await codeFor(server, mobile, apiKey)).toMatch(/^\d{6}$/);
});

test('what a link holds is read without the blanks around it', async () => {
  const { server } = shop;
  const linked = async (table: string) =>
    (
      await server.call(
        stores.byId,
        { storeId: ` ${DINEIN.storeId}\u00a0`, query: { table, locality: ' false ' } },
        who.as,
      )
    ).body;
  for (const table of ['7 ', ' 7', '\u00a07\u200b', '৭ '])
    expect((await linked(table)).tableMessage, JSON.stringify(table)).toBeUndefined();
  expect((await linked('7 ')).localities).toBeUndefined();
  expect((await linked('700 ')).tableMessage).toBeTypeOf('string');
});

test('a name and an email are kept as they are seen, and a name that nobody sees is refused', async () => {
  const { server } = shop;
  const me = await logIn(server);
  for (const firstName of ['\u200b', '\u2800', '\u3164', '\u200d', '\u00a0\ufeff', '\u202e\u202c']) {
    const { status, body } = await server.call(
      profile.update,
      { body: { firstName, lastName: 'Rao', email: 'asha@example.in' } },
      me.as,
    );
    expect([JSON.stringify(firstName), status]).toEqual([JSON.stringify(firstName), 422]);
    expect(JSON.stringify(body)).toContain(errors.firstNameMissing);
  }
  const typed = { firstName: 'A\u200bsha\u00ad', lastName: '\u202aＲａｏ', email: 'asha@exa\u200bmple.in\u2060' };
  expect((await server.call(profile.update, { body: typed }, me.as)).status).toBe(200);
  const { body } = await server.call(profile.own, {}, me.as);
  expect(body.attributes).toMatchObject({ firstName: 'Asha', lastName: 'Rao', email: 'asha@example.in' });
});

test('numbers of cars, tables and seats may be typed in any script', async () => {
  const read = async (endpoint: Parameters<typeof readInput>[0], body: object) =>
    (
      await readInput(
        endpoint,
        {},
        {},
        new Request('http://localhost/', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      )
    ).input['body'];
  const wish = {
    cartId: 'c1',
    cartVersion: 1,
    total: 100,
    customer: { firstName: 'Asha', lastName: '', mobile: '1' },
    paymentMode: 'COD',
    termsAccepted: true,
  };
  const car = (lastFourDigits: string) => ({ ...CURB, vehicle: { ...CURB.vehicle, lastFourDigits } });
  for (const way of [
    ...WAYS,
    (text: string) => text.replace(/\d/g, (one) => String.fromCodePoint(0x966 + Number(one))),
  ])
    expect(await read(orders.submit, { ...wish, ...car(way('4821')) })).toMatchObject(car('4821'));
  expect(await read(orders.submit, { ...wish, ...CURB, vehicle: null, table: '১২' })).toMatchObject({ table: '12' });
  expect(await read(trains.change, { coach: '\u200bＳ४', berth: '२१–B' })).toMatchObject({
    coach: 'S4',
    berth: '21-B',
  });
});

/** What nobody sees between and around letters: of a paste, a right-to-left page, a word processor, an emoji keyboard. */
const UNSEEN: readonly ((text: string) => string)[] = [
  (text) => `\u202a\ufeff${text}\u202c`,
  (text) => [...text].join('\u200b'),
  (text) => [...text].join('\u00ad'),
  (text) => `\u2060${text}\u2066\u2069`,
  (text) => (/^[ -~]+$/.test(text) ? [...text].join('\u200d') + '\ufe0f' : text),
];
const textAt = (value: unknown, place: Place['path']) =>
  place.reduce((held, step) => (held as Record<string | number, unknown> | undefined)?.[step], value);

test('each text of each call of the contract is read without what nobody sees in it', async () => {
  const wrong: unknown[] = [];
  let read = 0;
  for (const [name, endpoint] of await allEndpoints()) {
    if (!endpoint.body) continue;
    const places: Place[] = [];
    const body = exampleOf(jsonSchemaOf(endpoint.body), {}, places);
    const inputOf = async (value: unknown) => {
      const request = new Request('http://localhost/', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(value),
      });
      return await readInput(endpoint, {}, {}, request).then(
        ({ input }) => input['body'],
        (thrown: Error) => thrown.message,
      );
    };
    for (const { path } of places) {
      const own = textAt(body, path);
      // What has its own form, such as an id, is refused or taken as well as it is without it.
      const text = typeof own === 'string' && /^[ -~]*[!-~][ -~]*$/.test(own) ? own : 'Asha Rao 12';
      const plain = await inputOf(withText(body, path, text));
      for (const [at, way] of UNSEEN.entries())
        if (JSON.stringify(await inputOf(withText(body, path, way(text)))) !== JSON.stringify(plain))
          wrong.push([name, path.join('.'), at]);
      read += 1;
    }
  }
  expect(read).toBeGreaterThan(100);
  expect(wrong).toEqual([]);
});
