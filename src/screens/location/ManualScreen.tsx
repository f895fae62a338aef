import { atom, useAtomValue, useSetAtom } from 'jotai';
import { useState } from 'react';
import { DELIVERY_LABELS } from '../../domain/delivery.ts';
import { NO_RESULT } from '../../domain/messages.ts';
import { choosePlaceAtom, findingAtom, searchAddressAtom } from '../../state/places.ts';
import { sentenceOf } from '../../state/popup.ts';
import { placeAtom } from '../../state/seams.ts';
import { citiesState, cityState, flowAtom, flowPath, openChoiceAtom, shownTypeAtom } from '../../state/stores.ts';
import { AppBar } from '../../ui/AppBar.tsx';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { FailedPicture } from '../../ui/FailedPicture.tsx';
import { Field } from '../../ui/Field.tsx';
import { href } from '../../ui/href.ts';
import { PinIcon } from '../../ui/icons/PinIcon.tsx';
import { SearchIcon } from '../../ui/icons/SearchIcon.tsx';
import { ListRow } from '../../ui/ListRow.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { NoDelivery } from './NoDelivery.tsx';
import { StoreList } from './StoreList.tsx';
import css from './ManualScreen.module.css';

export const enter = atom(null, async (_get, set, { query }: { query: URLSearchParams }) => {
  const type = set(openChoiceAtom, query);
  set(searchAddressAtom, null);
  const city = query.get('city');
  await (city ? set(cityState.load, city, type) : set(citiesState.load, type));
});

const has = (text: string, typed: string) => text.toLowerCase().includes(typed.trim().toLowerCase());

/** Shown while a list is not there yet, and when it did not come. */
function Missing({ isFailed, sentence, onRetry }: { isFailed: boolean; sentence: string; onRetry: () => void }) {
  if (!isFailed) return <div className={css.bones} aria-busy="true">{[1, 2, 3, 4, 5].map((one) => <Skeleton key={one} height="3.5rem" />)}</div>;
  return <EmptyState picture={<FailedPicture />} title="The list did not load" action={<Button kind="secondary" onClick={onRetry}>Try again</Button>}>{sentence}</EmptyState>;
}

function Cities({ typed }: { typed: string }) {
  const { status, data, failure } = useAtomValue(citiesState.atom);
  const type = useAtomValue(shownTypeAtom);
  const flow = useAtomValue(flowAtom);
  const load = useSetAtom(citiesState.load);
  if (!data) return <Missing isFailed={status === 'failed'} sentence={sentenceOf(failure)} onRetry={() => void load(type)} />;
  const shown = data.filter((one) => has(one.city, typed));
  if (shown.length === 0) return <p className={css.none} role="status">{NO_RESULT}</p>;
  return (
    <ul className={css.grid}>
      {shown.map((one) => (
        <li key={one.city}>
          <ListRow icon={<PinIcon />} title={one.city} detail={`${one.stores} ${one.stores === 1 ? 'store' : 'stores'}`} href={href(flowPath('/manualSelector', flow, { city: one.city, deliveryType: type }))} />
        </li>
      ))}
    </ul>
  );
}

function City({ city, typed }: { city: string; typed: string }) {
  const { status, data, failure } = useAtomValue(cityState.atom);
  const type = useAtomValue(shownTypeAtom);
  const load = useSetAtom(cityState.load);
  const choose = useSetAtom(choosePlaceAtom);
  const isChoosing = useAtomValue(findingAtom) !== '';
  if (data?.city !== city) return <Missing isFailed={status === 'failed'} sentence={sentenceOf(failure)} onRetry={() => void load(city, type)} />;
  if (type === 'DELIVERY') {
    const shown = data.localities.filter((one) => has(one.locality, typed));
    if (shown.length === 0) return <p className={css.none} role="status">{NO_RESULT}</p>;
    return (
      <ul className={css.grid} aria-busy={isChoosing}>
        {shown.map((one) => (
          <li key={one.storeId}>
            <ListRow
              icon={<PinIcon />} title={one.locality} detail={data.stores.find((store) => store.id === one.storeId)?.hoursText}
              onClick={() => void choose({ delType: type, lat: one.latitude, long: one.longitude, text: `${one.locality}, ${city}` })}
            />
          </li>
        ))}
      </ul>
    );
  }
  const shown = data.stores.filter((store) => has(store.name, typed) || has(store.address, typed));
  return shown.length === 0 ? <p className={css.none} role="status">{NO_RESULT}</p> : <><h2 className="visually-hidden">Stores</h2><StoreList stores={shown} /></>;
}

/** City, then area or store: for everyone who would rather read a list than search or share a position. */
export default function ManualScreen() {
  const place = useAtomValue(placeAtom);
  const type = useAtomValue(shownTypeAtom);
  const flow = useAtomValue(flowAtom);
  const [typed, setTyped] = useState({ city: '', text: '' });
  const city = new URLSearchParams(place.split('?')[1]).get('city') ?? '';
  const text = typed.city === city ? typed.text : '';
  const what = city === '' ? 'city' : type === 'DELIVERY' ? 'area' : 'store';
  return (
    <>
      <AppBar
        title={city === '' ? 'Choose your city' : type === 'DELIVERY' ? `Areas of ${city}` : `Stores in ${city}`}
        subtitle={DELIVERY_LABELS[type]}
        back={city === '' ? { label: 'Back', href: href(flowPath('/postorder-ui/searchAddress', flow, { deliveryType: type })) } : { label: 'Other cities', href: href(flowPath('/manualSelector', flow, { deliveryType: type })) }}
      />
      <div className={css.page}>
        <NoDelivery />
        <Field label={`Find your ${what}`} type="search" enterKeyHint="search" autoComplete="off" spellCheck={false} prefix={<SearchIcon size={20} />} value={text} onChange={(event) => setTyped({ city, text: event.target.value })} />
        {city === '' ? <Cities typed={text} /> : <City city={city} typed={text} />}
      </div>
    </>
  );
}
