import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readEnvironment } from '../../src/server/environment.ts';
import { allRoutes } from '../../src/server/http/routes.ts';
import { allEndpoints } from '../kit/contract.ts';
import { startServer } from '../kit/server.ts';
import type { TestServer } from '../kit/server.ts';

interface Operation {
  readonly parameters: { name: string; in: string; required: boolean }[];
  readonly requestBody?: unknown;
  readonly responses: Record<string, unknown>;
  readonly security: object[];
}
interface Document {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { schemas: Record<string, unknown>; securitySchemes: Record<string, { name: string }> };
}

const endpoints = await allEndpoints();

describe('the contract and its document', () => {
  let server: TestServer;
  let document: Document;
  beforeAll(async () => {
    server = await startServer({ settings: { quiet: true, distDir: null } });
    document = (await (await fetch(`${server.url}/openapi.json`)).json()) as Document;
  });
  afterAll(async () => {
    await server.stop();
  });

  test('the document is packed for who takes that, and is not sent again to who has it', async () => {
    const where = `${server.url}/openapi.json`;
    const whole = await fetch(where, { headers: { 'accept-encoding': 'identity' } });
    const packed = await fetch(where, { headers: { 'accept-encoding': 'br' } });
    expect(packed.headers.get('content-encoding')).toBe('br');
    expect(Number(packed.headers.get('content-length'))).toBeLessThan(Number(whole.headers.get('content-length')) / 10);
    expect(await packed.json()).toEqual(await whole.json());
    expect(whole.headers.get('access-control-allow-origin')).toBe('*');
    const again = await fetch(where, { headers: { 'if-none-match': packed.headers.get('etag') ?? '' } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect((await fetch(where, { method: 'HEAD' })).headers.get('content-length')).not.toBeNull();
  });

  test('every endpoint of the contract has one handler, and every handler an endpoint', () => {
    const handled = allRoutes(
      { environment: readEnvironment({}), disableCookies: false, analytics: false, otpVariant: 0, mapCredit: null },
      () => {
        throw new Error('not run');
      },
      () => Promise.resolve(''),
    ).map((route) => route.endpoint);
    expect([...endpoints].filter(([, endpoint]) => !handled.includes(endpoint)).map(([name]) => name)).toEqual([]);
    expect(new Set(handled).size).toBe(handled.length);
    expect(
      handled.filter((endpoint) => ![...endpoints.values()].includes(endpoint)).map((endpoint) => endpoint.path),
    ).toEqual([]);
  });

  test('no two endpoints answer the same method and path', () => {
    const taken = [...endpoints.values()].flatMap((endpoint) =>
      [endpoint.path, ...(endpoint.aliases ?? [])].map(
        (path) => `${endpoint.method} ${path.replace(/\{\w+\}/g, '{}')}`,
      ),
    );
    expect(taken.filter((one, index) => taken.indexOf(one) !== index)).toEqual([]);
  });

  test('the document is OpenAPI 3.1 and names every path, alias and method', () => {
    expect(document.openapi).toBe('3.1.0');
    for (const endpoint of endpoints.values()) {
      for (const path of [endpoint.path, ...(endpoint.aliases ?? [])])
        expect(Object.keys(document.paths[path] ?? {}), path).toContain(endpoint.method.toLowerCase());
    }
    expect(Object.values(document.components.securitySchemes).map((scheme) => scheme.name)).toEqual([
      'api_key',
      'authToken',
      'userId',
    ]);
  });

  test('each operation says its parameters, body, replies and what it needs', () => {
    for (const endpoint of endpoints.values()) {
      const operation = document.paths[endpoint.path]![endpoint.method.toLowerCase()]!;
      const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(
        operation.parameters.filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name),
      ).toEqual(names);
      expect(operation.requestBody !== undefined, endpoint.path).toBe(endpoint.body !== undefined);
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['200', '4XX']));
      if (endpoint.access !== 'development') expect(operation.security.length, endpoint.path).toBeGreaterThan(0);
    }
  });

  test('each write of a customer takes an idempotency key, and says if it is needed and how long it is kept [API-X02]', () => {
    const secret: string[] = [];
    for (const [name, endpoint] of endpoints) {
      const isWrite = endpoint.method !== 'GET' && (endpoint.access === 'session' || endpoint.access === 'user');
      for (const path of [endpoint.path, ...(endpoint.aliases ?? [])]) {
        const key = document.paths[path]![endpoint.method.toLowerCase()]!.parameters.find(
          (parameter) => parameter.name === 'Idempotency-Key',
        );
        if (isWrite && key === undefined) secret.push(name);
        else if (isWrite)
          expect(key, path).toMatchObject({
            in: 'header',
            required: endpoint.idempotent,
            description: expect.stringMatching(/24 hours/),
          });
        else expect(key, path).toBeUndefined();
      }
    }
    expect([...new Set(secret)].sort()).toEqual([
      ...['assistants.answer', 'cards.again', 'cards.sheetSession', 'cards.sheetToken', 'copy.make', 'deletion.ask'],
      ...['login.validateOtp', 'memory.give', 'passwords.change', 'passwords.login', 'payments.cardToken'],
      ...['social.begin', 'social.login', 'social.validate', 'vendors.auth', 'vendors.nonce', 'vouchers.link'],
      'vouchers.verify',
    ]);
  });

  test('every path of the document answers: none is only written down', async () => {
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const method of Object.keys(operations)) {
        if (path.startsWith('/development/')) continue;
        const answer = await fetch(server.url + path.replace(/\{\w+\}/g, 'x'), {
          method: method.toUpperCase(),
          headers: { api_key: 'nobody' },
        });
        expect([path, answer.status]).toEqual([path, 401]);
      }
    }
  });
});
