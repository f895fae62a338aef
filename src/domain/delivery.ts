export type DeliveryType = 'DELIVERY' | 'PICKUP' | 'CURB' | 'DINEIN';
/** Service-type codes of the specification, section 1. */
export type ServiceCode = 'D' | 'T' | 'P' | 'IRCTC' | 'DINEIN' | 'CURB';

export const DEFAULT_DELIVERY_TYPE: DeliveryType = 'DELIVERY';

const CODES: Readonly<Record<DeliveryType, ServiceCode>> = { DELIVERY: 'D', PICKUP: 'P', CURB: 'CURB', DINEIN: 'DINEIN' };

/** A known type, whatever its case; anything else is the default (specification section 4). */
export function deliveryType(value: unknown): DeliveryType {
  const wanted = typeof value === 'string' ? value.trim().toUpperCase() : '';
  return Object.hasOwn(CODES, wanted) ? (wanted as DeliveryType) : DEFAULT_DELIVERY_TYPE;
}

/** `counter` is takeaway ordered at the counter, `train` an order to a seat (product.md C02). */
export function serviceCode(type: DeliveryType, where?: 'counter' | 'train'): ServiceCode {
  return where === 'train' ? 'IRCTC' : where === 'counter' ? 'T' : CODES[type];
}

/** CURB counts as PICKUP for stores, prices, coupons and tax. */
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

/** Choosing a takeaway store stores CURB where the store has it, else PICKUP (specification section 4, product.md C02). */
export function takeawayType(services: readonly string[]): DeliveryType {
  return services.includes('CURB') ? 'CURB' : 'PICKUP';
}

export function needsVehicle(type: DeliveryType): boolean {
  return type === 'CURB';
}

export const DELIVERY_LABELS: Readonly<Record<DeliveryType, string>> = {
  DELIVERY: 'Delivery', PICKUP: 'Takeaway', CURB: 'Curbside pickup', DINEIN: 'Dine-in',
};
