import type { TrainOrder } from '../../../contract/trainOrder.ts';
import type { Call } from '../../call/call.ts';
import { ordersByIds } from '../../store/orders.ts';
import type { TrainRow } from '../../store/trains.ts';
import { viewsOf } from '../order/orderView.ts';
import { ownTrain } from '../order/rights.ts';
import { savedViews } from '../order/trainView.ts';

/** Train orders of the caller's, saved ones and those that were placed. */
export async function trainViews({ db, now }: Call, rows: readonly TrainRow[]): Promise<TrainOrder[]> {
  const saved = rows.filter((row) => row.order_id === null);
  const placed = rows.flatMap((row) => row.order_id ?? []);
  const orders = await viewsOf(db, await ordersByIds(db, placed), now);
  const all = [...savedViews(saved, now), ...orders.flatMap((order) => order.train ?? [])];
  return rows.flatMap((row) => all.find((one) => one.trainOrderId === row.id) ?? []);
}

/** One of them as it is now. @throws Refusal 404 NOT_FOUND */
export async function trainViewNow(call: Call, id: string): Promise<TrainOrder> {
  const [view] = await trainViews(call, [await ownTrain(call, id)]);
  return view!;
}
