// Made from en/reorder.json by `npm run texts`.
export const remembered = 'Your dishes are in your cart.';
