import type { CompiledQuery } from 'kysely';
import type { LineInput } from '../../contract/cart.ts';
import type { DeliveryType } from '../../contract/names.ts';
import type { Db, Tables, Tx } from './db.ts';
import { first, prepared } from './preparedStatement.ts';
import { together } from './together.ts';

declare module './db.ts' {
  interface Tables {
    carts: {
      id: string;
      user_id: string;
      country: string;
      version: number;
      store_id: string;
      delivery_type: string;
      tip: number;
      carry_bag: number;
      cutlery: number;
      payment_mode: string | null;
      touched_at: number;
      group_id: string | null;
      best_offer: number;
      /** 1: the customer wants to use a free reward of their points. */
      reward: number;
      /** The saved train order that it is for. */
      train_order: string | null;
    };
    cart_lines: {
      cart_id: string;
      line_id: string;
      position: number;
      quantity: number;
      removed: number;
      wish: string;
      changed_at: number;
      person_id: string | null;
      aside: number;
    };
    cart_operations: { cart_id: string; operation_id: string; done_at: number };
    /** `declined` 1: an automatic coupon that the customer took off; 2: one of these that they asked for later. */
    cart_coupons: { cart_id: string; code: string; position: number; declined: number };
  }
}

/** A line as it is stored: what was asked for, never a price. */
export type LineWish = Omit<LineInput, 'lineId' | 'quantity'>;

/** A line as the database keeps it. A removed one stays as a tombstone, so that an older add cannot bring it back. */
export interface KeptLine {
  readonly lineId: string;
  readonly quantity: number;
  readonly removed: boolean;
  readonly wish: LineWish;
  /** Epoch ms of the last change. */
  readonly changedAt: number;
  /** The guest of a group order who put the line in; absent for the cart's owner. */
  readonly personId?: string;
  /** Kept beside the cart until the customer decides: it costs nothing and is not ordered. */
  readonly aside?: boolean;
}

/** A cart as the database keeps it: no price anywhere. */
export interface KeptCart {
  readonly cartId: string;
  readonly userId: string;
  readonly version: number;
  readonly storeId: string;
  readonly deliveryType: DeliveryType;
  /** Without the removed ones, in the order they were added. */
  readonly lines: readonly KeptLine[];
  /** Lines that are kept beside the cart. */
  readonly aside?: readonly KeptLine[];
  /** In the order they were applied. */
  readonly coupons: readonly string[];
  /** Coupons that the customer took off and that do not come back by themselves. */
  readonly declined: readonly string[];
  readonly tip: number;
  readonly carryBag: boolean;
  readonly cutlery: boolean;
  readonly paymentMode: string | null;
  /** The best permitted offer goes on by itself. */
  readonly bestOffer?: boolean;
  /** A free reward of the customer's points is to pay for a pizza. */
  readonly reward?: boolean;
  /** Codes that this cart won at the wheel. */
  readonly prizes?: readonly string[];
  /** The open group order that shares this cart. */
  readonly groupId?: string | null;
  /** The saved train order that the cart is for. */
  readonly trainOrder?: string | null;
}

/** What an order took out of its cart: enough to put it back. */
export interface TakenCart {
  readonly lines: readonly {
    readonly lineId: string;
    readonly quantity: number;
    readonly wish: LineWish;
    readonly personId?: string | undefined;
  }[];
  readonly coupons: readonly string[];
  /** Which automatic coupons the customer took off, and whether the best offer went on by itself; absent in old orders. */
  readonly declined?: readonly string[] | undefined;
  readonly bestOffer?: boolean | undefined;
  readonly tip: number;
  readonly carryBag: boolean;
  readonly cutlery: boolean;
  readonly reward?: boolean | undefined;
}

export interface CartPlace {
  readonly cartId: string;
  readonly userId: string;
  readonly country: string;
  readonly storeId: string;
}

const take = prepared((db, given: Tables['carts']) =>
  db
    .insertInto('carts')
    .values(given)
    .onConflict((c) => c.column('id').doUpdateSet({ touched_at: given.touched_at })),
);

