import type { AsideChoice, CartOptions, LineAddition, LineChange } from '../../../contract/cart.ts';
import { PaymentMode } from '../../../contract/names.ts';
import { t } from '../../call/language.ts';
import { LineProblem } from '../../../domain/build.ts';
import { refuse } from '../../call/refusal.ts';
import {
  cartChanged,
  copyOperations,
  cartState,
  growVersion,
  isInCart,
  linesOf,
  takeCart,
  writeCoupons,
  writeLine,
  writeOptions,
  type CartChange,
  type KeptCart,
  type KeptLine,
  type LineWish,
  cartCountry,
} from '../../store/carts.ts';
import { readForChange, type CartReader, type CartReading, type ChangeReading } from '../../store/cartReading.ts';
import { moveHistory } from '../../store/coupons.ts';
import type { Tx } from '../../store/db.ts';
import { writeTogether } from '../../store/together.ts';
import { mergeLines, type CartState } from './cart.ts';
import type { CountryCatalogue } from '../../call/catalogue.ts';
import { priceLine } from '../pricing/price.ts';
import { knownStore } from './pricingContext.ts';
import type { LoginMove } from '../people/sessions.ts';

const MAX_LINES = 60;
const MAX_PIECES = 100;
/** Ids of lines that a coupon added begin with this. */
const FREE_PREFIX = 'free:';

/** One change to a line that a customer asks for, from the call that adds lines or the call that changes them. */
export interface Operation {
  readonly operationId: string;
  readonly lineId: string;
  /** 0 removes the line for good; absent keeps its quantity. */
  readonly quantity: number | undefined;
  readonly wish: LineWish | undefined;
  /** The removed line that this one brings back. */
  readonly again?: string | undefined;
}

export function additionOf({ operationId, line }: LineAddition): Operation {
  const { lineId, quantity, again, ...wish } = line;
  return { operationId, lineId, quantity, wish, again };
}

export function changeOf({ operationId, lineId, quantity, line }: LineChange): Operation {
  return { operationId, lineId, quantity, wish: line };
}

/**
 * Applies an operation to a line and returns the new line, or undefined if nothing changes. A removed line stays
 * removed whatever comes later. A change to a line that does not exist creates it if it names the product. Pure.
 */
export function operate(before: KeptLine | undefined, operation: Operation, at: number): KeptLine | undefined {
  if (before?.removed === true) return undefined;
  const { lineId } = operation;
  if (operation.quantity === 0) {
    return {
      ...before,
      lineId,
      quantity: 0,
      removed: true,
      wish: before?.wish ?? { productId: 'removed' },
      changedAt: at,
    };
  }
  const wish = operation.wish ?? before?.wish;
  if (wish === undefined) return undefined;
  return {
    ...before,
    lineId,
    quantity: operation.quantity ?? before?.quantity ?? 1,
    removed: false,
    wish,
    changedAt: at,
  };
}

/**
 * @throws Refusal 422 with the problem's own code when our menus never offered such a line, LINE_FREE for a line that a
 *   coupon gave
 */
function mustBePossible(catalogue: CountryCatalogue, operation: Operation): void {
  if (operation.lineId.startsWith(FREE_PREFIX)) refuse(422, 'LINE_FREE', t.lineFree, { field: 'lineId' });
  if (operation.wish === undefined || operation.quantity === 0) return;
  try {
    priceLine(catalogue, operation.lineId, operation.quantity ?? 1, operation.wish, null);
  } catch (error) {
    if (!(error instanceof LineProblem)) throw error;
    if (error.kind === 'wrong')
      refuse(422, error.code, error.message, error.field === undefined ? {} : { field: error.field });
  }
}

const isSame = (a: KeptLine | undefined, b: KeptLine) =>
  a !== undefined &&
  a.removed === b.removed &&
  (a.aside === true) === (b.aside === true) &&
  a.quantity === b.quantity &&
  JSON.stringify(a.wish) === JSON.stringify(b.wish);
