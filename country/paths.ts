import { featureName, type ApiPaths } from './shape.ts';

/** Every call of the specification, section 7, grouped by noun. The caller fills in placeholders such as `{x}`. */
const ALL: Readonly<Record<string, { readonly feature?: string; readonly paths: Readonly<Record<string, string>> }>> = {
  session: {
    paths: {
      anonymous: '/loginhandler/anonymoususer',
      refresh: '/loginhandler/refreshtoken',
      refreshAnonymous: '/loginhandler/refreshtokenanonymous',
      logout: '/sso-aggregation/ve1/logout',
      fingerprint: '/sso-aggregation/ve2/finger-print',
    },
  },
  login: {
    paths: {
      sendOtp: '/loginhandler/login',
      sendOtpVe3: '/sso-aggregation/ve3/forgotpassword',
      sendOtpVe4: '/sso-aggregation/ve4/forgotpassword',
      resendOtp: '/sso-aggregation/ve2/forgotpassword',
      validateOtp: '/loginhandler/validatecode',
      searchUser: '/loginhandler/searchuser',
      social: '/loginhandler/sociallogin',
      socialValidate: '/loginhandler/socialvalidatecode',
      updateUser: '/loginhandler/updateuser',
      forgotPassword: '/loginhandler/forgotpassword',
    },
  },
  vendors: { paths: { auth: '/auth-service/micro-app/ve1/{vendor}/auth' } },
  cart: {
    paths: {
      byId: '/agg/cart-service/ve1/cart/{cartId}',
      items: '/agg/cart-service/ve1/cart/{cartId}/items',
      upsell: '/cart-service/ve2/cart/{cartId}/upsell_items',
      bin: '/cart-service/ve2/cart/{cartId}/bin/{cardInitialDigits}',
      gamify: '/agg/cart-service/ve1/cart/offers/gamify',
    },
  },
  coupons: {
    paths: {
      promo: '/agg/cart-service/ve1/cart/{cartId}/promo/{code}',
      forCart: '/agg/cart-service/ve1/cart/{cartId}/offers',
      forStore: '/agg/ve1/leftnav/store/{storeId}/offers',
      forStoreCart: '/agg/ve1/leftnav/store/{storeId}/cart/offers',
      combined: '/agg/cart-service/promo/{cartId}/combinedOffers',
      terms: '/promo-service/ve1/promo/{code}/tnc',
      milestone: '/promo-service/ve1/promo/milestone/{couponCode}/status',
    },
  },
  orders: {
    paths: {
      validations: '/order-service/ve3/orders/validations',
      checkDuplicate: '/order-service/ve3/orders/checkDuplicateOrder',
      submit: '/order-service/ve3/orders/submit',
      submitVe4: '/order-service/ve4/orders/submit',
      confirm: '/order-service/ve3/orders/confirm',
      transactions: '/order-service/ve3/orders/transaction/',
      transaction: '/order-service/ve3/orders/transaction/{transactionId}',
      transactionPromo: '/order-service/ve3/orders/transaction/{transactionId}/promo/{promo}',
      pickupConfirm: '/order-service/ve4/orders',
      history: '/order-service/ve1/orders',
      recent: '/order-service/ve1/orders/recent',
      byId: '/order-service/ve3/orders/{orderId}',
      invoice: '/order-service/ve3/orders/{orderId}/download',
      reorder: '/order-service/ve1/orders/onePassReOrder/order/{id}',
    },
  },
  tracking: {
    paths: { active: '/tracker-service/ve2/orders', byOrder: '/tracker-service/ve2/orders/{orderHistoryId}' },
  },
  payments: {
    paths: {
      lastSuccessful: '/payment-service/ve5/payment/options/lastSuccessful',
      options: '/payment-service/ve2/options/default',
      codOtp: '/payment-service/ve1/orders/{transactionId}/otp',
      status: '/jfl-payment-aggregator/ve1/payment/transaction-status',
      voucherPin: '/payment-service/ve1/egv/pin/reset',
      voucherLink: '/payment-service/ve3/egv/link',
      voucherBalance: '/payment-service/ve3/egv/balance',
      voucherVerify: '/payment-service/ve3/egv/verify',
      voucherRedeem: '/payment-service/ve3/egv/redeem',
    },
  },
  wallet: {
    feature: 'wallet',
    paths: {
      balance: '/wallet-service/ve3/wallet/balance',
      available: '/wallet-service/ve3/wallet/available_balance/{mobile}/{transactionId}',
      passbook: '/wallet-service/ve3/wallet/passbook/{mobile}',
      summary: '/wallet-service/ve3/wallet/summary',
      transactions: '/wallet-service/ve3/wallet/transactions',
      linkedBalance: '/payment-service/ve3/wallets/{provider}/balance',
      linkedLink: '/payment-service/ve3/wallets/{provider}/link',
      linkedVerify: '/payment-service/ve3/wallets/{provider}/verify',
      linkedRedeem: '/payment-service/ve3/wallets/{provider}/redeem',
    },
  },
  stores: {
    paths: {
      lookup: '/locator-service/ve2/stores',
      nearest: '/locator-service/ve3/stores',
      byId: '/locator-service/ve2/stores/{storeId}',
      advanceOrderTime: '/locator-service/ve2/stores/{storeId}/advanceorder-time',
      cities: '/locator-service/ve2/cities',
      ofCity: '/locator-service/ve2/cities/{city}/stores',
      localities: '/locator-service/ve2/cities/{city}/localities',
    },
  },
  places: { paths: { autocomplete: '/locator-service/ve2/autocomplete', geocode: '/locator-service/ve2/geocode' } },
  addresses: {
    paths: {
      list: '/customer-service/ve2/user/{userId}/addresses',
      create: '/user/{mobNo}/addresses',
      one: '/user/addresses/{addressId}',
    },
  },
  menu: {
    paths: {
      deals: '/catalog-service/ve1/stores/{storeId}/deals',
      deal: '/catalog-service/ve1/stores/{storeId}/deals/{dealId}',
      allDeals: '/catalog-service/ve1/stores/{storeId}/deals/all',
      leftMenu: '/catalog-service/ve1/stores/{storeId}/leftMenu',
      widgets: '/catalog-service/ve1/stores/{storeId}/widget',
      favourites: '/customer-service/ve1/user/favourites/products',
    },
  },
  loyalty: {
    paths: {
      register: '/customer-service/ve1/loyalty/register',
      user: '/customer-service/ve1/loyalty/user',
      optOut: '/customer-service/ve1/loyalty/user/opt-out',
    },
  },
  trains: {
    feature: 'irctc',
    paths: {
      pnr: '/api/ve1/locator-service/pnr/{pnr}',
      orders: '/order-service/ve1/orders/irctc',
      station: '/locator-service/ve3/stores/{storeId}/stations/{stationId}',
    },
  },
  config: { paths: { pwa: '/api/ve1/pwa-config', app: '/api/ve1/app-config', alerts: '/alert-service/ve1/alerts' } },
  feedback: { feature: 'feedback', paths: { feedback: '/feedback-service/ve2/feedback' } },
  help: {
    feature: 'support',
    paths: { issues: '/ucr-api/api/v3/categories', status: '/ucr-api/api/tsgStatus/{eventId}' },
  },
  tracks: { paths: { savePageView: '/user-activity-tracking/ve/v1/savePageViewData' } },
};

/** The calls of one country. Calls of features that are off there are left out. */
export function apiPaths(disabled: readonly string[]): ApiPaths {
  const off = new Set(disabled.map(featureName));
  return Object.fromEntries(
    Object.entries(ALL)
      .filter(([, noun]) => noun.feature === undefined || !off.has(featureName(noun.feature)))
      .map(([name, noun]) => [name, noun.paths]),
  );
}
