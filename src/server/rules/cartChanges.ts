import type { CartOptions, LineAddition, LineChange } from '../../contract/cart.ts';
import { PaymentMode } from '../../contract/names.ts';
import { GROUP_CLOSED, GROUP_NOT_YOURS } from '../../domain/messages.ts';
import { LineProblem } from '../../domain/build.ts';
import { refuse } from '../http/refusal.ts';
import { copyOperations, cartState, growVersion, isNewOperation, linesOf, takeCart, writeCoupons, writeLine, writeOptions } from '../store/carts.ts';
import { moveHistory } from '../store/coupons.ts';
import type { Tx } from '../store/db.ts';
import { mergeLines, type CartState, type KeptLine } from './cart.ts';
import type { CountryCatalogue } from './menu.ts';
import { priceLine, type LineWish } from './price.ts';
import { knownStore } from './scene.ts';
import { onLogin, type LoginMove } from './sessions.ts';

export const MAX_LINES = 60;
export const MAX_PIECES = 100;
/** Begins the ids of lines that coupons give. */
const FREE_PREFIX = 'free:';

/** One wish of a customer about a line, from either call. */
export interface Operation {
  readonly operationId: string;
  readonly lineId: string;
  /** 0 removes for good; absent keeps what the line has. */
  readonly quantity: number | undefined;
  readonly wish: LineWish | undefined;
}

export function additionOf({ operationId, line }: LineAddition): Operation {
  const { lineId, quantity, ...wish } = line;
  return { operationId, lineId, quantity, wish };
}

export function changeOf({ operationId, lineId, quantity, line }: LineChange): Operation {
  return { operationId, lineId, quantity, wish: line };
}

/**
 * What an operation makes of a line. A removed line stays removed, whatever comes later; a change of a line that is not there
 * yet makes it if it says what it is. Pure; undefined means that nothing happens.
 */
export function operate(before: KeptLine | undefined, operation: Operation, at: number): KeptLine | undefined {
  if (before?.removed === true) return undefined;
  const { lineId } = operation;
  if (operation.quantity === 0) {
    return { ...before, lineId, quantity: 0, removed: true, wish: before?.wish ?? { productId: 'removed' }, changedAt: at };
  }
  const wish = operation.wish ?? before?.wish;
  if (wish === undefined) return undefined;
  return { ...before, lineId, quantity: operation.quantity ?? before?.quantity ?? 1, removed: false, wish, changedAt: at };
}

/** @throws Refusal 422 with the problem's own code when no menu of ours ever offered this line */
function mustBePossible(catalogue: CountryCatalogue, operation: Operation): void {
  if (operation.lineId.startsWith(FREE_PREFIX)) refuse(422, 'LINE_FREE', 'A free item cannot be changed.', { field: 'lineId' });
  if (operation.wish === undefined || operation.quantity === 0) return;
  try {
    priceLine(catalogue, operation.lineId, operation.quantity ?? 1, operation.wish, null);
  } catch (error) {
    if (!(error instanceof LineProblem)) throw error;
    if (error.kind === 'wrong') refuse(422, error.code, error.message, error.field === undefined ? {} : { field: error.field });
  }
}

const isSame = (a: KeptLine | undefined, b: KeptLine) => a !== undefined && a.removed === b.removed && a.quantity === b.quantity
  && JSON.stringify(a.wish) === JSON.stringify(b.wish);
const piecesOf = (lines: Iterable<KeptLine>) => [...lines].reduce((sum, line) => sum + (line.removed ? 0 : line.quantity), 0);

/** What the guest of a group order may do on the host's cart; read when the cart is taken, for the clock goes on. */
export interface Part {
  readonly personId: string;
  readonly isOpen: boolean;
  /** Minor units that the guest's dishes may come to; null without a limit. */
  readonly limit: number | null;
  readonly tooMuch: (limit: number) => string;
}

/** What one guest's dishes cost, whatever is sold out now; minor units. */
export function dishesSum(catalogue: CountryCatalogue, lines: Iterable<KeptLine>, personId: string): number {
  let sum = 0;
  for (const line of lines) {
    if (line.removed || line.personId !== personId) continue;
    try {
      sum += priceLine(catalogue, line.lineId, line.quantity, line.wish, null).price * line.quantity;
    } catch (error) {
      if (!(error instanceof LineProblem)) throw error;
    }
  }
  return sum;
}

/**
 * Carries operations and options out on a cart that this transaction has taken. Each operation counts once, whoever sends it
 * again; the version grows only when something is different afterwards. `partOf` belongs to the guest of a group order, who
 * may touch no line but the own ones, while it is open and within the limit.
 * @throws Refusal 422 for a line that cannot be, a full cart, an unknown store or payment mode, GROUP_LIMIT; 409 GROUP_CLOSED;
 *   403 GROUP_NOT_YOURS
 */
