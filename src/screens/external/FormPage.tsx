import * as t from '#text/full.ts';
import { atom, useAtomValue, useSetAtom } from 'jotai';
import type { ReactNode } from 'react';
import type { OrderView } from '../../contract/orders.ts';
import { checkAnswerAtom, checkPaidAtom, checkTasks } from '../../state/payment/paymentCheck.ts';
import { orderAtom, isOrderGoneAtom, orderState, resumePaymentAtom } from '../../state/orders/orders.ts';
import { queryParamsAtom } from '../../state/base/path.ts';
import { sentenceOf } from '../../state/base/popup.ts';
import { Amount } from '../../ui/money/Amount.tsx';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { CheckPaid } from '../../ui/CheckPaid.tsx';
import { EmptyPicture } from '../../ui/pictures/EmptyPicture.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { Exact } from '../../ui/money/Exact.tsx';
import { href } from '../../ui/href.ts';
import { Aside, Page } from '../../ui/page/Page.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { rich } from '../../ui/rich.ts';

/** What its screens are entered with. */
export interface FormEntered {
  readonly query: URLSearchParams;
}

/** The order that the address names, with its payment as far as it is. */
export const enterFormAtom = atom(null, (_get, set, { query }: FormEntered) =>
  set(resumePaymentAtom, query.get('order') ?? ''),
);

interface FormPageProps {
  title: string;
  /** How the money is asked for; null: the server has not said it yet, or it is not for this page. */
  children: ReactNode;
  /** How long the page waits for the money. */
  wait?: (order: OrderView) => ReactNode;
}

/** The page of a payment that is made elsewhere: the amount, how it is asked for, and a button that asks the server for its outcome. */
export function FormPage({ title, children, wait }: FormPageProps) {
  const held = useAtomValue(orderAtom);
  const { status, failure } = useAtomValue(orderState.atom);
  const orderId = useAtomValue(queryParamsAtom)['order'] ?? '';
  const isGone = useAtomValue(isOrderGoneAtom)(orderId);
  const check = useSetAtom(checkPaidAtom);
  const isChecking = useAtomValue(checkTasks.isBusyAtom);
  const answerOf = useAtomValue(checkAnswerAtom);
  const order = held?.orderId === orderId ? held : null;
  if (!order || children === null || isGone) {
    return (
      <>
        <AppBar
          title={title}
          subtitle={status === 'failed' ? undefined : null}
          back={{ label: t.home, href: href('/') }}
        />
        {status === 'failed' ? (
          <EmptyState
            picture={<EmptyPicture />}
            title={sentenceOf(failure)}
            action={<Button href={href('/')}>{t.home}</Button>}
          />
        ) : (
          <Page busy>
            <Skeleton height="14rem" />
          </Page>
        )}
      </>
    );
  }
  return (
    <>
      <AppBar
        title={title}
        subtitle={rich(t.orderNumber, { number: <Exact>{order.orderNumber}</Exact> })}
        back={{ label: t.backToOrder, href: href(`/order/${order.orderId}`) }}
      />
      <Page>
        <Card>
          <Amount amount={order.payment.amount} />
          {children}
        </Card>
        <Aside isNews>
          {t.payOnce} {wait?.(order)}
        </Aside>
        <CheckPaid
          label={t.checkPaid}
          busy={isChecking}
          answer={answerOf(order.orderId)}
          onCheck={() => void check(order)}
        />
      </Page>
    </>
  );
}
