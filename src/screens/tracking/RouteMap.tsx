import * as t from '#text/order.ts';
import type { OrderView } from '../../contract/orders.ts';
import { HomeIcon, OfficeIcon, ScooterIcon, StoreIcon } from '../../ui/pictures/icons.ts';
import { addressName } from '../base/words.ts';
import css from './RouteMap.module.css';

/** How far the rider is, or has to go, in one sentence. */
function wayText({ way, rider }: OrderView): string {
  if (way === null) return '';
  const { km, minutes, progress } = way;
  if (progress === null) return km === 0 ? t.wayNextDoor({ minutes }) : t.wayAhead({ km, minutes });
  const name = rider?.name ?? t.wayRider;
  if (progress >= 1) return t.wayAtDoor({ name });
  return km === 0 ? t.wayCloseBy({ name, minutes }) : t.wayToGo({ name, km, minutes });
}

/** The way of a delivery as a line from the store to the door, with the rider on it. Below it the same in words. */
export function RouteMap({ order }: { order: OrderView }) {
  const { way, store, address } = order;
  if (way === null || address === null || order.orderStatus === 'ADVANCE ORDER') return null;
  return (
    <div className={css.way}>
      <div className={css.line} aria-hidden>
        <span className={css.end}>
          <StoreIcon size={20} />
        </span>
        <span className={css.road}>
          {way.progress !== null && (
            <>
              <span className={css.done} style={{ width: `calc(100% * ${way.progress} + 1.1rem)` }} />
              <span className={css.rider} style={{ insetInlineStart: `calc(100% * ${way.progress})` }}>
                <ScooterIcon size={22} />
              </span>
            </>
          )}
        </span>
        <span className={css.end} data-door>
          {address.type === 'office' ? <OfficeIcon size={20} /> : <HomeIcon size={20} />}
        </span>
      </div>
      <div className={css.names} aria-hidden>
        <span>{store.locality || store.name}</span>
        <span>{addressName(address)}</span>
      </div>
      <p>{wayText(order)}</p>
    </div>
  );
}
