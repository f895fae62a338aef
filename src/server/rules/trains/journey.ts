import type { Journey, Stop, StopState } from '../../../contract/trainOrder.ts';
import { openState } from '../../../domain/hours.ts';
import {
  BOOK_AHEAD_HOURS,
  CANCEL_MINUTES,
  HAND_OVER_MINUTES,
  ON_PLATFORM_MINUTES,
  PAY_AFTER_CUTOFF_MINUTES,
  pnrOf,
  stopMinutes,
  windowOf,
} from '../../../domain/trains.ts';
import { HOUR_MS, MINUTE_MS } from '../../../domain/time.ts';
import { errors, railway as say } from '../../call/language.ts';
import type { Call } from '../../call/call.ts';
import type { CountryCatalogue } from '../../call/catalogue.ts';
import type { RailRun, RailStop, RailTicket } from '../../call/railway.ts';
import { refuse } from '../../call/refusal.ts';
import type { Services } from '../../call/services.ts';
import { readTrainSeed, type SeedStation, type SeedStore } from '../../store/seeds.ts';
import type { TrainRow } from '../../store/trains.ts';
import { hereOf, type Here } from '../catalogue/here.ts';
import { mayDo, takeOneBack, unlessFailed } from '../people/limits.ts';
import { storeView } from '../places/stores.ts';

/** The kitchen works about so long before the train is there. */
const KITCHEN_MINUTES = 20;

export const stationByCode = (country: string, code: string): SeedStation | undefined =>
  readTrainSeed(country)?.stations.find((station) => station.code === code);

/** The store that brings to a station; undefined where there is none. */
export function storeOfStation(catalogue: CountryCatalogue, code: string): SeedStore | undefined {
  const station = stationByCode(catalogue.country.COUNTRY_CODE, code);
  const store = station?.serviceable ? catalogue.stores.get(station.servedByStoreId ?? '') : undefined;
  return store?.services.includes('IRCTC') ? store : undefined;
}

/** Whether a store can make an order for a train that is there at `arrivesAt`. */
export function isOpenFor(catalogue: CountryCatalogue, store: SeedStore, arrivesAt: number): boolean {
  const begins = arrivesAt - (KITCHEN_MINUTES + ON_PLATFORM_MINUTES) * MINUTE_MS;
  const { timeZone } = catalogue.country;
  return [begins, arrivesAt + HAND_OVER_MINUTES * MINUTE_MS].every((at) => openState(store.hours, at, timeZone).isOpen);
}

/** What the railway says, or the sentence that it says nothing. @throws Refusal 503 RAILWAY_AWAY */
export async function heardFromRailway<T>(services: Pick<Services, 'log'>, asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    services.log.warn({ error: String(error) }, 'the railway gave no answer');
    return refuse(503, 'RAILWAY_AWAY', say.railwayAway);
  }
}

export interface RailJourney {
  readonly pnr: string;
  readonly ticket: RailTicket;
  readonly run: RailRun;
}

/** The stops of a journey, from boarding to destination; stations that the railway does not list are its ends. */
export function stopsBetween(run: RailRun, { from, to }: Pick<RailTicket, 'from' | 'to'>): readonly RailStop[] {
  const first = run.stops.findIndex(({ code }) => code === from.code);
  const last = run.stops.findIndex(({ code }) => code === to.code);
  return run.stops.slice(Math.max(0, first), last === -1 ? run.stops.length : last + 1);
}

/**
 * The ticket of a typed PNR and its train. Who asks for many is asked for a proof of work, and then refused: nobody may
 * try out numbers until one is somebody's.
 * @throws Refusal 422 PNR_MALFORMED, PNR_CANCELLED, PNR_OVER, TRAIN_CANCELLED; 404 PNR_UNKNOWN; 428 CHALLENGE; 429
 *   TOO_MANY; 503 RAILWAY_AWAY
 */
export async function findJourney(call: Call, typed: string): Promise<RailJourney> {
  const pnr = pnrOf(typed);
  if (pnr === null) return refuse(422, 'PNR_MALFORMED', say.pnrMalformed, { field: 'pnr' });
  const { railway } = call.services;
  const counts = ['pnrs', 'pnrGuesses'] as const;
  await mayDo(call, counts);
  const ticket = await unlessFailed(call, counts, () => heardFromRailway(call.services, railway.ticket(pnr)));
  if (ticket === null) return refuse(404, 'PNR_UNKNOWN', say.pnrUnknown, { field: 'pnr' });
  await takeOneBack(call, 'pnrGuesses');
  if (ticket.state === 'CAN') refuse(422, 'PNR_CANCELLED', say.pnrCancelled, { field: 'pnr' });
  const run = await heardFromRailway(call.services, railway.run(ticket.run));
  if (run === null || run.isCancelled) return refuse(422, 'TRAIN_CANCELLED', say.trainCancelled, { field: 'pnr' });
  const stops = stopsBetween(run, ticket);
  if (stops.every((stop) => stop.departsAt <= call.now)) refuse(422, 'PNR_OVER', say.pnrOver, { field: 'pnr' });
  return { pnr, ticket, run };
}

