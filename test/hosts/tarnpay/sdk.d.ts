/** What the app's script leaves on the window. */
export interface TarnPay {
  /** A grant for the shop's server; the app asks for consent the first time. */
  authorize(asked: { readonly shop: string }): Promise<{ readonly grantToken: string }>;
  /** Opens the payment in another app and leaves the page; there is no word of how it ends. */
  openPayment(asked: { readonly reference: string; readonly token: string }): Promise<{ readonly opened: true }>;
}

declare global {
  interface Window {
    tarnpay?: TarnPay;
  }
}
