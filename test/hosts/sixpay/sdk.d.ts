/** One way in, one event out: `sixpayreply` on the window carries `{ id, result }` or `{ id, error }`. */
export interface SixPay {
  can(method: string): boolean;
  send(call: { readonly id: number; readonly method: string; readonly args: unknown }): void;
}

declare global {
  interface Window {
    sixpay?: SixPay;
  }
}
