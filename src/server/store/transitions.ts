import type { PaymentMode, OrderStatus } from '../../contract/names.ts';
import type { PaymentState } from '../../contract/payments.ts';
import { afterCommit, type Db } from './db.ts';

/** Something that happened to an order or a payment, and stays so: it is committed. Amounts in minor units. */
export type Move =
  | { readonly noun: 'order'; readonly status: OrderStatus; readonly country: string; readonly host: string }
  | {
      readonly noun: 'payment';
      readonly state: PaymentState;
      readonly mode: PaymentMode;
      readonly amount: number;
      readonly currency: string;
    };

const listeners = new WeakMap<object, (move: Move) => void>();
/** The one object that a database shares with its transactions, and with nothing else. */
const keyOf = (db: Db) => db.getExecutor().adapter;

/** Hears of each move that this process commits from now on. */
export function hearMoves(db: Db, listener: (move: Move) => void): void {
  listeners.set(keyOf(db), listener);
}

/** Tells of a move once the transaction around it is committed, if anybody hears. */
export function tellMove(db: Db, move: Move): void {
  const listener = listeners.get(keyOf(db));
  if (listener === undefined) return;
  if (db.isTransaction) afterCommit(() => listener(move));
  else listener(move);
}
