import type { Funds, FundsPart, FundsWish } from '../../contract/funds.ts';
import { VOUCHERS_AT_MOST } from '../../contract/funds.ts';
import type { PaymentMode } from '../../contract/names.ts';
import type { PaymentOption } from '../../contract/payments.ts';
import { money } from '../../contract/price.ts';
import type { ApiError } from '../../contract/reply.ts';
import { isWalletUsable } from '../../domain/features.ts';
import { fundsConflict } from '../../domain/funds.ts';
import * as messages from '../../domain/messages.ts';
import { countryConfig } from '../../../country/index.ts';
import { blockedFor } from '../http/caller.ts';
import { refuse } from '../http/refusal.ts';
import { userIdOf } from '../http/route.ts';
import type { Call } from '../http/route.ts';
import type { Db, Tx } from '../store/db.ts';
import { entriesOfOrders, post, walletOf } from '../store/ledger.ts';
import { keepUsable, vouchersOf, type LinkedVoucher } from '../store/vouchers.ts';
import { linkableProvider } from './linkedWallets.ts';
import { parseSwitches } from './switches.ts';
import { hasVouchers } from './vouchers.ts';

// What an order takes from balances that its customer holds with us. The order's total stays what it is; an attempt to pay asks for
// the rest. What was taken goes back to the balance it came from, at once.

const USABLE_AFTER_RETURN_MS = 30 * 86_400_000;
export const WALLET_LABEL = 'Pizza wallet';
/** Modes that need nothing outside: the whole order came from balances. */
export const OWN_MODES: readonly PaymentMode[] = ['WALLET', 'EGV'];
export const isOwnMode = (mode: PaymentMode): boolean => OWN_MODES.includes(mode);
const voucherLabel = (lastFour: string) => `E-voucher ending in ${lastFour}`;

export function hasWallet(call: Call): boolean {
  const { country, partner, isLoggedIn } = call.caller;
  const config = countryConfig(country);
  return isWalletUsable({
    blocked: blockedFor(config, partner, parseSwitches(call.seen.switches).features), isWalletBlocked: config.IS_WALLET_BLOCKED, isLoggedIn, isMiniApp: partner !== 'web',
  });
}

/** @throws Refusal 403 WALLET_BLOCKED: not a feature that is off, but a country that has none (product.md C01), or nobody logged in */
export function mustHaveWallet(call: Call): void {
  if (!hasWallet(call)) refuse(403, 'WALLET_BLOCKED', messages.FEATURE_OFF);
}

export interface Holdings { readonly wallet: number | null; readonly vouchers: readonly LinkedVoucher[]; readonly sum: number; readonly problems: ApiError[] }
export const NO_HOLDINGS: Holdings = { wallet: null, vouchers: [], sum: 0, problems: [] };

/** What the customer wants to use and may, with today's balances. */
export async function holdingsOf(db: Db, call: Call, choice: { useWallet?: boolean | undefined; vouchers?: readonly string[] | undefined }, mode: PaymentMode | undefined): Promise<Holdings> {
  const ids = [...new Set(choice.vouchers ?? [])];
  const wantsWallet = choice.useWallet === true;
  if (!wantsWallet && ids.length === 0) return NO_HOLDINGS;
  const problems: ApiError[] = [];
  const conflict = fundsConflict({ wallet: wantsWallet, vouchers: ids.length, mode: mode === 'EGV' ? null : mode ?? null });
  if (conflict !== null) problems.push({ code: 'WALLET_CONFLICT', displayMsg: conflict, field: 'paymentMode' });
  let wallet: number | null = null;
  if (wantsWallet) {
    if (hasWallet(call)) wallet = (await walletOf(db, userIdOf(call)))?.balance ?? 0;
    else problems.push({ code: 'PAYMENT_MODE', displayMsg: messages.FEATURE_OFF, field: 'useWallet' });
  }
  const { caller } = call;
  const own = ids.length > 0 && hasVouchers(caller.country, caller.partner) ? (await vouchersOf(db, userIdOf(call))).filter((row) => row.country === caller.country) : [];
  const vouchers: LinkedVoucher[] = [];
  for (const id of ids) {
    const found = own.find((row) => row.id === id);
    if (found === undefined) problems.push({ code: 'EGV_UNKNOWN', displayMsg: messages.NOT_FOUND, field: id });
    else if (found.expires_at <= call.now) problems.push({ code: 'EGV_EXPIRED', displayMsg: messages.EGV_EXPIRED, field: id });
    else vouchers.push(found);
  }
  return { wallet, vouchers, sum: (wallet ?? 0) + vouchers.reduce((sum, row) => sum + row.balance, 0), problems };
}

