import * as t from '#text/location.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { flowAtom, flowPath, nearestState, shownStoresAtom, shownTypeAtom } from '../../state/places/stores.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { href } from '../../ui/href.ts';
import { MissingList } from './MissingList.tsx';
import { StoreList, type MapSelection } from './StoreList.tsx';

/** Names the place that the stores are nearest to; '' stands for the customer's own position. */
export function nearestText(place: string | undefined): string | undefined {
  if (place === undefined) return undefined;
  return place === '' ? t.nearestToYou : t.nearestTo({ place });
}

/** The nearest stores for the delivery type on screen, or what is shown while there are none. */
export function NearestStores(picking: MapSelection) {
  const stores = useAtomValue(shownStoresAtom);
  const { failure } = useAtomValue(nearestState.atom);
  const type = useAtomValue(shownTypeAtom);
  const flow = useAtomValue(flowAtom);
  const load = useSetAtom(nearestState.load);
  if (!stores)
    return <MissingList failure={failure} title={t.storesFailed} lineHeight="6.5rem" onRetry={() => void load(type)} />;
  if (stores.length === 0)
    return (
      <EmptyState
        title={t.storesNone({ type })}
        action={<Button href={href(flowPath('/manualSelector', flow, { deliveryType: type }))}>{t.chooseCity}</Button>}
      >
        {t.storesNoneHelp}
      </EmptyState>
    );
  return <StoreList stores={stores} {...picking} />;
}
