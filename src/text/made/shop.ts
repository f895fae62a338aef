// Made from en/shop.json by `npm run texts`.
export const terms = 'I accept the terms and conditions.';
export const reward = 'a free regular pizza';
