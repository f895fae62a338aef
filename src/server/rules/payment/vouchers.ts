import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { countryConfig } from '../../../../country/index.ts';
import type { HandedOver } from '../../../contract/deletion.ts';
import type { Voucher } from '../../../contract/vouchers.ts';
import { money } from '../../../contract/price.ts';
import { voucherNumber, voucherPin } from '../../../domain/funds.ts';
import { DAY_MS, HOUR_MS } from '../../../domain/time.ts';
import { errors, t } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';
import { userIdOf, type Call } from '../../call/call.ts';
import { transact } from '../../store/db.ts';
import type { Db, Root, Tx } from '../../store/db.ts';
import { newId } from '../../store/ids.ts';
import { dropAccount, accountById, openAccount, post } from '../../store/ledger.ts';
import { lockUser } from '../../store/sessions.ts';
import { secret } from '../../store/system.ts';
import { mayDo, takeOneBack, unlessFailed } from '../people/limits.ts';
import {
  addVoucher,
  linkVoucher,
  noteTyped,
  setKeys,
  setVoucherMobile,
  takePinTry,
  unlinkVoucher,
  voucherByNumber,
  vouchersOf,
  type LinkedVoucher,
  type VoucherRow,
} from '../../store/vouchers.ts';
import { hasMode } from './modes.ts';
import { readSeeds } from '../../store/seeds.ts';

export const PIN_TRIES = 5;
const PIN_LOCK_MS = 24 * HOUR_MS;
const LIFE_DAYS = 365;
const LINKED_AT_MOST = 10;

const pepperOf = (db: Db): Promise<string> => secret(db, 'vouchers', () => randomBytes(32).toString('base64url'));
const hashOf = (pepper: string, salt: string, text: string): string =>
  createHmac('sha256', pepper).update(salt).update(text).digest('base64url');

/** How a number is stored: whoever reads the table cannot tell the number from it. */
async function numberHash(db: Db, number: string): Promise<string> {
  return hashOf(await pepperOf(db), 'number', number);
}

export async function pinHash(db: Db, pin: string): Promise<{ salt: string; hash: string }> {
  const salt = randomBytes(16).toString('base64url');
  return { salt, hash: hashOf(await pepperOf(db), salt, pin) };
}

/**
 * E-vouchers exist only where the catalogue offers them, and never inside a payment app.
 * @throws Refusal 403 FEATURE_BLOCKED elsewhere
 */
export function mustHaveVouchers(call: Call): void {
  if (!hasVouchers(call.caller.country, call.caller.host)) refuse(403, 'FEATURE_BLOCKED', t.featureOff);
}

export const hasVouchers = (country: string, host: string): boolean => host === 'web' && hasMode(country, 'EGV');

export function voucherView(
  row: Pick<LinkedVoucher, 'id' | 'last_four' | 'balance' | 'expires_at' | 'is_given'>,
  now: number,
): Voucher {
  return {
    voucherId: row.id,
    lastFour: row.last_four,
    balance: money(row.balance),
    expiresAt: row.expires_at,
    isExpired: row.expires_at <= now,
    ...(onlyOnAccount([row], now).length > 0 ? { isOnlyHere: true } : {}),
  };
}

/** What a typed number is stored as, if it is. @throws Refusal 422 EGV_NUMBER */
export async function typedHash(call: Call, typed: string): Promise<string> {
  const number = voucherNumber(typed) ?? refuse(422, 'EGV_NUMBER', errors.egvNumber, { field: 'number' });
  return await numberHash(call.db, number);
}

/**
 * Counts the try before it looks at the pin, so that parallel guesses share the tries that are left. A right pin gives
 * the tries back in the same transaction, so that parallel right ones lock nobody out.
 */
async function tryPin(
  tx: Tx,
  voucher: VoucherRow,
  pin: string,
  now: number,
): Promise<{ left: number | null; isRight: boolean }> {
  const left = await takePinTry(tx, voucher.id, PIN_TRIES, PIN_LOCK_MS, now);
  const isRight =
    left !== null &&
    timingSafeEqual(Buffer.from(hashOf(await pepperOf(tx), voucher.salt, pin)), Buffer.from(voucher.pin_hash));
  if (isRight) await noteTyped(tx, voucher.id, voucher.pin_hash, PIN_TRIES);
  return { left, isRight };
}

/** What somebody has to know of an e-voucher to use it. */
interface VoucherKeys {
  readonly number: string;
  readonly pin: string;
}