/** E-vouchers in the order they were chosen, then the wallet; never more than the total. */
export function shareOut({ wallet, vouchers }: Holdings, total: number): Funds {
  let rest = total;
  const take = (balance: number) => {
    const amount = Math.min(balance, rest);
    rest -= amount;
    return { balance: money(balance), amount: money(amount) };
  };
  const shares = vouchers.map((row) => ({ voucherId: row.id, lastFour: row.last_four, ...take(row.balance) }));
  const own = wallet === null ? null : take(wallet);
  return { wallet: own, vouchers: shares, rest: money(rest) };
}

export const sumOf = (wish: FundsWish | undefined): number => (wish?.wallet ?? 0) + (wish?.vouchers ?? []).reduce((sum, one) => sum + one.amount, 0);

/** The mode an order has whose balances pay for all of it. */
export const wholeMode = (wish: FundsWish): PaymentMode => ((wish.vouchers ?? []).length > 0 ? 'EGV' : 'WALLET');

/**
 * Takes exactly these amounts for an order, inside the transaction that makes it (or that pays a part of it): every one by a
 * guarded update under a key of its own.
 * @throws Refusal 422 WALLET_CONFLICT, EGV_COUNT, EGV_EXPIRED, PAYMENT_MODE; 409 WALLET_LOW, EGV_LOW, EGV_UNKNOWN
 */
export async function takeFunds(tx: Tx, call: Call, order: { id: string; number: string }, wish: FundsWish, mode: PaymentMode): Promise<void> {
  const vouchers = wish.vouchers ?? [];
  const before = (await partsOf(tx, [order.id])).get(order.id) ?? [];
  const ids = new Set(vouchers.map((one) => one.voucherId));
  const all = new Set([...ids, ...before.filter((part) => part.mode === 'EGV').map((part) => part.accountId)]);
  if (ids.size !== vouchers.length || all.size > VOUCHERS_AT_MOST) refuse(422, 'EGV_COUNT', messages.EGV_COUNT);
  const hasWalletPart = before.some((part) => part.mode === 'WALLET');
  const conflict = fundsConflict({ wallet: wish.wallet !== undefined || hasWalletPart, vouchers: all.size, mode: mode === 'EGV' ? null : mode });
  if (conflict !== null) refuse(422, 'WALLET_CONFLICT', conflict, { field: 'paymentMode' });
  // What an order takes from an account for the second time has a key of its own: it is no repetition of the first.
  const isTaken = async (accountId: string, amount: number) => await post(tx, {
    key: `spend:${order.id}:${accountId}:${before.find((part) => part.accountId === accountId)?.amount ?? 0}`,
    accountId, kind: 'SPEND', amount: -amount, orderId: order.id, label: `Order ${order.number}`, at: call.now,
  }) === 'DONE';
  if (wish.wallet !== undefined) {
    mustHaveWallet(call);
    const wallet = await walletOf(tx, userIdOf(call));
    if (wallet === undefined || !await isTaken(wallet.id, wish.wallet)) refuse(409, 'WALLET_LOW', messages.WALLET_LOW, { field: 'wallet' });
  }
  if (vouchers.length === 0) return;
  const own = hasVouchers(call.caller.country, call.caller.partner) ? await vouchersOf(tx, userIdOf(call)) : [];
  // In one order for all: two orders with the same two e-vouchers never wait for each other in a circle.
  for (const { voucherId, amount } of vouchers.toSorted((a, b) => (a.voucherId < b.voucherId ? -1 : 1))) {
    const found = own.find((row) => row.id === voucherId && row.country === call.caller.country);
    if (found === undefined) return refuse(409, 'EGV_UNKNOWN', messages.NOT_FOUND, { field: voucherId });
    if (found.expires_at <= call.now) refuse(422, 'EGV_EXPIRED', messages.EGV_EXPIRED, { field: voucherId });
    if (!await isTaken(voucherId, amount)) refuse(409, 'EGV_LOW', messages.EGV_LOW, { field: voucherId });
  }
}

