import { MINUTE_MS } from '../../../domain/time.ts';
import { jobs } from '../../call/jobs.ts';
import { inLanguage, languageAsked } from '../../call/language.ts';
import { transact, type Tx } from '../../store/db.ts';
import { ticketById } from '../../store/help.ts';
import { enqueue } from '../../store/jobs.ts';
import { planTicketNews } from './ticketNews.ts';
import { onWithheld } from '../payment/funds.ts';
import { decideTicket, leaveToPerson } from './tickets.ts';

/** How long the imitated help desk takes (ms). */
const DESK_TAKES_MS = 20 * MINUTE_MS;

/** Hands a ticket to whoever answers it, in the transaction of the claim. */
export async function handToDesk(tx: Tx, ticketId: string, language: string, now: number): Promise<void> {
  const payload = { ticketId, language };
  await enqueue(
    tx,
    { kind: 'help.waits', runAt: now, payload, key: `help.waits:${ticketId}` },
    { kind: 'help.desk', runAt: now + DESK_TAKES_MS, payload, key: `help.desk:${ticketId}` },
  );
}

onWithheld(async (tx, orderId, amount, at) => {
  await handToDesk(tx, await leaveToPerson(tx, orderId, amount, at), languageAsked(), at);
});

/** Somebody looks at these: here it is told to the log, as all that is told to the store. */
jobs.on<{ ticketId: string }>('help.waits', async ({ ticketId }, { db, services }) => {
  const ticket = await ticketById(db, ticketId);
  if (ticket?.state !== 'PERSON') return;
  const { issue, reason, answer_by: answerBy, order_id: orderId } = ticket;
  services.log.warn({ ticketId, orderId, issue, reason, answerBy }, 'a customer waits for a person');
});

/** In development the desk believes everybody, and gives what the rules say. Where real orders are, people answer. */
jobs.on<{ ticketId: string; language: string }>('help.desk', async ({ ticketId, language }, { db, services, now }) => {
  if (!services.development) return;
  await inLanguage(language, () =>
    transact(db, async (tx) => {
      for (const id of await decideTicket(tx, ticketId, { amount: null, answer: null }, now))
        await planTicketNews(tx, id, now);
    }),
  );
});
