import { HOUR_MS, MINUTE_MS } from '../../domain/time.ts';
import type { BankOutcome } from '../../contract/development.ts';

/** What the embedded bank does with a charge, at once and later, when it has been answered. */
export interface BankScript {
  readonly now: 'capture' | 'fail' | 'pend';
  /**
   * Whether the money leaves the customer's account while the charge is pending. If so, a failure has to be reversed.
   */
  readonly debits: boolean;
  readonly later: readonly { readonly afterMs: number; readonly event: 'capture' | 'capture-again' | 'fail' }[];
  /** How often each change is sent to the merchant; 0 is a bank that sends no notices. */
  readonly notices: number;
}

/** The bank's codes for how a charge ended or stands. */
export const BANK_CODE = { success: '01', cancelled: '141', declined: '267', expired: '335', pending: '402' } as const;

/** The 'after 20 s' of the catalogue of outcomes. */
const PENDING_MS = 20_000;
/** One minute after the merchant gave up (15 minutes). */
const LATE_MS = 16 * MINUTE_MS;

export const BANK_SCRIPTS: Readonly<Record<BankOutcome, BankScript>> = {
  success: { now: 'capture', debits: true, later: [], notices: 1 },
  failure: { now: 'fail', debits: false, later: [], notices: 1 },
  pending: { now: 'pend', debits: false, later: [], notices: 1 },
  'pending-then-success': { now: 'pend', debits: true, later: [{ afterMs: PENDING_MS, event: 'capture' }], notices: 1 },
  'pending-then-failure': { now: 'pend', debits: true, later: [{ afterMs: PENDING_MS, event: 'fail' }], notices: 1 },
  late: { now: 'pend', debits: true, later: [{ afterMs: LATE_MS, event: 'capture' }], notices: 1 },
  twice: { now: 'capture', debits: true, later: [{ afterMs: 2000, event: 'capture-again' }], notices: 2 },
  silent: { now: 'capture', debits: true, later: [], notices: 0 },
};

/**
 * The outcome of a charge. First counts a 'failure' or 'pending' that the customer chose, then the developer's switch,
 * then a requested success; then the test amounts (last two digits of the minor amount) and the test card number (first
 * six digits). Otherwise the charge succeeds.
 */
export function bankOutcome(facts: {
  asked: BankOutcome | null;
  switched: BankOutcome | null;
  amount: number;
  bin: string | null;
}): BankOutcome {
  if (facts.asked !== null && facts.asked !== 'success') return facts.asked;
  if (facts.switched !== null) return facts.switched;
  if (facts.asked === 'success') return 'success';
  const ending = facts.amount % 100;
  if (ending === 13) return 'failure';
  if (ending === 37) return 'pending-then-success';
  if (ending === 59) return 'pending-then-failure';
  return facts.bin === '400000' ? 'failure' : 'success';
}

/**
 * Waiting times (ms) before a notice that was not answered with 200 is sent again. After the last one the bank gives
 * up, and the merchant has to ask.
 */
export const DELIVERY_RETRY_MS: readonly number[] = [5000, 30_000, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS];
