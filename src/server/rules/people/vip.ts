const VIP_FROM_ORDERS = 10;

/** The specification names isVip but does not say who is one: here, anybody from ten orders on. */
export function isVip(orders: number): boolean {
  return orders >= VIP_FROM_ORDERS;
}
