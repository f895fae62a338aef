import { countryConfig } from '../../../../country/index.ts';
import { jobs } from '../../call/jobs.ts';
import { inLanguage, t } from '../../call/language.ts';
import type { Services } from '../../call/services.ts';
import type { Root, Tx } from '../../store/db.ts';
import { ticketById } from '../../store/help.ts';
import { enqueue } from '../../store/jobs.ts';
import { orderById, type OrderRow } from '../../store/orders.ts';
import { latestPayment } from '../../store/payments.ts';
import { dropSubscription, subscriptionsOf } from '../../store/push.ts';
import { textAbout } from '../order/textAbout.ts';
import { ticketViews } from './tickets.ts';

/** Enqueues the news that a person has answered, in the transaction of the answer. */
export async function planTicketNews(tx: Tx, ticketId: string, now: number): Promise<void> {
  await enqueue(tx, { kind: 'help.news', runAt: now, payload: { ticketId }, key: `help.news:${ticketId}` });
}

/** Tells the customer's browsers, or by SMS where none has asked for news. At least once. */
jobs.on<{ ticketId: string }>('help.news', async ({ ticketId }, { db, services, now }) => {
  const ticket = await ticketById(db, ticketId);
  const order = ticket && (await orderById(db, ticket.order_id));
  if (ticket === undefined || order === undefined) return;
  const said = (language: string) =>
    inLanguage(language, async () => (await ticketViews(db, [ticket]))[0]?.answer ?? '');
  const path = `ticket/${encodeURIComponent(ticket.id)}`;
  await tellCustomer(db, services, order, ticket.language, {
    push: async (language) => ({
      title: inLanguage(language, () => t.helpNewsTitle({ number: order.number })),
      body: await said(language),
      path,
    }),
    sms: async (link) => {
      const answer = await said(ticket.language);
      return inLanguage(ticket.language, () =>
        t.helpNewsSms({ app: countryConfig(order.country).appName, number: order.number, answer, link }),
      );
    },
    tag: ticket.id,
    path,
    at: now,
  });
});

interface News {
  push(language: string): Promise<{ title: string; body: string; path: string }>;
  sms(link: string): Promise<string>;
  readonly tag: string;
  /** Below the mount of the page on which the order was placed. */
  readonly path: string;
  readonly at: number;
}

/** Sends news of an order: to the browsers that asked for it, and by SMS if none did. */
export async function tellCustomer(
  db: Root,
  services: Services,
  order: OrderRow,
  language: string,
  news: News,
): Promise<void> {
  const browsers = await subscriptionsOf(db, order.user_id);
  const sent = await Promise.allSettled(
    browsers.map(async (to) => {
      const { path, ...words } = await news.push(to.language);
      const payload = { ...words, tag: news.tag, path: `${to.mount}${path}` };
      if ((await services.push.send(db, to, payload)) === 'gone') await dropSubscription(db, to.endpoint, null);
    }),
  );
  const failed = sent.find((one) => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  const payment = browsers.length > 0 || order.mobile === '' ? undefined : await latestPayment(db, order.id);
  if (payment === undefined) return;
  const link = `${services.origin}${payment.return_path}${news.path}`;
  await textAbout(db, services, order, news.at, () => inLanguage(language, () => news.sms(link)));
}
