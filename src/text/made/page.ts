// Made from en/page.json by `npm run texts`.
export const noScript = (p: { phone: string }): string => `Ordering here needs JavaScript. You can also order by phone: ${p.phone}`;
export const loading = 'Loading';
export const newsTitle = 'Your order';
export const news = 'There is news of your order.';