/** Makes the row of a new cart, and locks the cart for this transaction: others wait until it ends. */
export async function takeCart(tx: Tx, place: CartPlace, at: number): Promise<void> {
  await take(tx, {
    id: place.cartId,
    user_id: place.userId,
    country: place.country,
    version: 0,
    store_id: place.storeId,
    delivery_type: 'DELIVERY',
    tip: 0,
    carry_bag: 0,
    cutlery: 0,
    payment_mode: null,
    touched_at: at,
    group_id: null,
    best_offer: 0,
    reward: 0,
    train_order: null,
  });
}

const ownerOf = prepared((db, given: { cartId: string }) =>
  db.selectFrom('carts').select(['user_id', 'country']).where('id', '=', given.cartId),
);
export type CartOwner = Pick<Tables['carts'], 'user_id' | 'country'>;

/** Owner and country of a cart, or undefined when nothing was ever put in. */
export async function cartOwner(db: Db, cartId: string): Promise<CartOwner | undefined> {
  return await first(ownerOf(db, { cartId }));
}

/** Whether a line is part of the order: neither removed nor kept aside. */
export const isInCart = (line: KeptLine): boolean => !line.removed && line.aside !== true;

type LineRow = Omit<Tables['cart_lines'], 'cart_id' | 'position'>;
const linesIn = (db: Db, given: { readonly cartId: string }) =>
  db
    .selectFrom('cart_lines')
    .select(['line_id', 'quantity', 'removed', 'wish', 'changed_at', 'person_id', 'aside'])
    .where('cart_id', '=', given.cartId)
    .orderBy('position')
    .orderBy('line_id');

export const lineOf = (row: LineRow): KeptLine => ({
  lineId: row.line_id,
  quantity: row.quantity,
  removed: row.removed === 1,
  wish: JSON.parse(row.wish) as LineWish,
  changedAt: row.changed_at,
  ...(row.person_id === null ? {} : { personId: row.person_id }),
  ...(row.aside === 1 ? { aside: true } : {}),
});

const allLines = prepared(linesIn);
export async function linesOf(db: Db, cartId: string): Promise<KeptLine[]> {
  return (await allLines(db, { cartId })).rows.map(lineOf);
}

/** What a cart is read by. */
export const CART_SELECTS = {
  carts: (db: Db, given: { readonly cartId: string }) =>
    db
      .selectFrom('carts')
      .select(['id', 'user_id', 'country', 'version', 'store_id', 'delivery_type', 'tip', 'carry_bag', 'cutlery'])
      .select(['payment_mode', 'group_id', 'best_offer', 'reward', 'train_order'])
      .where('id', '=', given.cartId),
  /** Tombstones are many in an old cart, and nobody's business here. */
  lines: (db: Db, given: { readonly cartId: string }) => linesIn(db, given).where('removed', '=', 0),
  coupons: (db: Db, given: { readonly cartId: string }) =>
    db
      .selectFrom('cart_coupons')
      .select(['code', 'declined'])
      .where('cart_id', '=', given.cartId)
      .orderBy('position')
      .orderBy('code'),
};
export interface CartRows {
  readonly carts: readonly Omit<Tables['carts'], 'touched_at'>[];
  readonly lines: readonly LineRow[];
  readonly coupons: readonly Pick<Tables['cart_coupons'], 'code' | 'declined'>[];
}

/** What a change of a cart needs besides: the removed lines, where they stand, and which operations the cart has seen. */
export const CHANGE_SELECTS = {
  lines: (db: Db, given: { readonly cartId: string }) => linesIn(db, given).select('position'),
  operations: (db: Db, given: { readonly cartId: string; readonly operations: readonly string[] }) =>
    db
      .selectFrom('cart_operations')
      .select('operation_id')
      .where('cart_id', '=', given.cartId)
      .where('operation_id', 'in', given.operations),
};

const cart = together(CART_SELECTS);

/** The cart without its tombstones, or undefined when it has no row yet. */
export async function cartState(db: Db, cartId: string): Promise<KeptCart | undefined> {
  return cartOfRows(await cart(db, { cartId }));
}

