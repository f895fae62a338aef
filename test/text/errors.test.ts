import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import * as alive from '#text/alive.ts';
import * as errors from '#text/errors.ts';
import * as first from '#text/first.ts';
import * as location from '#text/location.ts';
import * as offers from '#text/offers.ts';
import * as order from '#text/order.ts';
import * as search from '#text/search.ts';
import * as server from '#text/server.ts';
import { COUNTRY_NAME_MISSING, COUNTRY_UNKNOWN } from '../../country/shape.ts';
import { withTimeout } from '../../src/domain/withTimeout.ts';
import { REFUND_BUSINESS_DAYS } from '../../src/domain/orders.ts';

const TEXTS = path.resolve(import.meta.dirname, '../../src/text');

/** The error catalogue, copied from the specification (sections 2, 4, 5 and 8). */
const CATALOGUE: readonly (readonly [row: string, said: string, sentence: string])[] = [
  [
    'ERR-01',
    server.storeTrouble,
    'Sorry, we are facing some temporary issues with the store selected. Please select a different store',
  ],
  ['ERR-02', errors.internalServerError, 'Something Went Wrong. Please Try Again.'],
  ['ERR-03', offers.sectionBroken, 'Oops! Something went wrong'],
  ['ERR-04', errors.oops, 'Oops'],
  ['ERR-04', errors.ok, 'OK'],
  [
    'ERR-05',
    errors.refreshFailed,
    'Looks like something went wrong, please retry. If you were logged in, please re-login...',
  ],
  ['ERR-06', errors.vendorLoginFailed, 'We are unable to login , Please retry or exit to native app'],
  ['ERR-07', alive.networkRetrying, 'There seems to be network issue. Retrying ....'],
  ['ERR-08', errors.connectionLost, 'Internet connection Lost'],
  ['ERR-09', errors.paymentFailed, 'Payment Failed. Please try again.'],
  ['ERR-11', errors.loggedOut, 'You have been logged out. Please login again.'],
  ['ERR-12', errors.loggedOutInHost, 'You have been logged out. Please exit.'],
  [
    'ERR-13',
    errors.duplicateOrder,
    'You placed an order in the last 30 minutes. Do you want to continue with a new order?',
  ],
  ['ERR-14', location.noResult, 'No result found on your search!'],
  ['ERR-14', search.nothing, 'No result found on your search!'],
  ['ERR-15', errors.orderFailed, 'Unable to process your order - Please try again after 15 minutes'],
  [
    'ERR-16',
    location.noStoreNearby,
    'We could not find a restaurant near your location! Please select your city and try again.',
  ],
  ['ERR-17', errors.noDeliveryHere, "We currently don't deliver to your location"],
  ['ERR-18', errors.noTracking, 'Tracking Information is not available for this order yet.'],
  ['ERR-19', errors.alreadyRated, 'You have already rated this order'],
  ['ERR-20', errors.brokenLink, "We're sorry. The link you clicked is not a working one!"],
  ['ERR-37', COUNTRY_NAME_MISSING, 'Please mention the country name.'],
  ['ERR-38', COUNTRY_UNKNOWN, 'No config available with this country'],
  ['ERR-39', errors.firstNameMissing, 'Please enter first name.'],
  ['ERR-40', errors.lastNameMissing, 'Please enter last name.'],
  ['ERR-41', errors.emailInvalid, 'Invalid email.'],
  ['ERR-42', errors.feedbackShort, 'Your feedback should have at least 30 characters'],
  ['ERR-43', errors.feedbackLong, 'You have reached maximum character limit of 250'],
  ['ERR-44', errors.fieldEmpty, 'This field cannot be left empty'],
  ['ERR-45', errors.termsMissing, 'Please Accept Terms and Conditions First'],
  ['ERR-46', errors.walletConflict, "Wallet can't be choosen with CASH OR EGV, Please change PaymentMode"],
  ['ERR-47', errors.otpFailed, 'Validation failed. please verify your number again.'],
  ['ERR-48', errors.couponExpired, 'Coupon expired'],
  ['ERR-49', errors.invoiceDownloaded, 'Invoice Downloaded'],
  ['ERR-50', first.routerError, 'Unexpected Application Error!'],
  ['ERR-51', first.screenErrorTitle, 'Something went wrong!'],
  ['ERR-51', first.screenErrorText, 'Please try again.'],
  ['ERR-51', first.refresh, 'Refresh'],
];

it.each(CATALOGUE)('the sentence of the catalogue is said word for word (%s, %s)', (_, said, sentence) => {
  expect(said).toBe(sentence);
});

it('a wait that is too long ends with the sentence of the catalogue (ERR-21)', async () => {
  await expect(withTimeout(new Promise(() => {}), 1)).rejects.toThrow('Async call timeout limit reached');
});

it('begins as specified where the rest is ours', () => {
  expect(alive.cookiesDisabled).toMatch(/^Your browser has cookies disabled\./);
});

const REFUND_KEYS = ['refundNote', 'moneyComesBack', 'moneyRefunding', 'moneyTakenTwice', 'cancelRefund'] as const;
it('names the business days of a refund wherever money may come back [PAY-23]', () => {
  const { from, to } = REFUND_BUSINESS_DAYS;
  for (const key of REFUND_KEYS.slice(0, 4)) expect(order[key]).toContain(`${from}-${to} business days`);
  for (const text of [errors.moneyUnknown, errors.moneyWaitedFor]) expect(text).toContain('do not pay again');
});

it.each(['en', 'hi', 'bn', 'si', 'ta'])(
  'in %s a refund takes as many business days as are counted [PAY-23]',
  (language) => {
    const digits = new Intl.NumberFormat(`${language}-u-nu-${language === 'bn' ? 'beng' : 'latn'}`);
    const { from, to } = REFUND_BUSINESS_DAYS;
    const days = new RegExp(`${digits.format(from)}\\D{1,9}${digits.format(to)}`);
    const read = (file: string) =>
      JSON.parse(readFileSync(path.join(TEXTS, language, file), 'utf8')) as Readonly<Record<string, string>>;
    for (const key of REFUND_KEYS) expect(read('order.json')[key], key).toMatch(days);
    expect(read('documents.json')['payText']).toMatch(days);
  },
);

it('says the coupons page as specified', () => {
  expect(offers.cartValue({ amount: '₹429' })).toBe('Your cart value ₹429 + Charges');
  expect([
    offers.couponsTitle,
    errors.couponBoxLabel,
    errors.couponBoxPlaceholder,
    errors.moreDetails,
    errors.offerDetails,
    errors.addItems,
    offers.goToCart,
    offers.goToHome,
  ]).toEqual([
    ...['Coupons', 'Have an offer code?', 'Type Offer code here…', 'More details', 'Offer Details:'],
    ...['Add Items', 'GO TO CART', 'GO TO HOME'],
  ]);
});

it('says no sentence twice', () => {
  const texts = [errors, server, first]
    .flatMap((catalogue) => Object.values<unknown>(catalogue))
    .filter((value) => typeof value === 'string');
  expect(new Set(texts).size).toBe(texts.length);
});
