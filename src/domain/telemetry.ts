/**
 * The `currency` of every analytics event, in every country (specification section 9); the customer's own currency goes
 * into `orderCurrency` (product.md C37).
 */
const ANALYTICS_CURRENCY = 'INR';
/** The time-spent event fires once, this long after the page has loaded. */
export const TIME_SPENT_MS = 3_000;

export type Properties = Record<string, string | number | boolean>;

/** An event in the form that analytics expect. */
export function analyticsEvent(name: string, at: number, orderCurrency: string, properties: Properties = {}) {
  return { name, at, properties: { ...properties, currency: ANALYTICS_CURRENCY, orderCurrency } };
}

/** utm_source, utm_medium and utm_campaign of the address that the customer came by; '' for a missing one. */
export function campaignOf(query: Readonly<Record<string, string>>): { source: string; medium: string; name: string } {
  return { source: query['utm_source'] ?? '', medium: query['utm_medium'] ?? '', name: query['utm_campaign'] ?? '' };
}
