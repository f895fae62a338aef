import type { BankOutcome } from '../../contract/development.ts';
import { t } from '../call/language.ts';
import { refundExpected } from '../call/bankDays.ts';
import {
  addCharge,
  addMovement,
  cardByToken,
  chargeByReference,
  lockCharge,
  moveCharge,
  movementsOf,
  setCollect,
  setOutcome,
  setMovementDone,
  type ChargeRow,
  type ChargeState,
} from '../store/bank.ts';
import { transact } from '../store/db.ts';
import type { Db, Root, Tx } from '../store/db.ts';
import { newId, newToken } from '../store/ids.ts';
import { enqueue } from '../store/jobs.ts';
import { BANK_CODE, BANK_SCRIPTS, bankOutcome, DELIVERY_RETRY_MS } from './bank.ts';
import { jobs } from '../call/jobs.ts';
import { EMBEDDED_BANK } from '../providers/bank.ts';
import { secret } from '../store/system.ts';
import type { ProviderStatus } from '../call/payments.ts';
import { sign } from '../providers/signing.ts';
import { isVpa } from '../../domain/upi.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { readSwitches } from '../store/switches.ts';

/**
 * Time between a decision and its first notice, so that the customer may return to the app before the notice arrives.
 */
const NOTICE_AFTER_MS = 1000;
const NOTICE_DEADLINE_MS = 4000;
/** The bank pays a refund this long before the earliest time that the merchant expects it. */
const REFUND_EARLY_MS = MINUTE_MS;

export interface NewCharge {
  readonly reference: string;
  readonly channel: string;
  readonly amount: number;
  readonly currency: string;
  readonly description: string;
  readonly payeeVpa: string | null;
  readonly cardToken: string | null;
  readonly returnUrl: string;
  readonly notifyUrl: string;
  readonly expiresAt: number;
}

/** The bank's own ways to pay. */
const CHANNELS: readonly string[] = ['UPI', 'CARD', 'NETBANKING', 'MFS'];

/**
 * Writes the bank's notice about a charge, in the format and with the signature of the company that runs the channel.
 */
export type Speaker = (
  db: Db,
  charge: ChargeRow,
  told: { readonly state: ChargeState; readonly code: string },
) => Promise<{ body: string; headers: Record<string, string> }>;
const speakers = new Map<string, Speaker>();

/** Registers the payment channel of another company that uses this bank, and the way it notifies the shop. */
export function openChannel(channel: string, speaker: Speaker): void {
  speakers.set(channel, speaker);
}

/** The secret for the merchant's signatures; shared by all processes on one database. */
export const bankSecret = (db: Db): Promise<string> => secret(db, EMBEDDED_BANK.secret, newToken);

const bankSpeaks: Speaker = async (db, charge, { state, code }) => {
  const { reference, amount, currency } = charge;
  const body = JSON.stringify({ reference, status: state, code, amount, currency });
  return { body, headers: { 'x-bank-signature': sign(await bankSecret(db), 'notice', body) } };
};

/** Opens a charge. The same reference with the same data returns the same charge. On failure it returns a code. */
export async function openCharge(
  db: Db,
  wish: NewCharge,
  now: number,
): Promise<{ charge: ChargeRow } | { code: string; message: string }> {
  if (
    !(CHANNELS.includes(wish.channel) || speakers.has(wish.channel)) ||
    !Number.isSafeInteger(wish.amount) ||
    wish.amount <= 0 ||
    !/^[A-Za-z0-9_@-]{1,50}$/.test(wish.reference)
  ) {
    return { code: 'BAD_CHARGE', message: 'This charge cannot be opened.' };
  }
  let bin: string | null = null;
  let lastFour: string | null = null;
  if (wish.channel === 'CARD') {
    const card = wish.cardToken === null ? undefined : await cardByToken(db, wish.cardToken);
    if (card === undefined) return { code: 'CARD_TOKEN', message: t.cardUnknown };
    if (card.expires_at <= now)
      return { code: 'CARD_EXPIRY', message: 'This card has expired. Please use another one.' };
    bin = card.bin;
    lastFour = card.last_four;
  }
  const charge: ChargeRow = {
    id: newId('chg'),
    reference: wish.reference,
    channel: wish.channel,
    amount: wish.amount,
    currency: wish.currency,
    description: wish.description,
    payee_vpa: wish.payeeVpa,
    return_url: wish.returnUrl,
    notify_url: wish.notifyUrl,
    page_key: newToken(),
    state: 'WAITING',
    outcome: null,
    debited: 0,
    bin,
    last_four: lastFour,
    collect_vpa: null,
    token: speakers.has(wish.channel) ? newToken() : null,
    token_used: 0,
    code: null,
    created_at: now,
    expires_at: wish.expiresAt,
    changed_at: now,
  };
  return await transact(db, async (tx) => {
    if (await addCharge(tx, charge)) {
      await enqueue(tx, {
        kind: 'bank.expire',
        runAt: wish.expiresAt,
        payload: { reference: wish.reference },
        key: `bank.expire:${wish.reference}`,
      });
      return { charge };
    }
    const known = await chargeByReference(tx, wish.reference);
    return known !== undefined &&
      known.amount === wish.amount &&
      known.channel === wish.channel &&
      known.currency === wish.currency
      ? { charge: known }
      : { code: 'REFERENCE_USED', message: 'This reference belongs to another charge.' };
  });
}