export interface Part extends FundsPart { readonly accountId: string }

/** What orders took and gave back, by order. */
export async function partsOf(db: Db, orderIds: readonly string[]): Promise<Map<string, Part[]>> {
  const found = new Map<string, Part[]>();
  for (const row of await entriesOfOrders(db, orderIds)) {
    const parts = found.get(row.order_id!) ?? [];
    found.set(row.order_id!, parts);
    const index = parts.findIndex((part) => part.accountId === row.account_id);
    const part = parts[index];
    if (row.kind === 'SPEND' && part === undefined) {
      parts.push({
        accountId: row.account_id, mode: row.account_kind, amount: money(-row.amount), returned: money(0),
        label: row.account_kind === 'WALLET' ? WALLET_LABEL : voucherLabel(row.last_four ?? ''),
      });
    } else if (part !== undefined) {
      parts[index] = row.kind === 'SPEND' ? { ...part, amount: money(part.amount - row.amount) } : { ...part, returned: money(part.returned + row.amount) };
    }
  }
  return found;
}

/** @throws Refusal 422 WALLET_CONFLICT when an order that the wallet has paid a part of would be paid this way */
export async function mustFit(tx: Tx, orderId: string, mode: PaymentMode): Promise<void> {
  const wallet = ((await partsOf(tx, [orderId])).get(orderId) ?? []).some((part) => part.mode === 'WALLET');
  const conflict = fundsConflict({ wallet, vouchers: 0, mode });
  if (conflict !== null) refuse(422, 'WALLET_CONFLICT', conflict, { field: 'paymentMode' });
}

/** What this customer may use beside a mode, here. */
export function fundsOffered(call: Call, options: readonly PaymentOption[]) {
  const { country, partner, isLoggedIn } = call.caller;
  const funds: { id: 'WALLET' | 'EGV'; label: string }[] = [];
  if (hasWallet(call)) funds.push({ id: 'WALLET', label: WALLET_LABEL });
  if (hasVouchers(country, partner)) funds.push({ id: 'EGV', label: 'E-voucher' });
  return { funds, linkable: partner === 'web' && isLoggedIn ? options.map((option) => option.id).filter((id) => linkableProvider(id) !== undefined) : [] };
}

/** What is left of an order's total once its balances have paid their part. */
export async function restOf(db: Db, order: { id: string; total: number }): Promise<number> {
  return ((await partsOf(db, [order.id])).get(order.id) ?? []).reduce((rest, part) => rest - part.amount, order.total);
}

/**
 * Gives back to where it came from: all that has not gone back yet, or as much of it as `atMost`. Once per order and reason.
 * Answers how much it was.
 */
export async function giveBack(tx: Tx, order: { id: string; number: string }, reason: 'FAILED' | 'CANCELLED' | 'PROMISE', at: number, atMost = Infinity): Promise<number> {
  let given = 0;
  for (const part of ((await partsOf(tx, [order.id])).get(order.id) ?? []).toSorted((a, b) => (a.accountId < b.accountId ? -1 : 1))) {
    const amount = Math.min(part.amount - part.returned, atMost - given);
    if (amount <= 0) continue;
    const label = reason === 'PROMISE' ? `Late: order ${order.number}` : `Back from order ${order.number}`;
    if (await post(tx, { key: `return:${order.id}:${part.accountId}:${reason}`, accountId: part.accountId, kind: 'RETURN', amount, orderId: order.id, label, at }) !== 'DONE') continue;
    given += amount;
    // Money that came back to an e-voucher can still be spent.
    if (part.mode === 'EGV') await keepUsable(tx, part.accountId, at + USABLE_AFTER_RETURN_MS);
  }
  return given;
}