export async function changeCart(
  tx: Tx, catalogue: CountryCatalogue, owner: { cartId: string; userId: string }, operations: readonly Operation[], options: CartOptions | undefined, at: number,
  partOf?: () => Promise<Part>,
): Promise<void> {
  await takeCart(tx, { ...owner, country: catalogue.country.COUNTRY_CODE, storeId: catalogue.country.DEFAULT_STORE }, at);
  const part = await partOf?.();
  const kept = await linesOf(tx, owner.cartId);
  const lines = new Map(kept.map((line) => [line.lineId, line]));
  const before = piecesOf(kept);
  let isChanged = false;
  for (const operation of operations) {
    if (!await isNewOperation(tx, owner.cartId, operation.operationId, at)) continue;
    if (part?.isOpen === false) refuse(409, 'GROUP_CLOSED', GROUP_CLOSED);
    mustBePossible(catalogue, operation);
    const own = lines.get(operation.lineId);
    if (part !== undefined && own !== undefined && own.personId !== part.personId) refuse(403, 'GROUP_NOT_YOURS', GROUP_NOT_YOURS, { field: 'lineId' });
    const changed = operate(own, operation, at);
    if (changed === undefined || isSame(own, changed)) continue;
    const next = part === undefined ? changed : { ...changed, personId: part.personId };
    const position = own === undefined ? lines.size : [...lines.keys()].indexOf(operation.lineId);
    lines.set(operation.lineId, next);
    await writeLine(tx, owner.cartId, position, next);
    isChanged = isChanged || own !== undefined || !next.removed;
  }
  const after = piecesOf(lines.values());
  if (after > before && (after > MAX_PIECES || [...lines.values()].filter((line) => !line.removed).length > MAX_LINES)) {
    refuse(422, 'CART_FULL', `A cart holds at most ${MAX_PIECES} pieces in ${MAX_LINES} lines. For larger parties please call the store.`);
  }
  if (part !== undefined && part.limit !== null) {
    const dishes = dishesSum(catalogue, lines.values(), part.personId);
    // A price that rose meanwhile is no fault of the guest's: less is always possible.
    if (dishes > part.limit && dishes > dishesSum(catalogue, kept, part.personId)) refuse(422, 'GROUP_LIMIT', part.tooMuch(part.limit), { field: 'quantity' });
  }
  if (options !== undefined && await setOptions(tx, catalogue, owner.cartId, options)) isChanged = true;
  if (isChanged) await growVersion(tx, owner.cartId);
}

async function setOptions(tx: Tx, catalogue: CountryCatalogue, cartId: string, options: CartOptions): Promise<boolean> {
  const state = await cartState(tx, cartId);
  if (state === undefined) return false;
  if (options.storeId !== undefined) knownStore(catalogue, options.storeId);
  const mode = options.paymentMode === '' ? null : options.paymentMode;
  if (mode !== undefined && mode !== null && !PaymentMode.safeParse(mode).success) {
    refuse(422, 'PAYMENT_MODE', 'This payment mode is not known here.', { field: 'options.paymentMode' });
  }
  const next: CartState = {
    ...state, storeId: options.storeId ?? state.storeId, deliveryType: options.deliveryType ?? state.deliveryType, tip: options.tip ?? state.tip,
    carryBag: options.carryBag ?? state.carryBag, cutlery: options.cutlery ?? state.cutlery, paymentMode: mode === undefined ? state.paymentMode : mode,
  };
  if (JSON.stringify(next) === JSON.stringify(state)) return false;
  await writeOptions(tx, cartId, next);
  return true;
}

/**
 * The guest's cart joins the account's in the login's own transaction: no line lost, none revived, and a second time changes
 * nothing. Where the guest had food in the cart, its store and delivery type are the ones wanted now.
 */
export async function mergeCarts(tx: Tx, move: LoginMove): Promise<void> {
  await moveHistory(tx, move.guestUserId, move.userId);
  const found = await cartState(tx, move.guestCartId);
  if (found === undefined) return;
  // Guests of a group order may be adding to it this moment: they wait, and find it in the account.
  if (found.groupId) await takeCart(tx, { cartId: move.guestCartId, userId: move.guestUserId, country: '', storeId: '' }, move.now);
  const guest = await cartState(tx, move.guestCartId) ?? found;
  const row = await tx.selectFrom('carts').select('country').where('id', '=', move.guestCartId).executeTakeFirstOrThrow();
  await takeCart(tx, { cartId: move.cartId, userId: move.userId, country: row.country, storeId: guest.storeId }, move.now);
  const own = await linesOf(tx, move.cartId);
  const before = new Map(own.map((line) => [line.lineId, line]));
  const merged = mergeLines(own, await linesOf(tx, move.guestCartId));
  let isChanged = false;
  for (const [position, line] of merged.entries()) {
    const known = before.get(line.lineId);
    if (known === line) continue;
    // Also when it says the same, only later: whoever joins next is measured against that.
    await writeLine(tx, move.cartId, position, line);
    isChanged = isChanged || !isSame(known, line);
  }
  await copyOperations(tx, move.guestCartId, move.cartId);
  const state = await cartState(tx, move.cartId);
  if (state === undefined || guest.lines.length === 0 || !isChanged) return;
  const coupons = [...state.coupons, ...guest.coupons.filter((code) => !state.coupons.includes(code))];
  await writeCoupons(tx, move.cartId, coupons, [...new Set([...state.declined, ...guest.declined])]);
  await writeOptions(tx, move.cartId, {
    ...state, storeId: guest.storeId, deliveryType: guest.deliveryType, tip: guest.tip, carryBag: guest.carryBag, cutlery: guest.cutlery, paymentMode: guest.paymentMode,
  });
  await growVersion(tx, move.cartId);
}

onLogin(mergeCarts);