/**
 * Records that the customer approved or declined, and plays the script of the outcome. Only the first answer counts: a
 * charge that is no longer waiting stays as it is.
 */
export async function decide(
  db: Db,
  reference: string,
  asked: BankOutcome | null,
  now: number,
): Promise<ChargeRow | undefined> {
  const switched = (await readSwitches(db)).bankOutcome;
  return await transact(db, async (tx) => {
    const charge = await lockCharge(tx, reference);
    if (charge === undefined || charge.state !== 'WAITING') return charge;
    if (now >= charge.expires_at) {
      await settle(tx, charge, 'CANCELLED', BANK_CODE.expired, now, 1);
      return await chargeByReference(tx, reference);
    }
    const outcome = bankOutcome({ asked, switched, amount: charge.amount, bin: charge.bin });
    const script = BANK_SCRIPTS[outcome];
    await setOutcome(tx, charge.id, outcome, script.debits);
    if (script.now === 'capture') await capture(tx, charge, now, script.notices);
    else if (script.now === 'fail')
      await settle(
        tx,
        charge,
        'FAILED',
        asked === 'failure' ? BANK_CODE.cancelled : BANK_CODE.declined,
        now,
        script.notices,
      );
    else await settle(tx, charge, 'PENDING', BANK_CODE.pending, now, script.notices);
    for (const { afterMs, event } of script.later) {
      await enqueue(tx, {
        kind: 'bank.event',
        runAt: now + afterMs,
        payload: { reference, event },
        key: `bank.event:${reference}:${event}`,
      });
    }
    return await chargeByReference(tx, reference);
  });
}

async function capture(tx: Tx, charge: ChargeRow, now: number, notices: number): Promise<void> {
  await addMovement(tx, {
    id: newId('txn').replace(/[^A-Za-z0-9]/g, ''),
    charge_id: charge.id,
    kind: 'in',
    of_id: null,
    amount: charge.amount,
    at: now,
    done_at: now,
  });
  await settle(tx, charge, 'SUCCESS', BANK_CODE.success, now, notices);
}

async function settle(
  tx: Tx,
  charge: ChargeRow,
  state: ChargeState,
  code: string,
  now: number,
  notices: number,
): Promise<void> {
  await moveCharge(tx, charge.id, ['WAITING', 'PENDING', 'SUCCESS'], { state, code, changed_at: now });
  for (let n = 0; n < notices; n += 1) {
    await enqueue(tx, {
      kind: 'bank.notice',
      runAt: now + NOTICE_AFTER_MS * (n + 1),
      payload: { reference: charge.reference, state, code, tries: 0 },
    });
  }
}

/** Closes a charge that nobody has answered yet. A charge that was already answered goes on. */
export async function closeCharge(
  db: Root,
  reference: string,
  now: number,
  code: string,
): Promise<ChargeRow | undefined> {
  return await transact(db, async (tx) => {
    const charge = await lockCharge(tx, reference);
    if (charge?.state === 'WAITING')
      await settle(tx, charge, 'CANCELLED', code, now, code === BANK_CODE.expired ? 1 : 0);
    return await chargeByReference(tx, reference);
  });
}

/**
 * Sends a collect request to a UPI id. Ids that begin with `success`, `fail` or `slow` answer at once; all others wait
 * for an answer in the payer's app.
 */
export async function collect(
  db: Root,
  reference: string,
  vpa: string,
  now: number,
): Promise<ChargeRow | 'INVALID_VPA' | undefined> {
  const id = vpa.trim();
  if (!isVpa(id)) return 'INVALID_VPA';
  await setCollect(db, reference, id);
  if (/^success/i.test(id)) return await decide(db, reference, null, now);
  if (/^fail/i.test(id)) return await decide(db, reference, 'failure', now);
  if (/^slow/i.test(id)) return await decide(db, reference, 'pending-then-success', now);
  return await chargeByReference(db, reference);
}

export async function statusOf(db: Db, charge: ChargeRow): Promise<ProviderStatus> {
  const movements = await movementsOf(db, charge.id);
  const back = movements.find((movement) => movement.kind === 'back');
  return {
    state: charge.state,
    reference: charge.reference,
    code: charge.code,
    captures: movements
      .filter((movement) => movement.kind === 'in')
      .map(({ id, amount, at }) => ({ id, amount, currency: charge.currency, at })),
    reversal: back === undefined ? null : { id: back.id, amount: back.amount, done: back.done_at !== null },
  };
}

