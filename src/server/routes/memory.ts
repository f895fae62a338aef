import { createHash } from 'node:crypto';
import * as contract from '../../contract/memory.ts';
import { memoryCode } from '../../domain/memory.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/time.ts';
import { t } from '../call/language.ts';
import { refuse } from '../call/refusal.ts';
import { on } from '../call/route.ts';
import { userIdOf } from '../call/call.ts';
import type { Route } from '../call/route.ts';
import { newCode } from '../rules/people/codes.ts';
import { mayDo, takeOneBack } from '../rules/people/limits.ts';
import { putMemory, takeMemory } from '../store/memories.ts';
import { countUse } from '../store/system.ts';

const LIFE_MS = 10 * MINUTE_MS;
const GIVEN_AN_HOUR = 20;

const idOf = (code: string) => createHash('sha256').update(`memory:${code}`).digest('base64url');

export const memoryRoutes: Route[] = [
  on(contract.give, async ({ body }, call) => {
    const { used } = await countUse(call.db, `memory|${userIdOf(call)}`, HOUR_MS, call.now);
    if (used > GIVEN_AN_HOUR) refuse(429, 'TOO_MANY', t.tooManyRequests);
    const code = newCode(2);
    const expiresAt = call.now + LIFE_MS;
    await putMemory(call.db, {
      id: idOf(code),
      country: call.caller.country,
      user_id: userIdOf(call),
      memory: JSON.stringify(body.memory),
      ends_at: expiresAt,
    });
    return { code, expiresAt };
  }),

  on(contract.take, async ({ body }, call) => {
    await mayDo(call, 'memories');
    const code = memoryCode(body.code);
    const found = code === null ? undefined : await takeMemory(call.db, idOf(code), call.caller.country, call.now);
    if (found === undefined) refuse(404, 'CODE_UNKNOWN', t.memoryCodeUnknown, { field: 'code' });
    await takeOneBack(call, 'memories');
    return { memory: contract.Memory.parse(JSON.parse(found)) };
  }),
];
