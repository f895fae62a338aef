import type { BankOutcome } from '../../contract/development.ts';
import { CARD_UNKNOWN } from '../../domain/messages.ts';
import { refundWindow } from '../../domain/orders.ts';
import {
  addCharge, addMovement, cardByToken, chargeByReference, lockCharge, moveCharge, movementsOf, setMovementDone, type Channel, type ChargeRow, type ChargeState,
} from '../store/bank.ts';
import { transact } from '../store/db.ts';
import type { Db, Root, Tx } from '../store/db.ts';
import { newId, newToken } from '../store/ids.ts';
import { enqueue } from '../store/jobs.ts';
import { BANK_SCRIPTS, bankOutcome, DELIVERY_RETRY_MS } from './bank.ts';
import { jobs } from './jobs.ts';
import { EMBEDDED_MID, embeddedSecrets, type ProviderStatus } from './payments.ts';
import { decimal, PAYTM_CODE, paytmEnvelope, paytmSignature } from './paytm.ts';
import { sign } from './signing.ts';
import { isVpa } from './upi.ts';
import { readSwitches } from './switches.ts';

/** Between a decision and the first notice of it, so that a customer may well be back before. */
const NOTICE_AFTER_MS = 1000;
const NOTICE_DEADLINE_MS = 4000;
/** The bank's refunds arrive a minute before the merchant expects them at the earliest. */
const REFUND_EARLY_MS = 60_000;

export interface NewCharge {
  readonly reference: string; readonly channel: Channel; readonly amount: number; readonly currency: string; readonly description: string;
  readonly payeeVpa: string | null; readonly cardToken: string | null; readonly returnUrl: string; readonly notifyUrl: string; readonly expiresAt: number;
}

const CHANNELS: readonly Channel[] = ['UPI', 'CARD', 'NETBANKING', 'MFS', 'GPAY', 'PAYTM'];

/** Opens a charge; the same reference with the same facts is the same charge. A code says why not. */
export async function openCharge(db: Db, wish: NewCharge, now: number): Promise<{ charge: ChargeRow } | { code: string; message: string }> {
  if (!CHANNELS.includes(wish.channel) || !Number.isSafeInteger(wish.amount) || wish.amount <= 0 || !/^[A-Za-z0-9_@-]{1,50}$/.test(wish.reference)) {
    return { code: 'BAD_CHARGE', message: 'This charge cannot be opened.' };
  }
  let bin: string | null = null;
  let lastFour: string | null = null;
  if (wish.channel === 'CARD') {
    const card = wish.cardToken === null ? undefined : await cardByToken(db, wish.cardToken);
    if (card === undefined) return { code: 'CARD_TOKEN', message: CARD_UNKNOWN };
    if (card.expires_at <= now) return { code: 'CARD_EXPIRY', message: 'This card has expired. Please use another one.' };
    bin = card.bin;
    lastFour = card.last_four;
  }
  const charge: ChargeRow = {
    id: newId('chg'), reference: wish.reference, channel: wish.channel, amount: wish.amount, currency: wish.currency, description: wish.description,
    payee_vpa: wish.payeeVpa, return_url: wish.returnUrl, notify_url: wish.notifyUrl, page_key: newToken(), state: 'WAITING', outcome: null, debited: 0,
    bin, last_four: lastFour, collect_vpa: null, token: wish.channel === 'PAYTM' ? newToken() : null, token_used: 0, code: null,
    created_at: now, expires_at: wish.expiresAt, changed_at: now,
  };
  return await transact(db, async (tx) => {
    if (await addCharge(tx, charge)) {
      await enqueue(tx, { kind: 'bank.expire', runAt: wish.expiresAt, payload: { reference: wish.reference }, key: `bank.expire:${wish.reference}` });
      return { charge };
    }
    const known = await chargeByReference(tx, wish.reference);
    return known !== undefined && known.amount === wish.amount && known.channel === wish.channel && known.currency === wish.currency
      ? { charge: known } : { code: 'REFERENCE_USED', message: 'This reference belongs to another charge.' };
  });
}

/**
 * The customer said yes or no; what follows is played from the outcome's script. Only the first answer counts:
 * a charge that is no longer waiting stays as it is.
 */
