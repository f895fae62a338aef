import type { Db, Tx } from './db.ts';
import { newId } from './ids.ts';

type InvoiceKind = 'INVOICE' | 'CREDIT';
export interface InvoiceRow {
  id: string;
  order_id: string;
  kind: InvoiceKind;
  /** The subject, unique: `order:ID`, or a refund of it. */
  cause: string;
  store_id: string;
  /** The year of the calendar in which the financial year began. */
  year: number;
  /** Numbers the papers of one kind, store and financial year from 1, without a gap. */
  serial: number;
  number: string;
  amount: number;
  currency: string;
  issued_at: number;
  /** JSON of the Paper as it was made out. */
  paper: string;
  /** JSON of the Buyer; null once a deleted account took it along. */
  buyer: string | null;
}

declare module './db.ts' {
  interface Tables {
    invoice_series: { store_id: string; kind: InvoiceKind; year: number; last: number; last_at: number };
    invoices: InvoiceRow;
    /** PDFs as base64, of all papers of an order; made again when there are more. */
    invoice_files: { order_id: string; papers: number; content: string; made_at: number };
  }
}

/**
 * Takes the next number of a series. The series is held until the transaction ends, and a transaction that fails gives
 * the number back: so the papers of a series have neither gap nor double, and their times go up with their numbers.
 * @returns the number, and the time (epoch ms) that a paper with it may bear at the earliest
 */
export async function takeSerial(
  tx: Tx,
  series: { readonly storeId: string; readonly kind: InvoiceKind; readonly year: number },
  at: number,
): Promise<{ readonly serial: number; readonly at: number }> {
  const row = await tx
    .insertInto('invoice_series')
    .values({ store_id: series.storeId, kind: series.kind, year: series.year, last: 1, last_at: at })
    .onConflict((c) =>
      c.columns(['store_id', 'kind', 'year']).doUpdateSet((e) => ({
        last: e('invoice_series.last', '+', 1),
        last_at: e.case().when('invoice_series.last_at', '>', at).then(e.ref('invoice_series.last_at')).else(at).end(),
      })),
    )
    .returning(['last', 'last_at'])
    .executeTakeFirstOrThrow();
  return { serial: row.last, at: row.last_at };
}

export async function addInvoice(tx: Tx, row: Omit<InvoiceRow, 'id'>): Promise<void> {
  await tx
    .insertInto('invoices')
    .values({ id: newId('inv'), ...row })
    .execute();
}

/** The invoice of an order and its credit notes, in the order in which they were made out. */
export async function invoicesOf(db: Db, orderId: string): Promise<InvoiceRow[]> {
  return await db
    .selectFrom('invoices')
    .selectAll()
    .where('order_id', '=', orderId)
    .orderBy('kind', 'desc')
    .orderBy('issued_at')
    .orderBy('serial')
    .execute();
}

/** The PDF of so many papers of an order, if it was made before. */
export async function keptFile(db: Db, orderId: string, papers: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const row = await db
    .selectFrom('invoice_files')
    .select('content')
    .where('order_id', '=', orderId)
    .where('papers', '=', papers)
    .executeTakeFirst();
  return row === undefined ? undefined : Uint8Array.from(Buffer.from(row.content, 'base64'));
}

export async function keepFile(
  db: Db,
  orderId: string,
  papers: number,
  bytes: Uint8Array<ArrayBuffer>,
  at: number,
): Promise<void> {
  const content = Buffer.from(bytes).toString('base64');
  await db
    .insertInto('invoice_files')
    .values({ order_id: orderId, papers, content, made_at: at })
    .onConflict((c) =>
      c.column('order_id').doUpdateSet({ papers, content, made_at: at }).where('invoice_files.papers', '<', papers),
    )
    .execute();
}
