import type { PaymentMode } from '../../contract/names.ts';
import type { PaymentOption } from '../../contract/payments.ts';
import { money } from '../../contract/price.ts';
import type { ApiError } from '../../contract/reply.ts';
import { isEnabled } from '../../domain/features.ts';
import { cashLimit, FEATURE_OFF } from '../../domain/messages.ts';
import { formatMoney } from '../../domain/money.ts';
import type { Country } from '../../../country/shape.ts';
import type { Partner } from '../http/route.ts';
import type { Seeds } from './seeds.ts';

interface SeedMode { id: PaymentMode; label: string; feature?: string; maxAmount?: number; otpWhenGuest?: boolean }

const ABOUT: Partial<Record<PaymentMode, string>> = {
  UPI: 'Any UPI app, by link, QR code or UPI id', CARD: 'Visa, Mastercard, RuPay and American Express', NETBANKING: 'On your bank\'s own page',
  PAYTM: 'Wallet or linked bank', GPAY: 'Paid inside Google Pay', MFS: 'Your mobile money account', COD: 'Pay when you receive it',
};
/** Modes whose money a provider of ours moves; a host's own mode exists only inside that host. */
const ON_THE_WEB: readonly PaymentMode[] = ['UPI', 'CARD', 'NETBANKING', 'PAYTM', 'MFS', 'COD'];
const OF_HOST: Readonly<Record<Exclude<Partner, 'web'>, PaymentMode>> = { gpay: 'GPAY', paytm: 'PAYTM' };

/** Modes of a country and host, in the catalogue's order; inside a host only its own (Paytm's rule 2, product.md 1.4). */
export function optionsFor(country: Country, seeds: Pick<Seeds, 'payments'>, partner: Partner, blocked: ReadonlySet<string>): PaymentOption[] {
  const modes = seeds.payments.modes as unknown as SeedMode[];
  const isOpen = (mode: SeedMode) => (partner === 'web' ? ON_THE_WEB.includes(mode.id) && (mode.feature === undefined || isEnabled(mode.feature, blocked)) : mode.id === OF_HOST[partner]);
  return modes.filter(isOpen).map((mode) => ({
    id: mode.id, label: mode.label, about: ABOUT[mode.id] ?? '', ...(mode.id === 'COD' ? { maxAmount: country.cashLimit } : {}),
  }));
}

/** Why a mode cannot pay this total, or null. */
export function modeProblem(country: Country, options: readonly PaymentOption[], mode: PaymentMode, total: number): ApiError | null {
  const option = options.find((own) => own.id === mode);
  if (option === undefined) return { code: 'PAYMENT_MODE', displayMsg: FEATURE_OFF, field: 'paymentMode' };
  if (option.maxAmount !== undefined && total > option.maxAmount) {
    return { code: 'CASH_LIMIT', displayMsg: cashLimit(formatMoney(money(option.maxAmount), country)), field: 'paymentMode' };
  }
  return null;
}
