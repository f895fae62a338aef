import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import * as assistants from '../../src/contract/assistants.ts';
import * as development from '../../src/contract/development.ts';
import * as devices from '../../src/contract/devices.ts';
import * as profile from '../../src/contract/profile.ts';
import { HOUR_MS } from '../../src/domain/time.ts';
import { countUse } from '../../src/server/store/system.ts';
import { on } from '../kit/engines.ts';
import { bothEngines, type TestServer } from '../kit/server.ts';
import { allowed, begun, connected, exchange, post, REDIRECT, register, renew } from './assistantLogin.ts';
import { assistantClient, refusalOf } from './assistantClient.ts';
import { codeOf } from './people.ts';
import { shownDocuments } from './shownDocuments.ts';
import { member, openedShop, visitor, type Customer, type Shop } from './shop.ts';

let server: TestServer;
let db: Shop['db'];
/** This machine, as the server counts what comes from it. */
const HERE = ['127.0.0.1', '0:0:0:0::/64'];
const errorOf = async (answer: Response) => ((await answer.json()) as { error: string }).error;
const reads = (token: string | undefined, path = '/mcp') =>
  assistantClient(server, { token, path }).tool('list_addresses');
const devicesOf = async (who: Customer) => (await who.call(devices.list, {})).body.devices;

