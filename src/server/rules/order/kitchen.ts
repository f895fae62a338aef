import { MINUTE_MS } from '../../../domain/time.ts';
import type { Db } from '../../store/db.ts';
import { startedBetween } from '../../store/orders.ts';
import { kitchenDelayMs } from './orders.ts';

const WINDOW_MS = 10 * MINUTE_MS;

/** The orders that an order which starts at `now` (epoch ms) waits for. */
export const ordersBefore = (now: number) => ({ startedFrom: now - WINDOW_MS, startedBefore: now });

/** How much longer, in ms, an order that starts at `now` (epoch ms) waits because this kitchen is full. */
export async function kitchenDelayNow(
  db: Db,
  store: { readonly id: string; readonly maxOrdersPer10Min: number },
  now: number,
): Promise<number> {
  const row = await startedBetween(db, { storeId: store.id, ...ordersBefore(now) }).executeTakeFirst();
  return kitchenDelayMs(Number(row?.n ?? 0), store.maxOrdersPer10Min);
}
