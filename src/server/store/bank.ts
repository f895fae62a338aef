import type { BankOutcome } from '../../contract/development.ts';
import { engineOf, type Tables } from './db.ts';
import type { Db, Tx } from './db.ts';

/** WAITING for the customer, PENDING between the banks, or decided. */
export type ChargeState = 'WAITING' | 'PENDING' | 'SUCCESS' | 'FAILED' | 'CANCELLED';

export interface ChargeRow {
  id: string;
  reference: string;
  /** The bank's own channel, or that of a gateway that keeps its money there. */
  channel: string;
  amount: number;
  currency: string;
  description: string;
  payee_vpa: string | null;
  return_url: string;
  notify_url: string;
  /** Needed to open the hosted page: many get to see a reference, but not this key. */
  page_key: string;
  state: ChargeState;
  outcome: BankOutcome | null;
  debited: number;
  bin: string | null;
  last_four: string | null;
  collect_vpa: string | null;
  token: string | null;
  token_used: number;
  code: string | null;
  created_at: number;
  expires_at: number;
  changed_at: number;
}

export interface MovementRow {
  id: string;
  charge_id: string;
  kind: 'in' | 'back' | 'refund';
  of_id: string | null;
  amount: number;
  at: number;
  done_at: number | null;
}

declare module './db.ts' {
  interface Tables {
    bank_charges: ChargeRow;
    bank_movements: MovementRow;
    bank_cards: {
      token: string;
      bin: string;
      last_four: string;
      brand: string;
      fingerprint: string;
      expires_at: number;
      created_at: number;
    };
  }
}

/** False when the reference is known already. */
export async function addCharge(db: Db, row: ChargeRow): Promise<boolean> {
  const done = await db
    .insertInto('bank_charges')
    .values(row)
    .onConflict((c) => c.column('reference').doNothing())
    .executeTakeFirst();
  return (done.numInsertedOrUpdatedRows ?? 0n) === 1n;
}

export async function chargeByReference(db: Db, reference: string): Promise<ChargeRow | undefined> {
  return await db.selectFrom('bank_charges').selectAll().where('reference', '=', reference).executeTakeFirst();
}

export async function lockCharge(tx: Tx, reference: string): Promise<ChargeRow | undefined> {
  const query = tx.selectFrom('bank_charges').selectAll().where('reference', '=', reference);
  return await (engineOf(tx) === 'postgres' ? query.forUpdate() : query).executeTakeFirst();
}

export async function moveCharge(
  db: Db,
  id: string,
  from: readonly ChargeState[],
  values: Partial<ChargeRow>,
): Promise<boolean> {
  const done = await db
    .updateTable('bank_charges')
    .set(values)
    .where('id', '=', id)
    .where('state', 'in', from)
    .executeTakeFirst();
  return done.numUpdatedRows === 1n;
}

export async function addMovement(db: Db, row: MovementRow): Promise<boolean> {
  const done = await db
    .insertInto('bank_movements')
    .values(row)
    .onConflict((c) => c.column('id').doNothing())
    .executeTakeFirst();
  return (done.numInsertedOrUpdatedRows ?? 0n) === 1n;
}

export async function movementsOf(db: Db, chargeId: string): Promise<MovementRow[]> {
  return await db
    .selectFrom('bank_movements')
    .selectAll()
    .where('charge_id', '=', chargeId)
    .orderBy('at')
    .orderBy('id')
    .execute();
}

export async function setMovementDone(db: Db, id: string, at: number): Promise<void> {
  await db
    .updateTable('bank_movements')
    .set({ done_at: at })
    .where('id', '=', id)
    .where('done_at', 'is', null)
    .execute();
}

/** Sets how a charge will end, and whether its money has left the customer. */
export async function setOutcome(db: Db, id: string, outcome: BankOutcome, isDebited: boolean): Promise<void> {
  await db
    .updateTable('bank_charges')
    .set({ outcome, debited: isDebited ? 1 : 0 })
    .where('id', '=', id)
    .execute();
}

/** Records the address (VPA) that a collect request went to, while the charge waits. */
export async function setCollect(db: Db, reference: string, vpa: string): Promise<void> {
  await db
    .updateTable('bank_charges')
    .set({ collect_vpa: vpa })
    .where('reference', '=', reference)
    .where('state', '=', 'WAITING')
    .execute();
}

/** True for the first use of a token only. */
export async function useToken(db: Db, chargeId: string): Promise<boolean> {
  const done = await db
    .updateTable('bank_charges')
    .set({ token_used: 1 })
    .where('id', '=', chargeId)
    .where('token_used', '=', 0)
    .executeTakeFirst();
  return done.numUpdatedRows === 1n;
}

export async function addCard(db: Db, row: Tables['bank_cards']): Promise<void> {
  await db.insertInto('bank_cards').values(row).execute();
}

export async function cardByToken(db: Db, token: string) {
  return await db.selectFrom('bank_cards').selectAll().where('token', '=', token).executeTakeFirst();
}

export async function dropCard(db: Db, token: string): Promise<void> {
  await db.deleteFrom('bank_cards').where('token', '=', token).execute();
}
