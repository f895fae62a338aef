declare const moneyBrand: unique symbol;

/** Integer minor units (paise, cents, poisha) of the store's country. Never a float, never summed on the client. */
export type Money = number & { readonly [moneyBrand]: true };

/** Brands an integer as Money; throws RangeError on anything that is not a safe integer. */
export function money(minor: number): Money {
  if (!Number.isSafeInteger(minor)) throw new RangeError(`Not an amount in minor units: ${minor}`);
  return minor as Money;
}
