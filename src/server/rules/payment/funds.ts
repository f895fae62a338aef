import type { Funds, FundsPart, FundsWish } from '../../../contract/funds.ts';
import { VOUCHERS_AT_MOST } from '../../../contract/funds.ts';
import type { PaymentMode } from '../../../contract/names.ts';
import type { PaymentOption } from '../../../contract/payments.ts';
import { money } from '../../../contract/price.ts';
import type { ApiError } from '../../../contract/reply.ts';
import { isWalletUsable } from '../../../domain/features.ts';
import { hasFundsConflict } from '../../../domain/funds.ts';
import { errors, t } from '../../call/language.ts';
import { countryConfig } from '../../../../country/index.ts';
import type { Country } from '../../../../country/shape.ts';
import { blockedFor } from '../../call/features.ts';
import { refuse } from '../../call/refusal.ts';
import { userIdOf } from '../../call/call.ts';
import type { Call } from '../../call/call.ts';
import { transact, type Db, type Tx } from '../../store/db.ts';
import { newId } from '../../store/ids.ts';
import { accountOfMobileIfAny } from '../../store/sessions.ts';
import { phoneNumber } from '../../../domain/phone.ts';
import { DAY_MS } from '../../../domain/time.ts';
import { ensureWallet, entriesOfOrders, post, walletOf, type EntryRow } from '../../store/ledger.ts';
import { isNobody } from '../../store/deletions.ts';
import type { OrderRow } from '../../store/orders.ts';
import { keepUsable, vouchersOf, type LinkedVoucher } from '../../store/vouchers.ts';
import { lookAtSlices } from '../league/score.ts';
import { lookAtPoints } from '../loyalty/loyalty.ts';
import { linkableProvider } from './linkedWallets.ts';
import { parseSwitches } from '../../store/switches.ts';
import { hasVouchers } from './vouchers.ts';

// Paying with the balances that a customer holds with us. They do not change the order's total: a payment attempt asks
// for the rest. What an order gives back goes at once to the balance that it came from.

const USABLE_AFTER_RETURN_MS = 30 * DAY_MS;
/** Modes without any payment from outside: balances paid for the whole order. */
const OWN_MODES: readonly PaymentMode[] = ['WALLET', 'EGV'];
export const isOwnMode = (mode: PaymentMode): boolean => OWN_MODES.includes(mode);
/** The name of a balance that pays for a whole order; undefined for other modes. */
export const ownModeLabel = (mode: PaymentMode): string | undefined =>
  mode === 'WALLET' ? t.wallet : mode === 'EGV' ? t.egv : undefined;

function hasWallet(call: Call): boolean {
  const { country, host, isLoggedIn } = call.caller;
  const config = countryConfig(country);
  return isWalletUsable({
    blocked: blockedFor(config, host, parseSwitches(call.seen.switches).features),
    isWalletBlocked: config.IS_WALLET_BLOCKED,
    isLoggedIn,
    isMiniApp: host !== 'web',
  });
}

/**
 * @throws Refusal 403 WALLET_BLOCKED where the wallet cannot be used: in a country that blocks it, where it is switched
 * off, inside a mini-app, or when nobody is logged in (product.md C01)
 */
export function mustHaveWallet(call: Call): void {
  if (!hasWallet(call)) refuse(403, 'WALLET_BLOCKED', t.featureOff);
}

export interface Holdings {
  readonly wallet: number | null;
  readonly vouchers: readonly LinkedVoucher[];
  readonly sum: number;
  readonly problems: ApiError[];
}
const NO_HOLDINGS: Holdings = { wallet: null, vouchers: [], sum: 0, problems: [] };

/** A wallet with nothing in it pays no part, and so stands beside anything: the page cannot even turn it off. */
export const mayPay = (wallet: Holdings['wallet']): boolean => (wallet ?? 0) > 0;

