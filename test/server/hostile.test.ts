import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import net from 'node:net';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as activity from '../../src/contract/activity.ts';
import * as addresses from '../../src/contract/addresses.ts';
import * as cart from '../../src/contract/cart.ts';
import { fillPath, type Endpoint } from '../../src/contract/endpoint.ts';
import * as login from '../../src/contract/login.ts';
import * as payments from '../../src/contract/payments.ts';
import * as session from '../../src/contract/session.ts';
import * as tracking from '../../src/contract/tracking.ts';
import * as vendors from '../../src/contract/vendors.ts';
import { allEndpoints, arbitraryOf, jsonSchemaOf } from '../kit/contract.ts';
import { temporaryFolder } from '../kit/folder.ts';
import { engines, startServer, type TestServer } from '../kit/server.ts';
import { codeOf, freshMobile, guest, type Person } from './people.ts';
import { member, openShop, press, visitor, type Customer } from './shop.ts';
import { during } from '../kit/during.ts';

const endpoints = await allEndpoints();

/** One request, written by hand: what fetch would tidy up arrives as it is. */
function said(url: string, lines: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let heard = '';
    const socket = net.connect(Number(port), hostname, () => socket.write(lines));
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1');
    });
    socket.on('close', () => resolve(heard));
    socket.on('error', reject);
  });
}

