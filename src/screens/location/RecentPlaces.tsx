import * as t from '#text/location.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import type { DeliveryType } from '../../contract/names.ts';
import { RECENT_SEARCHES_SHOWN } from '../../domain/recents.ts';
import { choosePlaceAtom, choosePredictionAtom } from '../../state/places/places.ts';
import { recentLocationsAtom, recentSearchesAtom } from '../../state/places/recents.ts';
import { Card } from '../../ui/page/Card.tsx';
import { ClockIcon, SearchIcon } from '../../ui/pictures/icons.ts';
import { ListRow } from '../../ui/page/ListRow.tsx';

export function RecentPlaces({ type }: { type: DeliveryType }) {
  const searches = useAtomValue(recentSearchesAtom);
  const locations = useAtomValue(recentLocationsAtom).filter(
    (one) => one.deliveryType === 'DELIVERY' && one.recent.address_id === null,
  );
  const choosePrediction = useSetAtom(choosePredictionAtom);
  const choose = useSetAtom(choosePlaceAtom);
  const names = new Set(locations.map((one) => one.text.split(',')[0]));
  const shown = searches
    .slice(0, RECENT_SEARCHES_SHOWN)
    .filter((one) => type !== 'DELIVERY' || !names.has(one.main_text));
  const places = type === 'DELIVERY' ? locations : [];
  if (shown.length === 0 && places.length === 0) return null;
  return (
    <Card flush title={t.recent}>
      {places.map((one) => (
        <ListRow
          key={one.recent.id}
          icon={<ClockIcon />}
          title={one.text.split(',')[0]}
          detail={one.recent.offline_msg || one.text.split(',').slice(1).join(',').trim()}
          onClick={() =>
            void choose({ delType: 'DELIVERY', lat: one.location.lat, long: one.location.lng, text: one.text })
          }
        />
      ))}
      {shown.map((one) => (
        <ListRow
          key={one.place_id}
          icon={<SearchIcon size={20} />}
          title={one.main_text}
          detail={one.secondary_text}
          onClick={() => void choosePrediction(one, type)}
        />
      ))}
    </Card>
  );
}
