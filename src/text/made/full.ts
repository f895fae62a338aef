// Made from en/full.json by `npm run texts`.
export const home = 'Home';
export const orderNumber = (p: { number: string }): string => `Order ${p.number}`;
export const backToOrder = 'Back to the order';
export const payOnce = 'Please pay once: this page sees your payment by itself.';
export const checkPaid = 'I have paid: check now';
export const timeOver = 'The time for this payment is over.';
export const appTitle = (p: { name: string }): string => `Pay with ${p.name}`;
export const appUnknown = 'Payment';
export const appHow = (p: { name: string }): string => `You approve the payment on ${p.name}'s page and come back here by yourself.`;
export const appContinue = (p: { name: string }): string => `Continue to ${p.name}`;
export const upiTitle = 'Pay with UPI';
export const upiWaits = (p: { time: string }): string => `This page waits for ${p.time}.`;