const piecesOf = (lines: Iterable<KeptLine>) =>
  [...lines].reduce((sum, line) => sum + (isInCart(line) ? line.quantity : 0), 0);

/**
 * What the guest of a group order may do on the host's cart. Read after the cart is locked, because the group may close
 * while waiting for the lock.
 */
export interface Part {
  readonly personId: string;
  readonly isOpen: boolean;
  /** The most that the guest's dishes may cost, in minor units; null without a limit. */
  readonly limit: number | null;
  readonly tooMuch: (limit: number) => string;
}

/** The cost of one guest's dishes, including those that are sold out now; minor units. */
function dishesSum(catalogue: CountryCatalogue, lines: Iterable<KeptLine>, personId: string): number {
  let sum = 0;
  for (const line of lines) {
    if (!isInCart(line) || line.personId !== personId) continue;
    try {
      sum += priceLine(catalogue, line.lineId, line.quantity, line.wish, null).price * line.quantity;
    } catch (error) {
      if (!(error instanceof LineProblem)) throw error;
    }
  }
  return sum;
}

/** The lines of a locked cart, in order, as they will be. */
type Lines = Map<string, KeptLine>;

/** The removed line that a new one brings back: only the cart knows how a dish was built that could not be sold any more. */
function goneLine(lines: Lines, { again, wish }: Operation, part: Part | undefined): KeptLine | undefined {
  const line = again === undefined ? undefined : lines.get(again);
  if (line?.removed !== true || line.wish.productId !== wish?.productId) return undefined;
  return part === undefined || line.personId === part.personId ? line : undefined;
}

/** The line as an operation leaves it that the cart sees for the first time; undefined where nothing changes. */
function carriedOut(
  catalogue: CountryCatalogue,
  lines: Lines,
  asked: Operation,
  at: number,
  part: Part | undefined,
): KeptLine | undefined {
  if (part?.isOpen === false) refuse(409, 'GROUP_CLOSED', t.groupClosed);
  const gone = goneLine(lines, asked, part);
  const operation = gone === undefined ? asked : { ...asked, wish: gone.wish };
  mustBePossible(catalogue, operation);
  const own = lines.get(operation.lineId);
  if (part !== undefined && own !== undefined && own.personId !== part.personId)
    refuse(403, 'GROUP_NOT_YOURS', t.groupNotYours, { field: 'lineId' });
  const changed = operate(own, operation, at);
  if (changed === undefined || isSame(own, changed)) return undefined;
  const whose = part?.personId ?? gone?.personId;
  return whose === undefined ? changed : { ...changed, personId: whose };
}

/** A cart that is too full may still be reduced. @throws Refusal 422 CART_FULL */
function mustHaveRoom(before: readonly KeptLine[], lines: Lines): void {
  const after = piecesOf(lines.values());
  if (after <= piecesOf(before)) return;
  const count = [...lines.values()].filter(isInCart).length;
  if (after > MAX_PIECES || count > MAX_LINES) {
    refuse(422, 'CART_FULL', t.cartFull({ pieces: MAX_PIECES, lines: MAX_LINES }));
  }
}

/** If prices rose and the guest is over the limit, the guest may still reduce. @throws Refusal 422 GROUP_LIMIT */
function mustKeepLimit(catalogue: CountryCatalogue, part: Part, before: readonly KeptLine[], lines: Lines): void {
  if (part.limit === null) return;
  const dishes = dishesSum(catalogue, lines.values(), part.personId);
  if (dishes > part.limit && dishes > dishesSum(catalogue, before, part.personId))
    refuse(422, 'GROUP_LIMIT', part.tooMuch(part.limit), { field: 'quantity' });
}

/**
 * Changes a cart: locks it, reads it with all that its price is made from, decides, and writes. An operation counts once,
 * even if it is sent again. The version grows only if something changed. `partOf` is given for the guest of a group
 * order, who may change only their own lines, only while the group is open, and within the limit.
 * @returns the cart as it is now, with all that its price is made from
 * @throws Refusal 422 for an impossible line, a full cart, an unknown store or payment mode, GROUP_LIMIT; 409
 *   GROUP_CLOSED; 403 GROUP_NOT_YOURS
 */
