import type { Tx } from '../../store/db.ts';
import type { OrderRow } from '../../store/orders.ts';
import { scoreOrder } from '../league/score.ts';
import { expectPoints } from '../loyalty/loyalty.ts';
import { makeInvoice } from './invoice/invoices.ts';

/** What follows when an order was handed over and its money is settled: invoice, points, slices, in this order. */
const AFTER_DELIVERED: readonly ((tx: Tx, order: OrderRow, at: number) => Promise<void>)[] = [
  makeInvoice,
  expectPoints,
  scoreOrder,
];

export async function afterDelivered(tx: Tx, order: OrderRow, at: number): Promise<void> {
  for (const follow of AFTER_DELIVERED) await follow(tx, order, at);
}
