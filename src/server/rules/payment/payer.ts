import { t } from '../../call/language.ts';
import type { PaymentRow } from '../../store/payments.ts';

/**
 * Whether somebody else paid, through the customer's link: that money is never the customer's own, and goes back to nobody
 * but whoever paid it.
 */
export const isPayers = (payment: Pick<PaymentRow, 'link' | 'mode'> | undefined): boolean =>
  payment !== undefined && payment.link !== null && payment.mode !== 'LINK';

/** How the way of a payment is called where its customer reads it. */
export const payersLabel = (payment: Pick<PaymentRow, 'label' | 'link' | 'mode'>): string =>
  isPayers(payment) ? t.payersLabel({ label: payment.label }) : payment.label;
