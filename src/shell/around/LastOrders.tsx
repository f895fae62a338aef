import * as orderText from '#text/order.ts';
import * as t from '#text/alive.ts';
import { useAtomValue } from 'jotai';
import { useState } from 'react';
import { inputOf } from '../../domain/lineInput.ts';
import { lastOrdersAtom } from '../../state/orders/lastOrders.ts';
import { LinePicture } from '../../screens/base/LinePicture.tsx';
import { useClock } from '../../screens/base/clock.ts';
import { stageText } from '../../screens/base/words.ts';
import { href } from '../../ui/href.ts';
import { ListRow } from '../../ui/page/ListRow.tsx';
import { Price } from '../../ui/money/Price.tsx';
import { Sheet } from '../../ui/overlays/Sheet.tsx';
import { StatusLink, StatusStrip } from './StatusStrip.tsx';

/** In payment apps, which have no order history: the last orders of this device (product.md C07). */
export default function LastOrders() {
  const orders = useAtomValue(lastOrdersAtom);
  const clock = useClock();
  const [isOpen, setOpen] = useState(false);
  const [newest] = orders;
  if (!newest) return null;
  return (
    <>
      <StatusStrip label={t.lastOrders}>
        <StatusLink to={() => setOpen(true)} title={t.lastOrders} isOpen={false}>
          <span>
            {stageText(newest)} · {clock.date(newest.placedAt)}
          </span>
        </StatusLink>
      </StatusStrip>
      {isOpen && (
        <Sheet title={t.lastOrders} onClose={() => setOpen(false)}>
          {orders.map((order) => (
            <ListRow
              key={order.orderId}
              href={href(`/order/${order.orderId}`)}
              icon={
                order.lines[0] && <LinePicture line={{ ...inputOf(order.lines[0]), product: order.lines[0].product }} />
              }
              title={order.lines
                .map(({ quantity, product }) => orderText.lineDish({ quantity, dish: product.name }))
                .join(', ')}
              detail={
                <>
                  {stageText(order)} · {clock.date(order.placedAt)} · <Price amount={order.bill.total} />
                </>
              }
            />
          ))}
        </Sheet>
      )}
    </>
  );
}