export async function changeCart(
  tx: Tx,
  catalogue: CountryCatalogue,
  of: CartReader,
  operations: readonly Operation[],
  options: CartOptions | undefined,
  at: number,
  partOf?: () => Promise<Part>,
): Promise<CartReading> {
  await takeCart(tx, { ...of, storeId: catalogue.country.DEFAULT_STORE }, at);
  const part = await partOf?.();
  const ids = operations.map(({ operationId }) => operationId);
  const reading = await readForChange(tx, of, ids);
  const change = decide(catalogue, reading, operations, options, at, part);
  await writeTogether(tx, cartChanged(tx, of.cartId, change, reading.end, at));
  return { ...reading, cart: change.cart ?? reading.cart };
}

/** What becomes of a cart. Pure. @throws Refusal as `changeCart` */
function decide(
  catalogue: CountryCatalogue,
  { cart, lines: before, seen }: ChangeReading,
  operations: readonly Operation[],
  options: CartOptions | undefined,
  at: number,
  part: Part | undefined,
): CartChange {
  const lines: Lines = new Map(before.map((line) => [line.lineId, line]));
  const done = new Set<string>();
  const changed = new Set<string>();
  let isChanged = false;
  for (const operation of operations) {
    const { operationId } = operation;
    if (seen.has(operationId) || done.has(operationId)) continue;
    done.add(operationId);
    const line = carriedOut(catalogue, lines, operation, at, part);
    if (line === undefined) continue;
    // A tombstone for what never was in the cart changes nothing of it.
    isChanged ||= lines.has(line.lineId) || !line.removed;
    lines.set(line.lineId, line);
    changed.add(line.lineId);
  }
  mustHaveRoom(before, lines);
  if (part !== undefined) mustKeepLimit(catalogue, part, before, lines);
  const chosen = options === undefined ? null : chosenOf(catalogue, cart, options);
  const all = [...lines.values()];
  const next: KeptCart = {
    ...(chosen ?? cart),
    version: cart.version + 1,
    lines: all.filter(isInCart),
    aside: all.filter((line) => line.aside === true && !line.removed),
  };
  return {
    operations: [...done],
    lines: [...changed].map((lineId) => lines.get(lineId)!),
    cart: isChanged || chosen !== null ? next : null,
  };
}

/** The cart with these options; null where they change nothing. */
function chosenOf(catalogue: CountryCatalogue, state: KeptCart, options: CartOptions): KeptCart | null {
  if (options.storeId !== undefined) knownStore(catalogue, options.storeId);
  const mode = options.paymentMode === '' ? null : options.paymentMode;
  if (mode !== undefined && mode !== null && !PaymentMode.safeParse(mode).success) {
    refuse(422, 'PAYMENT_MODE', t.paymentModeUnknown, { field: 'options.paymentMode' });
  }
  const next: KeptCart = {
    ...state,
    storeId: options.storeId ?? state.storeId,
    deliveryType: options.deliveryType ?? state.deliveryType,
    tip: options.tip ?? state.tip,
    carryBag: options.carryBag ?? state.carryBag,
    cutlery: options.cutlery ?? state.cutlery,
    ...(options.bestOffer === undefined ? {} : { bestOffer: options.bestOffer }),
    paymentMode: mode === undefined ? state.paymentMode : mode,
  };
  return JSON.stringify(next) === JSON.stringify(state) ? null : next;
}

/**
 * Decides about lines that are kept aside: ADD puts them into the cart as they were, DROP removes them for good. Lines
 * that are not aside (any more) are passed over, so the same call twice does no harm.
 * @throws Refusal 422 CART_FULL
 */
