import { atom } from 'jotai';
import * as z from 'zod/mini';
import { OrderView } from '../../contract/orders.ts';
import { kept } from '../first/lib/kept.ts';

const MOST = 10;

/** The last orders of this device, newest first, as it last saw them: a guest's history, also without a network. */
export const deviceOrdersAtom = kept<OrderView[]>({
  key: 'orders',
  schema: z.array(OrderView),
  initial: [],
  forget: 'logout',
  optional: true,
});

export const noteOrderAtom = atom(null, (_get, set, order: OrderView): void => {
  set(deviceOrdersAtom, (held) =>
    [order, ...held.filter(({ orderId }) => orderId !== order.orderId)]
      .sort((a, b) => b.placedAt - a.placedAt)
      .slice(0, MOST),
  );
});
