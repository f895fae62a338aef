import { MINUTE_MS } from '../../../domain/time.ts';
import type { Db } from '../../store/db.ts';
import { startedBetween } from '../../store/orders.ts';
import { kitchenDelayMs } from './orders.ts';

const WINDOW_MS = 10 * MINUTE_MS;

/** How much longer, in ms, an order that starts at `now` (epoch ms) waits because this kitchen is full. */
export async function kitchenDelayNow(
  db: Db,
  store: { readonly id: string; readonly maxOrdersPer10Min: number },
  now: number,
): Promise<number> {
  return kitchenDelayMs(await startedBetween(db, store.id, now - WINDOW_MS, now), store.maxOrdersPer10Min);
}
