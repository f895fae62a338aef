import { READING_SELECTS, readingOf, type CartReader, type CartReading } from './cartReading.ts';
import { holdersOf } from './coupons.ts';
import type { Tx } from './db.ts';
import { givenNumbers, keyedOrder, latestSince } from './orders.ts';
import { confirmedOrder } from './payments.ts';
import { PLACING_SELECTS, placingOfRows, type PlacingReader, type PlacingReading } from './placingReading.ts';
import { openSessions } from './sessions.ts';
import { systemOfRow, systemSelect, type SystemRow } from './system.ts';
import { together } from './together.ts';

/** Everything in the database that decides about every order, as of one moment. */
export interface SubmitReading extends CartReading {
  readonly system: SystemRow;
  /** Whether nothing ended the session before its time. */
  readonly isOpenSession: boolean;
  /** The order that was made with this key before. */
  readonly orderId: string | undefined;
  /** Whether there is an order of this person after `since`. */
  readonly isDuplicate: boolean;
  /** Those of `numbers` that the store has given on this day. */
  readonly given: ReadonlySet<string>;
  /** Of an order in cash: most of them are placed at once. */
  readonly cash: CashReading | null;
}
interface CashReading {
  /** Whether this customer has placed one with this number before. */
  readonly isConfirmed: boolean;
  readonly placing: PlacingReading;
}

const SELECTS = {
  ...READING_SELECTS,
  system: systemSelect,
  sessions: openSessions,
  keyed: keyedOrder,
  latest: latestSince,
  given: givenNumbers,
};
const read = together(SELECTS);
const readCash = together({ ...SELECTS, ...PLACING_SELECTS, confirmed: confirmedOrder });

/** One statement, after the locks: it sees what those have waited for. */
export async function readForSubmit(
  tx: Tx,
  of: CartReader & {
    readonly sessionId: string;
    readonly key: string;
    /** Epoch ms. */
    readonly since: number;
    readonly storeId: string;
    readonly day: string;
    readonly numbers: readonly string[];
    /** Of an order in cash. */
    readonly cash: (Pick<PlacingReader, 'startedFrom' | 'startedBefore'> & { readonly orderMobile: string }) | null;
  },
): Promise<SubmitReading> {
  const { mobile, cash, ...more } = of;
  const all = { ...more, holders: holdersOf(of.userId, mobile) };
  if (cash === null) return { ...submitOfRows(await read(tx, all)), cash: null };
  const rows = await readCash(tx, { ...all, ...cash });
  return {
    ...submitOfRows(rows),
    cash: { isConfirmed: rows.confirmed.length > 0, placing: placingOfRows(rows) },
  };
}

function submitOfRows(rows: Awaited<ReturnType<typeof read>>): Omit<SubmitReading, 'cash'> {
  return {
    ...readingOf(rows),
    system: systemOfRow(rows.system[0]),
    isOpenSession: rows.sessions.length > 0,
    orderId: rows.keyed[0]?.id,
    isDuplicate: rows.latest.length > 0,
    given: new Set(rows.given.map(({ number }) => number)),
  };
}
