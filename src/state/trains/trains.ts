import * as t from '#text/trains.ts';
import { atom, type Getter, type Setter } from 'jotai';
import { codeOf } from '../../api/failure.ts';
import type { Stop, TrainOrder } from '../../contract/trainOrder.ts';
import * as contract from '../../contract/trains.ts';
import { phoneNumber } from '../../domain/phone.ts';
import { latinDigits, typedNumber, typedText } from '../../domain/typedText.ts';
import { pnrOf } from '../../domain/trains.ts';
import { loadCartAtom } from '../cart/cart.ts';
import { proven } from '../consent/challenge.ts';
import { clockAheadAtom } from '../base/clock.ts';
import { countryAtom } from '../base/country.ts';
import { apiAtom, navigateAtom } from '../first/seams.ts';
import { customerAtom } from '../lib/forget.ts';
import { remote } from '../lib/remote.ts';
import {
  forgetOverAtom,
  NO_PNR,
  NO_SEAT,
  OVER_AFTER_MS,
  pnrHeldAtom,
  seatDraftAtom,
  TYPED_FOR_MS,
  type SeatDraft,
} from './pnr.ts';
import { sentenceOf, showFailureAtom } from '../base/popup.ts';
import { tasks } from '../base/task.ts';
import { cartIdAtom } from '../base/session.ts';
import { boardAtom, tripAtom } from './station.ts';

const pnrErrorHeldAtom = customerAtom('');
/** What is wrong with the PNR, in a sentence. */
export const pnrErrorAtom = atom((get) => get(pnrErrorHeldAtom));

export const typedPnrAtom = atom(
  (get) => get(pnrHeldAtom).typed,
  (get, set, typed: string) => {
    set(pnrErrorHeldAtom, '');
    const until = Date.now() + get(clockAheadAtom) + TYPED_FOR_MS;
    set(pnrHeldAtom, typed === '' ? NO_PNR : { typed, until, isFound: false });
  },
);

/** The journey of a PNR, loaded for exactly these digits. */
const journeyHeld = remote(async (get, set, signal, pnr: string) => {
  await get(apiAtom).ensureSession();
  const { journey } = await proven(get, set, 'guesses', (headers) =>
    get(apiAtom).call(contract.pnr, { pnr }, { signal, headers }),
  );
  const last = journey.stations[journey.stations.length - 1];
  const until = (last?.departsAt ?? journey.departsAt) + OVER_AFTER_MS;
  set(pnrHeldAtom, (held) => (pnrOf(held.typed) === pnr ? { ...held, until, isFound: true } : held));
  return { pnr, journey };
});
const wantedAtom = atom((get) => pnrOf(get(pnrHeldAtom).typed));
/** The journey of the number that is typed; of another number nothing is shown. */
export const journeyAtom = atom((get) => {
  const state = get(journeyHeld.atom);
  return { ...state, data: state.data?.pnr === get(wantedAtom) ? state.data.journey : null };
});

const PNR_DIGITS = 10;
/** What is wrong with what was typed, before anybody is asked. */
function mistakeIn(typed: string): string {
  if (typedText(typed) === '') return t.pnrEmpty;
  if (pnrOf(typed) !== null) return '';
  if (/[^\d\s-]/.test(typedNumber(typed))) return t.pnrLetters;
  const { length } = latinDigits(typed);
  return length === PNR_DIGITS ? t.pnrZero : t.pnrLength({ count: length });
}

/** Looks the typed PNR up. What is wrong with it is said at its field. @returns whether there is a journey */
export const findJourneyAtom = atom(null, async (get, set): Promise<boolean> => {
  const { typed } = get(pnrHeldAtom);
  const mistake = mistakeIn(typed);
  set(pnrErrorHeldAtom, mistake);
  if (mistake !== '') return false;
  const pnr = pnrOf(typed);
  if (pnr === null) return false;
  await set(journeyHeld.load, pnr);
  const { failure, data } = get(journeyAtom);
  if (failure !== null && failure.kind !== 'aborted') set(pnrErrorHeldAtom, sentenceOf(failure));
  return data !== null && failure === null;
});

/** A visit or a reload: a number that was looked up before is looked up again, one whose journey is over is forgotten. */
export const reopenJourneyAtom = atom(null, async (get, set): Promise<void> => {
  set(forgetOverAtom);
  if (get(pnrHeldAtom).isFound) await set(findJourneyAtom);
});
/** Asks again without a word: delays and platforms change while the page is open. */
export const renewJourneyAtom = atom(null, (get, set): void => {
  const pnr = get(wantedAtom);
  if (pnr !== null && get(journeyAtom).data !== null) void set(journeyHeld.load, pnr);
});

/** The rules of a station, its store, and what travels well from there. */
export const stationState = remote(async (get, _set, signal, storeId: string, stationId: string) => ({
  ...(await get(apiAtom).call(contract.station, { storeId, stationId }, { signal })),
  storeId,
}));
export const termsState = remote(async (get, _set, signal) => await get(apiAtom).call(contract.terms, {}, { signal }), {
  isCustomers: false,
});

