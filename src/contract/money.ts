declare const moneyBrand: unique symbol;

/**
 * Whole minor units (paise, cents, poisha) of the store's country. Never a fraction, and never added up on the client.
 */
export type Money = number & { readonly [moneyBrand]: true };

/** Marks a number as Money; throws RangeError unless it is a safe integer. */
export function money(minor: number): Money {
  if (!Number.isSafeInteger(minor)) throw new RangeError(`Not an amount in minor units: ${minor}`);
  return minor as Money;
}
