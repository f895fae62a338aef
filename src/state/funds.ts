import { atom } from 'jotai';
import type { Funds, FundsWish } from '../contract/funds.ts';
import type { PaymentMode } from '../contract/names.ts';
import { chosenVouchersAtom } from './vouchers.ts';
import { hasWalletAtom, isWalletUsedAtom } from './wallet.ts';

/** What balances of the customer shall pay, as the validations take it. */
export const fundsChoiceAtom = atom((get) => {
  const useWallet = get(isWalletUsedAtom) && get(hasWalletAtom);
  const vouchers = [...get(chosenVouchersAtom)];
  return { ...(useWallet ? { useWallet } : {}), ...(vouchers.length > 0 ? { vouchers } : {}) };
});

/** Exactly what the server has shown: it takes that or refuses. */
export function wishOf({ wallet, vouchers }: Funds): FundsWish | null {
  const parts = vouchers.filter((voucher) => voucher.amount > 0).map(({ voucherId, amount }) => ({ voucherId, amount }));
  const own = wallet?.amount ?? 0;
  if (own === 0 && parts.length === 0) return null;
  return { ...(own > 0 ? { wallet: own } : {}), ...(parts.length > 0 ? { vouchers: parts } : {}) };
}

/** The mode of an order that balances pay wholly, else null. */
export function wholeModeOf(funds: Funds | undefined): PaymentMode | null {
  const wish = funds === undefined || funds.rest > 0 ? null : wishOf(funds);
  return wish === null ? null : wish.vouchers ? 'EGV' : 'WALLET';
}
