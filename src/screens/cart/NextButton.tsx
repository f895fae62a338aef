import * as t from '#text/cart.ts';
import * as trains from '#text/trains.ts';
import { useAtomValue } from 'jotai';
import { isSmallAtom } from '../../state/cart/cart.ts';
import { changesAtom } from '../../state/after/cartDiff.ts';
import { cartLinesAtom } from '../../state/first/cart.ts';
import { chosenStoreAtom, deliveryPlaceAtom, deliveryTypeAtom } from '../../state/first/location.ts';
import { clockAheadAtom } from '../../state/base/clock.ts';
import { isTrainOffAtom, onTrainAtom } from '../../state/trains/onTrain.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { href } from '../../ui/href.ts';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { part } from '../../ui/time/loaded.tsx';

const AcceptAll = part(
  () => import('./changes/AcceptAll.tsx'),
  () => <Skeleton height="var(--touch)" />,
);

/**
 * The one button of the cart: to what is wrong first, then to a place, to an address, to paying. `isBeside` the menu,
 * what is wrong with the cart is put right in the cart.
 */
export function NextButton({ isBeside }: { isBeside?: boolean }) {
  const lines = useAtomValue(cartLinesAtom);
  const type = useAtomValue(deliveryTypeAtom);
  const place = useAtomValue(deliveryPlaceAtom);
  const store = useAtomValue(chosenStoreAtom);
  const hasChanges = useAtomValue(changesAtom).length > 0;
  const isBelow = useAtomValue(isSmallAtom);
  const trip = useAtomValue(onTrainAtom);
  const isTrainOff = useAtomValue(isTrainOffAtom);
  const aheadMs = useAtomValue(clockAheadAtom);
  if (hasChanges) return <AcceptAll />;
  const to = (path: string, text: string) => (
    <Button full href={href(path)}>
      {text}
    </Button>
  );
  const hasProblem = lines.some((line) => line.problem !== null);
  if (isBeside && (isBelow || hasProblem)) return to('/cart', t.seeCart);
  if (isBelow) return to('/menu', t.addMore);
  if (hasProblem) return to('/menu', t.nextFix);
  if (TRAINS && isTrainOff) return to('/postorder-ui/searchAddress?from=cart', trains.cartOffNext);
  if (TRAINS && trip)
    return trip.orderUntil <= Date.now() + aheadMs ? to('/irctc', trains.cartNext) : to('/payment', t.nextPayment);
  if (store === null || (type === 'DELIVERY' && place === null))
    return to('/postorder-ui/searchAddress?from=cart', t.nextWhere);
  if (type === 'DELIVERY' && !place?.address?.houseNo) return to('/address?from=cart', t.nextAddress);
  return to('/payment', t.nextPayment);
}
