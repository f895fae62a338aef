import type { BankOutcome } from '../../contract/development.ts';

/** What the embedded bank does with a charge, now and later, once the customer said yes. */
export interface BankScript {
  readonly now: 'capture' | 'fail' | 'pend';
  /** Whether money leaves the customer's account while pending: then a failure has to be reversed. */
  readonly debits: boolean;
  readonly later: readonly { readonly afterMs: number; readonly event: 'capture' | 'capture-again' | 'fail' }[];
  /** How often each change is told to the merchant; 0 is a bank that stays silent. */
  readonly notices: number;
}

/** The catalogue's 'after 20 s'. */
export const PENDING_MS = 20_000;
/** One minute after the merchant gave up (15 minutes). */
export const LATE_MS = 16 * 60_000;

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
 * The outcome of a charge: what the customer pressed if it was a no, then the switch, then the catalogue's test
 * amounts (last two digits of the minor amount) and card numbers (first six digits), else success.
 */
export function bankOutcome(facts: { asked: BankOutcome | null; switched: BankOutcome | null; amount: number; bin: string | null }): BankOutcome {
  if (facts.asked !== null && facts.asked !== 'success') return facts.asked;
  if (facts.switched !== null) return facts.switched;
  if (facts.asked === 'success') return 'success';
  const ending = facts.amount % 100;
  if (ending === 13) return 'failure';
  if (ending === 37) return 'pending-then-success';
  if (ending === 59) return 'pending-then-failure';
  return facts.bin === '400000' ? 'failure' : 'success';
}

/** Waits before a delivery that was not answered with 200 is tried again; then the bank gives up (the merchant asks). */
export const DELIVERY_RETRY_MS: readonly number[] = [5000, 30_000, 120_000, 600_000, 3_600_000, 21_600_000];
