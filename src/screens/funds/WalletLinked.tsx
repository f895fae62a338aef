import * as errors from '#text/errors.ts';
import * as t from '#text/payment.ts';
import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import { quoteState } from '../../state/checkout/quote.ts';
import { linkedState, unlinkWalletAtom } from '../../state/payment/linkedWallets.ts';
import { selectedWalletAtom } from '../../state/payment/wallet.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { CheckBox } from '../../ui/forms/CheckBox.tsx';
import { Price } from '../../ui/money/Price.tsx';
import { rich } from '../../ui/rich.ts';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { fundsSheetAtom } from './fundsSheet.ts';
import { LoadAgain } from '../base/LoadAgain.tsx';
import css from './Funds.module.css';

/** Shown below a wallet's payment mode: the linked wallet, or the button that links one. */
export function WalletLinked({ provider }: { provider: string }) {
  const { data, status, failure } = useAtomValue(linkedState.atom);
  const load = useSetAtom(linkedState.load);
  const unlink = useSetAtom(unlinkWalletAtom);
  const openSheet = useSetAtom(fundsSheetAtom);
  const [selected, select] = useAtom(selectedWalletAtom);
  const rest = useAtomValue(quoteState.atom).data?.funds.rest;
  if (data === null || data.provider !== provider)
    return status === 'failed' ? (
      <LoadAgain failure={failure} onRetry={() => void load(provider)} />
    ) : (
      <div className={css.linked} aria-busy="true">
        <Skeleton height="3rem" />
      </div>
    );
  const { label, balance, isLinked } = data;
  if (!isLinked)
    return (
      <div className={css.linked}>
        <Button kind="secondary" small onClick={() => openSheet({ link: provider, label })}>
          {t.linkedStart({ label })}
        </Button>
        <p className={css.note}>{t.linkedWhy}</p>
      </div>
    );
  const isLow = balance !== null && rest !== undefined && balance < rest;
  return (
    <div className={css.linked}>
      <div className={css.row} data-on={selected === provider}>
        <div className={css.main}>
          <CheckBox
            label={<b>{t.linkedPay({ label })}</b>}
            checked={selected === provider}
            onChange={(isOn) => select(isOn ? provider : null)}
            detail={
              balance === null ? (
                errors.linkedAway({ label })
              ) : (
                <>
                  {rich(t.balance, { balance: <Price amount={balance} /> })}
                  {data.mobile && ` · ${data.mobile}`}
                </>
              )
            }
          />
        </div>
        <Button kind="quiet" small onClick={() => void unlink(provider)}>
          {t.linkedUnlink}
        </Button>
      </div>
      {selected === provider && isLow && (
        <p className={css.refused} role="alert">
          {errors.linkedLow({ label })}
        </p>
      )}
    </div>
  );
}