/** The balances that the customer wants to use and may use, as they are now, and the problems with the others. */
export async function holdingsOf(
  db: Db,
  call: Call,
  choice: { useWallet?: boolean | undefined; vouchers?: readonly string[] | undefined },
  mode: PaymentMode | undefined,
): Promise<Holdings> {
  const ids = [...new Set(choice.vouchers ?? [])];
  const wantsWallet = choice.useWallet === true;
  if (!wantsWallet && ids.length === 0) return NO_HOLDINGS;
  const problems: ApiError[] = [];
  let wallet: number | null = null;
  if (wantsWallet) {
    if (hasWallet(call)) wallet = (await walletOf(db, userIdOf(call)))?.balance ?? 0;
    else problems.push({ code: 'PAYMENT_MODE', displayMsg: t.featureOff, field: 'useWallet' });
  }
  const isConflict = hasFundsConflict({
    wallet: mayPay(wallet),
    vouchers: ids.length,
    mode: mode === 'EGV' ? null : (mode ?? null),
  });
  if (isConflict) problems.push({ code: 'WALLET_CONFLICT', displayMsg: errors.walletConflict, field: 'paymentMode' });
  const { caller } = call;
  const own =
    ids.length > 0 && hasVouchers(caller.country, caller.host)
      ? (await vouchersOf(db, userIdOf(call))).filter((row) => row.country === caller.country)
      : [];
  const vouchers: LinkedVoucher[] = [];
  for (const id of ids) {
    const found = own.find((row) => row.id === id);
    if (found === undefined) problems.push({ code: 'EGV_UNKNOWN', displayMsg: errors.notFound, field: id });
    else if (found.expires_at <= call.now)
      problems.push({ code: 'EGV_EXPIRED', displayMsg: errors.egvExpired, field: id });
    else vouchers.push(found);
  }
  return { wallet, vouchers, sum: (wallet ?? 0) + vouchers.reduce((sum, row) => sum + row.balance, 0), problems };
}

/** The least sum that a mode can pay, and of which all others are a multiple; minor units. */
export const stepOf = (mode: PaymentMode | undefined, { roundTo }: Pick<Country, 'roundTo'>): number =>
  mode === 'COD' ? roundTo : 1;
/** What a rest lacks to be a sum that the mode can pay: cash has no coins for a part of a rupee. */
export const shortOf = (rest: number, step: number): number => (step - (rest % step)) % step;

/**
 * Splits a total between the e-vouchers, in the order they were chosen, and then the wallet; never more than the total,
 * and as much less as the mode for the rest needs.
 */
export function shareOut({ wallet, vouchers, sum }: Holdings, total: number, step = 1): Funds {
  let most = Math.min(sum, total);
  most = Math.max(0, most - shortOf(total - most, step));
  const rest = total - most;
  const take = (balance: number) => {
    const amount = Math.min(balance, most);
    most -= amount;
    return { balance: money(balance), amount: money(amount) };
  };
  const shares = vouchers.map((row) => ({ voucherId: row.id, lastFour: row.last_four, ...take(row.balance) }));
  const own = wallet === null ? null : take(wallet);
  return { wallet: own, vouchers: shares, rest: money(rest) };
}

export const sumOf = (wish: FundsWish | undefined): number =>
  (wish?.wallet ?? 0) + (wish?.vouchers ?? []).reduce((sum, one) => sum + one.amount, 0);

/** The mode of an order that balances pay in full. */
export const wholeMode = (wish: FundsWish): PaymentMode => ((wish.vouchers ?? []).length > 0 ? 'EGV' : 'WALLET');

/**
 * Takes exactly these amounts for an order, inside the transaction that makes it or that pays a part of it. Each amount
 * is taken by a guarded update with a key of its own.
 * @throws Refusal 422 WALLET_CONFLICT, EGV_COUNT, EGV_EXPIRED; 403 WALLET_BLOCKED; 409 WALLET_LOW, EGV_LOW, EGV_UNKNOWN
 */
export async function takeFunds(
  tx: Tx,
  call: Call,
  order: { id: string },
  wish: FundsWish,
  mode: PaymentMode,
): Promise<void> {
  const vouchers = wish.vouchers ?? [];
  const before = (await partsOf(tx, [order.id])).get(order.id) ?? [];
  const ids = new Set(vouchers.map((one) => one.voucherId));
  const all = new Set([...ids, ...before.filter((part) => part.mode === 'EGV').map((part) => part.accountId)]);
  if (ids.size !== vouchers.length || all.size > VOUCHERS_AT_MOST) refuse(422, 'EGV_COUNT', errors.egvCount);
  const hasWalletPart = before.some((part) => part.mode === 'WALLET');
  const isConflict = hasFundsConflict({
    wallet: wish.wallet !== undefined || hasWalletPart,
    vouchers: all.size,
    mode: mode === 'EGV' ? null : mode,
  });
  if (isConflict) refuse(422, 'WALLET_CONFLICT', errors.walletConflict, { field: 'paymentMode' });
  // When an order takes from an account for the second time, the key is a new one: it must not look like a repetition
  // of the first.
  const isTaken = async (accountId: string, amount: number) =>
    (await post(tx, {
      key: `spend:${order.id}:${accountId}:${before.find((part) => part.accountId === accountId)?.amount ?? 0}`,
      accountId,
      kind: 'SPEND',
      amount: -amount,
      orderId: order.id,
      at: call.now,
    })) === 'DONE';
  if (wish.wallet !== undefined) {
    mustHaveWallet(call);
    const wallet = await walletOf(tx, userIdOf(call));
    if (wallet === undefined || !(await isTaken(wallet.id, wish.wallet)))
      refuse(409, 'WALLET_LOW', t.walletLow, { field: 'wallet' });
  }
  const own = hasVouchers(call.caller.country, call.caller.host) ? await vouchersOf(tx, userIdOf(call)) : [];
  // All transactions use the same order, so that two orders with the same two e-vouchers never wait for each other in a
  // circle.
  for (const { voucherId, amount } of vouchers.toSorted((a, b) => (a.voucherId < b.voucherId ? -1 : 1))) {
    const found = own.find((row) => row.id === voucherId && row.country === call.caller.country);
    if (found === undefined) return refuse(409, 'EGV_UNKNOWN', errors.notFound, { field: voucherId });
    if (found.expires_at <= call.now) refuse(422, 'EGV_EXPIRED', errors.egvExpired, { field: voucherId });
    if (!(await isTaken(voucherId, amount))) refuse(409, 'EGV_LOW', t.egvLow, { field: voucherId });
  }
}

