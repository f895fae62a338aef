/** Following an order on a page of its own: by its owner, or by whoever has its link. */
export * as shared from '../../screens/order/SharedScreen.tsx';
export * as track from '../../screens/order/TrackScreen.tsx';
