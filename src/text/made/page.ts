// Made from en/page.json by `npm run texts`.
export const noScript = (p: { phone: string }): string => `Ordering here needs JavaScript. You can also order by phone: ${p.phone}.`;
export const late = 'Ordering has not started on this page. The network may be slow, or this phone\'s browser too old (Chrome 87 or Safari 15.4 is needed).';
export const lateCall = (p: { phone: string }): string => `Order by phone: ${p.phone}`;
export const lateAgain = 'Start again';
export const lateMenu = 'Read the menu';
export const listTitle = 'The menu';
export const listFrom = (p: { price: string }): string => `from ${p.price}`;
export const listPrices = 'A store may have other prices; it tells you when you order.';
export const loading = 'Loading';
export const newsTitle = 'Your order';
export const news = 'There is news of your order.';
