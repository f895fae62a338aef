import * as errors from '#text/errors.ts';
import * as t from '#text/payment.ts';
import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import { useState } from 'react';
import type { Voucher } from '../../contract/vouchers.ts';
import { hasFundsConflict } from '../../domain/funds.ts';
import { optionsState } from '../../state/checkout/modes.ts';
import { quoteState } from '../../state/checkout/quote.ts';
import { paymentModeAtom } from '../../state/drafts/mode.ts';
import {
  chooseVoucherAtom,
  chosenVouchersAtom,
  unlinkVoucherAtom,
  vouchersState,
} from '../../state/payment/vouchers.ts';
import { isWalletUsedAtom, walletBalanceAtom, walletSummary } from '../../state/payment/wallet.ts';
import { CheckBox } from '../../ui/forms/CheckBox.tsx';
import { href } from '../../ui/href.ts';
import { IconButton } from '../../ui/forms/IconButton.tsx';
import { OfferIcon, TrashIcon, WalletIcon } from '../../ui/pictures/icons.ts';
import { ListRow } from '../../ui/page/ListRow.tsx';
import { Price } from '../../ui/money/Price.tsx';
import { rich } from '../../ui/rich.ts';
import { fundsSheetAtom } from './fundsSheet.ts';
import { LoadAgain } from '../base/LoadAgain.tsx';
import css from './Funds.module.css';

/** The unfolded part: the wallet's switch, the e-vouchers one by one, and the amount left to pay. */
export default function FundsInside({
  title,
  mayLogIn,
  has,
}: {
  title: string;
  mayLogIn: boolean;
  has: (id: string) => boolean;
}) {
  const mode = useAtomValue(paymentModeAtom);
  const [refused, hold] = useState({ sentence: '', mode });
  const setRefused = (sentence: string) => hold({ sentence, mode });
  return (
    <div className={css.funds} role="group" aria-label={title}>
      {has('WALLET') && <WalletSwitch onRefused={setRefused} />}
      {mayLogIn && (
        <div className={css.offer}>
          <ListRow
            icon={<WalletIcon />}
            title={t.wallet}
            detail={t.walletLogin}
            href={href(`/login?redirectUrl=${encodeURIComponent('/payment')}`)}
          />
        </div>
      )}
      {has('EGV') && <Vouchers onRefused={setRefused} />}
      {/* Choosing another mode hides it again. */}
      {refused.sentence && refused.mode === mode && (
        <p className={css.refused} role="alert">
          {refused.sentence}
        </p>
      )}
      <Rest />
    </div>
  );
}

function WalletSwitch({ onRefused }: { onRefused: (sentence: string) => void }) {
  const [isUsed, setUsed] = useAtom(isWalletUsedAtom);
  const summary = useAtomValue(walletSummary.atom);
  const held = useAtomValue(walletBalanceAtom);
  const mode = useAtomValue(paymentModeAtom);
  const vouchers = useAtomValue(chosenVouchersAtom).length;
  const quote = useAtomValue(quoteState.atom).data;
  const loadQuote = useSetAtom(quoteState.load);
  const load = useSetAtom(walletSummary.load);
  const balance = summary.data?.balance ?? held;
  if (summary.status === 'failed' && balance === null) {
    return <LoadAgain failure={summary.failure} onRetry={() => void load()} />;
  }
  const isEmpty = balance === 0;
  const change = (isOn: boolean) => {
    const isRefused = isOn && hasFundsConflict({ wallet: true, vouchers, mode });
    onRefused(isRefused ? errors.walletConflict : '');
    if (isRefused) return;
    setUsed(isOn);
    void loadQuote();
  };
  const amount = isUsed ? quote?.funds.wallet?.amount : undefined;
  return (
    <div className={css.row} data-on={isUsed && !isEmpty} data-off={isEmpty}>
      <div className={css.main}>
        <CheckBox
          label={<b>{t.wallet}</b>}
          end={<WalletIcon />}
          checked={isUsed && !isEmpty}
          disabled={balance === null || isEmpty}
          onChange={change}
          detail={
            balance === null
              ? t.walletLoading
              : isEmpty
                ? t.walletEmpty
                : amount
                  ? rich(t.pays, { amount: <Price amount={amount} />, balance: <Price amount={balance} /> })
                  : rich(t.balance, { balance: <Price amount={balance} /> })
          }
        />
      </div>
    </div>
  );
}

