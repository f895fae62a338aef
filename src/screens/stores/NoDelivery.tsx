import * as errors from '#text/errors.ts';
import * as t from '#text/location.ts';
import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import { searchAddressAtom } from '../../state/places/places.ts';
import { chooseStoreAtom, flowAtom, flowPath, storeErrorAtom } from '../../state/places/stores.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { href } from '../../ui/href.ts';
import { PinIcon } from '../../ui/pictures/icons.ts';
import { rich } from '../../ui/rich.ts';
import { distanceText } from './distance.ts';
import css from './NoDelivery.module.css';

/** Why the store cannot be had, after its alert was closed too: until another place is looked up. */
function Refused() {
  const [refused, setRefused] = useAtom(storeErrorAtom);
  if (!refused) return null;
  return (
    <section className={css.panel} aria-label={refused.header}>
      <PinIcon size={28} />
      <div>
        <p className={css.store}>{refused.message}</p>
        <div className={css.buttons}>
          <Button kind="secondary" onClick={() => setRefused(null)}>
            {t.tryOther}
          </Button>
        </div>
      </div>
    </section>
  );
}

/** Shown when no store delivers to the place: the nearest store to collect from, or the list of cities. */
export function NoDelivery() {
  const [found, setFound] = useAtom(searchAddressAtom);
  const flow = useAtomValue(flowAtom);
  const choose = useSetAtom(chooseStoreAtom);
  if (!found || found.servicable) return <Refused />;
  const store = found.nearbyStore;
  const distance = store ? distanceText(store) : undefined;
  return (
    <section className={css.panel} role="alert" id="no-delivery" tabIndex={-1}>
      <PinIcon size={28} />
      <div>
        <h2>{store ? errors.noDeliveryHere : t.noStoreNearby}</h2>
        {found.text && <p>{found.text}</p>}
        {store && (
          <p className={css.store}>
            {rich(distance === undefined ? t.collectNear : t.collectInstead, {
              store: store.name,
              distance: distance ?? '',
              hours: store.hoursText,
              b: <b />,
            })}
          </p>
        )}
        <div className={css.buttons}>
          {store ? (
            <Button
              onClick={() => {
                setFound(null);
                choose(store, 'PICKUP');
              }}
            >
              {t.collectAt({ place: store.locality })}
            </Button>
          ) : (
            <Button href={href(flowPath('/manualSelector', flow))}>{t.chooseCity}</Button>
          )}
          <Button kind="secondary" onClick={() => setFound(null)}>
            {t.tryOther}
          </Button>
        </div>
      </div>
    </section>
  );
}
