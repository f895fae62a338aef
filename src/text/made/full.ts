// Made from en/full.json by `npm run texts`.
export const home = 'Home';
export const orderNumber = (p: { number: string }): string => `Order ${p.number}`;
export const backToOrder = 'Back to the order';
export const payOnce = 'Please pay once: this page shows by itself when you have paid.';
export const checkPaid = 'I have paid: check now';
export const timeOver = 'The time for this payment is over.';
export const appTitle = (p: { name: string }): string => `Pay with ${p.name}`;
export const appUnknown = 'Payment';
export const appHow = (p: { name: string }): string => `Approve the payment on ${p.name}'s page. It then brings you back here.`;
export const appContinue = (p: { name: string }): string => `Continue to ${p.name}`;
export const upiTitle = 'Pay with UPI';
export const upiWaits = (p: { time: string }): string => `You have ${p.time} to pay.`;
