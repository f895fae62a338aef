/** Following an order that was placed. */
export * as order from '../../screens/order/OrderScreen.tsx';
export * as shared from '../../screens/order/SharedScreen.tsx';
export * as track from '../../screens/order/TrackScreen.tsx';