describe.each(await bothEngines())('the login of an assistant on %s', (engine) => {
  const { raced, test } = on(engine);
  let close: Shop['close'];
  beforeAll(async () => {
    ({ server, db, close } = await openedShop({ engine }));
  });
  afterAll(() => close());

  test('is told of where a program needs one, and by documents of the country', async () => {
    const refused = await reads(undefined);
    expect(refused.status).toBe(401);
    const told = refused.headers.get('www-authenticate')!;
    expect(told).toMatch(/^Bearer scope="account", resource_metadata="/);
    const where = /resource_metadata="([^"]+)"/.exec(told)![1]!;
    const path = new URL(where).pathname;
    const resource = (await (await fetch(server.url + path)).json()) as {
      resource: string;
      authorization_servers: string[];
    };
    expect(resource.resource).toMatch(/\/mcp$/);
    const [issuer] = resource.authorization_servers;
    const { pathname } = new URL(issuer!);
    const metadata = (await (
      await fetch(`${server.url}/.well-known/oauth-authorization-server${pathname}`)
    ).json()) as Record<string, unknown>;
    expect(metadata).toMatchObject({
      issuer,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      scopes_supported: expect.arrayContaining(['order', 'account', 'dev.ucp.food.checkout:manage']),
      client_id_metadata_document_supported: true,
    });
    const ceylon = (await (
      await fetch(`${server.url}/.well-known/oauth-protected-resource/mcp/lk`)
    ).json()) as typeof resource;
    expect(ceylon.authorization_servers[0]).toMatch(/\/oauth\/lk$/);
    expect((await fetch(`${server.url}/.well-known/oauth-authorization-server/oauth/xx`)).status).toBe(404);
  });

  test('begins at a program, is answered on our page, and opens the door for ten minutes', async () => {
    const who = await member(server);
    const start = await begun(server, 'account');
    const query = new URLSearchParams({ ...start.request, resource: `${new URL(server.url).origin}/mcp` });
    query.delete('resource');
    const asked = await fetch(`${server.url}/oauth/in/authorize?${query}`, { redirect: 'manual' });
    expect(asked.status).toBe(302);
    const page = new URL(asked.headers.get('location')!);
    expect(page.pathname).toBe('/in/assistant/grant');
    const request = Object.fromEntries(page.searchParams) as typeof start.request;
    expect(request).toEqual(start.request);
    const shown = await who.call(assistants.grant, { query: request });
    expect(shown.body).toMatchObject({ name: 'Helper', returnsTo: 'assistant.example', scopes: ['account'] });
    const { body } = await who.call(assistants.answer, { body: { request, isAllowed: true } });
    const back = new URL(body.goTo);
    expect(back.href.startsWith(REDIRECT)).toBe(true);
    expect(back.searchParams.get('state')).toBe('state-1');
    expect(back.searchParams.get('iss')).toMatch(/\/oauth\/in$/);
    const tokens = await exchange(server, start, back.searchParams.get('code')!);
    expect(tokens.headers.get('cache-control')).toBe('no-store');
    const { access_token: access, ...rest } = (await tokens.json()) as Record<string, string>;
    expect(rest).toMatchObject({ token_type: 'Bearer', expires_in: 600, scope: 'account' });
    expect(refusalOf(await reads(access))).toBeUndefined();
    await server.advance(601);
    expect((await reads(access)).status).toBe(401);
  });

  test('a no goes back as one, and a mistake goes to nobody else’s address', async () => {
    const who = await member(server);
    const { request, clientId } = await begun(server);
    const { body } = await who.call(assistants.answer, { body: { request, isAllowed: false } });
    const no = new URL(body.goTo).searchParams;
    expect(no.get('error')).toBe('access_denied');
    const issuer = no.get('iss')!;
    const asked = async (more: object) =>
      await fetch(`${server.url}/oauth/in/authorize?${new URLSearchParams({ ...request, ...more })}`, {
        redirect: 'manual',
      });
    // An address that the program has not named hears nothing.
    expect(await errorOf(await asked({ redirect_uri: 'https://evil.example/' }))).toBe('invalid_redirect_uri');
    expect(await errorOf(await asked({ client_id: 'ast_unknown' }))).toBe('invalid_client');
    for (const [more, error] of [
      [{ response_type: 'token' }, 'invalid_request'],
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ code_challenge: 'short' }, 'invalid_request'],
      [{ scope: 'everything' }, 'invalid_scope'],
      [{ resource: 'https://evil.example/mcp' }, 'invalid_target'],
    ] as const) {
      const { status, headers } = await asked(more);
      const page = new URL(headers.get('location')!);
      // Whoever registers a program has not made its address one that we send anybody to before they have said yes or no.
      expect([status, page.origin + page.pathname, page.search], error).toEqual([
        302,
        `${new URL(issuer).origin}/in/assistant/grant`,
        '',
      ]);
    }
    const evil = { ...request, redirect_uri: 'https://evil.example/' };
    for (const wrong of [evil, { ...request, client_id: 'nobody' }, { ...request, code_challenge_method: 'plain' }]) {
      expect(codeOf(await who.call(assistants.grant, { query: wrong }))).toBe('ASSISTANT_REQUEST');
      expect(codeOf(await who.call(assistants.answer, { body: { request: wrong, isAllowed: true } }))).toBe(
        'ASSISTANT_REQUEST',
      );
    }
    // A guest has no account to open.
    const guest = await visitor(server);
    expect(codeOf(await guest.call(assistants.answer, { body: { request, isAllowed: true } }))).toBe('LOGIN_NEEDED');
    expect(clientId).toMatch(/^ast_/);
  });

  test.each([
    ['javascript:alert(1)'],
    ['data:text/html,x'],
    ['http://evil.example/'],
    ['https://a.example/#part'],
    ['https://user@a.example/'],
    ['file:///etc/passwd'],
    ['myapp:callback'],
  ])('no program returns to %s', async (redirect) => {
    const answer = await register(server, { redirect_uris: [redirect] });
    expect([answer.status, await errorOf(answer)]).toEqual([400, 'invalid_redirect_uri']);
  });

  test.each([
    ['com.evil.app://accounts.google.com/done', 'com.evil.app:'],
    ['com.evil.app:/done', 'com.evil.app:'],
    ['http://127.0.0.1:4100/done', '127.0.0.1:4100'],
  ])('%s is said to be heard by %s', async (redirect, returnsTo) => {
    const { request } = await begun(server, 'order', 'in', redirect);
    const { body } = await (await member(server)).call(assistants.grant, { query: request });
    expect(body.returnsTo).toBe(returnsTo);
  });

  test('a program on the customer’s own machine listens on any port', async () => {
    const who = await member(server);
    const start = await begun(server, 'account', 'in', 'http://127.0.0.1:4100/done');
    const request = { ...start.request, redirect_uri: 'http://127.0.0.1:4999/done' };
    const moved = { ...start, request };
    expect((await exchange(server, moved, await allowed(who, moved))).status).toBe(200);
    const elsewhere = { ...start.request, redirect_uri: 'http://127.0.0.1:4999/other' };
    expect(codeOf(await who.call(assistants.grant, { query: elsewhere }))).toBe('ASSISTANT_REQUEST');
  });

  raced(
    'a code is good once, for its program, its address and its secret; shown again it ends all that came of it',
    async () => {
      const who = await member(server);
      const other = await begun(server);
      const wrong: ((start: Awaited<ReturnType<typeof begun>>, code: string) => Promise<Response>)[] = [
        (start, code) => exchange(server, start, code, { code_verifier: randomBytes(32).toString('base64url') }),
        (start, code) => exchange(server, start, code, { client_id: other.clientId }),
        (start, code) => exchange(server, start, code, { redirect_uri: `${REDIRECT}/x` }),
        (start) => exchange(server, start, 'no-such-code'),
      ];
      for (const attempt of wrong) {
        const start = await begun(server);
        const answer = await attempt(start, await allowed(who, start));
        expect([answer.status, await errorOf(answer)]).toEqual([400, 'invalid_grant']);
      }
      const late = await begun(server);
      const lateCode = await allowed(who, late);
      await server.advance(61);
      expect((await exchange(server, late, lateCode)).status).toBe(400);
      const start = await begun(server);
      const code = await allowed(who, start);
      // At once from two places: one of them gets tokens, and these end with the second.
      const both = await Promise.all([exchange(server, start, code), exchange(server, start, code)]);
      const won = both.find(({ status }) => status === 200)!;
      expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
      const { access_token: access } = (await won.json()) as { access_token: string };
      expect((await reads(access)).status).toBe(401);
    },
  );

  raced('a renewal whose answer was lost, or that comes twice at once, has the same successor', async () => {
    const first = await connected(server, await member(server));
    const answers = await Promise.all([renew(server, first), renew(server, first), renew(server, first)]);
    await server.advance(40);
    answers.push(await renew(server, first));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const tokens = (await Promise.all(answers.map((one) => one.json()))) as Record<string, string>[];
    expect(new Set(tokens.map(({ refresh_token: refresh }) => refresh)).size).toBe(1);
    // Each has an access token that opens, so that none of them asks for another at once.
    for (const { access_token: access } of tokens) expect((await reads(access)).status).toBe(200);
    expect((await reads(first.access)).status).toBe(401);
    const refresh = tokens[0]!['refresh_token']!;
    // Nothing of it is for another program, or for another country, and that ends nothing.
    expect((await renew(server, { ...first, clientId: 'ast_other' })).status).toBe(400);
    expect((await renew(server, first, 'lk')).status).toBe(400);
    const next = await renew(server, { ...first, refresh });
    expect(next.status).toBe(200);
    const { access_token: access } = (await next.json()) as Record<string, string>;
    // The successor was used, so its answer has arrived: the first token is shown by somebody else.
    expect(await errorOf(await renew(server, first))).toBe('invalid_grant');
    expect((await reads(access)).status).toBe(401);
  });

  raced('what has ended is not renewed, however soon it is asked for again', async () => {
    const first = await connected(server, await member(server));
    const { refresh_token: refresh } = (await (await renew(server, first)).json()) as { refresh_token: string };
    expect((await post(`${server.url}/oauth/in/revoke`, { token: refresh })).status).toBe(200);
    expect(await errorOf(await renew(server, first))).toBe('invalid_grant');
  });

  raced('a refresh token is good once; shown again after a minute it ends the grant', async () => {
    const who = await member(server);
    const first = await connected(server, who);
    const answer = await renew(server, first);
    const { access_token: access, refresh_token: refresh } = (await answer.json()) as Record<string, string>;
    expect(answer.status).toBe(200);
    await server.advance(61);
    // The new access token ends the one before.
    expect((await reads(first.access)).status).toBe(401);
    expect((await reads(access)).status).toBe(200);
    expect(await errorOf(await renew(server, { ...first, clientId: 'ast_other' }))).toBe('invalid_grant');
    expect((await reads(access)).status).toBe(200);
    expect(await errorOf(await renew(server, first))).toBe('invalid_grant');
    expect((await reads(access)).status).toBe(401);
    expect((await renew(server, { ...first, refresh: refresh! })).status).toBe(400);
  });

  test('a token opens the door of its country alone, and nothing of the API', async () => {
    const who = await member(server, 'LK');
    const start = await begun(server, 'account', 'lk');
    const code = await allowed(who, start);
    expect(await errorOf(await exchange(server, start, code, {}, 'in'))).toBe('invalid_grant');
    const own = (await (await exchange(server, start, code, {}, 'lk')).json()) as Record<string, string>;
    const { clientId } = start;
    expect(await errorOf(await renew(server, { clientId, access: '', refresh: own['refresh_token']! }, 'in'))).toBe(
      'invalid_grant',
    );
    const renewed = await renew(server, { clientId, access: '', refresh: own['refresh_token']! }, 'lk');
    const { access_token: access } = (await renewed.json()) as { access_token: string };
    expect((await reads(access, '/mcp/lk')).status).toBe(200);
    expect((await reads(access)).status).toBe(401);
    expect(
      (await server.call(profile.own, {}, { apiKey: 'lk-web', authToken: access, userId: who.userId })).status,
    ).toBe(401);
    // And no token of the API opens the door.
    const { authToken } = who.person.as;
    expect((await reads(authToken, '/mcp/lk')).status).toBe(401);
  });

  test('a program is known by the document at its own address, with no registration', async () => {
    const own = await shownDocuments();
    try {
      const who = await member(server);
      const start = await begun(server, 'account');
      const clientId = own.shows('/helper.json', (id) => ({
        client_id: id,
        client_name: 'Documented',
        redirect_uris: [REDIRECT],
        token_endpoint_auth_method: 'none',
      }));
      const mine = { ...start, clientId, request: { ...start.request, client_id: clientId } };
      const { body } = await who.call(assistants.grant, { query: mine.request });
      expect(body).toMatchObject({ name: 'Documented', describedAt: new URL(clientId).host });
      const tokens = await exchange(server, mine, await allowed(who, mine));
      const { access_token: access, refresh_token: refresh } = (await tokens.json()) as Record<string, string>;
      expect((await reads(access)).status).toBe(200);
      expect((await devicesOf(who)).map(({ device }) => device)).toContain('Documented, an assistant');
      expect((await renew(server, { clientId, access: '', refresh: refresh! })).status).toBe(200);
      const asked = async (client: string, more: object = {}) =>
        await fetch(
          `${server.url}/oauth/in/authorize?${new URLSearchParams({ ...mine.request, client_id: client, ...more })}`,
          { redirect: 'manual' },
        );
      expect((await asked(clientId)).status).toBe(302);
      expect(await errorOf(await asked(clientId, { redirect_uri: 'https://evil.example/' }))).toBe(
        'invalid_redirect_uri',
      );
      // What is not whole, names another, or wants a secret that everybody could read is no program.
      for (const wrong of [
        (id: string) => ({ client_id: `${id}x`, redirect_uris: [REDIRECT] }),
        (id: string) => ({ client_id: id }),
        (id: string) => ({ client_id: id, redirect_uris: ['javascript:alert(1)'] }),
        (id: string) => ({
          client_id: id,
          redirect_uris: [REDIRECT],
          token_endpoint_auth_method: 'client_secret_post',
        }),
      ])
        expect(await errorOf(await asked(own.shows(`/${randomBytes(4).toString('hex')}.json`, wrong)))).toBe(
          'invalid_client',
        );
      for (const nobody of [
        'https://127.0.0.1/x',
        'https://user@a.example/x',
        'ftp://a.example/x',
        'http://10.0.0.1/x',
      ])
        expect(await errorOf(await asked(nobody)), nobody).toBe('invalid_client');
    } finally {
      own.close();
    }
  });

  test('what was not allowed is refused, and said', async () => {
    const { access } = await connected(server, await member(server), 'order');
    const refused = await reads(access);
    expect(refused.status).toBe(403);
    expect(refused.headers.get('www-authenticate')).toMatch(
      /^Bearer error="insufficient_scope", scope="order account"/,
    );
  });

  test('is one of the customer’s devices, by its name, and ends there', async () => {
    const who = await member(server);
    const { access } = await connected(server, who);
    const listed = (await devicesOf(who)).find(({ device }) => device === 'Helper, an assistant');
    expect(listed).toBeDefined();
    await who.call(devices.end, { sessionId: listed!.sessionId });
    expect((await reads(access)).status).toBe(401);
    expect(await devicesOf(who)).toHaveLength(1);
    const again = await connected(server, who);
    expect((await post(`${server.url}/oauth/in/revoke`, { token: again.refresh })).status).toBe(200);
    expect((await reads(again.access)).status).toBe(401);
    expect((await post(`${server.url}/oauth/in/revoke`, { token: 'unknown' })).status).toBe(200);
  });

  test('thousands come from the address of an assistant’s maker: each grant has tokens of its own to spend', async () => {
    const [first, second] = [
      await connected(server, await member(server)),
      await connected(server, await member(server)),
    ];
    const { body } = await server.call(development.clock, {});
    // As many as were ever asked for from one address in an hour.
    for (const ip of HERE) await countUse(db, `assistant-tokens|${ip}`, HOUR_MS, body.now, 600);
    const renewed = (await (await renew(server, first)).json()) as { refresh_token: string };
    expect(renewed.refresh_token).toBeDefined();
    // What opens nothing is what an address is held for.
    expect((await renew(server, { ...first, refresh: 'no-such-token' })).status).toBe(429);
    let refresh = renewed.refresh_token;
    const statuses: number[] = [];
    for (let n = 0; n < 61; n += 1) {
      const answer = await renew(server, { ...first, refresh });
      statuses.push(answer.status);
      ({ refresh_token: refresh = refresh } = (await answer.json()) as { refresh_token?: string });
    }
    expect([statuses[0], statuses.at(-1)]).toEqual([200, 429]);
    expect((await renew(server, second)).status).toBe(200);
    // A token that was refused for that is not used up.
    await server.advance(3_601);
    expect((await renew(server, { ...first, refresh })).status).toBe(200);
  });

  test('an address registers no endless programs, and nobody sends a field twice', async () => {
    const twice = await fetch(`${server.url}/oauth/in/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=refresh_token&grant_type=authorization_code',
    });
    expect(await errorOf(twice)).toBe('invalid_request');
    for (let n = 0; n < 31; n += 1) expect((await register(server)).status).toBe(201);
    const { body } = await server.call(development.clock, {});
    for (const ip of HERE) await countUse(db, `assistant-clients|${ip}`, HOUR_MS, body.now, 300);
    expect((await register(server)).status).toBe(429);
  });
});
