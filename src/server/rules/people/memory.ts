import { createHash } from 'node:crypto';
import { Memory } from '../../../contract/memory.ts';
import { memoryCode } from '../../../domain/memory.ts';
import { MINUTE_MS } from '../../../domain/time.ts';
import { userIdOf, type Call } from '../../call/call.ts';
import { t } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';
import { putMemory, takeMemory } from '../../store/memories.ts';
import { newCode } from './codes.ts';
import { mayDo, takeOneBack, withinHour } from './limits.ts';

const LIFE_MS = 10 * MINUTE_MS;
const GIVEN_AN_HOUR = 20;

const idOf = (code: string) => createHash('sha256').update(`memory:${code}`).digest('base64url');

/** Keeps what a device remembers until another one takes it with the code. @throws Refusal 429 TOO_MANY */
export async function giveMemory(call: Call, memory: Memory): Promise<{ code: string; expiresAt: number }> {
  await withinHour(call.db, `memory|${userIdOf(call)}`, GIVEN_AN_HOUR, call.now);
  const code = newCode(2);
  const expiresAt = call.now + LIFE_MS;
  await putMemory(call.db, {
    id: idOf(code),
    country: call.caller.country,
    user_id: userIdOf(call),
    memory: JSON.stringify(memory),
    ends_at: expiresAt,
  });
  return { code, expiresAt };
}

/** What was given under a code, once. @throws Refusal 404 CODE_UNKNOWN, 428 CHALLENGE, 429 TOO_MANY */
export async function takenMemory(call: Call, typed: string): Promise<Memory> {
  await mayDo(call, 'memories');
  const code = memoryCode(typed);
  const found = code === null ? undefined : await takeMemory(call.db, idOf(code), call.caller.country, call.now);
  if (found === undefined) refuse(404, 'CODE_UNKNOWN', t.memoryCodeUnknown, { field: 'code' });
  await takeOneBack(call, 'memories');
  return Memory.parse(JSON.parse(found));
}