export async function decide(db: Db, reference: string, asked: BankOutcome | null, now: number): Promise<ChargeRow | undefined> {
  const switched = (await readSwitches(db)).bankOutcome;
  return await transact(db, async (tx) => {
    const charge = await lockCharge(tx, reference);
    if (charge === undefined || charge.state !== 'WAITING') return charge;
    if (now >= charge.expires_at) {
      await settle(tx, charge, 'CANCELLED', PAYTM_CODE.expired, now, 1);
      return await chargeByReference(tx, reference);
    }
    const outcome = bankOutcome({ asked, switched, amount: charge.amount, bin: charge.bin });
    const script = BANK_SCRIPTS[outcome];
    await tx.updateTable('bank_charges').set({ outcome, debited: script.debits ? 1 : 0 }).where('id', '=', charge.id).execute();
    if (script.now === 'capture') await capture(tx, charge, now, script.notices);
    else if (script.now === 'fail') await settle(tx, charge, 'FAILED', asked === 'failure' ? PAYTM_CODE.cancelled : PAYTM_CODE.declined, now, script.notices);
    else await settle(tx, charge, 'PENDING', PAYTM_CODE.pending, now, script.notices);
    for (const { afterMs, event } of script.later) {
      await enqueue(tx, { kind: 'bank.event', runAt: now + afterMs, payload: { reference, event }, key: `bank.event:${reference}:${event}` });
    }
    return await chargeByReference(tx, reference);
  });
}

async function capture(tx: Tx, charge: ChargeRow, now: number, notices: number): Promise<void> {
  await addMovement(tx, { id: newId('txn').replace(/[^A-Za-z0-9]/g, ''), charge_id: charge.id, kind: 'in', of_id: null, amount: charge.amount, at: now, done_at: now });
  await settle(tx, charge, 'SUCCESS', PAYTM_CODE.success, now, notices);
}

async function settle(tx: Tx, charge: ChargeRow, state: ChargeState, code: string, now: number, notices: number): Promise<void> {
  await moveCharge(tx, charge.id, ['WAITING', 'PENDING', 'SUCCESS'], { state, code, changed_at: now });
  for (let n = 0; n < notices; n += 1) {
    await enqueue(tx, { kind: 'bank.notice', runAt: now + NOTICE_AFTER_MS * (n + 1), payload: { reference: charge.reference, state, code, tries: 0 } });
  }
}

/** Nobody can pay it any more; what was begun goes on. */
export async function closeCharge(db: Root, reference: string, now: number, code: string): Promise<ChargeRow | undefined> {
  return await transact(db, async (tx) => {
    const charge = await lockCharge(tx, reference);
    if (charge?.state === 'WAITING') await settle(tx, charge, 'CANCELLED', code, now, code === PAYTM_CODE.expired ? 1 : 0);
    return await chargeByReference(tx, reference);
  });
}

/** A collect request to a UPI id. An id that begins with `success`, `fail` or `slow` answers at once, others wait in the payer's app. */
export async function collect(db: Root, reference: string, vpa: string, now: number): Promise<ChargeRow | 'INVALID_VPA' | undefined> {
  const id = vpa.trim();
  if (!isVpa(id)) return 'INVALID_VPA';
  await db.updateTable('bank_charges').set({ collect_vpa: id }).where('reference', '=', reference).where('state', '=', 'WAITING').execute();
  if (/^success/i.test(id)) return await decide(db, reference, null, now);
  if (/^fail/i.test(id)) return await decide(db, reference, 'failure', now);
  if (/^slow/i.test(id)) return await decide(db, reference, 'pending-then-success', now);
  return await chargeByReference(db, reference);
}

export async function statusOf(db: Db, charge: ChargeRow): Promise<ProviderStatus> {
  const movements = await movementsOf(db, charge.id);
  const back = movements.find((movement) => movement.kind === 'back');
  return {
    state: charge.state, code: charge.code,
    captures: movements.filter((movement) => movement.kind === 'in').map(({ id, amount, at }) => ({ id, amount, currency: charge.currency, at })),
    reversal: back === undefined ? null : { id: back.id, amount: back.amount, done: back.done_at !== null },
  };
}

/** Gives a capture, or a part of it, back: once per refund id, and never more than was captured. A code says why not. */
export async function refundMovement(db: Root, wish: { refundId: string; reference: string; captureId: string; amount: number }, now: number): Promise<{ done: boolean } | { code: string }> {
  return await transact(db, async (tx) => {
    const charge = await lockCharge(tx, wish.reference);
    if (charge === undefined) return { code: 'NO_CHARGE' };
    const movements = await movementsOf(tx, charge.id);
    const known = movements.find((movement) => movement.id === wish.refundId);
    if (known !== undefined) return { done: known.done_at !== null };
    const captured = movements.find((movement) => movement.id === wish.captureId && movement.kind === 'in');
    if (captured === undefined || !Number.isSafeInteger(wish.amount) || wish.amount <= 0 || wish.amount > captured.amount) return { code: 'NO_CAPTURE' };
    const back = movements.filter((movement) => movement.of_id === captured.id).reduce((sum, movement) => sum + movement.amount, 0);
    if (back + wish.amount > captured.amount) return { code: 'REFUNDED' };
    await addMovement(tx, { id: wish.refundId, charge_id: charge.id, kind: 'refund', of_id: captured.id, amount: wish.amount, at: now, done_at: null });
    await enqueue(tx, { kind: 'bank.refund', runAt: refundWindow(now).from - REFUND_EARLY_MS, payload: { movementId: wish.refundId } });
    return { done: false };
  });
}

