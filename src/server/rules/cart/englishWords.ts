import { inLanguage, languageAsked } from '../../call/language.ts';
import type { OrderSnapshot } from '../../store/orders.ts';
import { priceCart, type CartState, type PricingContext } from './cart.ts';

const ENGLISH = 'en';

/**
 * What an order's dishes and discounts are called in English, for the papers that tax offices read; nothing where the order is in
 * English. Its own lines are in the language of whoever ordered, and the menu that they came from will have changed.
 */
export function englishWords(
  state: CartState,
  context: PricingContext,
): Pick<OrderSnapshot, 'english' | 'englishBill'> {
  if (languageAsked() === ENGLISH) return {};
  const { validItems, bill } = inLanguage(ENGLISH, () => priceCart(state, context)).cart;
  const english = validItems.map(({ lineId, product, sizeName, crustName, choices, slots = [] }) => ({
    lineId,
    name: product.name,
    sizeName,
    crustName,
    choices,
    slots: slots.map(({ name }) => name),
  }));
  return { english, englishBill: Object.fromEntries(bill.lines.map(({ id, label }) => [id, label])) };
}
