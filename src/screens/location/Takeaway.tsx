import * as t from '#text/location.ts';
import { useAtomValue } from 'jotai';
import type { DeliveryType } from '../../contract/names.ts';
import { aroundAtom, flowAtom, flowPath } from '../../state/places/stores.ts';
import { href } from '../../ui/href.ts';
import { nearestText, NearestStores } from '../stores/NearestStores.tsx';
import { PlaceSearch } from './PlaceSearch.tsx';
import { PlaceRows } from './PlaceRows.tsx';
import { RecentPlaces } from './RecentPlaces.tsx';
import css from './LocationScreen.module.css';

export default function Takeaway({ type }: { type: Exclude<DeliveryType, 'DELIVERY'> }) {
  const around = useAtomValue(aroundAtom);
  const flow = useAtomValue(flowAtom);
  return (
    <div className={css.columns}>
      <div className={css.column}>
        <p className={css.lead}>{t.lead({ type })}</p>
        <PlaceSearch label={t.searchNear} />
        <PlaceRows type={type} />
        <RecentPlaces type={type} />
      </div>
      <section className={css.column} aria-labelledby="nearest-stores">
        <header className={css.head}>
          <h2 id="nearest-stores">{nearestText(around?.text.split(',')[0]) ?? t.storesUnplaced}</h2>
          <a
            className={css.more}
            href={href(flowPath('/postorder-ui/takeawayMapScreen', flow, { deliveryType: type }))}
          >
            {t.onMap}
          </a>
        </header>
        <NearestStores />
      </section>
    </div>
  );
}
