import type { PaymentMode } from '../../contract/names.ts';
import type { PaymentOption } from '../../contract/payments.ts';
import { money } from '../../contract/price.ts';
import type { ApiError } from '../../contract/reply.ts';
import { isEnabled } from '../../domain/features.ts';
import { cashLimit, FEATURE_OFF } from '../../domain/messages.ts';
import { formatMoney } from '../../domain/money.ts';
import type { Country } from '../../../country/shape.ts';
import type { Partner } from '../http/route.ts';
import { partnerSide } from './partners.ts';
import { readSeeds, type Seeds } from './seeds.ts';

interface SeedMode { id: PaymentMode; label: string; about?: string; feature?: string; maxAmount?: number; otpWhenGuest?: boolean }

const ABOUT: Partial<Record<PaymentMode, string>> = {
  UPI: 'Any UPI app, by link, QR code or UPI id', CARD: 'Visa, Mastercard and American Express', NETBANKING: 'On your bank\'s own page',
  PAYTM: 'Wallet or linked bank', GPAY: 'Paid inside Google Pay', MFS: 'Your mobile money account', COD: 'Pay when you receive it',
  LINK: 'You send a link; whoever has it can pay, once',
};
/** Modes whose money a provider of ours moves; a host's own mode exists only inside that host. */
const ON_THE_WEB: readonly PaymentMode[] = ['UPI', 'CARD', 'NETBANKING', 'PAYTM', 'MFS', 'COD'];

/** Modes of a country and host, in the catalogue's order; inside a host only its own (Paytm's rule 2, product.md 1.4). */
export function optionsFor(country: Country, seeds: Pick<Seeds, 'payments'>, partner: Partner, blocked: ReadonlySet<string>): PaymentOption[] {
  const modes = seeds.payments.modes as unknown as SeedMode[];
  const host = partner === 'web' ? null : partnerSide(partner);
  if (host?.option) return [{ id: host.paymentMode, ...host.option }];
  const isOpen = (mode: SeedMode) => (host === null ? ON_THE_WEB.includes(mode.id) && (mode.feature === undefined || isEnabled(mode.feature, blocked)) : mode.id === host.paymentMode);
  const options = modes.filter(isOpen).map((mode): PaymentOption => ({
    id: mode.id, label: mode.label, about: mode.about ?? ABOUT[mode.id] ?? '', ...(mode.id === 'COD' ? { maxAmount: country.cashLimit } : {}),
  }));
  // A link leads out of a payment app, to modes that it does not allow.
  return partner === 'web' ? [...options, { id: 'LINK', label: 'Someone else pays', about: ABOUT.LINK ?? '' }] : options;
}

const BY_LINK: readonly PaymentMode[] = ['UPI', 'CARD', 'NETBANKING', 'PAYTM', 'MFS'];
/** Modes of whoever pays for somebody else: nothing that needs the order, its door or its account. */
export function optionsByLink(options: readonly PaymentOption[]): PaymentOption[] {
  return options.filter((option) => BY_LINK.includes(option.id));
}

const known = new Map<string, ReadonlySet<string>>();
/** Whether a country's catalogue has this mode, wherever it is offered. */
export function hasMode(country: string, mode: PaymentMode): boolean {
  let modes = known.get(country);
  if (modes === undefined) known.set(country, modes = new Set(readSeeds(country).payments.modes.map((own) => own.id)));
  return modes.has(mode);
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
