import type { PaymentMode } from '../../../contract/names.ts';
import type { PaymentChoice, PaymentOption } from '../../../contract/payments.ts';
import { money } from '../../../contract/price.ts';
import type { ApiError } from '../../../contract/reply.ts';
import { isEnabled } from '../../../domain/features.ts';
import { catalogueHere, type Call } from '../../call/call.ts';
import { blockedFor } from '../../call/features.ts';
import { t, formatMoney, languageAsked } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';
import type { Country } from '../../../../country/shape.ts';
import type { HostName } from '../../call/caller.ts';
import { hosts, hostSide } from '../hosts/hosts.ts';
import { readSeeds, type Seeds } from '../../store/seeds.ts';
import { parseSwitches } from '../../store/switches.ts';

type CardKind = 'VISA' | 'MASTERCARD' | 'RUPAY' | 'AMEX';
interface SeedMode {
  id: PaymentMode;
  label: string;
  /** The kinds of cards that are taken. */
  cards?: CardKind[];
  feature?: string;
  maxAmount?: number;
  otpWhenGuest?: boolean;
  choices?: PaymentChoice[];
}

/** English is as the country's data has it. */
const LABELS: Partial<Record<PaymentMode, () => string>> = {
  CARD: () => t.payCard,
  NETBANKING: () => t.payBank,
  MFS: () => t.payMobile,
  COD: () => t.payCash,
  EGV: () => t.egv,
  WALLET: () => t.wallet,
};
const ABOUT: Partial<Record<PaymentMode, () => string>> = {
  UPI: () => t.payUpiAbout,
  NETBANKING: () => t.payBankAbout,
  MFS: () => t.payMobileAbout,
  COD: () => t.payCashAbout,
};
const cashLabels = (): NonNullable<PaymentOption['labels']> => ({
  PICKUP: t.payCashPickup,
  CURB: t.payCashCurb,
  DINEIN: t.payCashDineIn,
});
/** What a mode of the catalogue is called in the language of the request. */
export const labelOfMode = ({ id, label }: { readonly id: string; readonly label: string }): string =>
  (languageAsked() === 'en' ? undefined : LABELS[id as PaymentMode]?.()) ?? label;
function aboutCards(kinds: readonly CardKind[]): string {
  const names = kinds.map((card) => t.cardName({ card }));
  return t.payCardAbout({ cards: names.slice(0, -1).join(', '), last: names.at(-1)! });
}
/** Modes whose money the shop's bank, or its riders, take in. */
const OWN: readonly PaymentMode[] = ['UPI', 'CARD', 'NETBANKING', 'MFS', 'COD'];
const ofHost = (mode: PaymentMode) => hosts().find(({ payment }) => payment.mode === mode)?.payment;
/** A host's own mode exists only inside that host, unless it can be paid on the web too. */
const isOnTheWeb = (mode: PaymentMode) => OWN.includes(mode) || ofHost(mode)?.isOnTheWeb === true;

/** By the catalogue's own modes, which are others after a change: what was made of them. */
const made = new WeakMap<object, Map<string, readonly PaymentOption[]>>();

/**
 * The modes of a country and host, in the catalogue's order. Inside a host there is only the host's own mode
 * (product.md 1.4). Every price asks for them, and they differ by little: they are made once.
 */
export function optionsFor(
  country: Country,
  seeds: Pick<Seeds, 'payments'>,
  host: HostName,
  blocked: ReadonlySet<string>,
): readonly PaymentOption[] {
  const kept = made.get(seeds.payments) ?? new Map<string, readonly PaymentOption[]>();
  made.set(seeds.payments, kept);
  const key = [country.COUNTRY_CODE, host, hosts().length, languageAsked(), ...[...blocked].sort()].join(' ');
  const options = kept.get(key) ?? makeOptions(country, seeds, host, blocked);
  kept.set(key, options);
  return options;
}

