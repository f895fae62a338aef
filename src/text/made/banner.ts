// Made from en/banner.json by `npm run texts`.
export const title = 'Our app';
export const text = 'The same menu, cart and offers, one tap away on your phone.';
export const get = 'Get the app';
export const no = 'No, thank you';