/**
 * Refunds all or part of a capture: once per refund id, and never more than was captured. On failure it returns a code.
 */
export async function refundMovement(
  db: Root,
  wish: { refundId: string; reference: string; captureId: string; amount: number },
  now: number,
): Promise<{ done: boolean } | { code: string }> {
  return await transact(db, async (tx) => {
    const charge = await lockCharge(tx, wish.reference);
    if (charge === undefined) return { code: 'NO_CHARGE' };
    const movements = await movementsOf(tx, charge.id);
    const known = movements.find((movement) => movement.id === wish.refundId);
    if (known !== undefined) return { done: known.done_at !== null };
    const captured = movements.find((movement) => movement.id === wish.captureId && movement.kind === 'in');
    if (
      captured === undefined ||
      !Number.isSafeInteger(wish.amount) ||
      wish.amount <= 0 ||
      wish.amount > captured.amount
    )
      return { code: 'NO_CAPTURE' };
    const back = movements
      .filter((movement) => movement.of_id === captured.id)
      .reduce((sum, movement) => sum + movement.amount, 0);
    if (back + wish.amount > captured.amount) return { code: 'REFUNDED' };
    await addMovement(tx, {
      id: wish.refundId,
      charge_id: charge.id,
      kind: 'refund',
      of_id: captured.id,
      amount: wish.amount,
      at: now,
      done_at: null,
    });
    await enqueue(tx, {
      kind: 'bank.refund',
      runAt: refundExpected(now, charge.currency).from - REFUND_EARLY_MS,
      payload: { movementId: wish.refundId },
    });
    return { done: false };
  });
}

jobs.on<{ reference: string; event: 'capture' | 'capture-again' | 'fail' }>(
  'bank.event',
  async ({ reference, event }, { db, now }) => {
    await transact(db, async (tx) => {
      const charge = await lockCharge(tx, reference);
      if (charge === undefined) return;
      const notices = BANK_SCRIPTS[charge.outcome ?? 'success'].notices;
      const arrived = (await movementsOf(tx, charge.id)).filter((movement) => movement.kind === 'in').length;
      if (event === 'capture' && charge.state === 'PENDING') await capture(tx, charge, now, notices);
      // This job may run twice, but the money must arrive exactly twice, never three times.
      // A gateway of another company takes one payment for an order id.
      else if (speakers.has(charge.channel) && event === 'capture-again') return;
      else if (event === 'capture-again' && charge.state === 'SUCCESS' && arrived === 1)
        await capture(tx, charge, now, notices);
      else if (event === 'fail' && charge.state === 'PENDING') {
        await settle(tx, charge, 'FAILED', BANK_CODE.declined, now, notices);
        if (charge.debited === 1) {
          const id = newId('rev').replace(/[^A-Za-z0-9]/g, '');
          await addMovement(tx, {
            id,
            charge_id: charge.id,
            kind: 'back',
            of_id: null,
            amount: charge.amount,
            at: now,
            done_at: null,
          });
          await enqueue(tx, {
            kind: 'bank.refund',
            runAt: refundExpected(now, charge.currency).from - REFUND_EARLY_MS,
            payload: { movementId: id },
          });
        }
      }
    });
  },
);

jobs.on<{ reference: string }>('bank.expire', async ({ reference }, { db, now }) => {
  await closeCharge(db, reference, now, BANK_CODE.expired);
});

jobs.on<{ movementId: string }>('bank.refund', async ({ movementId }, { db, now }) => {
  await setMovementDone(db, movementId, now);
});

interface Notice {
  reference: string;
  state: ChargeState;
  code: string;
  tries: number;
}

/**
 * Sends a notice to the shop, at least once. A notice that is not answered with 200 is sent again for some hours, so
 * notices may arrive in the wrong order.
 */
jobs.on<Notice>('bank.notice', async (notice, { db, services, now }) => {
  const charge = await chargeByReference(db, notice.reference);
  if (charge === undefined) return;
  const { body, headers } = await (speakers.get(charge.channel) ?? bankSpeaks)(db, charge, notice);
  try {
    const response = await fetch(charge.notify_url, {
      method: 'POST',
      body,
      signal: AbortSignal.timeout(NOTICE_DEADLINE_MS),
      redirect: 'error',
      headers: { 'content-type': 'application/json', ...headers },
    });
    await response.body?.cancel();
    if (response.status === 200) return;
    services.log.warn({ status: response.status, reference: notice.reference }, 'a notice of the bank was not taken');
  } catch (error) {
    services.log.warn({ error: String(error), reference: notice.reference }, 'a notice of the bank did not arrive');
  }
  const wait = DELIVERY_RETRY_MS[notice.tries];
  if (wait !== undefined)
    await enqueue(db, { kind: 'bank.notice', runAt: now + wait, payload: { ...notice, tries: notice.tries + 1 } });
});
