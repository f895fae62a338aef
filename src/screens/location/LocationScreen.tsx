import * as firstText from '#text/first.ts';
import * as t from '#text/location.ts';
import { atom, useAtomValue, useSetAtom } from 'jotai';
import type { DeliveryType } from '../../contract/names.ts';
import { accountAddressesState } from '../../state/places/addresses.ts';
import {
  askPickerAgainAtom,
  dropPlaceQuestionsAtom,
  gpsMessageAtom,
  hostAddressMessageAtom,
} from '../../state/places/places.ts';
import { isLoggedInAtom } from '../../state/base/session.ts';
import { flowAtom, lookAtTypeAtom, openChoiceAtom, shownTypeAtom } from '../../state/places/stores.ts';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { href } from '../../ui/href.ts';
import { BagIcon, CarIcon, ScooterIcon, TableIcon } from '../../ui/pictures/icons.ts';
import { Tabs } from '../../ui/forms/Tabs.tsx';
import { part } from '../../ui/time/loaded.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { backOf } from './back.ts';
import { useAreAddressesWaiting } from './SavedPlaces.tsx';
import { useCities } from './Cities.tsx';
import { DeliveryPlaces } from './DeliveryPlaces.tsx';
import css from './LocationScreen.module.css';

export const enter = atom(null, async (get, set, { query }: { query: URLSearchParams }) => {
  const type = set(openChoiceAtom, query);
  set(dropPlaceQuestionsAtom);
  set(gpsMessageAtom, '');
  set(hostAddressMessageAtom, '');
  set(askPickerAgainAtom);
  set(lookAtTypeAtom, type);
  if (get(isLoggedInAtom)) await set(accountAddressesState.load);
});

const TYPES: readonly { type: DeliveryType; Symbol: typeof BagIcon }[] = [
  { type: 'DELIVERY', Symbol: ScooterIcon },
  { type: 'PICKUP', Symbol: BagIcon },
  { type: 'CURB', Symbol: CarIcon },
  { type: 'DINEIN', Symbol: TableIcon },
];

const Takeaway = part(
  () => import('./Takeaway.tsx'),
  () => <Skeleton height="24rem" />,
);

/**
 * Chooses where the order goes: by search, by position, from saved or recent places, or from a plain list of cities.
 */
export default function LocationScreen() {
  const type = useAtomValue(shownTypeAtom);
  const lookAt = useSetAtom(lookAtTypeAtom);
  const flow = useAtomValue(flowAtom);
  // Parts below a list wait until its length is known.
  const isWaiting = useAreAddressesWaiting();
  const isWhole = useCities() !== null && !isWaiting;
  return (
    <>
      <AppBar title={t.title({ type })} back={backOf(flow, { label: t.backToHome, href: href('/') })} />
      <div className={css.page}>
        <Tabs
          label={firstText.typesLabel}
          value={type}
          onChange={lookAt}
          tabs={TYPES.map(({ type: value, Symbol }) => ({
            value,
            text: (
              <span className={css.tab}>
                <Symbol size={22} />
                {firstText.deliveryTypeShort({ type: value })}
              </span>
            ),
          }))}
        >
          <div className={css.panel}>
            {type === 'DELIVERY' ? <DeliveryPlaces isWhole={isWhole} /> : <Takeaway type={type} />}
          </div>
        </Tabs>
        {(isWhole || type !== 'DELIVERY') && (
          <p className={css.small}>
            <a href={href('/credits')}>{t.credits}</a>
          </p>
        )}
      </div>
    </>
  );
}
