import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as contract from '../../src/contract/memory.ts';
import * as serverText from '#text/server.ts';
import { openDb, type Root } from '../../src/server/store/db.ts';
import { engines, startServer, type TestServer } from '../kit/server.ts';
import { codeOf } from './people.ts';
import { visitor, type Customer } from './shop.ts';

const MEMORY: contract.Memory = {
  usual: [{ productId: 'PZ001', size: 'M', quantity: 2 }],
  favourites: ['PZ001', 'SD001'],
  household: ['nuts'],
  vegOnly: true,
  addresses: [
    {
      latitude: 28.6,
      longitude: 77.2,
      houseNo: '12 B',
      address: 'Barakhamba Road',
      type: 'home',
      receiverName: 'Asha',
    },
  ],
};

describe.each(await engines())("a phone's memory on its way, on %s", (engine) => {
  let server: TestServer;
  let db: Root;
  beforeAll(async () => {
    server = await startServer({ engine });
    ({ db } = await openDb(server.database.target));
  });
  afterAll(async () => {
    await db.destroy();
    await server.stop();
  });

  const give = async (who: Customer, memory = MEMORY) => (await who.call(contract.give, { body: { memory } })).body;
  const take = (who: Customer, code: string) => who.call(contract.take, { body: { code } });

  test('typed on another phone it comes over whole, and nothing of it stays at the server [MENU-X12]', async () => {
    const [old, young] = [await visitor(server), await visitor(server)];
    const { code } = await give(old);
    expect(code).toMatch(/^[a-z2-9]{4}-[a-z2-9]{4}$/);
    const rows = JSON.stringify(await db.selectFrom('memories').selectAll().execute());
    expect(rows).toContain('Barakhamba');
    expect(rows).not.toContain(code);
    const { status, body } = await take(young, ` ${code.replace('-', ' ').toUpperCase()} `);
    expect(status).toBe(200);
    expect(body.memory).toEqual(MEMORY);
    expect(await db.selectFrom('memories').selectAll().execute()).toEqual([]);
    const again = await take(young, code);
    expect(again.status).toBe(404);
    expect(again.body).toMatchObject({
      errors: [{ code: 'CODE_UNKNOWN', displayMsg: serverText.memoryCodeUnknown, field: 'code' }],
    });
  });

  test('of many who type it at once one gets it', async () => {
    const { code } = await give(await visitor(server));
    const others = await Promise.all(Array.from({ length: 8 }, () => visitor(server)));
    const answers = await Promise.all(others.flatMap((one) => [take(one, code), take(one, code)]));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('it ends with its ten minutes, with the next code of the same phone, and at the border', async () => {
    const [old, young, abroad] = [await visitor(server), await visitor(server), await visitor(server, 'LK')];
    const first = await give(old);
    const second = await give(old);
    expect(codeOf(await take(young, first.code))).toBe('CODE_UNKNOWN');
    expect(codeOf(await take(abroad, second.code))).toBe('CODE_UNKNOWN');
    await server.advance(599);
    const third = await give(await visitor(server));
    await server.advance(2);
    expect(codeOf(await take(young, second.code))).toBe('CODE_UNKNOWN');
    expect((await take(young, third.code)).status).toBe(200);
  });

  test('whoever guesses is stopped', async () => {
    const guesser = await visitor(server);
    const codes = [];
    for (let tries = 0; tries < 21; tries += 1) codes.push(codeOf(await take(guesser, 'abcd-2345')));
    expect([...new Set(codes)]).toEqual(['CODE_UNKNOWN', 'TOO_MANY']);
    expect(codes.indexOf('TOO_MANY')).toBe(20);
  });
});