/**
 * The e-voucher of this number and pin. A wrong pin costs the e-voucher one of its tries, whoever guesses. An unknown
 * number and a wrong pin get the same answer, so that nobody learns which numbers exist.
 * @throws Refusal 422 EGV_NUMBER, EGV_PIN, EGV_WRONG, EGV_LOCKED, EGV_EXPIRED; 428 CHALLENGE; 429 TOO_MANY
 */
export async function openVoucher(call: Call, typed: VoucherKeys): Promise<{ voucher: VoucherRow; balance: number }> {
  const { db, now } = call;
  const pin = voucherPin(typed.pin);
  if (pin === null) {
    if (voucherNumber(typed.number) === null) refuse(422, 'EGV_NUMBER', errors.egvNumber, { field: 'number' });
    refuse(422, 'EGV_PIN', errors.egvPin, { field: 'pin' });
  }
  const hash = await typedHash(call, typed.number);
  await mayDo(call, 'vouchers');
  const look = async () => {
    const voucher = await voucherByNumber(db, call.caller.country, hash);
    if (voucher === undefined) return { voucher, left: null, isRight: false };
    return { voucher, ...(await transact(db, (tx) => tryPin(tx, voucher, pin, now))) };
  };
  const { voucher, left, isRight } = await unlessFailed(call, 'vouchers', look);
  if (voucher === undefined || !isRight) {
    if (voucher !== undefined && (left === null || left === 0))
      refuse(422, 'EGV_LOCKED', t.egvLocked, { field: 'pin' });
    return refuse(422, 'EGV_WRONG', t.egvWrong, { field: 'pin' });
  }
  await takeOneBack(call, 'vouchers');
  if (voucher.expires_at <= now) refuse(422, 'EGV_EXPIRED', errors.egvExpired, { field: 'number' });
  // Somebody has typed its keys by now.
  return { voucher: { ...voucher, is_given: 0 }, balance: (await accountById(db, voucher.id))?.balance ?? 0 };
}

/** Makes an e-voucher with money on it and returns its id; null when the number is taken. */
async function putVoucher(
  tx: Tx,
  of: {
    country: string;
    number: string;
    pin: string;
    amount: number;
    mobile: string | null;
    expiresAt: number;
    now: number;
    isGiven?: boolean;
  },
): Promise<string | null> {
  const id = newId('egv');
  const { CURRENCY_CODE: currency } = countryConfig(of.country);
  const { salt, hash } = await pinHash(tx, of.pin);
  await openAccount(tx, { id, kind: 'EGV', country: of.country, currency, user_id: null, created_at: of.now });
  const row: VoucherRow = {
    id,
    country: of.country,
    number_hash: await numberHash(tx, of.number),
    last_four: of.number.slice(-4),
    salt,
    pin_hash: hash,
    tries_left: PIN_TRIES,
    locked_until: 0,
    mobile: of.mobile,
    expires_at: of.expiresAt,
    is_given: of.isGiven === true ? 1 : 0,
  };
  if (!(await addVoucher(tx, row))) {
    await dropAccount(tx, id);
    return null;
  }
  if (of.amount > 0)
    await post(tx, {
      key: `issue:${id}`,
      accountId: id,
      kind: 'CREDIT',
      amount: of.amount,
      orderId: null,
      at: of.now,
    });
  return id;
}

/** Puts money on a new e-voucher among somebody's own: they need neither its number nor its pin. */
export async function giveVoucher(
  tx: Tx,
  to: { userId: string; country: string; amount: number; now: number },
): Promise<{ voucherId: string; expiresAt: number }> {
  const { userId, country, amount, now } = to;
  const expiresAt = now + LIFE_DAYS * DAY_MS;
  const made = { country, amount, mobile: null, now, number: newNumber(), pin: newPin(), expiresAt, isGiven: true };
  const voucherId = await putVoucher(tx, made);
  if (voucherId === null) throw new Error('an e-voucher with this number is there already');
  await linkVoucher(tx, userId, voucherId, now);
  return { voucherId, expiresAt };
}

/** What of somebody's e-vouchers only their account can pay with, and is good still. */
export const onlyOnAccount = <V extends Pick<LinkedVoucher, 'is_given' | 'balance' | 'expires_at'>>(
  own: readonly V[],
  now: number,
): V[] => own.filter((one) => one.is_given === 1 && one.balance > 0 && one.expires_at > now);

