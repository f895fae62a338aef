/** Usage-tracking names by path (specification section 2); the first match counts. */
const NAMES: readonly (readonly [path: RegExp, name: string])[] = [
  [/^\/(?:landing|home)?$/, 'home'],
  [/^\/(?:manualSelector|location(?:-selection|Selection)?|postorder-ui\/searchAddress)$/, 'location selection'],
  [/^\/(?:postorder-ui\/)?selectRestaurant$/, 'select restaurant'],
  [/^\/(?:postorder-ui\/)?login-otp$/, 'login-otp'],
  [/^\/(?:postorder-ui\/)?login$/, 'login'],
  [/^\/menu(?:\/|$)/, 'menu categories'],
  [/^\/(?:changeAddress|postorder-ui\/myAddresses)$/, 'change address'],
  [/^\/payment(?:\/|$)/, 'payment'],
  [/^\/cart$/, 'cart'],
  [/^\/customi[sz]e(?:\/|$)/, 'customise'],
  [/^\/postorder-ui\/profile$/, 'profile'],
  [/^\/(?:edv|everyday-value-offers)$/, 'everyday-value-offers and edv'],
  [/^\/postorder-ui\/orderHistory$/, 'order history'],
  [/^\/(?:postorder-ui\/)?offers$/, 'offers'],
  [/^\/track(?:\/|$)/, 'track'],
  // One page of ours thanks and follows the order: /order/:orderId.
  [/^\/(?:thank-you(?:-and-tracking)?(?:\/|$)|order\/[^/]+$)/, 'thank-you-and-tracking'],
  [/^\/address$/, 'address'],
  [/^\/(?:postorder-ui\/)?nearestStore$/, 'nearest store'],
  [/^\/(?:postorder-ui\/)?takeawayMapScreen$/, 'takeaway map screen'],
  [/^\/(?:postorder-ui\/)?mapScreen$/, 'map screen'],
  [/^\/search$/, 'search'],
];

/** The tracking name of a path; null if the page has none. */
export function pageName(path: string): string | null {
  return NAMES.find(([pattern]) => pattern.test(path))?.[1] ?? null;
}
