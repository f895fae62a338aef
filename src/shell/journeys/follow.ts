/** An order that was placed. */
export * as order from '../../screens/order/OrderScreen.tsx';
