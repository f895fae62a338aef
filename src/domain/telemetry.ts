/** Of every analytics event, in every country (specification section 9); what the customer pays in stands beside it (product.md C37). */
export const ANALYTICS_CURRENCY = 'INR';
/** The event of the time spent fires once, this long after the load. */
export const TIME_SPENT_MS = 3_000;

export type Properties = Record<string, string | number | boolean>;

/** An event as analytics get it. */
export function analyticsEvent(name: string, at: number, orderCurrency: string, properties: Properties = {}) {
  return { name, at, properties: { ...properties, currency: ANALYTICS_CURRENCY, orderCurrency } };
}

/** utm_source, utm_medium and utm_campaign of the address somebody came by; '' where it says nothing. */
export function campaignOf(query: Readonly<Record<string, string>>): { source: string; medium: string; name: string } {
  return { source: query['utm_source'] ?? '', medium: query['utm_medium'] ?? '', name: query['utm_campaign'] ?? '' };
}
