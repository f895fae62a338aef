import { countryConfig } from '../../../../country/index.ts';
import type { CartLine } from '../../../contract/cart.ts';
import { timeText } from '../../../domain/hours.ts';
import { madeOf } from '../../../domain/madeOf.ts';
import { money } from '../../../contract/price.ts';
import { jobs } from '../../call/jobs.ts';
import { inLanguage, languageAsked, orders, t, dayText, formatMoney } from '../../call/language.ts';
import { newToken } from '../../store/ids.ts';
import type { Db } from '../../store/db.ts';
import type { NewJob } from '../../store/jobs.ts';
import { snapshotOf, type OrderRow } from '../../store/orders.ts';
import { readForReceipt, shareToken } from '../../store/tracking.ts';
import { textAbout } from './textAbout.ts';

/** An SMS with more lines than these would be cut into too many parts. */
const LINES_AT_MOST = 4;

/** The SMS with the receipt, to be stored in the transaction that places the order. */
export const receiptJob = ({ id }: OrderRow, now: number): NewJob => ({
  kind: 'receipt.send',
  runAt: now,
  payload: { orderId: id, language: languageAsked() },
  key: `receipt.send:${id}`,
});

/** The link of the receipt, to be stored in the same transaction. */
export const receiptLink = ({ id }: OrderRow, now: number) => ({ token: newToken(), order_id: id, created_at: now });

type ReceiptOrder = NonNullable<Awaited<ReturnType<typeof readForReceipt>>>;

function dishesText(lines: readonly CartLine[]): string {
  const shown = lines.map((line) => {
    const made = madeOf(line);
    const of = { quantity: line.quantity, dish: line.product.name };
    return made.length === 0 ? t.receiptDish(of) : t.receiptDishMade({ ...of, made: made.join(', ') });
  });
  const more = shown.length - LINES_AT_MOST;
  return (more > 0 ? [...shown.slice(0, LINES_AT_MOST), t.receiptMore({ lines: more })] : shown).join('; ');
}

/**
 * The receipt: what was ordered, what it costs, and a link that shows how far it is to whoever has it, without a login
 * and with nothing personal. The link keeps the mount of the page on which the order was placed.
 */
async function receiptText(db: Db, order: ReceiptOrder, origin: string, now: number): Promise<string> {
  const country = countryConfig(order.country);
  // A release before this one stored no link with the job.
  const token = order.token ?? (await shareToken(db, order.id, newToken(), now));
  const way = order.mode === 'COD' ? ('DOOR' as const) : ('PAID' as const);
  const parts = {
    app: country.appName,
    number: order.number,
    dishes: dishesText(snapshotOf(order).lines),
    // At the door only what the balances have not paid.
    total: formatMoney(money(way === 'DOOR' ? order.amount : order.total), country),
    way,
    link: `${origin}${order.return_path}shared/${token}`,
  };
  if (order.scheduled_for === null) return t.receiptPlaced(parts);
  const at = {
    time: timeText(order.scheduled_for, country.timeZone, orders.clock),
    day: dayText(order.scheduled_for, country),
  };
  return t.receiptBooked({ ...parts, ...at });
}

/** Sends the receipt at least once. */
jobs.on<{ orderId: string; language: string }>('receipt.send', async ({ orderId, language }, { db, services, now }) => {
  const order = (await readForReceipt(db, orderId))!;
  const { ownerIsGuest, ownerMobile } = order;
  const owner = ownerIsGuest === null ? undefined : { guest: ownerIsGuest, mobile: ownerMobile };
  const text = () => inLanguage(language, () => receiptText(db, order, services.origin, now));
  await textAbout(db, services, order, now, text, owner);
});
