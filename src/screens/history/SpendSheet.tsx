import * as t from '#text/history.ts';
import * as orderText from '#text/orders.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { barLength } from '../../domain/money.ts';
import { statusNews } from '../../domain/orders.ts';
import { tableTasks, isSpendOpenAtom, saveTableAtom, spendState } from '../../state/orders/history.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { Chips } from '../../ui/forms/Chips.tsx';
import { Price } from '../../ui/money/Price.tsx';
import { rich } from '../../ui/rich.ts';
import { Sheet } from '../../ui/overlays/Sheet.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { useWhen } from '../base/when.ts';
import { LoadAgain } from '../base/LoadAgain.tsx';
import css from './SpendSheet.module.css';

function Months() {
  const { data } = useAtomValue(spendState.atom);
  const when = useWhen();
  if (!data) return null;
  const sums = data.months.map(({ total }) => total);
  return (
    <ul className={css.months}>
      {data.months.map(({ month, orders, total }) => (
        <li key={month}>
          <span>
            {when.month(Date.parse(`${month}-15T12:00:00Z`))}
            <small>{t.orders({ count: orders })}</small>
          </span>
          <Price amount={total} />
          {/* The sums beside it say the same. */}
          <span className={css.bar} aria-hidden>
            <span style={{ width: barLength(total, sums) }} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Spending month by month, and the year's orders as a table. */
export function SpendSheet() {
  const { data, status, failure } = useAtomValue(spendState.atom);
  const load = useSetAtom(spendState.load);
  const setOpen = useSetAtom(isSpendOpenAtom);
  const isSaving = useAtomValue(tableTasks.isBusyAtom);
  const save = useSetAtom(saveTableAtom);
  const when = useWhen();
  const words = {
    head: [
      t.columnWhen,
      t.columnNumber,
      t.columnState,
      t.columnService,
      t.columnStore,
      t.columnAddress,
      t.columnDishes,
      t.columnSaved,
      t.columnTotal,
      t.columnCurrency,
      t.columnPayment,
    ],
    when: when.written,
    service: (type: Parameters<typeof t.service>[0]['type']) => t.service({ type }),
    status: ({
      orderStatus,
      orderType,
    }: {
      orderStatus: Parameters<typeof statusNews>[0];
      orderType: Parameters<typeof statusNews>[1];
    }) => orderText.status({ news: statusNews(orderStatus, orderType) }),
  };
  return (
    <Sheet
      title={t.spendTitle}
      onClose={() => setOpen(false)}
      footer={
        data &&
        data.orders > 0 && (
          <Button full kind="secondary" busy={isSaving} onClick={() => void save(data.year, words)}>
            {t.saveTable({ year: String(data.year) })}
          </Button>
        )
      }
    >
      <div className={css.spend} aria-busy={status === 'loading'}>
        {!data && status !== 'failed' && <Skeleton height="16rem" />}
        {status === 'failed' && <LoadAgain failure={failure} onRetry={() => void load(data?.year)} />}
        {data && (
          <>
            {data.years.length > 1 && (
              <Chips
                label={t.years}
                chips={data.years.map((year) => ({ id: String(year), text: String(year) }))}
                pressed={[String(data.year)]}
                onToggle={(year) => void load(Number(year))}
              />
            )}
            <p className={css.sum} role="status">
              {data.orders === 0
                ? t.spendNone
                : rich(t.spendSum, {
                    amount: <Price amount={data.total} />,
                    orders: t.orders({ count: data.orders }),
                    year: String(data.year),
                    b: <b />,
                  })}
            </p>
            <Months />
            <p className={css.soft}>{t.spendRule}</p>
          </>
        )}
      </div>
    </Sheet>
  );
}
