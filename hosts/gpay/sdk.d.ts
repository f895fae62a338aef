/** The documented part of `window.microapps`; replies are read as unknown and decoded. */
export interface Microapps {
  getIdentity(options?: { nonce?: string; skipPrompt?: boolean }): Promise<unknown>;
  getPhoneNumber(options?: { nonce?: string; skipPrompt?: boolean }): Promise<unknown>;
  getCurrentLocation(): Promise<unknown>;
  requestSharing(content: { title?: string; text?: string; url?: string }): Promise<unknown>;
  requestPayment(request: PaymentDataRequest): Promise<unknown>;
}

/** Same object as the merchant SDK of Google Pay India. */
export interface PaymentDataRequest {
  readonly apiVersion: 2;
  readonly apiVersionMinor: 0;
  readonly allowedPaymentMethods: readonly [
    {
      readonly type: 'UPI';
      readonly parameters: {
        readonly payeeVpa: string;
        readonly payeeName: string;
        readonly mcc: string;
        readonly transactionReferenceId: string;
        readonly referenceUrl: string;
      };
    },
  ];
  readonly merchantInfo?: { readonly merchantId: string };
  readonly transactionInfo: {
    readonly countryCode: 'IN';
    readonly currencyCode: 'INR';
    readonly totalPriceStatus: 'FINAL';
    /** Rupees, two decimals. */
    readonly totalPrice: string;
    readonly transactionNote: string;
  };
}

declare global {
  interface Window {
    microapps?: Microapps;
  }
}
