import * as t from '#text/payment.ts';
import { atom, useAtomValue } from 'jotai';
import { useState } from 'react';
import { add, ZERO } from '../../domain/money.ts';
import { optionsState } from '../../state/checkout/modes.ts';
import { quoteState } from '../../state/checkout/quote.ts';
import { isOpenAtom } from '../../state/first/config.ts';
import { linkedState } from '../../state/payment/linkedWallets.ts';
import { isSlowAtom } from '../../state/base/network.ts';
import { countryAtom } from '../../state/base/country.ts';
import { hostAtom } from '../../state/first/seams.ts';
import { isLoggedInAtom } from '../../state/base/session.ts';
import { vouchersState } from '../../state/payment/vouchers.ts';
import { walletBalanceAtom, walletSummary } from '../../state/payment/wallet.ts';
import { Fold } from '../../ui/Fold.tsx';
import { WalletIcon } from '../../ui/pictures/icons.ts';
import { part } from '../../ui/time/loaded.tsx';
import { Price } from '../../ui/money/Price.tsx';
import { rich } from '../../ui/rich.ts';
import { Skeleton } from '../../ui/page/Skeleton.tsx';

/** Loads the customer's balances, but only those that the server offers here. Never rejects. */
export const loadFundsAtom = atom(null, async (get, set): Promise<void> => {
  const options = get(optionsState.atom).data;
  const offered = options?.funds.map((one) => one.id) ?? [];
  await Promise.all([
    ...(offered.includes('WALLET') ? [set(walletSummary.load)] : []),
    ...(offered.includes('EGV') ? [set(vouchersState.load)] : []),
    ...(options?.linkable ?? []).map((provider) => set(linkedState.load, provider)),
  ]);
});

const FundsInside = FULL_MODE
  ? part(
      () => import('./FundsInside.tsx'),
      () => <Skeleton height="3rem" />,
    )
  : () => null;

/**
 * The customer's own balances and what they pay of this order: the wallet with a switch, e-vouchers one by one, and
 * what is left to pay.
 */
export function WalletFunds() {
  const offered = useAtomValue(optionsState.atom).data?.funds ?? [];
  const isSlow = useAtomValue(isSlowAtom);
  const isLoggedIn = useAtomValue(isLoggedInAtom);
  const isOpen = useAtomValue(isOpenAtom);
  const { IS_WALLET_BLOCKED } = useAtomValue(countryAtom);
  const { fullMode } = useAtomValue(hostAtom);
  const [unfolded, unfold] = useState<boolean | null>(null);
  const balance = useAtomValue(walletBalanceAtom);
  const vouchers = useAtomValue(vouchersState.atom).data ?? [];
  const has = (id: string) => offered.some((one) => one.id === id);
  // A customer who is not logged in is told that there is a wallet.
  const mayLogIn = fullMode && !isLoggedIn && !IS_WALLET_BLOCKED && isOpen('wallet');
  if (offered.length === 0 && !mayLogIn) return null;
  const title = titleOf(has('WALLET'), mayLogIn);
  // Money that lies there is not folded away.
  const hasMoney = (has('WALLET') && (balance ?? 0) > 0) || (has('EGV') && vouchers.length > 0);
  const isUnfolded = unfolded ?? hasMoney;
  return (
    <Fold icon={<WalletIcon size={20} />} title={title} detail={<Said />} isOpen={isUnfolded} onToggle={unfold}>
      {/* Folded, it is not worth its script on a slow line. */}
      {(isUnfolded || !isSlow) && <FundsInside title={title} mayLogIn={mayLogIn} has={has} />}
    </Fold>
  );
}

/** Where there is no wallet, none is named. */
const titleOf = (...isThere: boolean[]): string => (isThere.includes(true) ? t.funds : t.fundsVouchers);

/** What the balances pay, hold or could be, in the folded line. */
function Said() {
  const funds = useAtomValue(quoteState.atom).data?.funds;
  const offered = useAtomValue(optionsState.atom).data?.funds ?? [];
  const balance = useAtomValue(walletBalanceAtom);
  const taken = add(...(funds?.vouchers ?? []).map((voucher) => voucher.amount), funds?.wallet?.amount ?? ZERO);
  if (taken > 0) return rich(t.fundsPay, { amount: <Price amount={taken} /> });
  return balance && offered.some((one) => one.id === 'WALLET') ? (
    rich(t.balance, { balance: <Price amount={balance} /> })
  ) : (
    <span>{t.fundsNone}</span>
  );
}
