import type { SheetMethod } from '../../contract/cards.ts';
import type { Country } from '../../../country/shape.ts';
import { bank, paymentSheets as merchants, type Environment } from '../environment.ts';

const GOOGLE = 'https://google.com/pay';
const APPLE = 'https://apple.com/apple-pay';

/**
 * The payment sheets that this shop offers. The shop has to be registered with their makers, so there are none without
 * GOOGLE_PAY_MERCHANT or APPLE_PAY_MERCHANT. The card's network and number pass only between the phone and the bank,
 * which is named as the gateway.
 */
export function sheetMethods(country: Country, environment: Environment): SheetMethod[] {
  const list: SheetMethod[] = [];
  const { google, apple } = environment.read(merchants);
  const realBank = environment.read(bank);
  if (google) {
    list.push({
      id: 'google',
      label: 'Google Pay',
      supportedMethods: GOOGLE,
      data: {
        environment: realBank ? 'PRODUCTION' : 'TEST',
        apiVersion: 2,
        apiVersionMinor: 0,
        merchantInfo: { merchantId: google, merchantName: country.appName },
        allowedPaymentMethods: [
          {
            type: 'CARD',
            parameters: { allowedAuthMethods: ['CRYPTOGRAM_3DS'], allowedCardNetworks: ['VISA', 'MASTERCARD', 'AMEX'] },
            tokenizationSpecification: {
              type: 'PAYMENT_GATEWAY',
              parameters: { gateway: realBank?.merchant ?? 'example', gatewayMerchantId: google },
            },
          },
        ],
        transactionInfo: {
          countryCode: country.iso,
          currencyCode: country.CURRENCY_CODE,
        },
      },
    });
  }
  if (apple) {
    list.push({
      id: 'apple',
      label: 'Apple Pay',
      supportedMethods: APPLE,
      data: {
        version: 3,
        merchantIdentifier: apple,
        merchantCapabilities: ['supports3DS'],
        supportedNetworks: ['visa', 'masterCard', 'amex'],
        countryCode: country.iso,
      },
    });
  }
  return list;
}

/**
 * Origins that a browser contacts to find out whether it has a payment sheet. The page's policy has to allow those of
 * the configured sheets.
 */
export function sheetOrigins(environment: Environment): string[] {
  const { google, apple } = environment.read(merchants);
  return [...(google ? ['https://google.com', 'https://pay.google.com'] : []), ...(apple ? ['https://apple.com'] : [])];
}

/** Hosts at which Apple confirms a shop (developer.apple.com, "Setting Up Your Server"), those for tests included. */
const APPLE_HOST = /^(cn-)?apple-pay-gateway(-[a-z0-9-]{1,40})?\.apple\.com$/;

/**
 * Where a sheet's maker confirms that the shop may ask for a payment, as the page was told; null unless it is the
 * maker's own: the bank calls it, and shows there who the shop is.
 */
export function makersAddress(sheet: string, told: string): string | null {
  const url = sheet === 'apple' ? URL.parse(told) : null;
  const isTheirs =
    url?.protocol === 'https:' &&
    url.port === '' &&
    url.username + url.password === '' &&
    APPLE_HOST.test(url.hostname);
  return isTheirs ? url.href : null;
}

/**
 * What the embedded bank reads from a sheet's answer: the brand and the last four digits. null when the answer contains
 * no payment.
 */
export function sheetCard(
  sheet: string,
  details: Readonly<Record<string, unknown>>,
): { brand: string; lastFour: string } | null {
  const at = (from: unknown, ...path: string[]): unknown =>
    path.reduce<unknown>((found, name) => (found as Record<string, unknown> | null | undefined)?.[name], from);
  const [paid, brand, shown] =
    sheet === 'google'
      ? [
          at(details, 'paymentMethodData', 'tokenizationData', 'token'),
          at(details, 'paymentMethodData', 'info', 'cardNetwork'),
          at(details, 'paymentMethodData', 'info', 'cardDetails'),
        ]
      : [
          at(details, 'token', 'paymentData'),
          at(details, 'token', 'paymentMethod', 'network'),
          at(details, 'token', 'paymentMethod', 'displayName'),
        ];
  const lastFour = /(\d{4})\D*$/.exec(typeof shown === 'string' ? shown : '')?.[1];
  if (!paid || typeof brand !== 'string' || lastFour === undefined) return null;
  return {
    brand: brand
      .slice(0, 20)
      .replace(/^(.)(.*)$/, (_, first: string, rest: string) => first.toUpperCase() + rest.toLowerCase()),
    lastFour,
  };
}
