import { randomBytes, timingSafeEqual } from 'node:crypto';
import { HAND_OVER_TRIES, handOverCodeOf } from '../../../domain/trains.ts';
import { MINUTE_MS } from '../../../domain/time.ts';
import { typedCode } from '../../../domain/typedText.ts';
import type { Call } from '../../call/call.ts';
import { errors, railway as say } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';
import { transact, type Db } from '../../store/db.ts';
import { derived, newToken } from '../../store/ids.ts';
import { lockOrder } from '../../store/orders.ts';
import { secret } from '../../store/system.ts';
import { setTrain, takeCodeTry, trainByEither } from '../../store/trains.ts';
import { deliverOrder } from '../order/lifecycle.ts';

/** What the passenger shows at the coach door. */
export const newHandOverCode = (): string => handOverCodeOf(randomBytes(16));

/** What lets the rider of one order ask: its id, and that it is ours. */
export async function riderToken(db: Db, trainId: string): Promise<string> {
  return `${trainId}.${derived(await secret(db, 'rider', newToken), trainId).slice(0, 22)}`;
}

async function trainOfToken(db: Db, token: string) {
  const [id = ''] = token.split('.');
  const train = await trainByEither(db, id);
  const right = Buffer.from(await riderToken(db, id));
  const given = Buffer.from(token);
  return train !== undefined && given.length === right.length && timingSafeEqual(given, right) ? train : undefined;
}

/**
 * Hands the food over against the passenger's code, which five tries may be wasted on. The rider needs no answer of the
 * railway: who can tell the code stands at the coach.
 * @throws Refusal 404 NOT_FOUND; 409 TRAIN_NOT_HERE; 422 CODE_WRONG; 429 CODE_TRIES
 */
export async function handOver(call: Call, { token, code }: { token: string; code: string }): Promise<string> {
  const { db, now } = call;
  const train = await trainOfToken(db, token);
  if (train?.order_id == null || train.country !== call.caller.country)
    return refuse(404, 'NOT_FOUND', errors.notFound);
  if (!(await takeCodeTry(db, train.id, HAND_OVER_TRIES))) refuse(429, 'CODE_TRIES', say.codeTries, { field: 'code' });
  const { order_id: orderId } = train;
  return await transact(db, async (tx) => {
    const order = await lockOrder(tx, orderId);
    const right = Buffer.from(order?.hand_over_code ?? '');
    const given = Buffer.from(typedCode(code).replaceAll('-', ''));
    if (order === undefined || right.length === 0 || given.length !== right.length || !timingSafeEqual(given, right))
      return refuse(422, 'CODE_WRONG', say.codeWrong, { field: 'code' });
    if (order.status === 'DELIVERED') return order.number;
    if (order.status !== 'PICKED UP' || now < train.arrives_at - EARLY_MS)
      return refuse(409, 'TRAIN_NOT_HERE', say.trainNotHere);
    await setTrain(tx, train.id, { halted_at: train.halted_at ?? now, code_tries: 0, question: null, answer_by: null });
    await deliverOrder(tx, order, now);
    return order.number;
  });
}
/** A train may be a little before the time that we know. */
const EARLY_MS = 10 * MINUTE_MS;
