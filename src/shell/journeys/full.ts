/** What only a standalone page has: ways to pay outside a host. */
export * as appForm from '../../full/payment/AppFormScreen.tsx';
export * as payLink from '../../screens/payment/PayLinkScreen.tsx';
export * as upiForm from '../../full/payment/UpiFormScreen.tsx';
