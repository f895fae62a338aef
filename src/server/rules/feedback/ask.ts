import { countryConfig } from '../../../../country/index.ts';
import { ASK_AFTER_MS } from '../../../domain/feedback.ts';
import { isLost } from '../../../domain/orders.ts';
import { MINUTE_MS } from '../../../domain/time.ts';
import { jobs } from '../../call/jobs.ts';
import { inLanguage, languageAsked, t } from '../../call/language.ts';
import { askOf, feedbackOfOrder, markAsked } from '../../store/feedback.ts';
import { newToken } from '../../store/ids.ts';
import { enqueue, type NewJob } from '../../store/jobs.ts';
import { orderById, type OrderRow } from '../../store/orders.ts';
import { tellCustomer } from '../help/ticketNews.ts';
import { isAsked } from './feedback.ts';

/** When it is first looked whether an order was handed over: most were, by then (ms after it was wanted). */
const LOOK_AFTER_MS = ASK_AFTER_MS + 30 * MINUTE_MS;

const look = (orderId: string, language: string, runAt: number): NewJob => ({
  kind: 'feedback.ask',
  runAt,
  payload: { orderId, language },
  key: `feedback.ask:${orderId}:${runAt}`,
});

/** The one question about an order, if it is asked, to be stored in the transaction that places it: only that knows the customer's language. */
export const askJobs = (order: OrderRow, now: number): NewJob[] =>
  isAsked(order) ? [look(order.id, languageAsked(), (order.scheduled_for ?? now) + LOOK_AFTER_MS)] : [];

/** The address that opens an order's feedback, below the mount of a page. */
const linkPath = (orderId: string, token: string) =>
  `uf?orderId=${encodeURIComponent(orderId)}&token=${encodeURIComponent(token)}`;

/** Asks once, unless the customer has rated or does not want to be asked. */
jobs.on<{ orderId: string; language: string }>('feedback.ask', async ({ orderId, language }, { db, services, now }) => {
  const order = await orderById(db, orderId);
  if (order === undefined || isLost(order.status) || (await feedbackOfOrder(db, orderId)) !== undefined) return;
  const due = (order.finished_at ?? now) + ASK_AFTER_MS;
  if (due > now) return await enqueue(db, look(orderId, language, due));
  const { token } = await askOf(db, orderId, newToken(), now);
  if (!(await markAsked(db, orderId, now))) return;
  const path = linkPath(orderId, token);
  await tellCustomer(db, services, order, language, {
    push: (spoken) =>
      Promise.resolve(
        inLanguage(spoken, () => ({
          title: t.feedbackAskTitle({ number: order.number }),
          body: t.feedbackAskBody,
          path,
        })),
      ),
    sms: (link) =>
      Promise.resolve(t.feedbackAskSms({ app: countryConfig(order.country).appName, number: order.number, link })),
    tag: order.id,
    path,
    at: now,
  });
});
