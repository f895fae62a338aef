import { describe, expect, test } from 'vitest';
import type { Call } from '../../src/server/call/call.ts';
import { refuse } from '../../src/server/call/refusal.ts';
import { fingerprint, keyOf, once } from '../../src/server/rules/reliability/idempotency.ts';

import type { Tx } from '../../src/server/store/db.ts';
import { sweep } from '../../src/server/store/sweep.ts';
import { addToInbox } from '../../src/server/store/system.ts';
import { bothEngines } from '../kit/server.ts';

import { tablesHere } from '../kit/tablesHere.ts';

const DAY_MS = 86_400_000;
const quiet = { info: () => {}, warn: () => {}, error: () => {} };

describe.each(await bothEngines())('one key, one effect, one answer on %s [API-X02]', (engine) => {
  const opened = tablesHere(engine);

  const callOf = (userId: string, key: string | null = 'key') =>
    ({
      db: opened.db,
      now: 1_000,
      requestId: 'r',
      idempotencyKey: key,
      services: { log: quiet },
      caller: {
        userId,
        cartId: null,
        sessionId: null,
        access: null,
        country: 'IN',
        host: 'web',
        isLoggedIn: false,
        mobile: null,
      },
    }) as unknown as Call;
  /** A row in the inbox stands for the effect. */
  const effect = (user: string) => async (tx: Tx) => {
    await addToInbox(tx, user, 'effect', 1);
    return { made: `order-${Math.random()}` };
  };
  const effects = async (user: string) =>
    (await opened.db.selectFrom('inbox').select('id').where('mobile', '=', user).execute()).length;
  const print = fingerprint('submit', { total: 1 });

  test('parallel calls make one effect and get the same bytes', async () => {
    let outside = 0;
    const replies = await Promise.all(
      Array.from({ length: 24 }, () =>
        once(callOf('u1'), 'k', print, effect('u1'), async (ref) => {
          outside += 1;
          await new Promise((done) => setTimeout(done, 30));
          return { ...ref, secret: Math.random() };
        }),
      ),
    );
    expect(await effects('u1')).toBe(1);
    expect(outside).toBe(1);
    expect(new Set(replies.map((reply) => reply.json)).size).toBe(1);
    expect(replies.filter((reply) => !reply.replayed)).toHaveLength(1);
  });

  test("the same key with another body is 422, another person's same key is their own", async () => {
    await once(callOf('u2'), 'k', print, effect('u2'), async (ref) => ref);
    await expect(
      once(callOf('u2'), 'k', fingerprint('submit', { total: 2 }), effect('u2'), async (ref) => ref),
    ).rejects.toMatchObject({ httpStatus: 422, message: 'IDEMPOTENCY_MISMATCH' });
    await once(callOf('u3'), 'k', print, effect('u3'), async (ref) => ref);
    expect([await effects('u2'), await effects('u3')]).toEqual([1, 1]);
  });

  test('a refusal is not kept: the corrected call goes through', async () => {
    await expect(
      once(
        callOf('u4'),
        'k',
        print,
        async (tx) => {
          await effect('u4')(tx);
          return refuse(422, 'NO', 'no');
        },
        async (ref) => ref,
      ),
    ).rejects.toMatchObject({ httpStatus: 422 });
    expect(await effects('u4')).toBe(0);
    await once(callOf('u4'), 'k', print, effect('u4'), async (ref) => ref);
    expect(await effects('u4')).toBe(1);
  });

  test('a failure after the commit is continued by the next call with the key', async () => {
    const refs: unknown[] = [];
    const fails = once(callOf('u5'), 'k', print, effect('u5'), async (ref) => {
      refs.push(ref);
      throw new Error('provider away');
    });
    await expect(fails).rejects.toThrow('provider away');
    const reply = await once(callOf('u5'), 'k', print, effect('u5'), async (ref) => {
      refs.push(ref);
      return ref;
    });
    expect(await effects('u5')).toBe(1);
    expect(refs[0]).toEqual(refs[1]);
    expect(JSON.parse(reply.json)).toEqual({ status: 'SUCCESS', ...(refs[0] as object) });
  });

  test('the answer to a key is kept for 24 hours, and then forgotten with what it said', async () => {
    const call = callOf('u8');
    const again = () => once(call, 'day', print, effect('u8'), async (ref) => ref);
    const first = await again();
    await sweep(opened.db, call.now + DAY_MS);
    const inTime = await again();
    expect([inTime.replayed, inTime.json, await effects('u8')]).toEqual([true, first.json, 1]);
    await sweep(opened.db, call.now + DAY_MS + 1);
    const tooLate = await again();
    expect([tooLate.replayed, await effects('u8')]).toEqual([false, 2]);
  });

  test('a process that died between the phases loses its claim, and one call takes over', async () => {
    await once(callOf('u6'), 'k', print, effect('u6'), async (ref) => ref);
    // As a killed process leaves it: committed, no reply, the lease running.
    await opened.db
      .updateTable('idempotency')
      .set({ state: 'COMMITTED', body: null, lease_until: Date.now() + 300 })
      .where('user_id', '=', 'u6')
      .execute();
    let continued = 0;
    const replies = await Promise.all(
      Array.from({ length: 6 }, () =>
        once(callOf('u6'), 'k', print, effect('u6'), async (ref) => {
          continued += 1;
          return ref;
        }),
      ),
    );
    expect([continued, await effects('u6'), new Set(replies.map((reply) => reply.json)).size]).toEqual([1, 1, 1]);
  });

  test('a missing or unreadable key is 400', () => {
    for (const key of [null, '', 'a b', 'ä', 'x'.repeat(256)])
      expect(() => keyOf(callOf('u7', key))).toThrow(expect.objectContaining({ httpStatus: 400 }));
    expect(keyOf(callOf('u7', 'x'.repeat(255)))).toHaveLength(255);
  });

  test('the order of fields is no difference, a value is', () => {
    expect(fingerprint('e', { a: 1, b: [1, { c: 2, d: undefined }] })).toBe(
      fingerprint('e', { b: [1, { c: 2 }], a: 1 }),
    );
    expect(fingerprint('e', { a: 1 })).not.toBe(fingerprint('e', { a: '1' }));
    expect(fingerprint('e', { a: [1, 2] })).not.toBe(fingerprint('e', { a: [2, 1] }));
  });
});
