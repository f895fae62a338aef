import type { Purpose } from '../../contract/consents.ts';
import type { Consent } from '../../domain/consents.ts';
import type { Db, Tx } from './db.ts';
import { newId } from './ids.ts';

declare module './db.ts' {
  interface Tables {
    /** Each time somebody agreed (`given` 1) or took it back (0); the last of a purpose holds. */
    consents: { id: string; user_id: string; purpose: string; given: number; version: string; at: number };
  }
}

/** Consents of one person that are kept; the oldest go. */
const KEPT = 100;

/** Newest first. */
export async function consentsOf(db: Db, userId: string): Promise<Consent[]> {
  const rows = await db
    .selectFrom('consents')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('at', 'desc')
    .orderBy('id')
    .execute();
  return rows.map(({ purpose, given, version, at }) => ({
    purpose: purpose as Purpose,
    given: given === 1,
    version,
    at,
  }));
}

export async function addConsents(tx: Tx, userId: string, said: readonly Consent[]): Promise<void> {
  if (said.length === 0) return;
  await tx
    .insertInto('consents')
    .values(
      said.map(({ purpose, given, version, at }) => ({
        id: newId('cns'),
        user_id: userId,
        purpose,
        given: given ? 1 : 0,
        version,
        at,
      })),
    )
    .execute();
  const old = await tx
    .selectFrom('consents')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('at', 'desc')
    .orderBy('id')
    .offset(KEPT)
    .limit(KEPT)
    .execute();
  if (old.length > 0)
    await tx
      .deleteFrom('consents')
      .where(
        'id',
        'in',
        old.map(({ id }) => id),
      )
      .execute();
}