describe.each(await engines())('a hostile client on %s', (engine) => {
  const server = during(() => startServer({ engine }), openShop);

  /** Raw JSON, so that nothing here makes it well-formed. */
  async function post(where: string, who: Person, body: string, headers: Record<string, string> = {}) {
    const answer = await fetch(server.url + where, {
      method: 'POST',
      body,
      headers: {
        api_key: 'in-web',
        authToken: who.as.authToken!,
        userId: who.userId,
        'content-type': 'application/json',
        ...headers,
      },
    });
    return { status: answer.status, text: await answer.text() };
  }

  test("another customer's ids are answered like unknown ids in every call, and nothing of theirs changes", async () => {
    const victim = await member(server);
    const { order } = await victim.order();
    await victim.fill();
    const {
      body: { address },
    } = await victim.call(addresses.create, {
      mobNo: victim.mobile,
      body: { latitude: 28.64, longitude: 77.22, houseNo: '12 Secret House', address: 'Barakhamba Road', type: 'home' },
    });
    const theirs = {
      orderId: order.orderId,
      orderHistoryId: order.orderId,
      transactionId: order.transactionId,
      cartId: victim.cartId,
      addressId: address.address_id,
      address_id: address.address_id,
      userId: victim.userId,
    };
    const nobodys = {
      orderId: 'ord_none',
      orderHistoryId: 'ord_none',
      transactionId: 'txn_none',
      cartId: 'cart_none',
      addressId: 'adr_none',
      address_id: 'adr_none',
      userId: 'usr_none',
    };
    const thief = await member(server);
    const state = async () => [
      await victim.read(order.orderId),
      await victim.cart(),
      (await victim.call(addresses.list, { userId: victim.userId })).body.addresses,
    ];
    const before = await state();

    const put = (value: unknown, ids: Readonly<Record<string, string>>): unknown =>
      Array.isArray(value)
        ? value.map((one) => put(one, ids))
        : typeof value !== 'object' || value === null
          ? value
          : Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, ids[name] ?? put(inner, ids)]));
    const one = <T>(arbitrary: fc.Arbitrary<T>, seed: number) => fc.sample(arbitrary, { numRuns: 1, seed })[0];
    async function ask(endpoint: Endpoint, ids: Readonly<Record<string, string>>, seed: number) {
      const params = Object.fromEntries(
        [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, ids[name] ?? 'x1']),
      );
      const url = new URL(server.url + fillPath(endpoint.path, params));
      const query =
        endpoint.query === undefined
          ? {}
          : (put(one(arbitraryOf(jsonSchemaOf(endpoint.query)), seed), ids) as Record<string, unknown>);
      for (const [name, value] of Object.entries(query))
        if (value !== undefined) url.searchParams.set(name, String(value));
      const body =
        endpoint.body === undefined ? undefined : put(one(arbitraryOf(jsonSchemaOf(endpoint.body)), seed), ids);
      const answer = await fetch(url, {
        method: endpoint.method,
        headers: {
          api_key: 'in-web',
          authToken: thief.person.as.authToken!,
          userId: thief.userId,
          'content-type': 'application/json',
          'idempotency-key': randomUUID(),
        },
        ...(body === undefined || endpoint.method === 'GET' ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      for (const secret of [victim.mobile, 'Secret House']) expect(text, endpoint.path).not.toContain(secret);
      return [
        answer.status,
        (JSON.parse(text) as { errors?: { code: string; field?: string }[] }).errors?.map(({ code, field }) => [
          code,
          field,
        ]),
      ];
    }
    // What ends the thief's own session or moves the clock is no way to get at somebody else.
    const asked = [...endpoints].filter(
      ([name, { path: where, access, query, body }]) =>
        access !== 'development' &&
        !name.startsWith('session.') &&
        (/\{(orderId|orderHistoryId|transactionId|cartId|addressId)\}/.test(where) ||
          [query, body].some(
            (schema) =>
              schema !== undefined &&
              /"(orderId|transactionId|cartId|address_id)"/.test(JSON.stringify(jsonSchemaOf(schema))),
          )),
    );
    expect(asked.length).toBeGreaterThan(25);
    for (const [name, endpoint] of asked) {
      for (const seed of [1, 2, 3])
        expect([name, ...(await ask(endpoint, theirs, seed))]).toEqual([name, ...(await ask(endpoint, nobodys, seed))]);
    }
    expect(await state()).toEqual(before);
  });

  test('only an access token opens a session: no other token of the same person does, nor one that was ended', async () => {
    const who = (await member(server)).person;
    const { refreshToken, sessionToken, accessKeyId, secretKey, authToken, accessToken } = who.reply.credentials;
    const asGpay = await guest(server, 'in-gpay');
    const { nonce } = (await server.call(vendors.nonce, { vendor: 'gpay' }, asGpay.as)).body;
    for (const token of [
      refreshToken!,
      sessionToken,
      accessKeyId,
      secretKey,
      nonce,
      `Bearer ${authToken}`,
      `${authToken} `.repeat(2).trim(),
      authToken.slice(0, -1),
      authToken.toUpperCase(),
      'null',
      '{}',
    ]) {
      if (token === '' || token === authToken || token === accessToken) continue;
      expect(codeOf(await server.call(tracking.active, {}, { ...who.as, authToken: token })), token.slice(0, 12)).toBe(
        'TOKEN_INVALID',
      );
    }
    const refreshed = async (token: string) =>
      (await server.call(session.refresh, { body: { userId: who.userId, refreshToken: token } })).status;
    for (const token of [authToken, sessionToken, `${refreshToken!}x`]) expect(await refreshed(token)).toBe(401);
    const body = { userId: who.userId, sessionToken: authToken };
    expect((await server.call(session.refreshAnonymous, { body })).status).toBe(401);
    expect((await server.call(session.logout, {}, who.as)).status).toBe(200);
    expect(codeOf(await server.call(tracking.active, {}, who.as))).toBe('TOKEN_INVALID');
    expect(await refreshed(refreshToken!)).toBe(401);
  });

  test("keys that name an object's inside are data or nothing, and never change the server", async () => {
    const who = (await member(server)).person;
    const poison =
      '"__proto__":{"isAdmin":true,"quantity":9},"constructor":{"prototype":{"isAdmin":true}},"prototype":{"isAdmin":true}';
    const bodies: [string, string][] = [
      [
        fillPath(cart.add.path, { cartId: who.cartId }),
        `{${poison},"items":[{${poison},"operationId":"o1","line":{${poison},"lineId":"l1","productId":"PZ001","quantity":1}}]}`,
      ],
      [
        fillPath(addresses.create.path, { mobNo: who.reply.attributes.mobile }),
        `{${poison},"latitude":28.6,"longitude":77.2,"houseNo":"1","address":"x","type":"home"}`,
      ],
      [
        activity.collect.path,
        `{"clientId":"c1","user":{${poison}},"events":[{"name":"n","at":1,"properties":{${poison}}}]}`,
      ],
      [activity.savePageView.path, `{${poison},"data":{${poison}}}`],
      [login.sendOtp.path, `{${poison},"mobile":"${freshMobile()}"}`],
    ];
    for (const [where, body] of bodies) {
      const { status, text } = await post(where, who, body);
      expect([where, status < 500]).toEqual([where, true]);
      expect(text).not.toContain('isAdmin');
    }
    for (const where of [
      '/catalog-service/ve1/stores/__proto__/menu',
      '/catalog-service/ve1/stores/constructor/widget',
      `${fillPath(cart.byId.path, { cartId: '__proto__' })}?storeId=constructor&deliveryType=DELIVERY&__proto__[isAdmin]=1`,
    ]) {
      const answer = await fetch(server.url + where, {
        headers: { api_key: 'in-web', authToken: who.as.authToken!, userId: who.userId },
      });
      expect([where, answer.status >= 400 && answer.status < 500]).toEqual([where, true]);
    }
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined();
    expect(({} as Record<string, unknown>)['quantity']).toBeUndefined();
  });

  test('a way back that leads elsewhere is not taken', async () => {
    for (const returnpath of ['https://evil.example/', '/\\evil.example/']) {
      const customer = await visitor(server);
      const { next } = await customer.order({ paymentMode: 'NETBANKING', headers: { returnpath } });
      const back = await press(server, (next as { paymentUrl: string }).paymentUrl, 'approve');
      expect([returnpath, new URL(back, server.url).pathname.startsWith('/in/payment/')]).toEqual([returnpath, true]);
      expect(new URL(back, server.url).origin).toBe(server.url);
    }
  });

  test('whoever follows with many lines is told so, and a line that is cut is forgotten', async () => {
    const customer: Customer = await visitor(server);
    const { order } = await customer.order({ paymentMode: 'NETBANKING' });
    await press(
      server,
      (
        (await customer.call(payments.transaction, { transactionId: order.transactionId })).body.next as {
          paymentUrl: string;
        }
      ).paymentUrl,
      'approve',
    );
    expect(
      (await customer.call(payments.status, { query: { transactionId: order.transactionId } })).body.orderStatus,
    ).toBe('ORDER PLACED');
    const headers = { api_key: 'in-web', authToken: customer.person.as.authToken!, userId: customer.userId };
    const where = server.url + fillPath(tracking.events.path, { orderHistoryId: order.orderId });
    const open = () =>
      new Promise<{ status: number; cut: () => void }>((resolve, reject) => {
        const call = request(where, { headers, agent: false }, (answer) =>
          resolve({ status: answer.statusCode ?? 0, cut: () => call.destroy() }),
        );
        call.on('error', (error: NodeJS.ErrnoException) => {
          if (error.code !== 'ECONNRESET') reject(error);
        });
        call.end();
      });
    const all = await Promise.all(Array.from({ length: 10 }, open));
    expect(all.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(6);
    expect(all.filter(({ status }) => status === 429)).toHaveLength(4);
    for (const { cut } of all) cut();
    await expect
      .poll(async () => {
        const again = await open();
        again.cut();
        return again.status;
      })
      .toBe(200);
  });

  test('bodies without an end are refused everywhere, also where nobody has to be known', async () => {
    const large = 'x'.repeat(300_000);
    for (const where of [
      ...['/webhooks/bank', '/webhooks/paytm', '/webhooks/paytm/callback', '/bank/api/charges'],
      ...['/vendors/google/identity', '/vendors/paytm/authcode', '/vendors/paytm/v3/order/status'],
    ]) {
      const announced = await said(
        server.url,
        `POST ${where} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: 5000000000\r\n\r\n${large}`,
      );
      expect([where, announced.slice(0, 12)]).toEqual([where, 'HTTP/1.1 413']);
      const chunk = `${large.length.toString(16)}\r\n${large}\r\n`;
      const endless = await said(
        server.url,
        `POST ${where} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n${chunk.repeat(3)}`,
      );
      expect([where, endless.slice(0, 10)]).toEqual([where, 'HTTP/1.1 4']);
    }
    expect((await fetch(`${server.url}/ready`)).status).toBe(200);
  });
});

