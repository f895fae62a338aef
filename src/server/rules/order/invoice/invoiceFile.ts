import { isHandedOver, isLost } from '../../../../domain/orders.ts';
import { HOUR_MS } from '../../../../domain/time.ts';
import { userIdOf, type Call } from '../../../call/call.ts';
import { FileReply } from '../../../call/file.ts';
import { invoice as said } from '../../../call/language.ts';
import { refuse } from '../../../call/refusal.ts';
import { transact } from '../../../store/db.ts';
import { invoicesOf, keepFile, keptFile, type InvoiceRow } from '../../../store/invoices.ts';
import type { OrderRow } from '../../../store/orders.ts';
import { countWithin, takeBack } from '../../../store/system.ts';
import type { Buyer, Paper } from '../../invoice/paper.ts';
import { pressed } from '../../invoice/press.ts';
import { refuseUntil } from '../../people/limits.ts';
import { makeUpInvoice } from './invoices.ts';

/** Drawn for one customer in an hour; what was drawn before is given as often as it is asked for. */
const DRAWN_AN_HOUR = 60;

const sheetOf = ({ paper, buyer }: InvoiceRow) => ({
  paper: JSON.parse(paper) as Paper,
  buyer: buyer === null ? null : (JSON.parse(buyer) as Buyer),
});

/** The papers of an order. @throws Refusal 400 INVOICE_NOT_YET, NO_INVOICE */
async function papersOf(call: Call, order: OrderRow): Promise<readonly InvoiceRow[]> {
  const papers = await invoicesOf(call.db, order.id);
  if (papers.length > 0) return papers;
  if (isLost(order.status)) refuse(400, 'NO_INVOICE', said.never);
  if (!isHandedOver(order.status)) refuse(400, 'INVOICE_NOT_YET', said.notYet);
  await transact(call.db, (tx) => makeUpInvoice(tx, order.id, call.now));
  return await invoicesOf(call.db, order.id);
}

/**
 * The invoice of an order and its credit notes as PDF: drawn once, and the same again until there is one more. The caller
 * has checked whose order it is.
 * @throws Refusal 400 INVOICE_NOT_YET, NO_INVOICE; 429 TOO_MANY; 503 BUSY
 */
export async function invoiceFile(call: Call, order: OrderRow): Promise<FileReply> {
  const papers = await papersOf(call, order);
  const name = `${papers[0]!.number.replaceAll('/', '-')}.pdf`;
  const kept = await keptFile(call.db, order.id, papers.length);
  if (kept !== undefined) return new FileReply(kept, name);
  const drawn = `invoices|${userIdOf(call)}`;
  const { isCounted, endsAt } = await countWithin(call.db, drawn, DRAWN_AN_HOUR, HOUR_MS, call.now);
  if (!isCounted) refuseUntil(endsAt, call.now);
  const bytes = await pressed(papers.map(sheetOf)).catch(async (error: unknown) => {
    // Where others have taken all places nothing is drawn.
    await takeBack(call.db, drawn);
    throw error;
  });
  await keepFile(call.db, order.id, papers.length, bytes, call.now);
  return new FileReply(bytes, name);
}
