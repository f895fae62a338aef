import * as t from '#text/location.ts';
import { useAtomValue } from 'jotai';
import { citiesState, flowAtom, flowPath } from '../../state/places/stores.ts';
import { href } from '../../ui/href.ts';
import { rich } from '../../ui/rich.ts';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import css from './LocationScreen.module.css';

const SHOWN_CITIES = 6;

/** The cities to start with; null while it is open how many there are, and so where the page ends. */
export function useCities() {
  const { data, status } = useAtomValue(citiesState.atom);
  if (data?.type === 'DELIVERY') return data.cities;
  return status === 'failed' ? [] : null;
}

/** The cities with most stores, for a first visit without saved addresses. */
export function Cities() {
  const cities = useCities();
  const flow = useAtomValue(flowAtom);
  if (cities?.length === 0) return null;
  return (
    <section className={css.cities} aria-labelledby="big-cities" aria-busy={cities === null}>
      <h2 id="big-cities">{t.bigCities}</h2>
      <ul>
        {cities === null
          ? Array.from({ length: SHOWN_CITIES }, (_, at) => (
              <li key={at} aria-hidden>
                <Skeleton height="var(--touch)" />
              </li>
            ))
          : [...cities]
              .sort((a, b) => b.stores - a.stores)
              .slice(0, SHOWN_CITIES)
              .map((one) => (
                <li key={one.city}>
                  <a href={href(flowPath('/manualSelector', flow, { city: one.city, deliveryType: 'DELIVERY' }))}>
                    {one.city}{' '}
                    <b>{rich(t.cityStores, { count: one.stores, hidden: <span className="visually-hidden" /> })}</b>
                  </a>
                </li>
              ))}
      </ul>
    </section>
  );
}
