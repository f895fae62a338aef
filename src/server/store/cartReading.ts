import {
  CART_SELECTS,
  cartOfRows,
  CHANGE_SELECTS,
  lineOf,
  type CartOwner,
  type CartRows,
  type KeptCart,
  type KeptLine,
} from './carts.ts';
import {
  COUPON_SELECTS,
  couponStatesOf,
  historyOfRows,
  holdersOf,
  type CouponRows,
  type CouponState,
  type History,
} from './coupons.ts';
import type { Db, Tx } from './db.ts';
import { together } from './together.ts';
import { latestSpin, spinOfRow, type Spin, type SpinRow } from './wheel.ts';

/** Everything in the database that a cart's price is made from, as of one moment. */
export interface CartReading {
  /** Whose it is; undefined, like the cart itself, when nothing was ever put in. */
  readonly owner: CartOwner | undefined;
  readonly cart: KeptCart | undefined;
  readonly spin: Spin | undefined;
  readonly history: History;
  readonly states: ReadonlyMap<string, CouponState>;
}

/** Whose cart is read. */
export interface CartReader {
  readonly cartId: string;
  readonly country: string;
  readonly userId: string;
  readonly mobile: string | null;
}

export const READING_SELECTS = { ...CART_SELECTS, ...COUPON_SELECTS, spins: latestSpin };

export function readingOf(rows: CartRows & CouponRows & { readonly spins: readonly SpinRow[] }): CartReading {
  const [spin] = rows.spins;
  return {
    owner: rows.carts[0],
    cart: cartOfRows(rows),
    spin: spin && spinOfRow(spin),
    history: historyOfRows(rows),
    states: couponStatesOf(rows.states),
  };
}

const read = together(READING_SELECTS);

/** One statement. */
export async function readCart(db: Db, { cartId, country, userId, mobile }: CartReader): Promise<CartReading> {
  return readingOf(await read(db, { cartId, country, holders: holdersOf(userId, mobile) }));
}

/** The same, and what decides about a change of the cart. */
export interface ChangeReading extends CartReading {
  readonly cart: KeptCart;
  /** In their order, the removed ones too. */
  readonly lines: readonly KeptLine[];
  /** Where a line stands that comes behind all of them. */
  readonly end: number;
  /** Those of the operations that the cart has seen. */
  readonly seen: ReadonlySet<string>;
}

const readAll = together({ ...READING_SELECTS, ...CHANGE_SELECTS });
/** No operation has this id: PostgreSQL takes no empty list. */
const NO_OPERATION = '';

/** One statement, of a cart that is locked for this transaction. */
export async function readForChange(
  tx: Tx,
  { cartId, country, userId, mobile }: CartReader,
  operations: readonly string[],
): Promise<ChangeReading> {
  const holders = holdersOf(userId, mobile);
  const rows = await readAll(tx, { cartId, country, holders, operations: [NO_OPERATION, ...operations] });
  const reading = readingOf({ ...rows, lines: rows.lines.filter(({ removed }) => removed === 0) });
  return {
    ...reading,
    cart: reading.cart!,
    lines: rows.lines.map(lineOf),
    end: (rows.lines.at(-1)?.position ?? -1) + 1,
    seen: new Set(rows.operations.map(({ operation_id }) => operation_id)),
  };
}
