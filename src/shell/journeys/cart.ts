/** What was chosen, and what it costs. */
export * as cart from '../../screens/cart/CartScreen.tsx';
