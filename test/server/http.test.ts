import { request } from 'node:http';
import * as z from 'zod/mini';
import { describe, expect, test, vi } from 'vitest';
import * as config from '../../src/contract/config.ts';
import * as development from '../../src/contract/development.ts';
import * as login from '../../src/contract/login.ts';
import * as session from '../../src/contract/session.ts';
import * as errorText from '#text/errors.ts';
import { allEndpoints } from '../kit/contract.ts';
import { startServer } from '../kit/server.ts';

import { codeOf, guest, logIn } from './people.ts';
import { openShop } from './shop.ts';
import { during } from '../kit/during.ts';

const settings = { quiet: true, distDir: null };

describe('what every call has in common', () => {
  const server = during(() => startServer({ settings }));
  const raw = (path: string, init: RequestInit = {}) =>
    fetch(server.url + path, { ...init, headers: { api_key: 'in-web', ...(init.headers as Record<string, string>) } });

  test("an unknown path is 404 in JSON with the specification's sentence [ERR-20] [API-01]", async () => {
    for (const [method, path] of [
      ['GET', '/order-service/ve9/nothing'],
      ['POST', '/nothing'],
      ['DELETE', '/loginhandler/login'],
      ['PATCH', '/loginhandler/login'],
      ['GET', '/development/nothing'],
    ] as const) {
      const answer = await raw(path, { method });
      const body = (await answer.json()) as { status: string; errors: { displayMsg: string; code: string }[] };
      expect([answer.status, body.status, body.errors[0]?.code, body.errors[0]?.displayMsg]).toEqual([
        404,
        'FAILED',
        'NOT_FOUND',
        errorText.brokenLink,
      ]);
    }
  });

  test("a refusal carries errors[0] with displayMsg, header and btnMsg, and the request's id [API-01]", async () => {
    const answer = await raw('/loginhandler/refreshtoken', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'request-id': 'pwa-anon-new-1' },
      body: '{"userId":"u","refreshToken":"r"}',
    });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('x-request-id')).toBe('pwa-anon-new-1');
    expect(await answer.json()).toEqual({
      status: 'FAILED',
      requestId: 'pwa-anon-new-1',
      errors: [{ code: 'TOKEN_INVALID', displayMsg: errorText.loggedOut, header: 'Oops', btnMsg: 'OK' }],
    });
  });

  test('every answer tells the clock of the database, for countdowns [API-X04]', async () => {
    const told = async () => Number((await raw('/api/ve1/app-config')).headers.get('x-server-time'));
    const before = await told();
    await server.advance(30);
    expect((await told()) - before).toBeGreaterThanOrEqual(30_000);
  });

  test('a request id that could forge a log line is not taken over', async () => {
    const answer = await raw('/health', { headers: { 'request-id': 'a b<script>' } });
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("any origin may call with the specification's headers, without cookies", async () => {
    const headers =
      'api_key,authtoken,userid,sessiontoken,isloggedin,client_type,source,storeid,deliverytype,mobile,request-id,idempotency-key,content-type';
    const answer = await fetch(`${server.url}/loginhandler/login`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://elsewhere.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': headers,
      },
    });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    for (const name of headers.split(','))
      expect(answer.headers.get('access-control-allow-headers')?.toLowerCase()).toContain(name);
    expect(
      (await raw('/api/ve1/pwa-config', { headers: { origin: 'https://elsewhere.example' } })).headers.get(
        'access-control-allow-origin',
      ),
    ).toBe('*');
  });

  test('every answer says that it is not to be kept, sniffed or framed', async () => {
    for (const path of ['/api/ve1/app-config', '/nothing', '/customer-service/ve2/user/u/addresses']) {
      const { headers } = await raw(path);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('content-type')).toContain('application/json');
      expect(headers.get('x-powered-by')).toBeNull();
    }
  });

  test('what guards an answer that others could show or read is left out for a script of our own page alone', async () => {
    const guards = [
      'access-control-allow-origin',
      'access-control-expose-headers',
      'content-security-policy',
      'x-content-type-options',
    ];
    const guarded = async (site: string, dest: string, path = '/api/ve1/app-config') => {
      const { headers } = await raw(path, { headers: { 'sec-fetch-site': site, 'sec-fetch-dest': dest } });
      expect(headers.get('cache-control')).not.toBeNull();
      return guards.filter((name) => headers.has(name));
    };
    expect(await guarded('same-origin', 'empty')).toEqual([]);
    const own = { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty', 'request-id': 'pwa-anon-new-1' };
    const { headers } = await raw('/api/ve1/app-config', { headers: own });
    // It knows the id that it has given.
    expect([headers.get('x-request-id'), headers.get('x-server-time')]).toEqual([null, expect.any(String)]);
    for (const [site, dest] of [
      ['cross-site', 'empty'],
      ['same-site', 'empty'],
      ['none', 'document'],
      ['same-origin', 'document'],
      ['same-origin', 'iframe'],
    ] as const)
      expect(await guarded(site, dest), `${site} ${dest}`).toEqual(guards);
    // A cache in between gives it to everybody.
    expect(await guarded('same-origin', 'empty', '/content/ve1/stores/10101/menu')).toEqual(guards);
  });

  test('only JSON is read: a form of another site changes nothing', async () => {
    const who = await guest(server);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', '']) {
      const answer = await raw('/loginhandler/login', {
        method: 'POST',
        headers: { authToken: who.as.authToken!, userId: who.userId, 'content-type': type },
        body: '{"mobile":"9876543210"}',
      });
      expect(answer.status).toBe(415);
    }
  });

  test('a body above 256 KB is 413, announced or not; a broken one is 400', async () => {
    const who = await guest(server);
    const headers = { authToken: who.as.authToken!, userId: who.userId, 'content-type': 'application/json' };
    const large = JSON.stringify({ mobile: '9'.repeat(300_000) });
    expect((await raw('/loginhandler/login', { method: 'POST', headers, body: large })).status).toBe(413);
    const streamed = await raw('/loginhandler/login', {
      method: 'POST',
      headers,
      body: new Blob([large]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect(streamed.status).toBe(413);
    for (const body of ['', '{', '[]', 'null', '"x"', '1', '{"mobile":"\\u0000"}', '['.repeat(100_000)]) {
      const answer = await raw('/loginhandler/login', { method: 'POST', headers, body });
      expect([answer.status, ((await answer.json()) as { status: string }).status]).toEqual([400, 'FAILED']);
    }
  });

  test('a flag of an address is on without a value, as the specification writes it, and as 1, 0 and in capitals', async () => {
    const { reply } = await logIn(server);
    const flagged = [...(await allEndpoints()).values()].flatMap(({ query, ...rest }) => {
      const { properties = {} } = (query ? z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' }) : {}) as {
        properties?: Record<string, { const?: string; enum?: string[] }>;
      };
      // A flag that only says yes is one as well.
      return Object.entries(properties).flatMap(([name, { const: only, enum: values }]) =>
        (values?.join() ?? only)?.startsWith('true') ? [{ ...rest, name }] : [],
      );
    });
    expect(flagged.length).toBeGreaterThan(9);
    const isRefused = async ({ path, method, name }: (typeof flagged)[number], told: string) => {
      const where = `${path.replace(/\{\w+\}/g, '10101')}?${name}${told}`;
      const answer = await raw(where, {
        method,
        headers: {
          'content-type': 'application/json',
          authtoken: reply.credentials.authToken,
          userid: reply.attributes.userId,
        },
        ...(method === 'GET' ? {} : { body: '{}' }),
      });
      const { errors = [] } = (await answer.json()) as { errors?: { field?: string }[] };
      expect([200, 400, 404, 422], where).toContain(answer.status);
      return errors.some(({ field }) => field === name);
    };
    for (const one of flagged) {
      for (const told of ['', '=', '=TRUE', '=1', '=False', '=0', '=%20true%20'])
        expect([one.path, told, await isRefused(one, told)]).toEqual([one.path, told, false]);
      for (const told of ['=yes', '=constructor'])
        expect([one.path, told, await isRefused(one, told)]).toEqual([one.path, told, true]);
    }
    const codes = async (told: string) => {
      const answer = await raw(`/agg/ve1/leftnav/store/10101/offers?${told}`);
      return JSON.stringify(await answer.json()).includes('GPAYSPOT');
    };
    expect(await Promise.all(['includePartnerOffer', 'includePartnerOffer=1', ''].map(codes))).toEqual([
      true,
      true,
      true,
    ]);
    expect(await Promise.all(['includePartnerOffer=0', 'includePartnerOffer=FALSE'].map(codes))).toEqual([
      false,
      false,
    ]);
    expect((await raw('/agg/ve1/leftnav/store/10101/offers?constructor=1&__proto__=2')).status).toBe(200);
  });

  test('each wrong field is named', async () => {
    const who = await guest(server);
    const answer = await server.call(login.validateOtp, { body: { mobile: 5, code: undefined } as never }, who.as);
    expect(answer.status).toBe(400);
    expect(answer.body.errors?.map((error) => error.field)).toEqual(['mobile', 'code']);
    expect(answer.body.errors?.[1]?.displayMsg).toBe('This field cannot be left empty');
  });

  test('the configuration tells features, partner block, cookie switch and time [CFG-37] [CFG-38] [API-71]', async () => {
    const web = (await server.call(config.app, {})).body as { config: config.AppConfig };
    expect(JSON.parse(web.config.features)).toEqual({ features: [] });
    expect(web.config.vendorConfig).toEqual({ blockedFeatures: [] });
    expect(web.config.disableCookies).toBe(false);
    const inPaytm = (await server.call(config.app, {}, { apiKey: 'in-paytm' })).body as { config: config.AppConfig };
    expect(inPaytm.config.vendorConfig.partner).toMatchObject({ partnerName: 'PAYTM', primaryPaymentId: 'PAYTM' });
    expect(inPaytm.config.vendorConfig.blockedFeatures).toContain('wallet');
    expect(Math.abs(inPaytm.config.timestamp - Date.now())).toBeLessThan(60_000);
  });

  test("the installed app's name is the country's, with a short one and its colours [CFG-27] [API-71]", async () => {
    const apps = await Promise.all(
      ['in-web', 'lk-web', 'bg-web'].map(async (apiKey) => (await server.call(config.pwa, {}, { apiKey })).body.pwa),
    );
    expect(apps.map(({ name }) => name)).toEqual(
      ['India', 'Sri Lanka', 'Bangladesh'].map((country) => `Golden Oven Pizza ${country}`),
    );
    const colour: unknown = expect.stringMatching(/^#[\da-f]{6}$/i);
    for (const { name: _, ...app } of apps)
      expect(app).toEqual({
        shortName: expect.stringMatching(/^.{2,12}$/),
        themeColor: colour,
        backgroundColor: colour,
      });
  });

  test('a feature switched off remotely is off on the server, and stays off with a list that cannot be read [CFG-X03] [CFG-37]', async () => {
    await server.switches({ features: JSON.stringify({ features: [{ name: 'logout', value: 'D' }] }) });
    const off = await logIn(server);
    const answer = await server.call(session.logout, {}, off.as);
    expect([answer.status, codeOf(answer)]).toEqual([403, 'FEATURE_BLOCKED']);
    expect((await server.call(config.app, {})).body).toMatchObject({
      config: { features: expect.stringContaining('logout') },
    });
    await server.switches({ features: '{broken' });
    expect(((await server.call(config.app, {})).body as { config: config.AppConfig }).config.features).toBe('{broken');
    await server.switches({ offlineStores: [] });
    expect((await server.call(session.logout, {}, off.as)).status).toBe(403);
    await server.switches({ features: JSON.stringify({ features: [] }) });
    expect((await server.call(session.logout, {}, off.as)).status).toBe(200);
  });

  test('an offline store has an alert, and so has one that is closed at this hour [API-72] [ORD-29] [API-X03]', async () => {
    const alerts = async (storeId = '10101') =>
      (await server.call(config.alerts, { query: { storeId } })).body.alerts.map(({ message }) => message);
    await openShop(server);
    expect(await alerts()).toEqual([]);
    await server.switches({ offlineStores: ['10101', '10304'] });
    expect(await alerts()).toEqual([errorText.noOrdersNow]);
    // Another store makes its orders for later.
    expect(await alerts('10304')).toEqual([errorText.advanceOrderOnly]);
    // Whoever has dismissed that has not heard that there are no orders at all by now.
    const idOf = async () => (await server.call(config.alerts, { query: { storeId: '10304' } })).body.alerts[0]!.id;
    const forLater = await idOf();
    await server.switches({ offlineStores: ['10304', '10301'] });
    expect(await alerts('10304')).toEqual([errorText.noOrdersNow]);
    expect(await idOf()).not.toBe(forLater);
    await server.switches({ offlineStores: [] });
    expect(await alerts()).toEqual([]);
    await server.advance(14 * 3_600);
    expect(await alerts()).toEqual([
      expect.stringMatching(/ is closed now\. Opens at \d+ AM: you can choose a time for later when you pay\.$/),
    ]);
    expect(await alerts('nowhere')).toEqual([]);
    // The next evening's closing is another one, for who has dismissed this one.
    const [tonight] = (await server.call(config.alerts, { query: { storeId: '10101' } })).body.alerts;
    await server.advance(24 * 3_600);
    const [next] = (await server.call(config.alerts, { query: { storeId: '10101' } })).body.alerts;
    expect(next!.id).not.toBe(tonight!.id);
  });

  test('faults that a developer switches on: a status so many times, a lost reply, a garbled one, a late one [API-X03]', async () => {
    await server.switches({ faults: [{ match: 'pwa-config', status: 503, times: 2 }] });
    const statuses = [];
    for (let index = 0; index < 3; index += 1) statuses.push((await server.call(config.pwa, {})).status);
    expect([...statuses, (await server.call(config.app, {})).status]).toEqual([503, 503, 200, 200]);
    // The work is done, the connection is gone.
    const who = await guest(server);
    await server.switches({ faults: [{ match: '/loginhandler/login', drop: true, times: 1 }] });
    await expect(server.call(login.sendOtp, { body: { mobile: '9811111111' } }, who.as)).rejects.toThrow();
    expect(await server.inbox('+919811111111')).toHaveLength(1);
    await server.switches({ faults: [{ match: 'pwa-config', garble: true, times: 1 }] });
    expect(typeof (await server.call(config.pwa, {})).body).toBe('string');
    expect((await server.call(config.pwa, {})).status).toBe(200);
    // The switches themselves are never in the way.
    await server.switches({
      faults: [
        { match: '/api/', delayMs: 200 },
        { match: 'development', status: 500 },
      ],
    });
    const order: string[] = [];
    await Promise.all([
      server.call(config.pwa, {}).then(() => order.push('delayed')),
      server.call(development.switches, {}).then(({ status }) => order.push(`switches ${status}`)),
    ]);
    expect(order).toEqual(['switches 200', 'delayed']);
    await server.switches({ faults: [] });
  });

  test('in production the development calls are not there, and replies say nothing of the inside', async () => {
    const own = await startServer({ settings: { ...settings, development: false } });
    try {
      for (const endpoint of [development.clock, development.inbox, development.switches])
        expect((await own.call(endpoint, { query: {} })).status).toBe(404);
      expect((await own.call(session.anonymous, {})).status).toBe(200);
    } finally {
      await own.stop();
    }
  });

  test("a fault of ours is 500 in the specification's words and tells nothing else [ERR-02]", async () => {
    const own = await startServer({ settings: { ...settings, environment: {} } });
    const { openDb } = await import('../../src/server/store/db.ts');
    const { db } = await openDb(own.database.target);
    await db.schema.dropTable('access_tokens').execute();
    const written: string[] = [];
    const said = vi.spyOn(console, 'log').mockImplementation((line) => void written.push(String(line)));
    try {
      const answer = await own.call(session.anonymous, {});
      expect([answer.status, codeOf(answer), answer.body.errors?.[0]?.displayMsg]).toEqual([
        500,
        'INTERNAL',
        'Something Went Wrong. Please Try Again.',
      ]);
      expect(JSON.stringify(answer.body)).not.toMatch(/access_tokens|sqlite|SELECT|at \//i);
      expect(written.join('')).toContain('access_tokens');
      expect(written.join('')).toContain(answer.body.requestId!);
    } finally {
      said.mockRestore();
      await db.destroy();
      await own.stop();
    }
  });

  test('a stopping server finishes what it has begun', async () => {
    const own = await startServer({ settings });
    await own.switches({ faults: [{ match: 'pwa-config', delayMs: 500, times: 1 }] });
    const late = own.call(config.pwa, {});
    // The fault is used up once the call has arrived.
    await expect
      .poll(
        async () =>
          ((await own.call(development.switches, {})).body as { switches: development.Switches }).switches.faults,
      )
      .toEqual([]);
    const stopped = own.stop();
    expect((await late).status).toBe(200);
    await stopped;
    await expect(fetch(own.url)).rejects.toThrow();
  });

  test('slow and absurd headers do not bring it down', async () => {
    const absurd = await new Promise<number>((resolve) => {
      const call = request(`${server.url}/health`, { headers: { api_key: 'x'.repeat(40_000) } }, (answer) =>
        resolve(answer.statusCode ?? 0),
      );
      call.on('error', () => resolve(-1));
      call.end();
    });
    expect([431, -1]).toContain(absurd);
    expect((await raw('/health')).status).toBe(200);
    expect((await raw('/ready')).status).toBe(200);
  });
});