/**
 * Gives number and pin of what only the account can pay with to its owner, who leaves the account: as any e-voucher it
 * belongs to whoever has them from then on, and the shop need not know who that is. Whoever wakes the account before
 * anybody has typed them is given others at the next deletion.
 */
export async function handOver(tx: Tx, userId: string, now: number): Promise<HandedOver[]> {
  const handed: HandedOver[] = [];
  for (const { id, country, balance, expires_at: expiresAt } of onlyOnAccount(await vouchersOf(tx, userId), now)) {
    const [number, pin] = [newNumber(), newPin()];
    const { salt, hash } = await pinHash(tx, pin);
    const number_hash = await numberHash(tx, number);
    await setKeys(tx, id, { number_hash, last_four: number.slice(-4), salt, pin_hash: hash, tries_left: PIN_TRIES });
    handed.push({ number, pin, country, balance: money(balance), expiresAt });
  }
  return handed;
}

const newNumber = () => Array.from({ length: 16 }, (_, index) => randomInt(index === 0 ? 1 : 0, 10)).join('');
const newPin = () => String(randomInt(1_000_000)).padStart(6, '0');

export async function issueVoucher(
  db: Root,
  of: { country: string; amount: number; mobile: string | null; days?: number | undefined; now: number },
): Promise<{ number: string; pin: string; voucherId: string }> {
  for (;;) {
    const [number, pin] = [newNumber(), newPin()];
    const expiresAt = of.now + (of.days ?? LIFE_DAYS) * DAY_MS;
    const voucherId = await transact(db, (tx) => putVoucher(tx, { ...of, number, pin, expiresAt }));
    if (voucherId !== null) return { number, pin, voucherId };
  }
}

/** Makes the catalogue's e-vouchers for trying out. In development only, because everybody knows their pins. */
export async function seedVouchers(db: Root, countries: readonly string[], now: number): Promise<void> {
  for (const country of countries) {
    if (!hasVouchers(country, 'web')) continue;
    for (const one of readSeeds(country).payments['testOutcomes'] as {
      egv?: string;
      pin?: string;
      balance?: number;
    }[]) {
      const { egv, pin, balance } = one;
      if (egv === undefined || pin === undefined) continue;
      if ((await voucherByNumber(db, country, await numberHash(db, egv))) !== undefined) continue;
      await transact(db, (tx) =>
        putVoucher(tx, {
          country,
          number: egv,
          pin,
          amount: balance ?? 0,
          mobile: null,
          expiresAt: now + 10 * LIFE_DAYS * DAY_MS,
          now,
        }),
      );
    }
  }
}

/**
 * Adds an e-voucher to the account of whoever knows its number and pin.
 * @throws Refusal as `openVoucher`, 422 EGV_FULL
 */
export async function keepVoucher(call: Call, typed: VoucherKeys): Promise<Voucher> {
  const userId = userIdOf(call);
  const { voucher, balance } = await openVoucher(call, typed);
  await transact(call.db, async (tx) => {
    await lockUser(tx, userId);
    const own = await vouchersOf(tx, userId);
    if (own.length >= LINKED_AT_MOST && !own.some((row) => row.id === voucher.id))
      refuse(422, 'EGV_FULL', errors.egvFull);
    await linkVoucher(tx, userId, voucher.id, call.now);
    // A code to reset a forgotten pin goes to this number. It is set once, by the first customer who links the
    // e-voucher.
    if (call.caller.mobile !== null) await setVoucherMobile(tx, voucher.id, call.caller.mobile);
  });
  return voucherView({ ...voucher, balance }, call.now);
}

/** The caller's e-vouchers in the country of the page. */
export async function ownVouchers(call: Call): Promise<Voucher[]> {
  const rows = await vouchersOf(call.db, userIdOf(call));
  return rows.filter((row) => row.country === call.caller.country).map((row) => voucherView(row, call.now));
}

/** Takes an e-voucher off the caller's account. @throws Refusal 409 EGV_ONLY_HERE where nothing else could pay with it */
export async function unlinkOwn(call: Call, voucherId: string): Promise<void> {
  const own = (await vouchersOf(call.db, userIdOf(call))).filter(({ id }) => id === voucherId);
  if (onlyOnAccount(own, call.now).length > 0) refuse(409, 'EGV_ONLY_HERE', t.egvOnlyHere, { field: 'voucherId' });
  await unlinkVoucher(call.db, userIdOf(call), voucherId);
}