const PAYTM_STATUS: Readonly<Record<ChargeState, string>> = { WAITING: 'PENDING', PENDING: 'PENDING', SUCCESS: 'TXN_SUCCESS', FAILED: 'TXN_FAILURE', CANCELLED: 'TXN_FAILURE' };

/** The gateway's own words for a charge: reply of the status call and body of its notices. */
export async function paytmStatusBody(db: Db, charge: ChargeRow): Promise<Record<string, unknown>> {
  const { captures, reversal } = await statusOf(db, charge);
  const [first, ...further] = captures;
  return {
    resultInfo: { resultStatus: PAYTM_STATUS[charge.state], resultCode: charge.code ?? PAYTM_CODE.pending, resultMsg: charge.state },
    mid: EMBEDDED_MID, orderId: charge.reference, isBegun: charge.state !== 'WAITING',
    ...(first === undefined ? {} : { txnId: first.id, txnAmount: decimal(first.amount), txnAt: first.at, txnType: 'SALE', paymentMode: 'PPI', gatewayName: 'EMBEDDED' }),
    ...(further.length === 0 ? {} : { furtherTxns: further.map(({ id, amount }) => ({ txnId: id, txnAmount: decimal(amount) })) }),
    ...(reversal === null ? {} : { reversal: { id: reversal.id, amount: decimal(reversal.amount), done: reversal.done } }),
  };
}

jobs.on<{ reference: string; event: 'capture' | 'capture-again' | 'fail' }>('bank.event', async ({ reference, event }, { db, now }) => {
  await transact(db, async (tx) => {
    const charge = await lockCharge(tx, reference);
    if (charge === undefined) return;
    const notices = BANK_SCRIPTS[charge.outcome ?? 'success'].notices;
    const arrived = (await movementsOf(tx, charge.id)).filter((movement) => movement.kind === 'in').length;
    if (event === 'capture' && charge.state === 'PENDING') await capture(tx, charge, now, notices);
    // The same job may run twice: two captures are what is meant, three never.
    else if (event === 'capture-again' && charge.state === 'SUCCESS' && arrived === 1) await capture(tx, charge, now, notices);
    else if (event === 'fail' && charge.state === 'PENDING') {
      await settle(tx, charge, 'FAILED', PAYTM_CODE.declined, now, notices);
      if (charge.debited === 1) {
        const id = newId('rev').replace(/[^A-Za-z0-9]/g, '');
        await addMovement(tx, { id, charge_id: charge.id, kind: 'back', of_id: null, amount: charge.amount, at: now, done_at: null });
        await enqueue(tx, { kind: 'bank.refund', runAt: refundWindow(now).from - REFUND_EARLY_MS, payload: { movementId: id } });
      }
    }
  });
});

jobs.on<{ reference: string }>('bank.expire', async ({ reference }, { db, now }) => {
  await closeCharge(db, reference, now, PAYTM_CODE.expired);
});

jobs.on<{ movementId: string }>('bank.refund', async ({ movementId }, { db, now }) => {
  await setMovementDone(db, movementId, now);
});

interface Notice { reference: string; state: ChargeState; code: string; tries: number }

/** At least once: what is not answered with 200 is sent again for some hours, and may overtake what came before. */
jobs.on<Notice>('bank.notice', async (notice, { db, services, now }) => {
  const charge = await chargeByReference(db, notice.reference);
  if (charge === undefined) return;
  const secrets = await embeddedSecrets(db);
  let body: string;
  let signature: string;
  if (charge.channel === 'PAYTM') {
    const told = { ...await paytmStatusBody(db, charge), resultInfo: { resultStatus: PAYTM_STATUS[notice.state], resultCode: notice.code, resultMsg: notice.state } };
    body = paytmEnvelope(told, secrets.paytmKey);
    signature = paytmSignature(JSON.stringify(told), secrets.paytmKey);
  } else {
    body = JSON.stringify({ reference: notice.reference, status: notice.state, code: notice.code, amount: charge.amount, currency: charge.currency });
    signature = sign(secrets.bank, 'notice', body);
  }
  try {
    const response = await fetch(charge.notify_url, {
      method: 'POST', body, signal: AbortSignal.timeout(NOTICE_DEADLINE_MS), redirect: 'error', headers: { 'content-type': 'application/json', 'x-bank-signature': signature },
    });
    await response.body?.cancel();
    if (response.status === 200) return;
    services.log.warn({ status: response.status, reference: notice.reference }, 'a notice of the bank was not taken');
  } catch (error) {
    services.log.warn({ error: String(error), reference: notice.reference }, 'a notice of the bank did not arrive');
  }
  const wait = DELIVERY_RETRY_MS[notice.tries];
  if (wait !== undefined) await enqueue(db, { kind: 'bank.notice', runAt: now + wait, payload: { ...notice, tries: notice.tries + 1 } });
});
