import * as firstText from '#text/first.ts';
import * as t from '#text/location.ts';
import { atom, useAtomValue, useSetAtom } from 'jotai';
import { useState } from 'react';
import { choosePlaceAtom, findingAtom, searchAddressAtom } from '../../state/places.ts';
import { pathAtom } from '../../state/first/seams.ts';
import { citiesState, cityState, flowAtom, flowPath, openChoiceAtom, shownTypeAtom } from '../../state/stores.ts';
import { AppBar } from '../../ui/AppBar.tsx';
import { Field } from '../../ui/Field.tsx';
import { href } from '../../ui/href.ts';
import { PinIcon } from '../../ui/icons/PinIcon.tsx';
import { SearchIcon } from '../../ui/icons/SearchIcon.tsx';
import { ListRow } from '../../ui/ListRow.tsx';
import { MissingList } from './MissingList.tsx';
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

function NoResult() {
  return (
    <p className={css.none} role="status">
      {t.noResult}
    </p>
  );
}

function Cities({ typed }: { typed: string }) {
  const { data, failure } = useAtomValue(citiesState.atom);
  const type = useAtomValue(shownTypeAtom);
  const flow = useAtomValue(flowAtom);
  const load = useSetAtom(citiesState.load);
  if (!data)
    return <MissingList failure={failure} title={t.listFailed} lineHeight="3.5rem" onRetry={() => void load(type)} />;
  const shown = data.filter((one) => has(one.city, typed));
  if (shown.length === 0) return <NoResult />;
  return (
    <ul className={css.grid}>
      {shown.map((one) => (
        <li key={one.city}>
          <ListRow
            icon={<PinIcon />}
            title={one.city}
            detail={t.storeCount({ count: one.stores })}
            href={href(flowPath('/manualSelector', flow, { city: one.city, deliveryType: type }))}
          />
        </li>
      ))}
    </ul>
  );
}

function City({ city, typed }: { city: string; typed: string }) {
  const { data, failure } = useAtomValue(cityState.atom);
  const type = useAtomValue(shownTypeAtom);
  const load = useSetAtom(cityState.load);
  const choose = useSetAtom(choosePlaceAtom);
  const isChoosing = useAtomValue(findingAtom) !== '';
  if (data?.city !== city)
    return (
      <MissingList failure={failure} title={t.listFailed} lineHeight="3.5rem" onRetry={() => void load(city, type)} />
    );
  if (type === 'DELIVERY') {
    const shown = data.localities.filter((one) => has(one.locality, typed));
    if (shown.length === 0) return <NoResult />;
    return (
      <ul className={css.grid} aria-busy={isChoosing}>
        {shown.map((one) => (
          <li key={one.storeId}>
            <ListRow
              icon={<PinIcon />}
              title={one.locality}
              detail={data.stores.find((store) => store.id === one.storeId)?.hoursText}
              onClick={() =>
                void choose({ delType: type, lat: one.latitude, long: one.longitude, text: `${one.locality}, ${city}` })
              }
            />
          </li>
        ))}
      </ul>
    );
  }
  const shown = data.stores.filter((store) => has(store.name, typed) || has(store.address, typed));
  return shown.length === 0 ? (
    <NoResult />
  ) : (
    <>
      <h2 className="visually-hidden">{t.stores}</h2>
      <StoreList stores={shown} />
    </>
  );
}

/** First the city, then the area or store: for everybody who prefers a list to searching or sharing a position. */
export default function ManualScreen() {
  const place = useAtomValue(pathAtom);
  const type = useAtomValue(shownTypeAtom);
  const flow = useAtomValue(flowAtom);
  const [typed, setTyped] = useState({ city: '', text: '' });
  const city = new URLSearchParams(place.split('?')[1]).get('city') ?? '';
  const text = typed.city === city ? typed.text : '';
  const what = city === '' ? 'CITY' : type === 'DELIVERY' ? 'AREA' : 'STORE';
  const titles = { CITY: t.chooseCity, AREA: t.areasOf({ city }), STORE: t.storesIn({ city }) };
  return (
    <>
      <AppBar
        title={titles[what]}
        subtitle={firstText.deliveryType({ type })}
        back={
          city === ''
            ? { label: t.back, href: href(flowPath('/postorder-ui/searchAddress', flow, { deliveryType: type })) }
            : { label: t.otherCities, href: href(flowPath('/manualSelector', flow, { deliveryType: type })) }
        }
      />
      <div className={css.page}>
        <NoDelivery />
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
        {city === '' ? <Cities typed={text} /> : <City city={city} typed={text} />}
      </div>
    </>
  );
}
