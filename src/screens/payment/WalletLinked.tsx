import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import { linkedAway, linkedLow } from '../../domain/messages.ts';
import { quoteState } from '../../state/checkout.ts';
import { linkedState, unlinkWalletAtom } from '../../state/linkedWallets.ts';
import { sentenceOf } from '../../state/popup.ts';
import { selectedWalletAtom } from '../../state/wallet.ts';
import { Button } from '../../ui/Button.tsx';
import { CheckBox } from '../../ui/CheckBox.tsx';
import { Price } from '../../ui/Price.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { fundsSheetAtom } from './fundsSheet.ts';
import css from './Wallet.module.css';

/** Right below its mode: the wallet that is tied to the account, or the way to tie it. */
export function WalletLinked({ provider }: { provider: string }) {
  const { data, status, failure } = useAtomValue(linkedState.atom);
  const load = useSetAtom(linkedState.load);
  const unlink = useSetAtom(unlinkWalletAtom);
  const openSheet = useSetAtom(fundsSheetAtom);
  const [selected, select] = useAtom(selectedWalletAtom);
  const rest = useAtomValue(quoteState.atom).data?.funds.rest;
  if (data === null || data.provider !== provider) return status === 'failed' ? <p className={css.note}>{sentenceOf(failure)} <Button kind="quiet" small onClick={() => void load(provider)}>Try again</Button></p> : <div className={css.linked} aria-busy="true"><Skeleton height="3rem" /></div>;
  const { label, balance, isLinked } = data;
  if (!isLinked) return <div className={css.linked}><Button kind="secondary" small onClick={() => openSheet({ link: provider, label })}>Link your {label}</Button><p className={css.note}>Then you pay here with one tap, without leaving.</p></div>;
  const isLow = balance !== null && rest !== undefined && balance < rest;
  return (
    <div className={css.linked}>
      <div className={css.row} data-on={selected === provider}>
        <div className={css.main}>
          <CheckBox
            label={<b>Pay from the linked {label}</b>} checked={selected === provider} onChange={(isOn) => select(isOn ? provider : null)}
            detail={balance === null ? linkedAway(label) : <>Balance <Price amount={balance} />{data.mobile && ` · ${data.mobile}`}</>}
          />
        </div>
        <Button kind="quiet" small onClick={() => void unlink(provider)}>Unlink</Button>
      </div>
      {selected === provider && isLow && <p className={css.refused} role="alert">{linkedLow(label)}</p>}
    </div>
  );
}