export interface Part extends FundsPart {
  readonly accountId: string;
  /**
   * A wallet of an account that sleeps before its deletion or is gone, or an e-voucher that only this account could pay
   * with: what came back to it would be lost with it.
   */
  readonly isLost: boolean;
}

export const unreturned = ({ amount, returned }: Part): number => amount - returned;

/** What orders took from balances and gave back, by the order's id. */
export async function partsOf(db: Db, orderIds: readonly string[]): Promise<Map<string, Part[]>> {
  const found = new Map<string, Part[]>();
  for (const row of await entriesOfOrders(db, orderIds)) {
    const parts = found.get(row.order_id!) ?? [];
    found.set(row.order_id!, parts);
    const index = parts.findIndex((part) => part.accountId === row.account_id);
    const part = parts[index];
    if (row.kind === 'SPEND' && part === undefined) {
      parts.push({
        accountId: row.account_id,
        isLost: row.deleted_at !== null || row.is_stray === 1 || (row.user_id !== null && isNobody(row.user_id)),
        mode: row.account_kind,
        amount: money(-row.amount),
        returned: money(0),
        label: row.account_kind === 'WALLET' ? t.wallet : t.egvEnding({ digits: row.last_four ?? '' }),
      });
    } else if (part !== undefined && row.unique_key.includes(FOR_CASH)) {
      parts[index] = { ...part, amount: money(part.amount - row.amount) };
    } else if (part !== undefined && row.kind !== 'CREDIT') {
      parts[index] =
        row.kind === 'SPEND'
          ? { ...part, amount: money(part.amount - row.amount) }
          : { ...part, returned: money(part.returned + row.amount) };
    }
  }
  return found;
}

/**
 * @throws Refusal 422 WALLET_CONFLICT if the wallet has paid a part of the order and cannot be combined with this mode
 */
export async function mustFit(tx: Tx, orderId: string, mode: PaymentMode): Promise<void> {
  const wallet = ((await partsOf(tx, [orderId])).get(orderId) ?? []).some((part) => part.mode === 'WALLET');
  if (hasFundsConflict({ wallet, vouchers: 0, mode }))
    refuse(422, 'WALLET_CONFLICT', errors.walletConflict, { field: 'paymentMode' });
}

/** Why money was added to a wallet or taken from it. */
export function movementLabel({ kind, unique_key: key }: EntryRow, orderNumber: string): string {
  if (kind === 'CREDIT') return orderNumber === '' ? t.walletAdded : t.walletHelp({ number: orderNumber });
  if (kind === 'SPEND') return t.walletSpent({ number: orderNumber });
  if (key.includes(':HELP:')) return t.walletHelp({ number: orderNumber });
  return key.endsWith(':PROMISE') ? t.walletLate({ number: orderNumber }) : t.walletBack({ number: orderNumber });
}

/** The balances that this customer may use here beside a payment mode, and the modes whose wallet can be linked. */
export function fundsOffered(call: Call, options: readonly PaymentOption[]) {
  const { country, host, isLoggedIn } = call.caller;
  const funds: { id: 'WALLET' | 'EGV'; label: string }[] = [];
  if (hasWallet(call)) funds.push({ id: 'WALLET', label: t.wallet });
  if (hasVouchers(country, host)) funds.push({ id: 'EGV', label: t.egv });
  return {
    funds,
    linkable:
      host === 'web' && isLoggedIn
        ? options.map((option) => option.id).filter((id) => linkableProvider(id) !== undefined)
        : [],
  };
}

/** What is left to pay of an order's total after the part that balances paid, in minor units. */
export async function restOf(db: Db, order: { id: string; total: number }): Promise<number> {
  return ((await partsOf(db, [order.id])).get(order.id) ?? []).reduce((rest, part) => rest - part.amount, order.total);
}

