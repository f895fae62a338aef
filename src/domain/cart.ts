/** What the cart rules need of a line; a CartLine has it. */
export interface CartRuleLine {
  readonly product: { readonly foodType: string; readonly price: number; readonly originalPrice: number; readonly kind?: string };
  readonly productType: string;
  readonly quantity: number;
  /** Deals: one entry per piece, each with its food type. */
  readonly slots?: readonly { readonly foodType: string }[] | undefined;
}

export type VegType = 'YES' | 'NO' | 'MIX' | 'NA';

/** YES all veg, NO all non-veg, MIX otherwise, NA empty (specification section 5). A deal counts by what is in it. */
export function vegType(lines: readonly CartRuleLine[]): VegType {
  let veg = false;
  let nonVeg = false;
  for (const line of lines) {
    const kinds = line.slots?.length ? line.slots.map((slot) => slot.foodType) : [line.product.foodType];
    for (const kind of kinds) {
      if (kind === 'VEG') veg = true;
      else if (kind === 'NON_VEG') nonVeg = true;
      else veg = nonVeg = true;
    }
  }
  if (veg && nonVeg) return 'MIX';
  return veg ? 'YES' : nonVeg ? 'NO' : 'NA';
}

function isDeal(line: CartRuleLine): boolean {
  return line.product.kind === 'DEAL' || line.productType === 'SIDECOMBOS';
}

/** The combo badge: a combo in the cart whose original price is above its price (specification section 5). */
export function hasComboSaving(lines: readonly CartRuleLine[]): boolean {
  return lines.some((line) => isDeal(line) && line.product.originalPrice > line.product.price);
}

/** Pieces in the cart, for the badge on the cart icon. */
export function pieces(lines: readonly { readonly quantity: number }[]): number {
  return lines.reduce((sum, line) => sum + line.quantity, 0);
}

/** Pizzas in the cart, minis and those inside deals included (product.md C19). `isPizza` says what a deal's piece is. */
export function pizzaCount(
  lines: readonly { readonly quantity: number; readonly product: { readonly kind?: string }; readonly slots?: readonly { readonly productId: string }[] | undefined }[],
  isPizza: (productId: string) => boolean,
): number {
  let count = 0;
  for (const line of lines) {
    if (line.slots?.length) count += line.quantity * line.slots.filter((slot) => isPizza(slot.productId)).length;
    else if (line.product.kind === 'PIZZA' || line.product.kind === 'MINI') count += line.quantity;
  }
  return count;
}

/** How far a bill is from the smallest order of its country, minor units; a tip orders nothing (product.md C22). Page and server go by it alike. */
export function missingToMinimum(bill: { readonly total: number; readonly lines: readonly { readonly kind: string; readonly amount: number }[] }, minimumOrder: number): number {
  const tips = bill.lines.reduce((sum, line) => (line.kind === 'tip' ? sum + line.amount : sum), 0);
  return Math.max(0, minimumOrder - (bill.total - tips));
}

/** What the promise needs of a country; a Country has it. */
export interface PromiseRule {
  readonly timeZone: string;
  readonly guarantee: { readonly minutes: number; readonly nightMinutes: number; readonly nightFrom: string; readonly nightTo: string; readonly bulkFromPizzas: number };
}

export function isBulk(pizzas: number, rule: PromiseRule): boolean {
  return pizzas >= rule.guarantee.bulkFromPizzas;
}
