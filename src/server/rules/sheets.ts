import type { SheetMethod } from '../../contract/cards.ts';
import type { Country } from '../../../country/shape.ts';

const GOOGLE = 'https://google.com/pay';
const APPLE = 'https://apple.com/apple-pay';

/**
 * Payment sheets need a shop that is registered with their makers, so there is none without GOOGLE_PAY_MERCHANT or
 * APPLE_PAY_MERCHANT. The card's network and number stay between the phone and the bank, whose name is the gateway.
 */
export function sheetMethods(country: Country, env: Readonly<Record<string, string | undefined>>, gateway: string): SheetMethod[] {
  const list: SheetMethod[] = [];
  const google = env['GOOGLE_PAY_MERCHANT'];
  const apple = env['APPLE_PAY_MERCHANT'];
  if (google) {
    list.push({ id: 'google', label: 'Google Pay', supportedMethods: GOOGLE, data: {
      environment: env['BANK_URL'] ? 'PRODUCTION' : 'TEST', apiVersion: 2, apiVersionMinor: 0,
      merchantInfo: { merchantId: google, merchantName: country.appName },
      allowedPaymentMethods: [{
        type: 'CARD', parameters: { allowedAuthMethods: ['CRYPTOGRAM_3DS'], allowedCardNetworks: ['VISA', 'MASTERCARD', 'AMEX'] },
        tokenizationSpecification: { type: 'PAYMENT_GATEWAY', parameters: { gateway: env['BANK_URL'] ? gateway : 'example', gatewayMerchantId: google } },
      }],
      transactionInfo: { countryCode: country.COUNTRY_CODE === 'BG' ? 'BD' : country.COUNTRY_CODE, currencyCode: country.CURRENCY_CODE },
    } });
  }
  if (apple) {
    list.push({ id: 'apple', label: 'Apple Pay', supportedMethods: APPLE, data: {
      version: 3, merchantIdentifier: apple, merchantCapabilities: ['supports3DS'], supportedNetworks: ['visa', 'masterCard', 'amex'],
      countryCode: country.COUNTRY_CODE === 'BG' ? 'BD' : country.COUNTRY_CODE,
    } });
  }
  return list;
}

/** A browser asks these addresses whether a sheet is there: the page's policy has to let it, where a sheet is configured. */
export function sheetOrigins(env: Readonly<Record<string, string | undefined>>): string[] {
  return [...(env['GOOGLE_PAY_MERCHANT'] ? ['https://google.com', 'https://pay.google.com'] : []), ...(env['APPLE_PAY_MERCHANT'] ? ['https://apple.com'] : [])];
}

/** What the embedded bank reads of a sheet's answer: the brand and the last four digits, and that there is a payment in it. Null when there is none. */
export function sheetCard(sheet: string, details: Readonly<Record<string, unknown>>): { brand: string; lastFour: string } | null {
  const at = (from: unknown, ...path: string[]): unknown => path.reduce<unknown>((found, name) => (found as Record<string, unknown> | null | undefined)?.[name], from);
  const [paid, brand, shown] = sheet === 'google'
    ? [at(details, 'paymentMethodData', 'tokenizationData', 'token'), at(details, 'paymentMethodData', 'info', 'cardNetwork'), at(details, 'paymentMethodData', 'info', 'cardDetails')]
    : [at(details, 'token', 'paymentData'), at(details, 'token', 'paymentMethod', 'network'), at(details, 'token', 'paymentMethod', 'displayName')];
  const lastFour = /(\d{4})\D*$/.exec(typeof shown === 'string' ? shown : '')?.[1];
  if (!paid || typeof brand !== 'string' || lastFour === undefined) return null;
  return { brand: brand.slice(0, 20).replace(/^(.)(.*)$/, (_, first: string, rest: string) => first.toUpperCase() + rest.toLowerCase()), lastFour };
}
