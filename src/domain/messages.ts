// Every sentence of the error catalogue (specification sections 2, 4, 5 and 8), once. Single exports, so that a chunk holds only what it says.
export { COUNTRY_NAME_MISSING, COUNTRY_UNKNOWN } from '../../country/shape.ts';
export * from './shellmessages.ts';

// Section 8, in its order.
export const STORE_TROUBLE = 'Sorry, we are facing some temporary issues with the store selected. Please select a different store';
/** The internal-server-error text (product.md C47). */
export const INTERNAL_SERVER_ERROR = 'Something Went Wrong. Please Try Again.';
/** A broken widget or part of a page (product.md C47). */
export const SECTION_BROKEN = 'Oops! Something went wrong';
export const OOPS = 'Oops';
export const OK = 'OK';
export const REFRESH_FAILED = 'Looks like something went wrong, please retry. If you were logged in, please re-login...';
export const VENDOR_LOGIN_FAILED = 'We are unable to login , Please retry or exit to native app';
export const NETWORK_RETRYING = 'There seems to be network issue. Retrying ....';
export const CONNECTION_LOST = 'Internet connection Lost';
export const PAYMENT_FAILED = 'Payment Failed. Please try again.';
export const COOKIES_DISABLED = 'Your browser has cookies disabled. Please switch them on, so that we can keep your cart and your login, and reload the page.';
export const LOGGED_OUT = 'You have been logged out. Please login again.';
export const LOGGED_OUT_IN_HOST = 'You have been logged out. Please exit.';
/** Wording ours (product.md C48). */
export const DUPLICATE_ORDER = 'You placed an order in the last 30 minutes. Do you want to continue with a new order?';
export const NO_RESULT = 'No result found on your search!';
export const ORDER_FAILED = 'Unable to process your order - Please try again after 15 minutes';
export const REFUND_NOTE = 'If money left your account, it comes back to the same account in 4-10 business days.';
export const NO_STORE_NEARBY = 'We could not find a restaurant near your location! Please select your city and try again.';
export const NO_DELIVERY_HERE = 'We currently don\'t deliver to your location';
export const NO_TRACKING = 'Tracking Information is not available for this order yet.';
export const ALREADY_RATED = 'You have already rated this order';
export const BROKEN_LINK = 'We\'re sorry. The link you clicked is not a working one!';
export const INVOICE_DOWNLOADED = 'Invoice Downloaded';
/** Takes the place of a server message that contains 'offline'. */
export const ADVANCE_ORDER_ONLY = 'This store is taking advance orders only right now. Please choose a later time, or another store.';

// Section 4.
export const COUPON_EXPIRED = 'Coupon expired';

// Section 2: screens and shell.
export const COUPONS_TITLE = 'Coupons';
export const COUPON_BOX_LABEL = 'Have an offer code?';
export const COUPON_BOX_PLACEHOLDER = 'Type Offer code here…';
export const APPLY = 'Apply';
export const MORE_DETAILS = 'More details';
export const OFFER_DETAILS = 'Offer Details:';
export const ADD_ITEMS = 'Add Items';
export const GO_TO_CART = 'GO TO CART';
export const GO_TO_HOME = 'GO TO HOME';
/** Subtitle of the coupons page; `amount` comes formatted with its symbol. */
export const cartValue = (amount: string) => `Your cart value ${amount} + Charges`;

// Section 5: what a form says.
export const FIELD_EMPTY = 'This field cannot be left empty';
export const FIRST_NAME_MISSING = 'Please enter first name.';
export const LAST_NAME_MISSING = 'Please enter last name.';
export const EMAIL_INVALID = 'Invalid email.';
export const NOTHING_CHANGED = 'Please change a field before saving.';
export const FEEDBACK_SHORT = 'Your feedback should have at least 30 characters';
export const FEEDBACK_LONG = 'You have reached maximum character limit of 250';
export const NPS_MISSING = 'Please choose how likely you are to recommend us, from 0 to 10.';
export const RATING_MISSING = 'Please rate your order.';
export const OFFLINE_RATING_MISSING = 'Please tell us about your order or rate it.';
export const TERMS_MISSING = 'Please Accept Terms and Conditions First';
export const WALLET_CONFLICT = 'Wallet can\'t be choosen with CASH OR EGV, Please change PaymentMode';
export const OTP_FAILED = 'Validation failed. please verify your number again.';
export const VEHICLE_MISSING = 'Please enter the colour, the model and the last 4 digits of your vehicle\'s number.';
export const mobileInvalid = (digits: number) => `Please enter your mobile number with ${digits} digits.`;
export const MOBILE_UNUSUAL = 'This does not look like a mobile number of this country. Please check it.';

// Ours: codes (product.md section 4.2).
export const OTP_WRONG = 'That code is not right. Please check it and try again.';
export const OTP_EXPIRED = 'That code has expired. Please ask for a new one.';
export const OTP_TRIES = 'Too many wrong codes. Please ask for a new one.';
export const OTP_LIMIT = 'You have asked for too many codes. Please try again later.';
export const otpWait = (seconds: number) => `Please wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'} before asking for another code.`;

