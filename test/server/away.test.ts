import { randomBytes } from 'node:crypto';
import net, { type AddressInfo } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as cart from '../../src/contract/cart.ts';
import * as config from '../../src/contract/config.ts';
import * as orders from '../../src/contract/orders.ts';
import * as profile from '../../src/contract/profile.ts';
import * as session from '../../src/contract/session.ts';
import { isConnectionLoss } from '../../src/server/store/postgres.ts';
import { bothEngines, startServer, testDatabase, type TestServer } from '../kit/server.ts';
import { logIn } from './people.ts';

/** What takes each connection and answers each with this error, as a database or a pooler does that takes none. */
async function closedDoor(code: string): Promise<{ readonly address: string; stop(): void }> {
  const door = net.createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', () => {
      const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0Mno\0\0`);
      const head = Buffer.alloc(5);
      head.write('E');
      head.writeInt32BE(fields.length + 4, 1);
      socket.end(Buffer.concat([head, fields]));
    });
  });
  await new Promise<void>((done) => door.listen(0, '127.0.0.1', done));
  return {
    address: `postgres://shop@127.0.0.1:${(door.address() as AddressInfo).port}/shop`,
    stop: () => door.close(),
  };
}

async function errorOf(connectionString: string): Promise<unknown> {
  const pool = new pg.Pool({ connectionString });
  try {
    return await pool.query('select 1').then(
      () => null,
      (error: unknown) => error,
    );
  } finally {
    await pool.end();
  }
}

describe('a database that takes no connection', () => {
  test.each([
    ['08006', 'lost'],
    ['08P01', 'a pooler that finds no server'],
    ['28P01', 'its password was changed'],
    ['3D000', 'its name was changed'],
    ['53300', 'all places taken'],
    ['55000', 'closed for new ones'],
    ['57P01', 'ended by an operator'],
    ['57P03', 'still starting'],
  ])('is known by its answer %s: %s', async (code) => {
    const door = await closedDoor(code);
    const error = await errorOf(door.address);
    door.stop();
    expect(error).toMatchObject({ code });
    expect(isConnectionLoss(error)).toBe(true);
  });

  test('is known where nobody listens, and where its name is unknown', async () => {
    const door = await closedDoor('57P03');
    door.stop();
    for (const address of [door.address, 'postgres://shop@database.invalid/shop', 'postgres:///shop?host=/nowhere'])
      expect(isConnectionLoss(await errorOf(address))).toBe(true);
  });

  test('is told from a statement that is wrong, too long, or against a rule of the tables', () => {
    for (const code of ['42P01', '42601', '23505', '22003', '57014', '40001'])
      expect(isConnectionLoss(Object.assign(new Error('no'), { code }))).toBe(false);
    expect(isConnectionLoss(Object.assign(new Error('no such file'), { code: 'ENOENT', syscall: 'open' }))).toBe(false);
  });
});

if ((await bothEngines()).includes('postgres'))
  describe('a shop whose PostgreSQL is closed for connections', () => {
    const name = `away_${randomBytes(6).toString('hex')}`;
    let server: TestServer;
    /** Another database of the same PostgreSQL. */
    let beside: pg.Client;
    beforeAll(async () => {
      const { target } = await testDatabase('postgres');
      const own = new URL(target);
      own.search = '';
      beside = new pg.Client({ connectionString: own.href });
      await beside.connect();
      await beside.query(`create database ${name}`);
      own.pathname = name;
      server = await startServer({ database: { target: own.href, drop: async () => {} } });
    });
    afterAll(async () => {
      await server.stop();
      await beside.query(`drop database if exists ${name} with (force)`);
      await beside.end();
    });

    test('every call is answered 503 and when to try again, and is served once it is open', async () => {
      const { as, cartId } = await logIn(server);
      const asked = () =>
        Promise.all([
          server.call(session.anonymous, {}),
          server.call(config.pwa, {}),
          server.call(profile.own, {}, as),
          server.call(cart.byId, { cartId, query: {} }, as),
          server.call(orders.recent, {}, as),
        ]);
      const before = (await asked()).map(({ status }) => status);
      await beside.query(`alter database ${name} allow_connections false`);
      await beside.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
      const away = await asked();
      expect(away.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual(
        before.map(() => [503, '2']),
      );
      expect((await fetch(`${server.url}/health`)).status).toBe(200);
      await beside.query(`alter database ${name} allow_connections true`);
      expect((await asked()).map(({ status }) => status)).toEqual(before);
    });
  });
