import { atom, type Getter } from 'jotai';
import * as z from 'zod/mini';
import * as orders from '../../contract/orders.ts';
import * as payments from '../../contract/payments.ts';
import { cartIdAtom } from '../base/session.ts';
import { syncCartAtom } from '../cart/cart.ts';
import { deviceHeaders } from '../consent/challenge.ts';
import { customerOf, detailAtom } from '../drafts/detail.ts';
import { paymentModeAtom } from '../drafts/mode.ts';
import { slotIdAtom } from '../drafts/slot.ts';
import { tableAtom } from '../drafts/table.ts';
import { slotsState } from '../drafts/timeSlots.ts';
import { vehicleAtom } from '../drafts/vehicle.ts';
import { isCartWaitingAtom } from '../first/cart.ts';
import { kept } from '../first/lib/kept.ts';
import { deliveryPlaceAtom, deliveryTypeAtom, storeIdAtom } from '../first/location.ts';
import { apiAtom } from '../first/seams.ts';
import { customerAtom } from '../lib/forget.ts';
import { remote } from '../lib/remote.ts';
import { fundsChoiceAtom, wholeModeOf } from '../payment/funds.ts';
import { onTrainAtom } from '../trains/onTrain.ts';

/** The slot that the page itself has taken, because the store makes nothing at once; '' where a customer has chosen. */
const takenSlotAtom = kept<string>({ key: 'slot-taken', schema: z.string(), initial: '', forget: 'logout' });
/** Where this device orders from and to. */
export function where(get: Getter) {
  const deliveryType = get(deliveryTypeAtom);
  const vehicle = get(vehicleAtom);
  const trip = get(onTrainAtom);
  return {
    // The session's cart: after a login the cart on screen may still be the guest's.
    cartId: get(cartIdAtom) ?? '',
    storeId: get(storeIdAtom),
    deliveryType,
    address: deliveryType === 'DELIVERY' && trip === null ? (get(deliveryPlaceAtom)?.address ?? null) : null,
    vehicle:
      deliveryType === 'CURB' && /^\d{4}$/.test(vehicle.lastFourDigits) && vehicle.colour && vehicle.model
        ? vehicle
        : null,
    table: deliveryType === 'DINEIN' ? get(tableAtom) || null : null,
    slotId: trip === null ? get(slotIdAtom) : null,
    ...(trip === null ? {} : { train: trip.trainOrderId }),
  };
}
/** The chosen time is not among those of the store any more. */
const SLOT_GONE = 'SLOT_INVALID';
/** Problems, the locked bill and the possible payment modes, from the server (specification section 7, validations). */
export const quoteState = remote(async (get, set, signal) => {
  if (get(isCartWaitingAtom)) await set(syncCartAtom);
  const detail = get(detailAtom);
  const mode = get(paymentModeAtom);
  const place = get(deliveryPlaceAtom);
  const isBrought = get(deliveryTypeAtom) === 'DELIVERY' && get(onTrainAtom) === null;
  const ask = (slot = {}) =>
    get(apiAtom).call(
      orders.validations,
      {
        body: {
          ...where(get),
          ...slot,
          // The time is that of the place, as everywhere else, also before its house is known.
          ...(isBrought && place && !place.address
            ? { near: { latitude: place.latitude, longitude: place.longitude } }
            : {}),
          ...(detail.fName && detail.mobNo ? { customer: customerOf(detail) } : {}),
          ...(mode ? { paymentMode: mode as payments.PaymentOption['id'] } : {}),
          ...get(fundsChoiceAtom),
        },
      },
      { signal, headers: deviceHeaders(get) },
    );
  const isTaken = get(slotIdAtom) !== null && get(slotIdAtom) === get(takenSlotAtom);
  if (isTaken) {
    // For want of anything earlier: once the store is back, the order is for now again.
    const soonest = await ask({ slotId: null });
    if (soonest.takes !== 'later') {
      set(slotIdAtom, null);
      void set(slotsState.load);
      return soonest;
    }
  }
  let reply = await ask();
  const gone = reply.problems.find(({ code }) => code === SLOT_GONE);
  if (gone) {
    // The time has passed, or the order goes to another store: nothing on the page shows it any more, so nothing may send it.
    set(slotIdAtom, null);
    if (!isTaken) set(problemsAtom, [gone]);
    void set(slotsState.load);
    reply = await ask();
  }
  if (get(slotIdAtom) !== null || get(onTrainAtom) !== null || reply.takes !== 'later') return reply;
  await set(slotsState.load);
  const first = get(slotsState.atom).data?.slots[0]?.id;
  if (first === undefined) return reply;
  set(takenSlotAtom, first);
  set(slotIdAtom, first);
  return await ask();
});
/** Balances pay the whole order: no payment mode has to be chosen. */
export const isWholeAtom = atom((get) => wholeModeOf(get(quoteState.atom).data?.funds) !== null);
/** What the server refused at the last try, with the fields it is about. */
export const problemsAtom = customerAtom<
  readonly { readonly code: string; readonly displayMsg: string; readonly field?: string | undefined }[]
>([]);
/** Takes another time for the order; null is as soon as possible. */
export const chooseSlotAtom = atom(null, async (_get, set, slotId: string | null): Promise<void> => {
  set(slotIdAtom, slotId);
  set(takenSlotAtom, '');
  set(problemsAtom, (before) => before.filter(({ code }) => code !== SLOT_GONE));
  await set(quoteState.load);
});