describe('addresses and lines written by hand', () => {
  let server: TestServer;
  const secret = 'TOP-SECRET-LINE';
  beforeAll(async () => {
    const dist = path.join(temporaryFolder('pizza-hostile'), 'dist');
    const folder = path.join(dist, 'in', 'browser');
    mkdirSync(folder, { recursive: true });
    const page =
      '<!doctype html><base href="/-base-/"><div id="app"></div><script type="application/json" id="boot">{"base":"/-base-"}</script>';
    for (const name of ['index.html', 'menu.html', 'app.html']) writeFileSync(path.join(folder, name), page);
    writeFileSync(path.join(folder, 'main-ABCD1234.js'), 'export {};');
    for (const where of [folder, path.join(dist, 'in'), dist, path.dirname(dist)]) {
      for (const name of ['secret.txt', 'secret', '.env', 'metafile.json'])
        writeFileSync(path.join(where, name), secret);
    }
    writeFileSync(
      path.join(folder, 'meta.json'),
      JSON.stringify({
        mount: '/in',
        secret,
        pages: {},
        fake: null,
        files: { 'index.html': {}, 'menu.html': {}, 'app.html': {}, 'main-ABCD1234.js': {} },
        policy: {},
      }),
    );
    server = await startServer({ settings: { distDir: dist } });
  });
  afterAll(async () => {
    await server.stop();
  });

  test('no way of writing a path leads out of the bundle, or to what is in it and not of it', async () => {
    const up = String.raw`../ ..%2f %2e%2e/ %2e%2e%2f ..\ ..%5c ....// .%00./ %252e%252e%252f ..;/ %c0%ae%c0%ae/`.split(
      ' ',
    );
    const paths = [
      ...up.flatMap((step) =>
        [1, 2].flatMap((times) => ['secret', '.env'].map((name) => `/in/${step.repeat(times)}${name}`)),
      ),
      '/in/secret.txt',
      '/in/secret',
      '/in/.env',
      '/in/meta.json',
      '/in/metafile.json',
      '/in/main-ABCD1234.js%00.html',
      '/in//secret.txt',
      '//secret.txt',
      '/in/./secret.txt',
      '/in/browser/secret.txt',
      '/simulator/../in/browser/secret.txt',
      '/simulator/%2e%2e/secret',
      '/tiles/..%2f..%2fsecret/1/1',
      '/in/__proto__',
      '/in/constructor',
      '/in/%',
      '/in/%zz',
      '/in/%E0%A4%A',
      '/%',
      '/in/\u00ff',
      `/in/${'a/'.repeat(3_000)}`,
    ];
    for (const where of paths) {
      const answer = await said(server.url, `GET ${where} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`);
      expect([where, answer.includes(secret)]).toEqual([where, false]);
      expect([where, /^HTTP\/1\.1 [1-4]\d\d /.test(answer)]).toEqual([where, true]);
    }
    expect(
      await said(server.url, 'GET /in/main-ABCD1234.js HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n'),
    ).toContain('export {};');
  });

  test("development's calls are this machine's: no page of another site makes them, whatever name it gives this machine", async () => {
    const inbox = 'GET /development/inbox HTTP/1.1\r\n';
    const { port } = new URL(server.url);
    const status = async (lines: string, url = server.url) =>
      Number((await said(url, `${inbox}${lines}connection: close\r\n\r\n`)).slice(9, 12));
    for (const host of [
      ...[`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, `shop.localhost:${port}`, '192.0.2.7'],
    ])
      for (const more of [
        '',
        'sec-fetch-site: same-origin\r\n',
        'sec-fetch-site: none\r\n',
        `origin: http://${host}\r\n`,
      ])
        expect([host, more, await status(`host: ${host}\r\n${more}`)]).toEqual([host, more, 200]);
    const local = `host: localhost:${port}\r\n`;
    const foreign = [
      `${local}sec-fetch-site: cross-site\r\n`,
      `${local}sec-fetch-site: cross-site\r\norigin: http://localhost:${port}\r\n`,
      `${local}origin: https://evil.example\r\n`,
      `${local}origin: null\r\n`,
      `${local}origin: https://localhost.evil.example\r\n`,
    ];
    const named = [
      `host: evil.example:${port}\r\nsec-fetch-site: same-origin\r\n`,
      `host: evil.example\r\nx-forwarded-host: localhost\r\n`,
      'host: localhost.evil.example\r\n',
      'host: 127.0.0.1.evil.example\r\n',
    ];
    for (const lines of [...foreign, ...named]) expect([lines, await status(lines)]).toEqual([lines, 403]);
    // Asked for by name, it is served below any name, and still not to pages of others.
    const asked = await startServer({ settings: { environment: { NODE_ENV: 'development' } } });
    try {
      expect(await status(named[0]!, asked.url)).toBe(200);
      for (const lines of foreign) expect([lines, await status(lines, asked.url)]).toEqual([lines, 403]);
    } finally {
      await asked.stop();
    }
  });

  test("what a header carries is never written into an answer's headers or pages", async () => {
    const evil = 'x"><script>1</script>';
    for (const lines of [
      'GET /in HTTP/1.1\r\nhost: evil.example\r\nx-forwarded-prefix: //evil.example\r\n',
      'GET /in HTTP/1.1\r\nhost: localhost\r\nx-forwarded-host: evil.example\r\nx-forwarded-proto: https\r\n',
      'GET /in HTTP/1.1\r\nhost: localhost\r\nforwarded: host=evil.example;proto=https\r\n',
      'GET http://evil.example/in HTTP/1.1\r\nhost: localhost\r\n',
      'GET //evil.example/in HTTP/1.1\r\nhost: localhost\r\n',
      'GET /\\evil.example/in HTTP/1.1\r\nhost: localhost\r\n',
      'GET /%2f%2fevil.example/in HTTP/1.1\r\nhost: localhost\r\n',
      `GET /in/ HTTP/1.1\r\nhost: ${evil}\r\n`,
      `GET /in/ HTTP/1.1\r\nhost: localhost\r\nx-forwarded-prefix: /${evil}\r\n`,
      'GET /in?%0d%0aset-cookie:evil=1 HTTP/1.1\r\nhost: localhost\r\n',
      `GET /health HTTP/1.1\r\nhost: localhost\r\nrequest-id: ${evil}\r\n`,
      'GET /health HTTP/1.1\r\nhost: localhost\r\nx-request-id: a%0d%0aset-cookie:evil=1\r\n',
      `GET /in/?simulator=${encodeURIComponent(evil)} HTTP/1.1\r\nhost: localhost\r\norigin: ${evil}\r\n`,
    ]) {
      const answer = await said(server.url, `${lines}connection: close\r\n\r\n`);
      expect([lines, /^HTTP\/1\.1 [1-4]\d\d /.test(answer)]).toEqual([lines, true]);
      expect(answer).not.toMatch(/\r\nset-cookie: ?evil|<script>1|\r\nlocation: (?:https?:)?\/\//i);
    }
  });

  test('two lengths, a length and chunks, and a body that never comes are no requests', async () => {
    const head = 'POST /loginhandler/anonymoususer HTTP/1.1\r\nhost: localhost\r\napi_key: in-web\r\n';
    for (const lines of [
      `${head}content-length: 2\r\ncontent-length: 40\r\n\r\n{}`,
      `${head}content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /in/secret HTTP/1.1\r\n\r\n`,
      ...[`${head}content-length: -1\r\n\r\n`, `${head}content-length: 1e9\r\n\r\n`],
      ...[`${head}transfer-encoding: chunked\r\n\r\nzz\r\n`, 'GET / HTTP/9.9\r\n\r\n', '\u0000\u0001\u0002\r\n\r\n'],
    ]) {
      const answer = await said(server.url, lines);
      expect([lines.slice(-40), answer.startsWith('HTTP/1.1 400 ')]).toEqual([lines.slice(-40), true]);
    }
    expect((await fetch(`${server.url}/ready`)).status).toBe(200);
  });
});