/** In the key of what an e-voucher has paid too much for cash to pay the rest: it counts as never taken. */
const FOR_CASH = ':CASH:';
/**
 * Leaves a sum that the mode of another attempt can pay: what an e-voucher has paid beyond that goes back to it. The
 * caller has locked the order.
 * @returns what is left to pay, in minor units
 */
export async function payableRest(
  tx: Tx,
  order: OrderRow,
  { mode, attempt }: { readonly mode: PaymentMode; readonly attempt: number },
  at: number,
): Promise<number> {
  let rest = await restOf(tx, order);
  let short = shortOf(rest, stepOf(mode, countryConfig(order.country)));
  for (const part of (await partsOf(tx, [order.id])).get(order.id) ?? []) {
    const amount = Math.min(short, part.amount);
    if (amount <= 0 || part.mode !== 'EGV' || part.isLost) continue;
    const { accountId } = part;
    const key = `return:${order.id}:${accountId}${FOR_CASH}${attempt}`;
    if ((await post(tx, { key, accountId, kind: 'RETURN', amount, orderId: order.id, at })) !== 'DONE') continue;
    await keepUsable(tx, accountId, at + USABLE_AFTER_RETURN_MS);
    short -= amount;
    rest += amount;
  }
  return rest;
}

/** Why something goes back for a ticket of the help: its id is part of it, since an order may have several. */
export type HelpReason = `HELP:${string}`;

type WithheldListener = (tx: Tx, orderId: string, amount: number, at: number) => Promise<void>;
const listeners: WithheldListener[] = [];
/**
 * Has this done with what an order owes a balance that nothing may be paid into any more, in the transaction that owes
 * it; in no certain order.
 */
export function onWithheld(listener: WithheldListener): void {
  listeners.push(listener);
}

/**
 * Gives balances back to where they came from: everything that has not gone back yet, or at most `atMost`. Once per
 * order, account and reason. What only a balance could take that is lost stays owed, and is left to a person, unless
 * it is a person who gives it back.
 * @returns how much was given back, in minor units
 */
export async function giveBack(
  tx: Tx,
  order: { id: string },
  reason: 'FAILED' | 'CANCELLED' | 'PROMISE' | HelpReason,
  at: number,
  atMost = Infinity,
): Promise<number> {
  let given = 0;
  const parts = (await partsOf(tx, [order.id])).get(order.id) ?? [];
  for (const part of parts.toSorted((a, b) => (a.accountId < b.accountId ? -1 : 1))) {
    const amount = Math.min(unreturned(part), atMost - given);
    if (amount <= 0 || part.isLost) continue;
    if (
      (await post(tx, {
        key: `return:${order.id}:${part.accountId}:${reason}`,
        accountId: part.accountId,
        kind: 'RETURN',
        amount,
        orderId: order.id,
        at,
      })) !== 'DONE'
    )
      continue;
    given += amount;
    await lookAtPoints(tx, order.id, `${part.accountId}:${reason}`, at);
    await lookAtSlices(tx, order.id, `${part.accountId}:${reason}`, at);
    // An e-voucher that gets money back stays valid long enough to spend it.
    if (part.mode === 'EGV') await keepUsable(tx, part.accountId, at + USABLE_AFTER_RETURN_MS);
  }
  const lost = parts.reduce((sum, part) => sum + (part.isLost ? unreturned(part) : 0), 0);
  const withheld = Math.min(lost, atMost - given);
  if (withheld > 0 && !reason.startsWith('HELP:'))
    for (const listener of listeners) await listener(tx, order.id, withheld, at);
  return given;
}

/** Puts money into the wallet of a number, once for a key. @returns what is in it then. @throws Refusal 404 NOT_FOUND */
export async function creditWallet(
  call: Call,
  gift: { readonly mobile: string; readonly amount: number; readonly key?: string | undefined },
): Promise<number> {
  const { country } = call.caller;
  const config = countryConfig(country);
  const mobile = phoneNumber(gift.mobile, config);
  return await transact(call.db, async (tx) => {
    const user = mobile === null ? undefined : await accountOfMobileIfAny(tx, country, mobile);
    if (user === undefined) return refuse(404, 'NOT_FOUND', errors.notFound, { field: 'mobile' });
    const own = await ensureWallet(tx, { userId: user.id, country, currency: config.CURRENCY_CODE, at: call.now });
    await post(tx, {
      key: `credit:${own.id}:${gift.key ?? newId('c')}`,
      accountId: own.id,
      kind: 'CREDIT',
      amount: gift.amount,
      orderId: null,
      at: call.now,
    });
    return (await walletOf(tx, user.id))!.balance;
  });
}
