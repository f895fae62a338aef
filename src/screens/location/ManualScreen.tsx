import * as firstText from '#text/first.ts';
import * as t from '#text/location.ts';
import { atom, useAtomValue, useSetAtom } from 'jotai';
import { useState } from 'react';
import { chooseAreaAtom, findTasks, searchAddressAtom } from '../../state/places/places.ts';
import { pathAtom } from '../../state/first/seams.ts';
import {
  areaState,
  citiesState,
  cityState,
  flowAtom,
  flowPath,
  openChoiceAtom,
  shownTypeAtom,
} from '../../state/places/stores.ts';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { Field } from '../../ui/forms/Field.tsx';
import { href } from '../../ui/href.ts';
import { PinIcon, SearchIcon } from '../../ui/pictures/icons.ts';
import { ListRow } from '../../ui/page/ListRow.tsx';
import { MissingList } from '../stores/MissingList.tsx';
import { NoDelivery } from '../stores/NoDelivery.tsx';
import { StoreList } from '../stores/StoreList.tsx';
import css from './ManualScreen.module.css';
import { typedText } from '../../domain/typedText.ts';

export const enter = atom(null, async (_get, set, { query }: { query: URLSearchParams }) => {
  const type = set(openChoiceAtom, query);
  set(searchAddressAtom, null);
  const city = query.get('city');
  const locality = query.get('locality');
  if (!city) await set(citiesState.load, type);
  else await (locality ? set(areaState.load, city, locality, type) : set(cityState.load, city, type));
});

const has = (text: string, typed: string) => text.toLowerCase().includes(typedText(typed).toLowerCase());

interface RowsProps {
  rows: readonly { readonly name: string; readonly stores: number; readonly path: string }[];
  typed: string;
}

function PlaceRows({ rows, typed }: RowsProps) {
  const shown = rows.filter(({ name }) => has(name, typed));
  if (shown.length === 0)
    return (
      <p className={css.none} role="status">
        {t.noResult}
      </p>
    );
  return (
    <ul className={css.grid}>
      {shown.map(({ name, stores, path }) => (
        <li key={name}>
          <ListRow icon={<PinIcon />} title={name} detail={t.storeCount({ count: stores })} href={href(path)} />
        </li>
      ))}
    </ul>
  );
}

function Cities({ typed }: { typed: string }) {
  const { data, failure } = useAtomValue(citiesState.atom);
  const type = useAtomValue(shownTypeAtom);
  const flow = useAtomValue(flowAtom);
  const load = useSetAtom(citiesState.load);
  if (data?.type !== type)
    return <MissingList failure={failure} title={t.listFailed} lineHeight="3.5rem" onRetry={() => void load(type)} />;
  const rows = data.cities.map(({ city, stores }) => ({
    name: city,
    stores,
    path: flowPath('/manualSelector', flow, { city, deliveryType: type }),
  }));
  return <PlaceRows rows={rows} typed={typed} />;
}

function City({ city, typed }: { city: string; typed: string }) {
  const { data, failure } = useAtomValue(cityState.atom);
  const type = useAtomValue(shownTypeAtom);
  const flow = useAtomValue(flowAtom);
  const load = useSetAtom(cityState.load);
  if (data?.city !== city || data.type !== type)
    return (
      <MissingList failure={failure} title={t.listFailed} lineHeight="3.5rem" onRetry={() => void load(city, type)} />
    );
  const rows = data.localities.map(({ locality, stores }) => ({
    name: locality,
    stores,
    path: flowPath('/manualSelector', flow, { city, locality, deliveryType: type }),
  }));
  return <PlaceRows rows={rows} typed={typed} />;
}

function Area({ city, locality }: { city: string; locality: string }) {
  const { data, failure } = useAtomValue(areaState.atom);
  const type = useAtomValue(shownTypeAtom);
  const load = useSetAtom(areaState.load);
  const choose = useSetAtom(chooseAreaAtom);
  const isChoosing = useAtomValue(findTasks.busyAtom) !== '';
  if (data?.city !== city || data.asked !== locality || data.type !== type)
    return (
      <MissingList
        failure={failure}
        title={t.listFailed}
        lineHeight="6rem"
        onRetry={() => void load(city, locality, type)}
      />
    );
  const { locality: area, stores } = data;
  return (
    <>
      <h2 className="visually-hidden">{t.stores}</h2>
      {type === 'DELIVERY' && area ? (
        <StoreList stores={stores} busy={isChoosing} onChoose={({ id }) => void choose(area, city, id)} />
      ) : (
        <StoreList stores={stores} />
      )}
    </>
  );
}

/** First the city, then the area, then the store: for everybody who prefers a list to searching or sharing a position. */
export default function ManualScreen() {
  const place = useAtomValue(pathAtom);
  const type = useAtomValue(shownTypeAtom);
  const flow = useAtomValue(flowAtom);
  const [typed, setTyped] = useState({ city: '', text: '' });
  const query = new URLSearchParams(place.split('?')[1]);
  const city = query.get('city') ?? '';
  const locality = city === '' ? '' : (query.get('locality') ?? '');
  const text = typed.city === city ? typed.text : '';
  const what = city === '' ? 'CITY' : locality === '' ? 'AREA' : 'STORE';
  const bars = {
    CITY: {
      title: t.chooseCity,
      back: { label: t.back, href: href(flowPath('/postorder-ui/searchAddress', flow, { deliveryType: type })) },
    },
    AREA: {
      title: t.areasOf({ city }),
      back: { label: t.otherCities, href: href(flowPath('/manualSelector', flow, { deliveryType: type })) },
    },
    STORE: {
      title: t.storesOf({ type, place: locality }),
      back: { label: t.otherAreas, href: href(flowPath('/manualSelector', flow, { city, deliveryType: type })) },
    },
  };
  return (
    <>
      <AppBar title={bars[what].title} subtitle={firstText.deliveryType({ type })} back={bars[what].back} />
      <div className={css.page}>
        <NoDelivery />
        {what === 'STORE' ? (
          <Area city={city} locality={locality} />
        ) : (
          <>
            <Field
              label={t.findYour({ what })}
              type="search"
              enterKeyHint="search"
              autoComplete="off"
              spellCheck={false}
              prefix={<SearchIcon size={20} />}
              value={text}
              onChange={(event) => setTyped({ city, text: event.target.value })}
            />
            {what === 'CITY' ? <Cities typed={text} /> : <City city={city} typed={text} />}
          </>
        )}
      </div>
    </>
  );
}
