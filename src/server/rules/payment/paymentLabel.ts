import type { OrderRow } from '../../store/orders.ts';
import type { PaymentRow } from '../../store/payments.ts';
import { linkableProvider } from './linkedWallets.ts';
import { modeLabel } from './modes.ts';

/**
 * How the way of a payment is called in the language of this moment: what stands with the payment is in that of whoever
 * paid, and is taken only for a page that embeds the app, which names its own.
 */
export function paymentLabel(
  { country, delivery_type: deliveryType }: Pick<OrderRow, 'country' | 'delivery_type'>,
  { mode, label, details }: Pick<PaymentRow, 'mode' | 'label' | 'details'>,
): string {
  const { linked, choice } = JSON.parse(details) as { linked?: boolean; choice?: { label: string } };
  const own = (linked === true ? linkableProvider(mode)?.label : undefined) ?? modeLabel(country, mode, deliveryType);
  if (own === undefined) return label;
  return choice === undefined ? own : `${own}, ${choice.label}`;
}
