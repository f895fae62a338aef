import type { Country } from '../../../../country/shape.ts';
import type { DeliveryType } from '../../../contract/names.ts';
import { promiseMinutes } from '../../../domain/promise.ts';
import { MINUTE_MS } from '../../../domain/time.ts';
import type { SeedStore } from '../../store/seeds.ts';
import { etaOf } from './eta.ts';
import { lifeOf, promiseFor, serviceContent, serviceOf } from './orders.ts';
import { usualOf } from './stepDurations.ts';

/** An estimate is the same for equal times; lists of stores ask for many. */
const KNOWN_MOST = 2_000;
const known = new Map<string, { readonly from: number; readonly to: number }>();

/**
 * How long an order that is placed at `now` (epoch ms) takes, in minutes: what its tracker will say first. `km` null
 * means somewhere in the delivery area; `delayMs` is what a full kitchen adds. A DELIVERY has arrived at the gate then,
 * any other order is ready at the counter.
 */
export function arrivalMinutes(
  country: Country,
  store: SeedStore,
  deliveryType: DeliveryType,
  at: { readonly km: number | null; readonly now: number; readonly delayMs?: number },
): { from: number; to: number } {
  const { km, now, delayMs = 0 } = at;
  const service = serviceOf({ delivery_type: deliveryType });
  const isBrought = deliveryType === 'DELIVERY';
  const own = usualOf(store, isBrought ? (km ?? store.deliveryRadiusKm / 2) : null, now, country.timeZone);
  const key = `${country.COUNTRY_CODE} ${service} ${own.kitchenMs} ${own.wayMs} ${delayMs}`;
  const found = known.get(key);
  if (found) return found;
  const { from, to } = etaOf(
    {
      status: 'ORDER PLACED',
      stage: null,
      // Only the usual durations count for what is still to come, so the variation of one order plays no part.
      steps: lifeOf(serviceContent(country.COUNTRY_CODE).orderTimeline, service, 0, {
        delayMs,
        own: { ...own, draw: () => 0 },
      }),
      doneAt: [0],
      startsAt: 0,
      delayMs,
      distanceKm: null,
      progress: null,
      first: null,
    },
    0,
  )!;
  const minutes = { from: Math.round(from / MINUTE_MS), to: Math.round(to / MINUTE_MS) };
  if (known.size >= KNOWN_MOST) known.clear();
  known.set(key, minutes);
  return minutes;
}

/**
 * Minutes of the promise for an order placed at `now` (epoch ms); null where none is given: not a delivery, or the store
 * does not expect to keep it now.
 */
export function promiseNow(
  country: Country,
  deliveryType: DeliveryType,
  minutes: { readonly from: number; readonly to: number },
  now: number,
): number | null {
  const service = serviceOf({ delivery_type: deliveryType });
  if (promiseFor(country, { service, pizzas: 1, isAdvance: false }, now) === null) return null;
  const promised = promiseMinutes(now, country);
  return (minutes.from + minutes.to) / 2 <= promised ? promised : null;
}
