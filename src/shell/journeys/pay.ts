/** How the order is paid. */
export * as mode from '../../screens/payment/PaymentModeScreen.tsx';
export * as payment from '../../screens/payment/PaymentScreen.tsx';
