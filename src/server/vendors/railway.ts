import { HOUR_MS, MINUTE_MS } from '../../domain/time.ts';
import { createHash } from 'node:crypto';
import type { RailRun, RailStop, RailTicket } from '../call/railway.ts';
import type { RailwayEvent } from '../store/railway.ts';
import type { SeedTicket, SeedTrains } from '../store/seeds.ts';

/** The chart is drawn up so long before the train leaves its first station. */
const CHART_MS = 2.5 * HOUR_MS;
/** A train stands ready at its first station so long before it leaves. */
const READY_MINUTES = 20;
const HALT_MINUTES = 5;
const LONG_HALT_MINUTES = 10;
/** From so many platforms on a halt is a long one. */
const BIG_STATION = 8;
/** A platform is said so long before. */
const PLATFORM_KNOWN_MS = 12 * HOUR_MS;

const runId = (train: string, startsAt: number): string => `${train}-${startsAt}`;

const minuteOf = (seed: SeedTrains, train: string, station: string | undefined): number =>
  seed.trains.find(({ number }) => number === train)?.stops.find((stop) => stop.station === station)?.minute ?? 0;

/** The run of a ticket of the seed, if the first question came at `base`. */
export function runOfTicket(seed: SeedTrains, ticket: SeedTicket, base: number): string | null {
  if (ticket.train === null) return null;
  const boards = base + (ticket.departsInHours ?? 0) * HOUR_MS;
  return runId(ticket.train, boards - minuteOf(seed, ticket.train, ticket.from) * MINUTE_MS);
}

const nameOf = (seed: SeedTrains, code: string): string =>
  seed.stations.find((station) => station.code === code)?.name ?? seed.places[code] ?? code;

function platformOf(seed: SeedTrains, run: string, code: string): string {
  const platforms = seed.stations.find((station) => station.code === code)?.platforms ?? 4;
  return String((createHash('sha256').update(`${run} ${code}`).digest()[0]! % platforms) + 1);
}

interface Live {
  readonly code: string;
  readonly scheduledAt: number;
  readonly haltMs: number;
  delayMs: number;
  platform: string;
  missed: RailStop['missed'];
}

function timetableOf(seed: SeedTrains, run: string, train: SeedTrains['trains'][number], startsAt: number): Live[] {
  return train.stops.map(({ station, minute }) => {
    const isBig = (seed.stations.find(({ code }) => code === station)?.platforms ?? 0) >= BIG_STATION;
    const isFirst = minute === 0;
    return {
      code: station,
      scheduledAt: startsAt + (isFirst ? -READY_MINUTES : minute) * MINUTE_MS,
      haltMs: (isFirst ? READY_MINUTES : isBig ? LONG_HALT_MINUTES : HALT_MINUTES) * MINUTE_MS,
      delayMs: 0,
      platform: platformOf(seed, run, station),
      missed: null,
    };
  });
}

const isAhead = (stop: Live, at: number): boolean => stop.scheduledAt + stop.delayMs > at;

/** What each event does to the stops that the train has not reached; `own` is the one that it is about. */
const EVENTS: Readonly<Record<string, (stop: Live, event: RailwayEvent, own: Live | undefined) => void>> = {
  restore(stop) {
    stop.missed = null;
    stop.delayMs = 0;
  },
  delay(stop, { minutes }) {
    stop.delayMs = (minutes ?? 0) * MINUTE_MS;
  },
  skip(stop, _event, own) {
    if (stop === own) stop.missed = 'SKIPPED';
  },
  short(stop, _event, own) {
    if (stop !== own) stop.missed = 'SHORT';
  },
  platform(stop, { platform }, own) {
    if (stop === own) stop.platform = platform ?? stop.platform;
  },
};

/**
 * A run as it stands at `now`: the timetable, and what happened on the way, in order. A delay begins at its station and
 * lasts, until another one says otherwise; where the train has been nothing changes any more.
 */
export function runNow(seed: SeedTrains, run: string, events: readonly RailwayEvent[], now: number): RailRun | null {
  const [number = '', start = ''] = run.split('-');
  const train = seed.trains.find((one) => one.number === number);
  const startsAt = Number(start);
  if (train === undefined || !Number.isSafeInteger(startsAt) || startsAt <= 0) return null;
  const stops = timetableOf(seed, run, train, startsAt);
  let cancelledAt: number | null = null;
  for (const event of events) {
    const { kind, at } = event;
    if (kind === 'cancel') cancelledAt ??= at;
    if (kind === 'restore') cancelledAt = null;
    const from = Math.max(
      0,
      stops.findIndex(({ code }) => code === event.station),
    );
    const own = stops.find(({ code }) => code === event.station);
    for (const stop of stops.slice(from).filter((one) => isAhead(one, at))) {
      EVENTS[kind]?.(stop, event, own);
      // Where a train is late, it was not before that was said.
      if (!isAhead(stop, at)) stop.delayMs = at - stop.scheduledAt;
    }
  }
  const view = (stop: Live): RailStop => {
    const arrivesAt = stop.scheduledAt + stop.delayMs;
    const isRunning = stop.missed === null && (cancelledAt === null || arrivesAt <= cancelledAt);
    return {
      code: stop.code,
      name: nameOf(seed, stop.code),
      scheduledAt: stop.scheduledAt,
      arrivesAt,
      departsAt: arrivesAt + stop.haltMs,
      platform: arrivesAt - now > PLATFORM_KNOWN_MS ? null : stop.platform,
      missed: stop.missed,
      hasArrived: isRunning && arrivesAt <= now,
    };
  };
  return { run, number, name: train.name, isCancelled: cancelledAt !== null, stops: stops.map(view) };
}

/** A ticket of the seed as the railway shows it at `now`; null: there is none. */
export function ticketNow(seed: SeedTrains, ticket: SeedTicket, base: number, now: number): RailTicket | null {
  const run = runOfTicket(seed, ticket, base);
  if (run === null || ticket.status === 'INVALID') return null;
  const isCharted = now >= Number(run.split('-')[1]) - CHART_MS;
  const isSeated = ticket.status !== 'WL' || isCharted;
  const place = (code = '') => ({ code, name: nameOf(seed, code) });
  return {
    state: ticket.status === 'WL' && isCharted ? 'CNF' : ticket.status,
    isCharted,
    run,
    from: place(ticket.from),
    to: place(ticket.to),
    departsAt: base + (ticket.departsInHours ?? 0) * HOUR_MS,
    coach: isSeated ? (ticket.coach ?? null) : null,
    berth: isSeated ? (ticket.berth ?? null) : null,
    passengers: ticket.passengers ?? 1,
  };
}