// Ours: coupons, one reason each.
export const couponMinimum = (amount: string) => `Add items worth ${amount} more to use this coupon`;
export const couponDeliveryType = (type: string) => `This coupon is not valid for ${type}`;
export const couponPaymentMode = (mode: string) => `This coupon needs ${mode}`;
export const COUPON_STORE = 'This coupon is not valid at this store';
export const COUPON_TRAIN = 'This coupon is for food ordered to a train';
export const COUPON_NOT_STARTED = 'This offer has not started yet';
export const COUPON_USED = 'You have already used this coupon';
export const COUPON_SOLD_OUT = 'This offer is fully used';
export const COUPON_FIRST_ORDER = 'This coupon is for your first order';
export const COUPON_VEG = 'This coupon is for an all-vegetarian cart';
export const COUPON_PARTNER = 'This coupon is not available here';
export const COUPON_UNKNOWN = 'Invalid coupon code';
export const COUPON_TIME = 'This coupon is not valid at this time of day';
export const COUPON_DAY = 'This coupon is not valid today';
export const COUPON_ITEMS = 'Nothing in your cart goes with this coupon';
export const COUPON_NO_GAIN = 'This coupon would not lower your total now';
export const CARD_UNKNOWN = 'The card is not known here. Please enter it again.';
export const CARDS_FULL = 'You have as many cards as we can keep. Please remove one first.';
export const CARD_DIGITS = 'Please enter the first 6 to 8 digits of the card, not the whole number.';
export const COUPON_STACK = 'Only one coupon of this kind can be used at a time';

// Ours: requests that cannot be answered.
export const REQUEST_TIMEOUT = 'This takes longer than it should. Please check your connection and try again.';
export const BAD_INPUT = 'Please check what you entered and try again.';
export const NOT_FOUND = 'We could not find that.';
export const FEATURE_OFF = 'This is not available here.';
export const LOGIN_FIRST = 'Please login to continue.';
export const TOO_MANY_REQUESTS = 'That was a bit fast. Please wait a moment and try again.';
export const FAVOURITES_FULL = 'You have as many favourites as we can keep. Please take one away first.';
export const ADDRESS_LIMIT = 'You have saved as many addresses as we can keep. Please delete one first.';
export const PAYLOAD_TOO_LARGE = 'That is more than we can take at once.';

// Ours: before anything is counted.
export const ANALYTICS_ASK = 'May we count how this app is used? We keep no name and no number with it, and you can order just the same without.';

// Ours: another version of the page.
export const NEW_VERSION = 'A new version of this app is ready.';
export const RELOAD = 'Reload';

// Ours: cart and order.
export const CART_EMPTY = 'Your cart is empty.';
export const cartJoined = (more: number) => `${more === 1 ? 'One more item was' : `${more} more items were`} in your cart from before`;
export const cartJoinedTotal = (amount: string) => `Everything is in one cart now: ${amount} to pay.`;
export const CART_CHANGED = 'Your cart has changed. Please look at it again before you pay.';
export const PRICE_CHANGED = 'A price has changed. Please look at the new bill before you pay.';
export const ITEM_UNAVAILABLE = 'Not available at this store right now';
export const ADDRESS_MISSING = 'Please choose where we should deliver.';
export const TABLE_MISSING = 'Please enter your table number.';
export const SLOT_INVALID = 'That time is no longer free. Please choose another one.';
export const STORE_CLOSED = 'This store is closed now.';
/** `hours`: when it opens (domain/hours.ts). */
export const storeShut = (name: string, hours: string) => `${name} is closed now. ${hours}: you can choose a time for later when you pay.`;
export const minimumOrder = (amount: string) => `The smallest order is ${amount}. Please add something to your cart.`;
export const cashLimit = (amount: string) => `Cash is possible up to ${amount}. Please choose another payment mode.`;
export const CANCEL_TOO_LATE = 'This order can no longer be cancelled. Please call the store.';
export const BULK_ORDER = '4 or more pizzas are a bulk order: the delivery-time promise does not apply.';

export const LATER_ORDER = 'Orders for a later time come at that time: the delivery-time promise does not apply.';
export const RIDER_AWAY = 'The rider can be reached while your order is on its way.';
export const RIDER_NOTES_OVER = 'You have sent the rider all the messages that an order may have. Please call instead.';
export const PUSH_DENIED = 'Your browser does not allow notices. The order page always shows where your order is.';
export const PUSH_UNKNOWN = 'This browser cannot be told. The order page always shows where your order is.';

export const PROMO_FIXED = 'The offers of this order cannot be changed any more. Give it up and order again: your cart comes back.';
/** While nobody has paid yet: what the page does by itself, and what not to do. */
export const PAY_ONCE = 'Please pay once: this page sees your payment by itself.';
export const LINK_PAID = 'This order is paid already. Thank you!';
export const VPA_INVALID = 'Please enter your UPI id, for example name@bank.';
export const LINK_WAITS = 'We are waiting for the payment. This page sees it by itself.';
export const LINK_TRIED = 'The last try through your link did not go through; no money was taken. The link is still open.';
export const LINK_UNDER_WAY = 'The bank is looking at this payment. Please do not pay again: this can take up to 15 minutes.';
export const LINK_FAILED = 'The payment did not go through. No money was taken: please try again.';
export const MODE_MISSING = 'Please choose how you want to pay.';
export const LINK_OVER = 'This link is over: its time ran out, or the order is paid in another way.';