/** The same, of rows that were read with others. */
export function cartOfRows({ carts: [row], lines: kept, coupons }: CartRows): KeptCart | undefined {
  if (row === undefined) return undefined;
  const lines = kept.map(lineOf);
  return {
    cartId: row.id,
    userId: row.user_id,
    version: row.version,
    storeId: row.store_id,
    deliveryType: row.delivery_type as DeliveryType,
    lines: lines.filter(isInCart),
    aside: lines.filter((line) => line.aside === true),
    coupons: coupons.filter((coupon) => coupon.declined !== 1).map((coupon) => coupon.code),
    declined: coupons.filter((coupon) => coupon.declined !== 0).map((coupon) => coupon.code),
    tip: row.tip,
    carryBag: row.carry_bag === 1,
    cutlery: row.cutlery === 1,
    paymentMode: row.payment_mode,
    groupId: row.group_id,
    bestOffer: row.best_offer === 1,
    reward: row.reward === 1,
    trainOrder: row.train_order,
  };
}

/** Whether an operation has been carried out on a cart. */
export async function hasOperation(db: Db, cartId: string, operationId: string): Promise<boolean> {
  return (
    (await db
      .selectFrom('cart_operations')
      .select('done_at')
      .where('cart_id', '=', cartId)
      .where('operation_id', '=', operationId)
      .executeTakeFirst()) !== undefined
  );
}

const putLines = prepared((db, given: { readonly rows: readonly Tables['cart_lines'][] }) =>
  db
    .insertInto('cart_lines')
    .values(given.rows)
    .onConflict((c) =>
      c.columns(['cart_id', 'line_id']).doUpdateSet((e) => ({
        quantity: e.ref('excluded.quantity'),
        removed: e.ref('excluded.removed'),
        wish: e.ref('excluded.wish'),
        changed_at: e.ref('excluded.changed_at'),
        person_id: e.ref('excluded.person_id'),
        aside: e.ref('excluded.aside'),
      })),
    ),
);

const rowOf = (cartId: string, position: number, line: KeptLine): Tables['cart_lines'] => ({
  cart_id: cartId,
  line_id: line.lineId,
  position,
  quantity: line.quantity,
  removed: line.removed ? 1 : 0,
  wish: JSON.stringify(line.wish),
  changed_at: line.changedAt,
  person_id: line.personId ?? null,
  aside: line.aside === true ? 1 : 0,
});

/** @param position of a new line; one that is there keeps its own */
export async function writeLine(tx: Tx, cartId: string, position: number, line: KeptLine): Promise<void> {
  await putLines(tx, { rows: [rowOf(cartId, position, line)] });
}

const putOptions = prepared((db, { id, ...values }: { readonly id: string } & Partial<Tables['carts']>) =>
  db.updateTable('carts').set(values).where('id', '=', id),
);

const optionsOf = (state: KeptCart) => ({
  store_id: state.storeId,
  delivery_type: state.deliveryType,
  tip: state.tip,
  carry_bag: state.carryBag ? 1 : 0,
  cutlery: state.cutlery ? 1 : 0,
  payment_mode: state.paymentMode,
  best_offer: state.bestOffer === true ? 1 : 0,
  reward: state.reward === true ? 1 : 0,
});

export async function writeOptions(tx: Tx, cartId: string, state: KeptCart): Promise<void> {
  await putOptions(tx, { id: cartId, ...optionsOf(state) });
}

const addOperations = prepared((db, given: { readonly rows: readonly Tables['cart_operations'][] }) =>
  db
    .insertInto('cart_operations')
    .values(given.rows)
    .onConflict((c) => c.doNothing()),
);
const grown = prepared((db, { id, ...values }: { readonly id: string } & Partial<Tables['carts']>) =>
  db
    .updateTable('carts')
    .set((e) => ({ ...values, version: e('version', '+', 1) }))
    .where('id', '=', id),
);

/** What becomes of a cart. */
export interface CartChange {
  /** Those that it had not seen. */
  readonly operations: readonly string[];
  /** The new ones in the order in which they come behind all others. */
  readonly lines: readonly KeptLine[];
  /** As it is from then on, its version too; null where it stays as it was. */
  readonly cart: KeptCart | null;
}

