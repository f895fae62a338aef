import * as t from '#text/order.ts';
import type { OrderView } from '../../contract/orders.ts';
import { Tag } from '../../ui/Tag.tsx';

const SAID = {
  DELIVERY: 'DELIVERY',
  TAKEAWAY: 'TAKEAWAY',
  'CURBSIDE PICKUP': 'CURB',
  'DINE-IN': 'DINEIN',
  IRCTC: 'IRCTC',
} as const satisfies Record<OrderView['serviceLabel'], string>;

/** How an order is received, in the page's language. */
export function ServiceTag({ label }: { label: OrderView['serviceLabel'] }) {
  return <Tag tone="blue">{t.service({ label: SAID[label] })}</Tag>;
}