// Ours: what happened to the money (product.md sections 3.1 and 3.2). Each says the order's state, the money's, and what to do.
export const MONEY_NOT_TAKEN = 'No money was taken. You can pay again safely.';
export const MONEY_UNKNOWN = 'We are checking with your bank. Please do not pay again: this can take up to 15 minutes.';
/** The bank has not heard of it: the sheet was closed, or its answer is still on the way. */
export const MONEY_WAITED_FOR = 'No payment has reached us yet. If your app says that you paid, please wait and do not pay again.';
/** Cash of a guest. */
export const CODE_WAITED_FOR = 'Your order is placed once you enter the code that we sent you.';
export const MONEY_TAKEN = 'Your payment is complete and your order is placed.';
export const MONEY_COMES_BACK = 'Your order was not placed. If money left your account, it comes back in 4-10 business days.';
export const MONEY_REFUNDING = 'Your order was cancelled. Your money is on its way back and arrives in 4-10 business days.';
export const MONEY_BACK_AT_ONCE = 'Your order was cancelled. What you paid is back already.';
export const MONEY_BACK = 'Your order was cancelled, and your money is back with you.';
export const MONEY_TAKEN_TWICE = 'Your order is placed. We received the payment twice: the second one comes back in 4-10 business days.';
export const MONEY_AT_DOOR = 'Your order is placed. Please pay when you receive it.';
export const PAYMENT_INTERRUPTED = 'Your last payment was interrupted. We are finding out what happened to it.';
export const SUBMIT_WITHDRAWN = 'That order was not placed. Please look at your cart and try again.';
export const SUBMIT_LOST = 'Your order had not reached us, and no money was taken. Your cart is as you left it.';
export const GIVEN_UP = 'You gave this order up';
export const CART_BACK = 'What you ordered is back in your cart.';
export const SUBMIT_UNKNOWN = 'We do not know yet whether your order reached us. Please do not order again: we are checking.';

// Ours: group orders.
export const MEMORY_CODE_WRONG = 'Please enter the 8 letters and digits that the other phone shows.';
export const MEMORY_CODE_UNKNOWN = 'This code is not known any more: it works once, for 10 minutes, in one country. Please ask the other phone for a new one.';
export const GROUP_CLOSED = 'This group order is closed. Ask the host to open it again.';
export const GROUP_OVER = 'This group order is over. What you add now goes into your own cart.';
export const GROUP_NOT_YOURS = 'This is somebody else\'s dish. Only they and the host can change it.';
export const GROUP_HOST_ONLY = 'Only the host of the group order can do this.';
export const GROUP_FULL = 'This group order has as many people as it can take.';
export const GROUP_OUT = 'The host has taken you out of this group order.';
export const GROUP_JOIN_FIRST = 'Please join the group order with your name first.';
export const GROUP_NAME_MISSING = 'Please enter your name, so that everybody knows whose dishes these are.';
export const GROUP_LIMIT_WRONG = 'Please enter a whole amount, or leave it empty for no limit.';
export const groupLimit = (amount: string) => `Your dishes may come to ${amount} in this group order.`;

// Ours: the wallet, e-vouchers, and wallets tied at a provider.
export const WALLET_LOW = 'Your wallet does not hold as much any more. Please look at what is left to pay.';
export const FUNDS_CHANGED = 'What your wallet or e-voucher pays has changed. Please look at it before you pay.';
export const FUNDS_SHORT = 'This does not pay for the whole order. Please choose how to pay the rest.';
export const EGV_NUMBER = 'Please enter the 16 digits of your e-voucher.';
export const EGV_PIN = 'Please enter the 6-digit pin of your e-voucher.';
export const EGV_WRONG = 'This number and this pin do not belong together. Please check both.';
export const EGV_LOCKED = 'Too many wrong pins. Please set a new pin, or try again tomorrow.';
export const EGV_EXPIRED = 'This e-voucher has expired.';
export const EGV_EMPTY = 'This e-voucher is used up.';
export const EGV_LOW = 'Your e-voucher does not hold as much any more. Please look at what is left to pay.';
export const EGV_COUNT = 'At most 2 e-vouchers can pay for one order.';
export const EGV_FULL = 'You keep as many e-vouchers as we can show. Please remove one first.';
export const EGV_CODE_SENT = 'If this e-voucher is known with a mobile number, a code is on its way there.';
export const linkedLow = (label: string) => `Your ${label} does not hold enough for this. Add money there, or pay in another way.`;
export const linkedGone = (label: string) => `Your ${label} is not linked any more. Please link it again.`;
export const linkedAway = (label: string) => `Your ${label} does not answer right now. Please try again, or pay in another way.`;
