// Made from en/page.json by `npm run texts`.
export const noScript = (p: { phone: string }): string => `Ordering here needs JavaScript. You can also order by phone: ${p.phone}.`;
export const late = 'Ordering has not started on this page.';
export const lateComing = 'This page is still loading. The network may be slow or have stopped.';
export const lateNeeds = 'It needs Chrome 87, Safari 15.4 or a newer browser.';
export const lateCall = (p: { phone: string }): string => `Order by phone: ${p.phone}`;
export const lateAgain = 'Start again';
export const lateMenu = 'Read the menu';
export const listTitle = 'The menu';
export const listFrom = (p: { price: string }): string => `from ${p.price}`;
export const listPrices = 'A store may have other prices; it tells you when you order.';
export const loading = 'Loading';
export const languageOffer = 'Read this in English?';
export const newsTitle = 'Your order';
export const news = 'There is news of your order.';
