import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as activity from '../../src/contract/activity.ts';
import * as addresses from '../../src/contract/addresses.ts';
import { BOT_TOKEN_HEADER } from '../../src/contract/challenge.ts';
import * as config from '../../src/contract/config.ts';
import * as fingerprint from '../../src/contract/fingerprint.ts';
import * as session from '../../src/contract/session.ts';
import { deviceHash } from '../../src/domain/fingerprint.ts';
import { sweep } from '../../src/server/store/sweep.ts';
import { openDb, type Root } from '../../src/server/store/db.ts';
import { engines, startServer, type TestServer } from '../kit/server.ts';
import { guest, logIn, type Person } from './people.ts';

const DAY_MS = 86_400_000;
const DATA: fingerprint.Fingerprint = {
  ua: 'Browser',
  av: '5.0',
  ww: 390,
  wh: 780,
  pl: 0,
  mt: 0,
  ln: 'en-IN,hi',
  tz: 'Asia/Kolkata',
  tp: 5,
  st: '10101',
  ls: 'DELIVERY',
  uid: 'me',
};

describe.each(await engines())('what is kept of a visit, on %s', (engine) => {
  let server: TestServer;
  let db: Root;
  /** What a session did, as the database has it. */
  const activityOf = (userId: string) =>
    db.selectFrom('activity').selectAll().where('user_id', '=', userId).orderBy('at').execute();
  beforeAll(async () => {
    server = await startServer({ engine, settings: { environment: { ANALYTICS: 'on' } } });
    ({ db } = await openDb(server.database.target));
  });
  afterAll(async () => {
    await db.destroy();
    await server.stop();
  });

  test('page views and events are kept with their session, and gone after 90 days [API-76]', async () => {
    const who = await guest(server);
    const view = {
      userAgent: 'Browser',
      platform: 'PWA' as const,
      userId: who.userId,
      timestamp: 1,
      pageName: 'cart',
      referrer: '',
      action: 'view',
      actionType: 'page',
      properties: { path: '/cart' },
    };
    expect((await server.call(activity.savePageView, { body: { data: view } }, who.as)).body.status).toBe('SUCCESS');
    const events = [{ name: 'page_view', at: 1, properties: { currency: 'INR', orderCurrency: 'INR' } }];
    expect(
      (await server.call(activity.collect, { body: { clientId: 'c', user: { userType: 'guest' }, events } }, who.as))
        .body.status,
    ).toBe('SUCCESS');
    const rows = await activityOf(who.userId);
    expect(rows.map(({ kind, name, country }) => `${kind} ${name} ${country}`).sort()).toEqual([
      'event page_view IN',
      'page cart IN',
    ]);
    expect(JSON.parse(rows.find(({ kind }) => kind === 'page')!.data)).toEqual(view);
    const at = rows[0]!.at;
    await sweep(db, at + 89 * DAY_MS);
    expect(await activityOf(who.userId)).toHaveLength(2);
    await sweep(db, at + 91 * DAY_MS);
    expect(await activityOf(who.userId)).toEqual([]);
  });

  test('nobody fills the table with one call', async () => {
    const who = await guest(server);
    const properties = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`p${n}`, 'x'.repeat(400)]));
    const event = { name: 'page_view', at: 1, properties: {} };
    const collect = (events: object[]) =>
      server.call(activity.collect, { body: { clientId: 'c', user: {}, events: events as [] } }, who.as);
    expect((await collect([event, { ...event, properties }])).status).toBe(413);
    expect((await collect(Array.from({ length: 31 }, () => event))).status).toBe(400);
    expect(await activityOf(who.userId)).toEqual([]);
    expect((await collect(Array.from({ length: 30 }, () => event))).status).toBe(200);
  });

  const AGENT = 'Browser';
  /** A client that sends this, as the browser that it says it is. */
  const tell = (who: Person, data: fingerprint.Fingerprint, token = '', agent = AGENT) =>
    server.call(
      fingerprint.send,
      { body: data },
      {
        ...who.as,
        headers: { 'user-agent': agent, ...(token ? { [BOT_TOKEN_HEADER]: token } : {}) },
      },
    );
  const devicesOf = (userId: string) =>
    db.selectFrom('fingerprints').selectAll().where('user_id', '=', userId).orderBy('at').execute();

  test('a device fingerprint gets the same id for the same device and customer until it is forgotten [AUTH-35] [EXP-25] [API-14]', async () => {
    const who = await guest(server);
    const first = (await tell(who, DATA)).body.map;
    expect((await tell(who, { ...DATA })).body.map).toEqual(first);
    expect(await devicesOf(who.userId)).toMatchObject([{ id: first.id, signs: '' }]);
    expect(JSON.parse((await devicesOf(who.userId))[0]!.data)).toEqual(DATA);

    const [other, turned] = [await guest(server), { ...DATA, ww: 780, wh: 390 }];
    expect((await tell(other, DATA)).body.map.id).not.toBe(first.id);
    const hash = await deviceHash(DATA, first.value);
    const forged = [`${first.id}:${hash.replace(/./, (sign) => (sign === '0' ? '1' : '0'))}`, first.id, '%:%'];
    for (const token of [...forged, `fpr_other:${hash}`]) await tell(other, turned, token);
    expect(await devicesOf(who.userId)).toHaveLength(1);
    const second = (await tell(who, turned, `${first.id}:${hash}`)).body.map;
    expect((await devicesOf(who.userId)).map(({ id }) => id)).toEqual([second.id]);

    await server.call(fingerprint.forget, {}, who.as);
    expect(await devicesOf(who.userId)).toEqual([]);
    expect(await devicesOf(other.userId)).toHaveLength(2);
  });

  test('a logout forgets the device that logs out, and a device that nobody sees is forgotten after 90 days', async () => {
    const who = await logIn(server);
    const [here, there] = [DATA, { ...DATA, ww: 1280 }];
    const { id, value } = (await tell(who, here)).body.map;
    await tell(who, there);
    const [{ at } = { at: 0 }] = await devicesOf(who.userId);
    const token = `${id}:${await deviceHash(here, value)}`;
    await server.call(session.logout, {}, { ...who.as, headers: { [BOT_TOKEN_HEADER]: token } });
    expect((await devicesOf(who.userId)).map(({ data }) => JSON.parse(data) as object)).toEqual([there]);
    await sweep(db, at + 89 * DAY_MS);
    expect(await devicesOf(who.userId)).toHaveLength(1);
    await sweep(db, at + 91 * DAY_MS);
    expect(await devicesOf(who.userId)).toEqual([]);
  });

  test('nobody fills the table: a person has ten devices, a body is small, and nothing but the short keys is kept', async () => {
    const who = await guest(server);
    const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => tell(who, { ...DATA, ww: 300 + n })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await tell(who, DATA);
    expect(await devicesOf(who.userId)).toHaveLength(10);
    const more = { ...DATA, token: 'secret', mobile: '9876501234' };
    await tell(who, more);
    expect(JSON.stringify(await devicesOf(who.userId))).not.toMatch(/secret|9876501234/);
    const sizes = {
      ua: 'x'.repeat(351),
      bs: Array.from({ length: 500 }, () => 'touch' as const),
      ln: 'x'.repeat(2_000_000),
    };
    for (const [key, value] of Object.entries(sizes))
      expect([400, 413], key).toContain((await tell(who, { ...DATA, [key]: value })).status);
    expect((await tell(who, { ...DATA, bs: ['made up' as never] })).status).toBe(400);
  });

  test('inside a payment app no device is recognised', async () => {
    const inside = await guest(server, 'in-gpay');
    expect((await tell(inside, DATA)).status).toBe(403);
    expect(await devicesOf(inside.userId)).toEqual([]);
  });

  test('signing out other devices ends them and not this one [AUTH-X03]', async () => {
    const here = await logIn(server);
    const mobile = here.reply.attributes.mobile!;
    await server.advance(40);
    const there = await logIn(server, mobile);
    expect(there.userId).toBe(here.userId);
    const answer = await server.call(session.logoutOthers, {}, here.as);
    expect(answer.body).toMatchObject({ status: 'SUCCESS', ended: 1 });
    expect((await server.call(addresses.list, { userId: there.userId }, there.as)).status).toBe(401);
    expect((await server.call(addresses.list, { userId: here.userId }, here.as)).status).toBe(200);
    expect((await server.call(session.logoutOthers, {}, here.as)).body).toMatchObject({ ended: 0 });
    expect((await server.call(session.logoutOthers, {}, (await guest(server)).as)).status).toBe(403);
  });
});

