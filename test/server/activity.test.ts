import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as activity from '../../src/contract/activity.ts';
import * as addresses from '../../src/contract/addresses.ts';
import * as config from '../../src/contract/config.ts';
import * as fingerprint from '../../src/contract/fingerprint.ts';
import * as session from '../../src/contract/session.ts';
import { deviceHash } from '../../src/domain/fingerprint.ts';
import { isKnownDevice } from '../../src/server/rules/people/fingerprint.ts';
import { sweep } from '../../src/server/store/sweep.ts';
import { openDb, type Root } from '../../src/server/store/db.ts';
import { engines, startServer, type TestServer } from '../kit/server.ts';
import { guest, logIn } from './people.ts';

const DAY_MS = 86_400_000;
const DATA = {
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

  test('a fingerprint answers a map pair; the hash made with it is known, any other is not, and forgetting forgets [AUTH-35] [API-14]', async () => {
    const who = await guest(server);
    const first = (await server.call(fingerprint.send, { body: DATA }, who.as)).body.map;
    const hash = await deviceHash(DATA, first.value);
    expect(hash).toMatch(/^[0-9a-f]{128}$/);
    expect(await isKnownDevice(db, `${first.id}:${hash}`)).toBe(true);
    for (const forged of [
      `${first.id}:${hash.replace(/./, (sign) => (sign === '0' ? '1' : '0'))}`,
      `fpr_other:${hash}`,
      first.id,
      '',
      '%:%',
    ])
      expect(await isKnownDevice(db, forged), forged).toBe(false);
    expect((await server.call(fingerprint.send, { body: { ...DATA } }, who.as)).body.map).toEqual(first);
    const other = await guest(server);
    expect((await server.call(fingerprint.send, { body: DATA }, other.as)).body.map.id).not.toBe(first.id);
    await server.call(fingerprint.forget, {}, who.as);
    expect(await isKnownDevice(db, `${first.id}:${hash}`)).toBe(false);
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
  } finally {
    await Promise.all([quiet.stop(), frugal.stop()]);
  }
});

test("there is no role above the customer: nobody's session says one, and in production nothing of the developer's is there [AUTH-37]", async () => {
  const production = await startServer({ settings: { development: false } });
  try {
    const document = await (await fetch(`${production.url}/openapi.json`)).text();
    expect(document).not.toMatch(/\/development\/|admin/i);
    for (const path of ['/development/clock', '/development/switches', '/development/inbox', '/admin']) {
      expect((await fetch(production.url + path, { headers: { api_key: 'in-web' } })).status, path).toBe(404);
    }
    const who = await guest(production);
    expect(Object.keys(who.reply.attributes).filter((name) => /role|admin/i.test(name))).toEqual([]);
  } finally {
    await production.stop();
  }
});
