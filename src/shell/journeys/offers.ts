/** Offers and codes, which payment apps do not allow. */
export * as coupons from '../../screens/coupons/CouponsScreen.tsx';
