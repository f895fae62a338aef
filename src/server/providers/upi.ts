import type { Payee } from '../call/payments.ts';

/** The payee of the embedded bank. 5814 is the merchant category of quick-service restaurants. */
export const EMBEDDED_PAYEE: Payee = { vpa: 'goldenoven@embeddedbank', name: 'Golden Oven Pizza', mcc: '5814' };