test('without ANALYTICS nobody is asked and nothing is taken; with cookies disabled neither [CFG-39]', async () => {
  const quiet = await startServer();
  const frugal = await startServer({ settings: { environment: { ANALYTICS: 'on', DISABLE_COOKIES: 'on' } } });
  try {
    expect((await quiet.call(config.app, {})).body.config).toMatchObject({ analytics: false, disableCookies: false });
    expect((await frugal.call(config.app, {})).body.config).toMatchObject({ analytics: false, disableCookies: true });
    const who = await guest(quiet);
    expect((await quiet.call(activity.collect, { body: { clientId: 'c', user: {}, events: [] } }, who.as)).status).toBe(
      403,
    );
    const there = await guest(frugal);
    expect((await frugal.call(fingerprint.send, { body: DATA }, there.as)).status).toBe(403);
  } finally {
    await Promise.all([quiet.stop(), frugal.stop()]);
  }
});

test("nobody's session has a role above the customer, and production offers nothing for developers [AUTH-37]", async () => {
  const [production, developed] = await Promise.all([startServer({ settings: { development: false } }), startServer()]);
  try {
    const document = await (await fetch(`${production.url}/openapi.json`)).text();
    expect(document).not.toMatch(/\/development\/|admin/i);
    for (const path of ['/development/clock', '/development/switches', '/development/inbox', '/admin']) {
      expect((await fetch(production.url + path, { headers: { api_key: 'in-web' } })).status, path).toBe(404);
    }
    const who = await guest(production);
    // Where somebody develops a code can be read, so that somebody can log in.
    const known = await logIn(developed);
    expect(known.reply.credentials.refreshToken).toBeDefined();
    for (const { reply } of [who, known])
      expect(Object.keys(reply.attributes).filter((name) => /role|admin/i.test(name))).toEqual([]);
  } finally {
    await Promise.all([production.stop(), developed.stop()]);
  }
});
