import * as t from '#text/payment.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import type { Money } from '../../contract/money.ts';
import { isPaymentSheetOpenAtom, paymentSheetsState, takePaymentSheetAtom } from '../../state/payment/paymentSheet.ts';
import { Button } from '../../ui/forms/Button.tsx';
import css from './CardFields.module.css';

interface SheetButtonsProps {
  amount: Money | null;
  /** Answers whether everything else is filled in, and shows what is not. */
  isReady: () => boolean;
  onCard: () => Promise<unknown>;
}

/** Buttons for the phone's or browser's own payment sheets; nothing where there is none. */
export function SheetButtons({ amount, isReady, onCard }: SheetButtonsProps) {
  const sheets = useAtomValue(paymentSheetsState.atom).data ?? [];
  const isOpen = useAtomValue(isPaymentSheetOpenAtom);
  const take = useSetAtom(takePaymentSheetAtom);
  if (sheets.length === 0 || amount === null) return null;
  return (
    <div className={css.sheets}>
      {sheets.map((sheet) => (
        <Button
          key={sheet.id}
          full
          kind="secondary"
          busy={isOpen}
          onClick={() => {
            if (isReady()) void take(sheet, amount).then((isThere) => (isThere ? onCard() : undefined));
          }}
        >
          {t.sheetPay({ label: sheet.label })}
        </Button>
      ))}
      <p className={css.or}>{t.sheetOrCard}</p>
    </div>
  );
}
