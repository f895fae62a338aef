/** Choosing what to eat, up to the cart. */
export * as cart from '../../screens/cart/CartScreen.tsx';
export * as combo from '../../screens/customise/ComboScreen.tsx';
export * as customise from '../../screens/customise/CustomiseScreen.tsx';
export * as search from '../../screens/search/SearchScreen.tsx';
