import type { Tx } from './db.ts';
import { elsewhereOfUser, visitorsOfUser } from './experiments.ts';
import { startedBetween } from './orders.ts';
import { systemSelect } from './system.ts';
import { together } from './together.ts';

/** Everything in the database that decides how an order goes on once it is placed, as of one moment. */
export interface PlacingReading {
  /** How many orders its store began lately. */
  readonly started: number;
  /** See parseSwitches. */
  readonly switches: string;
  /** What visitors of our campaigns its customer was. */
  readonly visitors: readonly VisitorRow[];
  /** Whether its customer was a visitor of campaigns elsewhere. */
  readonly isElsewhere: boolean;
}
export interface VisitorRow {
  readonly country: string;
  readonly campaign_id: number;
  readonly visitor: string;
}

/** Whose order is placed, and which others count. */
export interface PlacingReader {
  readonly userId: string;
  readonly country: string;
  readonly storeId: string;
  /** Epoch ms. */
  readonly startedFrom: number;
  readonly startedBefore: number;
}

export const PLACING_SELECTS = {
  system: systemSelect,
  started: startedBetween,
  visitors: visitorsOfUser,
  elsewhere: elsewhereOfUser,
};

export const placingOfRows = (rows: {
  readonly system: readonly { readonly switches: string }[];
  readonly started: readonly { readonly n: number }[];
  readonly visitors: readonly VisitorRow[];
  readonly elsewhere: readonly object[];
}): PlacingReading => ({
  started: rows.started[0]!.n,
  switches: rows.system[0]!.switches,
  visitors: rows.visitors,
  isElsewhere: rows.elsewhere.length > 0,
});

const read = together(PLACING_SELECTS);

/** One statement. */
export async function readForPlacing(tx: Tx, of: PlacingReader): Promise<PlacingReading> {
  return placingOfRows(await read(tx, of));
}
