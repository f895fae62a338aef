import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Endpoint } from '../../../contract/endpoint.ts';
import { canonicalJson } from '../../../domain/canonicalJson.ts';
import { errors, t } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';
import { PreparedReply, succeeded } from '../../call/preparedReply.ts';
import { userIdOf } from '../../call/call.ts';
import type { Call } from '../../call/call.ts';
import { transact } from '../../store/db.ts';
import type { Tx } from '../../store/db.ts';
import { claimKey, keepReply, readKey, renewKey, takeOverKey, type NewKey } from '../../store/idempotency.ts';
import { wallNow } from '../../store/system.ts';
import type { Write } from '../../store/together.ts';

/** A process that died between the two phases loses its claim after this; a living one renews its claim. */
const LEASE_MS = 4_000;
const RENEW_EVERY_MS = 1_000;
const WAIT_EVERY_MS = 40;
const WAIT_AT_MOST_MS = 12_000;

const KEY = /^[\x21-\x7e]{1,255}$/;

/** The call's own key. @throws Refusal 400 IDEMPOTENCY_KEY when it is missing or not readable */
export function keyOf(call: Call): string {
  const key = call.idempotencyKey;
  if (key === null || !KEY.test(key)) refuse(400, 'IDEMPOTENCY_KEY', t.badInput, { field: 'Idempotency-Key' });
  return key;
}

/** What a repeated call must share with the first: endpoint, path and body. The order of the fields does not matter. */
export function fingerprint(endpoint: string, input: unknown): string {
  return createHash('sha256').update(endpoint).update('\n').update(canonicalJson(input)).digest('base64url');
}

const WITHDRAWN = 'withdrawn';

/**
 * Uses up a key without any effect, so that a call which is still on its way can do nothing. It claims the same row as
 * `once`, so only one of the two wins, and it waits for a rival that is in its transaction. A key that had an effect is
 * left alone.
 * @throws Refusal 400 IDEMPOTENCY_KEY when the key is not readable
 */
export async function withdrawKey(call: Call, key: string): Promise<void> {
  if (!KEY.test(key)) refuse(400, 'IDEMPOTENCY_KEY', t.badInput, { field: 'key' });
  const userId = userIdOf(call);
  await transact(call.db, async (tx) => {
    if (await claimKey(tx, { userId, key, fingerprint: WITHDRAWN, leaseUntil: 0, at: call.now }))
      await keepReply(tx, userId, key, '');
  });
}

/**
 * One key, one effect, one answer (reliability 6.1). `inTransaction` runs in the transaction that claims the key: it
 * does everything local and returns what the rest needs, as JSON. `afterCommit` does what is outside (a provider) and
 * must be safe to repeat: after a crash, the next call with the same key continues there. Its reply is stored, and sent
 * again byte by byte, and what it hands to `withReply` is written in the same transaction. A Refusal of either is not
 * stored.
 * @param more `expected`: what `inTransaction` will return, where that is known before; `claim`: claims the key, where
 *   something else is locked with it
 * @throws Refusal 409 WITHDRAWN, 422 IDEMPOTENCY_MISMATCH for another body, 409 IN_PROGRESS when the first call hangs
 */
export async function once<Ref>(
  call: Call,
  key: string,
  print: string,
  inTransaction: (tx: Tx) => Promise<Ref>,
  afterCommit: (ref: Ref, withReply: (writes: readonly Write[]) => void) => Promise<object>,
  more: { readonly expected?: Ref; readonly claim?: (tx: Tx, own: NewKey) => Promise<boolean> } = {},
): Promise<PreparedReply> {
  const userId = userIdOf(call);
  const { expected, claim = claimKey } = more;
  const started = await transact(call.db, async (tx) => {
    const wall = await wallNow(tx);
    const leaseUntil = wall + LEASE_MS;
    const claimed = JSON.stringify(expected ?? null);
    if (!(await claim(tx, { userId, key, fingerprint: print, leaseUntil, at: call.now, ref: claimed }))) return null;
    const ref = await inTransaction(tx);
    const held = JSON.stringify(ref ?? null);
    if (held !== claimed) await renewKey(tx, userId, key, leaseUntil, held);
    return { ref };
  });
  if (started !== null) return await finish(started.ref);

  const giveUp = Date.now() + WAIT_AT_MOST_MS;
  for (;;) {
    const row = await readKey(call.db, userId, key);
    // Rolled back, or deleted in the meantime: as if the key was never used.
    if (row === undefined) return await once(call, key, print, inTransaction, afterCommit, more);
    if (row.fingerprint === WITHDRAWN) refuse(409, 'WITHDRAWN', t.submitWithdrawn);
    if (row.fingerprint !== print) refuse(422, 'IDEMPOTENCY_MISMATCH', t.badInput, { field: 'Idempotency-Key' });
    if (row.state === 'DONE' && row.body !== null) return new PreparedReply(row.body, { replayed: true });
    const wall = await wallNow(call.db);
    if (row.lease_until <= wall && (await takeOverKey(call.db, userId, key, row.lease_until, wall + LEASE_MS)))
      return await finish(JSON.parse(row.ref) as Ref);
    if (Date.now() > giveUp) refuse(409, 'IN_PROGRESS', errors.submitUnknown);
    await sleep(WAIT_EVERY_MS);
  }

  async function finish(ref: Ref): Promise<PreparedReply> {
    const renewing = setInterval(() => {
      wallNow(call.db)
        .then((wall) => renewKey(call.db, userId, key, wall + LEASE_MS))
        .catch((error: unknown) => call.services.log.warn({ error: String(error) }, 'lease of a key not renewed'));
    }, RENEW_EVERY_MS);
    try {
      const writes: Write[] = [];
      const reply = await afterCommit(ref, (also) => void writes.push(...also));
      // The first reply that was stored counts, even if two processes came this far.
      const body = JSON.stringify(succeeded(reply));
      return new PreparedReply(await keepReply(call.db, userId, key, body, writes), {});
    } catch (error) {
      await renewKey(call.db, userId, key, 0).catch(() => call.services.log.warn({}, 'lease of a key not given back'));
      throw error;
    } finally {
      clearInterval(renewing);
    }
  }
}

/**
 * A write that by itself needs no key, sent with one: whoever sends it again within 24 hours gets the first answer, and
 * nothing is done anew. A call whose process died in the middle is done again, which each of them bears.
 */
export async function answeredOnce(
  call: Call,
  { method, path }: Pick<Endpoint, 'method' | 'path'>,
  input: unknown,
  handle: () => Promise<unknown>,
): Promise<PreparedReply> {
  return await once(
    call,
    keyOf(call),
    fingerprint(`${method} ${path}`, input),
    async () => null,
    async () => {
      const result = await handle();
      return result instanceof PreparedReply ? (JSON.parse(result.json) as object) : (result as object);
    },
  );
}