/** The seat of a ticket is filled in; what was typed for this journey stays. */
const fillSeatAtom = atom(null, (get, set): void => {
  const { data } = get(journeyAtom);
  if (data === null) return;
  set(seatDraftAtom, (draft) =>
    draft.pnrEnd === data.pnrEnd
      ? { ...draft, coach: draft.coach || (data.coach ?? ''), berth: draft.berth || (data.berth ?? '') }
      : { ...NO_SEAT, pnrEnd: data.pnrEnd, coach: data.coach ?? '', berth: data.berth ?? '' },
  );
});

const SEAT = /^[A-Za-z0-9][A-Za-z0-9 /-]*$/;
export type SeatProblems = Partial<Record<'coach' | 'berth' | 'name' | 'mobile', string>>;
/** What is wrong with a seat and with who eats there; empty is fine for coach and berth, which may follow. */
export const seatProblemsAtom = atom((get) => (draft: SeatDraft): SeatProblems => {
  const country = get(countryAtom);
  const { coach, berth, isOther, name, mobile } = draft;
  return {
    ...(typedNumber(coach) !== '' && !SEAT.test(typedNumber(coach)) ? { coach: t.coachWrong } : {}),
    ...(typedNumber(berth) !== '' && !SEAT.test(typedNumber(berth)) ? { berth: t.berthWrong } : {}),
    ...(isOther && typedText(name) === '' ? { name: t.eaterNameMissing } : {}),
    ...(isOther && phoneNumber(mobile, country) === null
      ? { mobile: t.eaterMobileWrong({ digits: country.PHONE_DIGIT }) }
      : {}),
  };
});
/** Coach, berth and passenger as the calls take them. */
export function seatOf({ coach, berth, isOther, name, mobile }: SeatDraft) {
  return {
    coach: typedNumber(coach).toUpperCase() || null,
    berth: typedNumber(berth).toUpperCase() || null,
    passenger: isOther ? { name: typedText(name), mobile } : null,
  };
}

/** The stop of the journey at a station. */
export const stopAtom = atom(
  (get) =>
    (stationId: string): Stop | null =>
      get(journeyAtom).data?.stations.find((stop) => stop.stationId === stationId) ?? null,
);

/** Opens a station of the journey; without the journey, which is looked up first. */
export const openStationAtom = atom(null, async (get, set, stationId: string): Promise<void> => {
  if (get(journeyAtom).data === null) await set(reopenJourneyAtom);
  const stop = get(stopAtom)(stationId);
  const trip = get(tripAtom);
  const storeId = stop?.storeId ?? (trip?.stationId === stationId ? trip.storeId : null);
  set(fillSeatAtom);
  if (storeId === null) return;
  const held = get(stationState.atom).data;
  if (held?.storeId !== storeId || held.station.stationId !== stationId)
    await set(stationState.load, storeId, stationId);
});

export const stationTasks = tasks();

function board(get: Getter, set: Setter, train: TrainOrder): void {
  const held = get(stationState.atom).data;
  if (!held || held.station.stationId !== train.station.stationId) return;
  const { station, store } = held;
  set(
    boardAtom,
    {
      trainOrderId: train.trainOrderId,
      stationId: station.stationId,
      storeId: train.storeId,
      latitude: station.latitude,
      longitude: station.longitude,
      text: t.placeOf({ station: station.name, number: train.train.number }),
      arrivesAt: train.station.arrivesAt,
      orderUntil: train.orderUntil,
    },
    store,
  );
}

/** Saves the station with the seat, so that the menu and the cart are of its store. @returns whether it is saved */
export const saveStationAtom = stationTasks.task(
  async (get, set, stationId: string) => {
    const pnr = get(wantedAtom);
    const draft = get(seatDraftAtom);
    if (pnr === null || Object.keys(get(seatProblemsAtom)(draft)).length > 0) return false;
    const { call, ensureSession } = get(apiAtom);
    await ensureSession();
    const body = { cartId: get(cartIdAtom) ?? '', pnr, stationId, ...seatOf(draft) };
    const { train } = await proven(get, set, 'guesses', (headers) => call(contract.save, { body }, { headers }));
    board(get, set, train);
    set(loadCartAtom).catch(() => undefined);
    return true;
  },
  {
    failed(_get, set, thrown) {
      set(showFailureAtom, thrown);
      // Its time may have passed while the page was open.
      if (/^(TRAIN|STORE|PNR)_/.test(codeOf(thrown))) set(renewJourneyAtom);
    },
  },
);

/** Goes on with what was saved and not ordered yet. */
export const resumeTrainAtom = atom(null, async (get, set, train: TrainOrder): Promise<void> => {
  await set(stationState.load, train.storeId, train.station.stationId);
  const { failure } = get(stationState.atom);
  if (failure !== null) return set(showFailureAtom, failure);
  board(get, set, train);
  get(navigateAtom).go(`/irctcStation?station=${train.station.stationId}`);
});