export async function decideAside(
  tx: Tx,
  cartId: string,
  choice: AsideChoice,
  lineIds: readonly string[],
  at: number,
): Promise<void> {
  const kept = await linesOf(tx, cartId);
  const lines: Lines = new Map(kept.map((line) => [line.lineId, line]));
  for (const [position, line] of kept.entries()) {
    if (line.aside !== true || line.removed || !lineIds.includes(line.lineId)) continue;
    const { aside: _aside, ...own } = line;
    const next = choice === 'ADD' ? { ...own, changedAt: at } : { ...own, quantity: 0, removed: true, changedAt: at };
    lines.set(line.lineId, next);
    await writeLine(tx, cartId, position, next);
  }
  mustHaveRoom(kept, lines);
  if (choice === 'ADD' && piecesOf(lines.values()) > piecesOf(kept)) await growVersion(tx, cartId);
}

/**
 * The account's cart after a login: the one that the customer has in front of them. What the account had in its cart
 * before is kept aside until the customer decides; nothing joins by itself, no line is lost and no removed one comes
 * back. Only an account's cart that others have put dishes into (a group order) stays, and the guest's lines are kept
 * aside. A line that both have, by its id, is one line. Pure.
 */
function linesAfterLogin(
  own: readonly KeptLine[],
  brought: readonly KeptLine[],
  isShared: boolean,
): readonly KeptLine[] {
  const inFront = new Set(brought.filter(isInCart).map((line) => line.lineId));
  const before = new Set(own.filter(isInCart).map((line) => line.lineId));
  const stays = isShared || inFront.size === 0 ? before : inFront;
  return mergeLines(own, brought).map((line) => {
    if (line.removed) return line;
    const { aside: _aside, ...rest } = line;
    return stays.has(line.lineId) ? rest : { ...rest, aside: true };
  });
}

/**
 * Moves the guest's cart to the account, in the transaction of the login. If food was in it, it replaces the account's
 * cart with its store, delivery type, offers and other options. A second run changes nothing.
 */
export async function moveCart(tx: Tx, move: LoginMove): Promise<void> {
  await moveHistory(tx, move.guestUserId, move.userId);
  const found = await cartState(tx, move.guestCartId);
  if (found === undefined) return;
  // Guests of a group order may be adding dishes right now. Locking the cart makes them wait; they then find it in the
  // account.
  if (found.groupId)
    await takeCart(tx, { cartId: move.guestCartId, userId: move.guestUserId, country: '', storeId: '' }, move.now);
  const guest = (await cartState(tx, move.guestCartId)) ?? found;
  const country = await cartCountry(tx, move.guestCartId);
  await takeCart(tx, { cartId: move.cartId, userId: move.userId, country, storeId: guest.storeId }, move.now);
  const state = await cartState(tx, move.cartId);
  const own = await linesOf(tx, move.cartId);
  const before = new Map(own.map((line) => [line.lineId, line]));
  const isShared = Boolean(state?.groupId) && !guest.groupId;
  let isChanged = false;
  for (const [position, line] of linesAfterLogin(own, await linesOf(tx, move.guestCartId), isShared).entries()) {
    const known = before.get(line.lineId);
    if (isSame(known, line) && known?.changedAt === line.changedAt && known.personId === line.personId) continue;
    // Written even if only the time of the change is newer: a later login compares against that time.
    await writeLine(tx, move.cartId, position, line);
    isChanged = isChanged || !isSame(known, line);
  }
  await copyOperations(tx, move.guestCartId, move.cartId);
  if (state === undefined || guest.lines.length === 0 || isShared) return;
  const { storeId, deliveryType, tip, carryBag, cutlery, paymentMode, bestOffer = false, coupons, declined } = guest;
  const chosen = { storeId, deliveryType, tip, carryBag, cutlery, paymentMode, bestOffer, coupons, declined };
  const next: CartState = { ...state, ...chosen };
  // The very same dishes may come with another tip, bag or offer.
  if (!isChanged && JSON.stringify(next) === JSON.stringify(state)) return;
  await writeCoupons(tx, move.cartId, coupons, declined);
  await writeOptions(tx, move.cartId, next);
  await growVersion(tx, move.cartId);
}