/** Whether an order can come to a halt. */
export function stopState({ catalogue, offline, now }: Here, stop: RailStop): StopState {
  const station = stationByCode(catalogue.country.COUNTRY_CODE, stop.code);
  const store = storeOfStation(catalogue, stop.code);
  if (stop.missed !== null) return 'SKIPPED';
  if (stop.hasArrived || stop.arrivesAt <= now) return 'PASSED';
  if (station === undefined || store === undefined) return 'NOT_SERVED';
  const { opensAt, orderUntil } = windowOf(stop.arrivesAt, station.cutoffMinutes);
  if (now < opensAt) return 'TOO_EARLY';
  if (now >= orderUntil) return 'CLOSED';
  return offline.has(store.id) || !isOpenFor(catalogue, store, stop.arrivesAt) ? 'STORE_SHUT' : 'OPEN';
}

function reasonOf(state: StopState, cutoffMinutes: number): string | null {
  return {
    OPEN: null,
    TOO_EARLY: say.stopTooEarly({ hours: BOOK_AHEAD_HOURS }),
    CLOSED: say.stopClosed({ minutes: cutoffMinutes }),
    STORE_SHUT: say.stopStoreShut,
    NOT_SERVED: say.stopNotServed,
    SKIPPED: say.stopSkipped,
    PASSED: say.stopPassed,
  }[state];
}

const NO_WINDOW = { opensAt: null, orderUntil: null, payUntil: null } as const;

function stopView(here: Here, stop: RailStop, { from, to }: RailTicket): Stop {
  const { catalogue } = here;
  const station = stationByCode(catalogue.country.COUNTRY_CODE, stop.code);
  const store = storeOfStation(catalogue, stop.code);
  const state = stopState(here, stop);
  const window = station && store ? windowOf(stop.arrivesAt, station.cutoffMinutes) : NO_WINDOW;
  return {
    stationId: stop.code,
    name: stop.name,
    city: station?.city ?? stop.name,
    latitude: station?.latitude ?? 0,
    longitude: station?.longitude ?? 0,
    scheduledAt: stop.scheduledAt,
    arrivesAt: stop.arrivesAt,
    departsAt: stop.departsAt,
    ...stopMinutes(stop),
    platform: stop.platform,
    isBoarding: stop.code === from.code,
    isDestination: stop.code === to.code,
    state,
    reason: reasonOf(state, station?.cutoffMinutes ?? 0),
    storeId: store?.id ?? null,
    storeName: store?.name ?? null,
    ...window,
  };
}

function noticeOf({ state, isCharted }: RailTicket): string | null {
  if (state === 'WL') return say.ticketWaiting;
  if (state === 'RAC') return say.ticketShared;
  return isCharted ? null : say.ticketNotCharted;
}

/** The journey as its passenger sees it. @throws Refusal 422 TRAIN_NOT_SERVED */
export async function journeyOf(call: Call, { pnr, ticket, run }: RailJourney): Promise<Journey> {
  const here = await hereOf(call);
  const stops = stopsBetween(run, ticket);
  if (!stops.some((stop) => storeOfStation(here.catalogue, stop.code) !== undefined))
    refuse(422, 'TRAIN_NOT_SERVED', say.trainNotServed, { field: 'pnr' });
  return {
    pnrEnd: pnr.slice(-4),
    train: { number: run.number, name: run.name },
    from: { stationId: ticket.from.code, name: ticket.from.name },
    to: { stationId: ticket.to.code, name: ticket.to.name },
    departsAt: ticket.departsAt,
    ticket: ticket.state === 'WL' ? 'WAITING' : ticket.state === 'RAC' ? 'RAC' : 'CONFIRMED',
    isCharted: ticket.isCharted,
    coach: ticket.coach,
    berth: ticket.berth,
    passengers: ticket.passengers,
    notice: noticeOf(ticket),
    stations: stops.map((stop) => stopView(here, stop, ticket)),
  };
}

/** How soon the railway is asked again about an order's train, in milliseconds: the nearer it is, the sooner. */
export function nextLook(row: Pick<TrainRow, 'arrives_at' | 'question'>, now: number): number {
  const left = row.arrives_at - now;
  if (left > 24 * HOUR_MS) return HOUR_MS;
  if (left > 6 * HOUR_MS) return 30 * MINUTE_MS;
  if (left > 2 * HOUR_MS) return 10 * MINUTE_MS;
  if (left > HOUR_MS / 2 || row.question !== null) return 5 * MINUTE_MS;
  return left > -HOUR_MS ? 2 * MINUTE_MS : 10 * MINUTE_MS;
}

/** A station to which a store brings, with the times that count there. @throws Refusal 404 NOT_FOUND where this store does not */
export function stationView({ catalogue, offline, now }: Here, storeId: string, stationId: string) {
  const station = stationByCode(catalogue.country.COUNTRY_CODE, stationId);
  const store = storeOfStation(catalogue, stationId);
  if (station === undefined || store?.id !== storeId) return refuse(404, 'NOT_FOUND', errors.notFound);
  return {
    station: {
      stationId,
      name: station.name,
      city: station.city,
      latitude: station.latitude,
      longitude: station.longitude,
      platforms: station.platforms,
      hint: say.hint,
      cutoffMinutes: station.cutoffMinutes,
      payMinutes: station.cutoffMinutes - PAY_AFTER_CUTOFF_MINUTES,
      cancelMinutes: CANCEL_MINUTES,
      bookAheadHours: BOOK_AHEAD_HOURS,
    },
    store: storeView(catalogue, store, offline, now),
    travelsWell: readTrainSeed(catalogue.country.COUNTRY_CODE)?.travelsWell ?? [],
  };
}