function Vouchers({ onRefused }: { onRefused: (sentence: string) => void }) {
  const { data, status, failure } = useAtomValue(vouchersState.atom);
  const load = useSetAtom(vouchersState.load);
  const openSheet = useSetAtom(fundsSheetAtom);
  const isWalletUsed = useAtomValue(isWalletUsedAtom);
  const isWalletOffered = useAtomValue(optionsState.atom).data?.funds.some((one) => one.id === 'WALLET') ?? false;
  const balance = useAtomValue(walletBalanceAtom);
  const wallet = isWalletUsed && isWalletOffered && balance !== 0;
  const add = () => {
    const isRefused = hasFundsConflict({ wallet, vouchers: 1, mode: null });
    onRefused(isRefused ? errors.walletConflict : '');
    if (!isRefused) openSheet('voucher');
  };
  return (
    <>
      {data === null && status === 'failed' && <LoadAgain failure={failure} onRetry={() => void load()} />}
      {(data ?? []).map((voucher) => (
        <VoucherRow key={voucher.voucherId} voucher={voucher} wallet={wallet} onRefused={onRefused} />
      ))}
      <div className={css.offer}>
        <ListRow
          icon={<OfferIcon />}
          title={(data ?? []).length > 0 ? t.voucherAddAnother : t.voucherAdd}
          onClick={add}
        />
      </div>
    </>
  );
}

function VoucherRow({
  voucher,
  wallet,
  onRefused,
}: {
  voucher: Voucher;
  wallet: boolean;
  onRefused: (sentence: string) => void;
}) {
  const chosen = useAtomValue(chosenVouchersAtom);
  const quote = useAtomValue(quoteState.atom).data;
  const choose = useSetAtom(chooseVoucherAtom);
  const loadQuote = useSetAtom(quoteState.load);
  const unlink = useSetAtom(unlinkVoucherAtom);
  const { voucherId, lastFour, balance } = voucher;
  const isChosen = chosen.includes(voucherId);
  const isDead = voucher.isExpired || balance === 0;
  const amount = isChosen ? quote?.funds.vouchers.find((one) => one.voucherId === voucherId)?.amount : undefined;
  const change = (isOn: boolean) => {
    const isRefused = isOn && hasFundsConflict({ wallet, vouchers: 1, mode: null });
    const sentence = isRefused ? errors.walletConflict : choose(voucherId, isOn) ? '' : errors.egvCount;
    onRefused(sentence);
    if (sentence === '') void loadQuote();
  };
  return (
    <div className={css.row} data-on={isChosen} data-off={isDead}>
      <div className={css.main}>
        <CheckBox
          label={<b>{t.voucherEnding({ digits: lastFour })}</b>}
          checked={isChosen}
          disabled={isDead}
          onChange={change}
          detail={
            voucher.isExpired
              ? errors.egvExpired
              : isDead
                ? t.egvEmpty
                : amount
                  ? rich(t.pays, { amount: <Price amount={amount} />, balance: <Price amount={balance} /> })
                  : rich(t.balance, { balance: <Price amount={balance} /> })
          }
        />
      </div>
      {!voucher.isOnlyHere && (
        <IconButton
          label={t.voucherRemove({ digits: lastFour })}
          onClick={() => {
            onRefused('');
            void unlink(voucherId).then(() => loadQuote());
          }}
        >
          <TrashIcon size={18} />
        </IconButton>
      )}
    </div>
  );
}

/** The parts that the balances pay, as the server has worked them out; the bill says what is left. */
function Rest() {
  const quote = useAtomValue(quoteState.atom).data;
  if (!quote) return null;
  const { wallet, vouchers, rest } = quote.funds;
  const taken = (wallet?.amount ?? 0) > 0 || vouchers.some((voucher) => voucher.amount > 0);
  if (!taken) return null;
  return (
    <dl className={css.rest}>
      {vouchers.map(
        (voucher) =>
          voucher.amount > 0 && (
            <div key={voucher.voucherId}>
              <dt>{t.voucherPays({ digits: voucher.lastFour })}</dt>
              <dd>
                −<Price amount={voucher.amount} />
              </dd>
            </div>
          ),
      )}
      {wallet && wallet.amount > 0 && (
        <div>
          <dt>{t.wallet}</dt>
          <dd>
            −<Price amount={wallet.amount} />
          </dd>
        </div>
      )}
      <div className={css.left}>
        <dt>{rest > 0 ? t.restLeft : t.restNothing}</dt>
        <dd>
          <Price amount={rest} />
        </dd>
      </div>
    </dl>
  );
}
