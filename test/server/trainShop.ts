import type * as z from 'zod/mini';
import * as development from '../../src/contract/development.ts';
import type { OrderView } from '../../src/contract/orders.ts';
import type { TrainOrder } from '../../src/contract/trainOrder.ts';
import * as trains from '../../src/contract/trains.ts';
import type { TestServer } from '../kit/server.ts';
import { codeFor } from './people.ts';
import { pay, visitor, type Customer, type Extras } from './shop.ts';

/** Tickets of the embedded railway (country/in/seed/trains.json). */
export const PNR = {
  /** New Delhi to Chennai in 2 hours: NDLS, BPL, NGP, BZA, MAS are ours. */
  long: '2612345601',
  /** Mumbai to New Delhi in 5 hours: MMCT, BRC, NDLS. */
  mumbai: '2612345602',
  rac: '2612345604',
  far: '2612345605',
  waiting: '2612345606',
  cancelled: '2612345607',
  unserved: '2612345608',
  over: '2612345609',
  unknown: '2612345699',
} as const;

/** Somebody who orders from the store of a station. */
export const traveller = (server: TestServer, storeId: string) =>
  visitor(server, 'IN', { storeId, deliveryType: 'DELIVERY' });

export async function saved(
  server: TestServer,
  who: Customer,
  pnr: string,
  stationId: string,
  more: Partial<z.input<typeof trains.save.body>> = {},
): Promise<TrainOrder> {
  const { status, body } = await who.call(trains.save, {
    body: { cartId: who.cartId, pnr, stationId, mobile: who.mobile, ...more },
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
  if (body.otp === null) return body.train;
  const code = await codeFor(server, who.mobile, 'in-web');
  const checked = await who.call(trains.validateOtp, { body: { trainOrderId: body.train.trainOrderId, code } });
  if (checked.status !== 200) throw new Error(JSON.stringify(checked.body));
  return checked.body.train;
}

/** A paid order to a train. */
export async function ordered(
  server: TestServer,
  who: Customer,
  train: TrainOrder,
  { paymentMode = 'UPI', ...more }: Extras = {},
): Promise<OrderView> {
  const { quote } = (await who.validate({ paymentMode, train: train.trainOrderId })).body;
  const { status, body } = await who.submit({
    paymentMode,
    cartVersion: quote.cartVersion,
    total: quote.bill.total,
    ...more,
    body: { train: train.trainOrderId, ...more.body },
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
  if (body.next.kind !== 'none') {
    await pay(server, body.next);
    await who.confirm(body.order);
  }
  return await who.read(body.order.orderId);
}

type Event = z.input<typeof development.railway.body>;
export async function railway(server: TestServer, event: Event): Promise<void> {
  const { status, body } = await server.call(development.railway, { body: event });
  if (status !== 200) throw new Error(JSON.stringify(body));
}

export const trainOf = async (who: Customer, id: string): Promise<TrainOrder> =>
  (await who.call(trains.byId, { orderId: id })).body.train;
