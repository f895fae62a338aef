// Made from en/reorder.json by `npm run texts`.
export const orderAgain = 'Order this again';
export const remembered = 'Your dishes are in your cart.';
