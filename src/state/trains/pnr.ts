import { atom } from 'jotai';
import * as z from 'zod/mini';
import { clockAheadAtom } from '../base/clock.ts';
import { kept } from '../first/lib/kept.ts';
import { forgetTripAtom, keptTripAtom } from './station.ts';
import { DAY_MS, HOUR_MS } from '../../domain/time.ts';

// What this device knows of a journey by train: personal, so it is gone once the journey is over, whoever still looks.

const Pnr = z.object({
  typed: z.string(),
  /** When it is forgotten, epoch ms of the server's clock; null where an older page wrote it. */
  until: z.nullable(z.number()),
  /** It was looked up, and there is a journey. */
  isFound: z._default(z.boolean(), false),
});
export const NO_PNR: z.output<typeof Pnr> = { typed: '', until: null, isFound: false };
/** The PNR as it was typed. */
export const pnrHeldAtom = kept<z.output<typeof Pnr>>({ key: 'pnr', schema: Pnr, initial: NO_PNR, forget: 'logout' });

const SeatDraft = z.object({
  pnrEnd: z.string(),
  coach: z.string(),
  berth: z.string(),
  isOther: z.boolean(),
  name: z.string(),
  mobile: z.string(),
});
export type SeatDraft = z.output<typeof SeatDraft>;
export const NO_SEAT: SeatDraft = { pnrEnd: '', coach: '', berth: '', isOther: false, name: '', mobile: '' };
/** Coach, berth and who eats, as typed: VEHICLE_DETAILS of a train. */
export const seatDraftAtom = kept<SeatDraft>({
  key: 'train-seat',
  schema: SeatDraft,
  initial: NO_SEAT,
  forget: 'logout',
});

/** How long after its last arrival a journey is over for us: until then the train may be late. */
export const OVER_AFTER_MS = 6 * HOUR_MS;
/** How long a number is kept that was typed and never found. */
export const TYPED_FOR_MS = DAY_MS;

/** Forgets number, seat, eater and station of a journey that is over. Nothing happens while it is under way. */
export const forgetOverAtom = atom(null, (get, set): void => {
  const now = Date.now() + get(clockAheadAtom);
  const { until } = get(pnrHeldAtom);
  if (until === null || until < now) {
    set(pnrHeldAtom, NO_PNR);
    set(seatDraftAtom, NO_SEAT);
  }
  const trip = get(keptTripAtom);
  if (trip !== null && trip.arrivesAt + OVER_AFTER_MS < now) set(forgetTripAtom);
});
