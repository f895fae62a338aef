// What the environment of a shop in production is made of; nobody is reached by it.
export const BANK = {
  BANK_URL: 'https://bank.example',
  BANK_MERCHANT: 'shop',
  BANK_SECRET: 'a-secret-nobody-reads',
  BANK_VPA: 'shop@bank',
};
export const PAYTM = {
  PAYTM_URL: 'https://paytm.example',
  PAYTM_MID: 'M1',
  PAYTM_KEY: '0123456789abcdef',
  PAYTM_WEBSITE: 'W',
};
export const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_ORIGIN: 'https://shop.example',
  SMS_URL: 'https://sms.example',
  ...BANK,
  ...PAYTM,
};
