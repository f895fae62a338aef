import * as t from '#text/order.ts';
import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import type { OrderView } from '../../contract/orders.ts';
import { placing } from '../../state/checkout/placing.ts';
import {
  changePromoAtom,
  lookAtPromoAtom,
  promoLookAtom,
  promoTasks,
  promoTypedAtom,
} from '../../state/after/anotherAttempt.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { Exact } from '../../ui/money/Exact.tsx';
import { Price } from '../../ui/money/Price.tsx';
import { rich } from '../../ui/rich.ts';
import { OfferCodeForm } from '../coupons/OfferCodeForm.tsx';

/** An offer code for an order that is not paid yet: first its effect on the price, then a button that applies it. */
export default function PromoBox({ order }: { order: OrderView }) {
  const [typed, setTyped] = useAtom(promoTypedAtom);
  const { code: error } = useAtomValue(promoTasks.problemsAtom);
  const refuse = useSetAtom(promoTasks.refuse);
  const [seen, setSeen] = useAtom(promoLookAtom);
  const isBusy = useAtomValue(promoTasks.isBusyAtom);
  const isPlacing = useAtomValue(placing.isBusyAtom);
  const look = useSetAtom(lookAtPromoAtom);
  const change = useSetAtom(changePromoAtom);
  return (
    <Card>
      <OfferCodeForm
        code={typed}
        error={error}
        busy={isBusy}
        onType={(code) => {
          setTyped(code);
          setSeen(null);
        }}
        onError={(code) => refuse({ code })}
        onSubmit={() => void look(order)}
      >
        {seen && (
          <>
            <p role="status">
              {rich(t.promoSeen, {
                code: <Exact>{seen.code}</Exact>,
                after: <Price amount={seen.after} />,
                before: <Price amount={seen.before} />,
              })}
            </p>
            <Button full busy={isPlacing} onClick={() => void change(order, { code: seen.code, isOn: true })}>
              {rich(t.promoUse, { code: <Exact>{seen.code}</Exact>, amount: <Price amount={seen.after} /> })}
            </Button>
          </>
        )}
      </OfferCodeForm>
    </Card>
  );
}
