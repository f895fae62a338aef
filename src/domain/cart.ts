/** The fields of a line that the cart rules need; a CartLine has them. */
export interface CartRuleLine {
  readonly product: {
    readonly foodType: string;
    readonly price: number;
    readonly originalPrice: number;
    readonly kind?: string;
  };
  readonly productType: string;
  readonly quantity: number;
  /** Deals: one entry per piece, each with its food type. */
  readonly slots?: readonly { readonly foodType: string }[] | undefined;
}

export type VegType = 'YES' | 'NO' | 'MIX' | 'NA';

/**
 * YES all veg, NO all non-veg, MIX otherwise, NA empty (specification section 5). Of a deal, the dishes in it count.
 */
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

/**
 * Whether to show the combo badge: the cart holds a combo that costs less than its original price (specification
 * section 5).
 */
export function hasComboSaving(lines: readonly CartRuleLine[]): boolean {
  return lines.some((line) => isDeal(line) && line.product.originalPrice > line.product.price);
}

/**
 * How much a bill lacks to reach the country's minimum order, in minor units; a tip does not count (product.md C22).
 * Page and server both use this.
 */
export function missingToMinimum(
  bill: { readonly total: number; readonly lines: readonly { readonly kind: string; readonly amount: number }[] },
  minimumOrder: number,
): number {
  const tips = bill.lines.reduce((sum, line) => (line.kind === 'tip' ? sum + line.amount : sum), 0);
  return Math.max(0, minimumOrder - (bill.total - tips));
}

/** The fields of a country that the promise needs; a Country has them. */
export interface PromiseRule {
  readonly timeZone: string;
  readonly guarantee: {
    readonly minutes: number;
    readonly nightMinutes: number;
    readonly nightFrom: string;
    readonly nightTo: string;
    readonly bulkFromPizzas: number;
  };
}

export function isBulk(pizzas: number, rule: PromiseRule): boolean {
  return pizzas >= rule.guarantee.bulkFromPizzas;
}