/**
 * What is to be written of a change to a cart that is locked.
 * @param end where the first new line stands
 */
export function cartChanged(
  tx: Tx,
  cartId: string,
  { operations, lines, cart: changed }: CartChange,
  end: number,
  at: number,
): CompiledQuery[] {
  const done = operations.map((operation_id) => ({ cart_id: cartId, operation_id, done_at: at }));
  const rows = lines.map((line, index) => rowOf(cartId, end + index, line));
  return [
    ...(done.length === 0 ? [] : [addOperations.of(tx, { rows: done })]),
    ...(rows.length === 0 ? [] : [putLines.of(tx, { rows })]),
    ...(changed === null ? [] : [grown.of(tx, { id: cartId, ...optionsOf(changed) })]),
  ];
}

/** Replaces the coupons of a cart: the customer's own in their order, and automatic ones that were taken off. */
export async function writeCoupons(
  tx: Tx,
  cartId: string,
  applied: readonly string[],
  declined: readonly string[],
): Promise<void> {
  await tx.deleteFrom('cart_coupons').where('cart_id', '=', cartId).execute();
  const rows = [
    ...applied.map((code, position) => ({
      cart_id: cartId,
      code,
      position,
      declined: declined.includes(code) ? 2 : 0,
    })),
    ...declined
      .filter((code) => !applied.includes(code))
      .map((code, position) => ({ cart_id: cartId, code, position, declined: 1 })),
  ];
  if (rows.length > 0) await tx.insertInto('cart_coupons').values(rows).execute();
}

/** @throws when there is no such cart */
export async function cartCountry(db: Db, cartId: string): Promise<string> {
  return (await db.selectFrom('carts').select('country').where('id', '=', cartId).executeTakeFirstOrThrow()).country;
}

export async function cartVersion(db: Db, cartId: string): Promise<number> {
  return (await db.selectFrom('carts').select('version').where('id', '=', cartId).executeTakeFirst())?.version ?? 0;
}

export async function growVersion(tx: Tx, cartId: string): Promise<void> {
  await grown(tx, { id: cartId });
}

const emptied = prepared((db, given: { cartId: string; at: number }) =>
  db
    .updateTable('cart_lines')
    .set({ removed: 1, quantity: 0, changed_at: given.at })
    .where('cart_id', '=', given.cartId)
    .where('removed', '=', 0)
    .where('aside', '=', 0),
);
const begunAnew = prepared((db, given: { cartId: string; at: number }) =>
  db
    .updateTable('carts')
    .set((e) => ({
      version: e('version', '+', 1),
      tip: 0,
      carry_bag: 0,
      cutlery: 0,
      payment_mode: null,
      group_id: null,
      reward: 0,
      train_order: null,
      touched_at: given.at,
    }))
    .where('id', '=', given.cartId),
);

const uncouponed = prepared((db, given: { cartId: string }) =>
  db.deleteFrom('cart_coupons').where('cart_id', '=', given.cartId),
);

/**
 * After an order: every line becomes a tombstone, coupons and options go. Store, delivery type and what is kept aside
 * stay. To be written with the order.
 */
export const cartEmptied = (
  tx: Tx,
  { cartId, coupons, declined }: Pick<KeptCart, 'cartId' | 'coupons' | 'declined'>,
  at: number,
): CompiledQuery[] => [
  emptied.of(tx, { cartId, at }),
  ...(coupons.length + declined.length > 0 ? [uncouponed.of(tx, { cartId })] : []),
  begunAnew.of(tx, { cartId, at }),
];

/**
 * The guest's operations count as done on the account's cart too, so that a client may safely send them again there.
 */
export async function copyOperations(tx: Tx, fromCartId: string, toCartId: string): Promise<void> {
  const rows = await tx.selectFrom('cart_operations').selectAll().where('cart_id', '=', fromCartId).execute();
  const AT_ONCE = 200;
  for (let start = 0; start < rows.length; start += AT_ONCE) {
    await tx
      .insertInto('cart_operations')
      .values(rows.slice(start, start + AT_ONCE).map((row) => ({ ...row, cart_id: toCartId })))
      .onConflict((c) => c.doNothing())
      .execute();
  }
}
