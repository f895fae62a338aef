import { atom } from 'jotai';
import type { Funds, FundsWish } from '../../contract/funds.ts';
import type { PaymentMode } from '../../contract/names.ts';
import { chosenVouchersAtom } from './vouchers.ts';
import { hasWalletAtom } from './hasWallet.ts';
import { isWalletUsedAtom } from './wallet.ts';

/** Which of the customer's balances are to pay, in the form that the validations take. */
export const fundsChoiceAtom = atom((get): { useWallet?: true; vouchers?: string[] } => {
  const useWallet = FULL_MODE && get(isWalletUsedAtom) && get(hasWalletAtom);
  const vouchers = FULL_MODE ? [...get(chosenVouchersAtom)] : [];
  return { ...(useWallet ? { useWallet } : {}), ...(vouchers.length > 0 ? { vouchers } : {}) };
});

/** The balances with exactly the amounts that the server has shown; it accepts these or refuses. */
export function wishOf({ wallet, vouchers }: Funds): FundsWish | null {
  const parts = vouchers
    .filter((voucher) => voucher.amount > 0)
    .map(({ voucherId, amount }) => ({ voucherId, amount }));
  const own = wallet?.amount ?? 0;
  if (own === 0 && parts.length === 0) return null;
  return { ...(own > 0 ? { wallet: own } : {}), ...(parts.length > 0 ? { vouchers: parts } : {}) };
}

/** The payment mode of an order that balances pay completely; null if they do not. */
export function wholeModeOf(funds: Funds | undefined): PaymentMode | null {
  const wish = funds === undefined || funds.rest > 0 ? null : wishOf(funds);
  return wish === null ? null : wish.vouchers ? 'EGV' : 'WALLET';
}
