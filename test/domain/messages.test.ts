import { expect, it } from 'vitest';
import * as messages from '../../src/domain/messages.ts';

/** The error catalogue, copied from the specification (sections 2, 4, 5 and 8). */
const CATALOGUE: readonly (readonly [row: string, name: keyof typeof messages, sentence: string])[] = [
  ['ERR-01', 'STORE_TROUBLE', 'Sorry, we are facing some temporary issues with the store selected. Please select a different store'],
  ['ERR-02', 'INTERNAL_SERVER_ERROR', 'Something Went Wrong. Please Try Again.'],
  ['ERR-03', 'SECTION_BROKEN', 'Oops! Something went wrong'],
  ['ERR-04', 'OOPS', 'Oops'],
  ['ERR-04', 'OK', 'OK'],
  ['ERR-05', 'REFRESH_FAILED', 'Looks like something went wrong, please retry. If you were logged in, please re-login...'],
  ['ERR-06', 'VENDOR_LOGIN_FAILED', 'We are unable to login , Please retry or exit to native app'],
  ['ERR-07', 'NETWORK_RETRYING', 'There seems to be network issue. Retrying ....'],
  ['ERR-08', 'CONNECTION_LOST', 'Internet connection Lost'],
  ['ERR-09', 'PAYMENT_FAILED', 'Payment Failed. Please try again.'],
  ['ERR-11', 'LOGGED_OUT', 'You have been logged out. Please login again.'],
  ['ERR-12', 'LOGGED_OUT_IN_HOST', 'You have been logged out. Please exit.'],
  ['ERR-13', 'DUPLICATE_ORDER', 'You placed an order in the last 30 minutes. Do you want to continue with a new order?'],
  ['ERR-14', 'NO_RESULT', 'No result found on your search!'],
  ['ERR-15', 'ORDER_FAILED', 'Unable to process your order - Please try again after 15 minutes'],
  ['ERR-16', 'NO_STORE_NEARBY', 'We could not find a restaurant near your location! Please select your city and try again.'],
  ['ERR-17', 'NO_DELIVERY_HERE', 'We currently don\'t deliver to your location'],
  ['ERR-18', 'NO_TRACKING', 'Tracking Information is not available for this order yet.'],
  ['ERR-19', 'ALREADY_RATED', 'You have already rated this order'],
  ['ERR-20', 'BROKEN_LINK', 'We\'re sorry. The link you clicked is not a working one!'],
  ['ERR-21', 'ASYNC_TIMEOUT', 'Async call timeout limit reached'],
  ['ERR-37', 'COUNTRY_NAME_MISSING', 'Please mention the country name.'],
  ['ERR-38', 'COUNTRY_UNKNOWN', 'No config available with this country'],
  ['ERR-39', 'FIRST_NAME_MISSING', 'Please enter first name.'],
  ['ERR-40', 'LAST_NAME_MISSING', 'Please enter last name.'],
  ['ERR-41', 'EMAIL_INVALID', 'Invalid email.'],
  ['ERR-42', 'FEEDBACK_SHORT', 'Your feedback should have at least 30 characters'],
  ['ERR-43', 'FEEDBACK_LONG', 'You have reached maximum character limit of 250'],
  ['ERR-44', 'FIELD_EMPTY', 'This field cannot be left empty'],
  ['ERR-45', 'TERMS_MISSING', 'Please Accept Terms and Conditions First'],
  ['ERR-46', 'WALLET_CONFLICT', 'Wallet can\'t be choosen with CASH OR EGV, Please change PaymentMode'],
  ['ERR-47', 'OTP_FAILED', 'Validation failed. please verify your number again.'],
  ['ERR-48', 'COUPON_EXPIRED', 'Coupon expired'],
  ['ERR-49', 'INVOICE_DOWNLOADED', 'Invoice Downloaded'],
  ['ERR-50', 'ROUTER_ERROR', 'Unexpected Application Error!'],
  ['ERR-51', 'SCREEN_ERROR_TITLE', 'Something went wrong!'],
  ['ERR-51', 'SCREEN_ERROR_TEXT', 'Please try again.'],
  ['ERR-51', 'REFRESH', 'Refresh'],
];

it.each(CATALOGUE)('the sentence of the catalogue is said word for word (%s, %s)', (_, name, sentence) => {
  expect(messages[name]).toBe(sentence);
});

it('begins as specified where the rest is ours', () => {
  expect(messages.COOKIES_DISABLED).toMatch(/^Your browser has cookies disabled\./);
});

it('names the business days of a refund wherever money may come back [PAY-23]', () => {
  for (const text of [messages.REFUND_NOTE, messages.MONEY_COMES_BACK, messages.MONEY_REFUNDING, messages.MONEY_TAKEN_TWICE]) {
    expect(text).toContain('4-10 business days');
  }
  for (const text of [messages.MONEY_UNKNOWN, messages.MONEY_WAITED_FOR]) expect(text).toContain('do not pay again');
});

it('says the coupons page as specified', () => {
  expect(messages.cartValue('₹429')).toBe('Your cart value ₹429 + Charges');
  expect([
    messages.COUPONS_TITLE, messages.COUPON_BOX_LABEL, messages.COUPON_BOX_PLACEHOLDER, messages.MORE_DETAILS, messages.OFFER_DETAILS,
    messages.ADD_ITEMS, messages.GO_TO_CART, messages.GO_TO_HOME,
  ]).toEqual(['Coupons', 'Have an offer code?', 'Type Offer code here…', 'More details', 'Offer Details:', 'Add Items', 'GO TO CART', 'GO TO HOME']);
});

it('says no sentence twice', () => {
  const texts = Object.values(messages).filter((value) => typeof value === 'string');
  expect(new Set(texts).size).toBe(texts.length);
});
