import type { CartLine, LineInput } from '../contract/cart.ts';

/** The request that would make this line. */
export function inputOf(line: CartLine): LineInput {
  const { lineId, quantity, size, crust, build, slots, note } = line;
  return {
    lineId,
    quantity,
    productId: line.product.id,
    ...(size ? { size } : {}),
    ...(crust ? { crust } : {}),
    ...(build ? { build } : {}),
    ...(note ? { note } : {}),
    ...(slots
      ? {
          slots: slots.map((slot) => ({
            slot: slot.slot,
            productId: slot.productId,
            ...(slot.size ? { size: slot.size } : {}),
            ...(slot.crust ? { crust: slot.crust } : {}),
            ...(slot.build ? { build: slot.build } : {}),
          })),
        }
      : {}),
  };
}
