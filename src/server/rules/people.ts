const VIP_FROM_ORDERS = 10;

/** The specification names isVip and does not say when: from ten orders on. */
export function isVip(orders: number): boolean {
  return orders >= VIP_FROM_ORDERS;
}