function makeOptions(
  country: Country,
  seeds: Pick<Seeds, 'payments'>,
  host: HostName,
  blocked: ReadonlySet<string>,
): PaymentOption[] {
  const modes = seeds.payments.modes as unknown as SeedMode[];
  const side = host === 'web' ? null : hostSide(host);
  if (side?.payment.label !== undefined)
    return [{ id: side.payment.mode, label: side.payment.label, about: side.payment.about }];
  const isOpen = (mode: SeedMode) =>
    side === null
      ? isOnTheWeb(mode.id) && (mode.feature === undefined || isEnabled(mode.feature, blocked))
      : mode.id === side.payment.mode;
  const options = modes.filter(isOpen).map((mode): PaymentOption => ({
    id: mode.id,
    label: labelOfMode(mode),
    about: mode.cards ? aboutCards(mode.cards) : (ABOUT[mode.id]?.() ?? ofHost(mode.id)?.about ?? ''),
    ...(mode.id === 'COD' ? { labels: cashLabels(), maxAmount: country.cashLimit } : {}),
    ...(mode.choices ? { choices: mode.choices } : {}),
  }));
  // Not inside a payment app: a link leads out of it, to modes that it does not allow.
  return side === null ? [...options, { id: 'LINK', label: t.payLink, about: t.payLinkAbout }] : options;
}

/** The modes of the caller's country and host, and which of them nobody can pay at present. */
export async function optionsOf(call: Call): Promise<PaymentOption[]> {
  const { caller, services, seen } = call;
  const { country, seeds } = await catalogueHere(call);
  const blocked = blockedFor(country, caller.host, parseSwitches(seen.switches).features);
  return optionsFor(country, seeds, caller.host, blocked).map((option) =>
    services.payments.isAway(option.id, caller.host)
      ? { ...option, disabledReason: t.modeAway({ mode: option.label }) }
      : option,
  );
}

/** Where the fields for a card are, if one can be paid with. */
export function fieldsFor({ services }: Call, options: readonly PaymentOption[]): { cardFields?: string } {
  const address = services.cardFields;
  return address !== null && options.some(({ id }) => id === 'CARD') ? { cardFields: address } : {};
}

/**
 * The modes for somebody else who pays through a link: no cash at the door, and nothing that needs the customer's
 * account.
 */
export function optionsByLink(options: readonly PaymentOption[]): PaymentOption[] {
  return options.filter(({ id }) => id !== 'COD' && isOnTheWeb(id));
}

/** The bank or service that was chosen for a mode. @throws Refusal 422 PAYMENT_MODE */
export function choiceOf(
  options: readonly PaymentOption[],
  mode: PaymentMode,
  id: string | undefined,
): PaymentChoice | null {
  if (id === undefined) return null;
  const choices = options.find((option) => option.id === mode)?.choices ?? [];
  return (
    choices.find((choice) => choice.id === id) ?? refuse(422, 'PAYMENT_MODE', t.featureOff, { field: 'paymentChoice' })
  );
}

const known = new Map<string, readonly SeedMode[]>();
/** The modes of a country's catalogue, read once. */
function modesOf(country: string): readonly SeedMode[] {
  let modes = known.get(country);
  if (modes === undefined) known.set(country, (modes = readSeeds(country).payments.modes as unknown as SeedMode[]));
  return modes;
}

/**
 * What a mode is called in the language of this moment, without the bank or service that was chosen; undefined where its
 * name is that of a page which embeds the app.
 */
export function modeLabel(country: string, mode: PaymentMode, deliveryType: string): string | undefined {
  const own = modesOf(country).find(({ id }) => id === mode);
  return (
    own &&
    ((mode === 'COD' ? (cashLabels() as Partial<Record<string, string>>)[deliveryType] : undefined) ?? labelOfMode(own))
  );
}

/** Whether a country's catalogue has this mode, in whichever host it is offered. */
export const hasMode = (country: string, mode: PaymentMode): boolean => modesOf(country).some(({ id }) => id === mode);

/** Why a mode cannot pay this total; null if it can. */
export function modeProblem(
  country: Country,
  options: readonly PaymentOption[],
  mode: PaymentMode,
  total: number,
): ApiError | null {
  const option = options.find((own) => own.id === mode);
  if (option === undefined) return { code: 'PAYMENT_MODE', displayMsg: t.featureOff, field: 'paymentMode' };
  if (option.disabledReason !== undefined)
    return { code: 'PROVIDER_AWAY', displayMsg: option.disabledReason, field: 'paymentMode' };
  if (option.maxAmount !== undefined && total > option.maxAmount) {
    return {
      code: 'CASH_LIMIT',
      displayMsg: t.cashLimit({ amount: formatMoney(money(option.maxAmount), country) }),
      field: 'paymentMode',
    };
  }
  return null;
}
