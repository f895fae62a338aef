import { useAtomValue, useSetAtom } from 'jotai';
import type { Money } from '../../contract/money.ts';
import { isSheetOpenAtom, sheetsState, takeSheetAtom } from '../../state/sheet.ts';
import { Button } from '../../ui/Button.tsx';
import css from './CardFields.module.css';

interface SheetButtonsProps {
  amount: Money | null;
  /** Everything else that this payment needs is there; says what is not. */
  isReady: () => boolean;
  onCard: () => Promise<void>;
}

/** The phone's or browser's own way to pay, where there is one; else nothing is shown. */
export function SheetButtons({ amount, isReady, onCard }: SheetButtonsProps) {
  const sheets = useAtomValue(sheetsState.atom).data ?? [];
  const isOpen = useAtomValue(isSheetOpenAtom);
  const take = useSetAtom(takeSheetAtom);
  if (sheets.length === 0 || amount === null) return null;
  return (
    <div className={css.sheets}>
      {sheets.map((sheet) => (
        <Button key={sheet.id} full kind="secondary" busy={isOpen} onClick={() => { if (isReady()) void take(sheet, amount).then((isThere) => (isThere ? onCard() : undefined)); }}>
          Pay with {sheet.label}
        </Button>
      ))}
      <p className={css.or}>or with a card</p>
    </div>
  );
}
