export type DeliveryType = 'DELIVERY' | 'PICKUP' | 'CURB' | 'DINEIN';
/** In the order in which they are offered to the customer. */
export const DELIVERY_TYPES: readonly DeliveryType[] = ['DELIVERY', 'PICKUP', 'CURB', 'DINEIN'];
const DEFAULT_DELIVERY_TYPE: DeliveryType = 'DELIVERY';

/** The delivery type of a text in any case; anything unknown is the default (specification section 4). */
export function deliveryType(value: unknown): DeliveryType {
  const wanted = typeof value === 'string' ? value.trim().toUpperCase() : '';
  return DELIVERY_TYPES.find((type) => type === wanted) ?? DEFAULT_DELIVERY_TYPE;
}

/** CURB has the stores, prices, coupons and tax of PICKUP. */
export function pricedAs(type: DeliveryType): DeliveryType {
  return type === 'CURB' ? 'PICKUP' : type;
}

/** Value of `orderDeliveryType` for store lists: pickup and curbside ask for both (specification section 7). */
export function storeQuery(type: DeliveryType): string {
  return pricedAs(type) === 'PICKUP' ? 'PICKUP,CURB' : type;
}

/** Whether a store with these services takes orders of this type. */
export function isServed(services: readonly string[], type: DeliveryType): boolean {
  return services.includes(type);
}

/**
 * The type to store when the customer chooses a takeaway store: CURB if the store has it, else PICKUP (specification
 * section 4, product.md C02).
 */
export function takeawayType(services: readonly string[]): 'CURB' | 'PICKUP' {
  return services.includes('CURB') ? 'CURB' : 'PICKUP';
}

export function needsVehicle(type: DeliveryType): boolean {
  return type === 'CURB';
}
