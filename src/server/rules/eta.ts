import type { OrderStatus } from '../../contract/names.ts';
import { shownKm } from '../../domain/geo.ts';
import { targetOf, type LifeStep } from './orders.ts';
import { normalAt, shareBelow, SIGMA } from './pace.ts';

const MINUTE_MS = 60_000;
/** What is stated: 8 of 10 orders arrive within the range. */
export const ETA_RATE = 0.8;
const POINTS = 1023;
/** More stretches than any life has. */
const STRETCHES = 8;
/** Root of x^9 = x + 1: its powers make points that fill eight dimensions evenly (Roberts' R sequence). */
const ROOT = 1.0850702454914507;

let points: { readonly shares: readonly number[]; readonly factors: readonly (readonly number[])[] } | undefined;
/** Of `POINTS` imagined orders: the share of the stretch under way, and how much longer than usual each later one takes. */
function imagined() {
  if (points !== undefined) return points;
  const shareOf = (n: number, stretch: number) => 1e-5 + 0.99998 * ((0.5 + n * ROOT ** -(stretch + 1)) % 1);
  const all = Array.from({ length: POINTS }, (_, n) => n + 1);
  points = {
    shares: all.map((n) => shareOf(n, 0)),
    factors: all.map((n) => Array.from({ length: STRETCHES - 1 }, (_, at) => Math.exp(SIGMA * normalAt(shareOf(n, at + 1))))),
  };
  return points;
}

/** How long is left, in ms, of stretches whose first one has been going on for `elapsedMs`: what one in ten undercuts and one in ten exceeds. */
export function leftOf(usual: readonly number[], elapsedMs: number): { least: number; most: number } {
  const [first = 0, ...later] = usual;
  const { shares, factors } = imagined();
  // Of all the times this stretch may take, only those longer than what has gone by are left.
  const gone = elapsedMs <= 0 || first <= 0 ? 0 : Math.min(0.9999, shareBelow(Math.log(elapsedMs / first) / SIGMA));
  // Typed arrays sort by number, and several times faster.
  const sums = Float64Array.from(shares, (share, n) => {
    const now = first * Math.exp(SIGMA * normalAt(gone + (1 - gone) * share)) - Math.max(0, elapsedMs);
    return later.reduce((sum, ms, at) => sum + ms * (factors[n]?.[at] ?? 1), Math.max(0, now));
  }).sort();
  const at = (share: number) => sums[Math.round(share * (POINTS - 1))] ?? 0;
  return { least: at((1 - ETA_RATE) / 2), most: at((1 + ETA_RATE) / 2) };
}

const Z = normalAt((1 + ETA_RATE) / 2);
/** Standard deviation of what rounding to a minute takes or adds. */
const ROUNDED_MS = MINUTE_MS / Math.sqrt(12);
/** How long the rest of a way takes that usually takes `ms`. Where the rider is says more than how long ago the store was left. */
const wayLeftOf = (ms: number) => ({ least: ms * Math.exp(-Z * SIGMA), most: ms * Math.exp(Z * SIGMA) });

export interface EtaFacts {
  readonly status: OrderStatus;
  readonly stage: string | null;
  /** The life ahead; of steps to come only what they usually take is looked at. */
  readonly steps: readonly LifeStep[];
  /** When each step was reached, epoch ms; null for those to come. */
  readonly doneAt: readonly (number | null)[];
  /** When the order starts, epoch ms. */
  readonly startsAt: number;
  readonly delayMs: number;
  readonly isBrought: boolean;
  readonly distanceKm: number | null;
  /** 0 to 1 while the rider is on the way. */
  readonly progress: number | null;
  /** What was said when the order was placed. */
  readonly first: { readonly from: number; readonly to: number } | null;
}

export interface Eta { readonly from: number; readonly to: number; readonly rate: number; readonly reason: string; readonly moved?: string }

/**
 * When to expect the order, epoch ms: a range that holds for 8 in 10 orders, narrows with every step, and says why it is
 * where it is and why it moved (product.md 3.9). Null once the order is finished or while it is not paid.
 */
export function etaOf(facts: EtaFacts, now: number): Eta | null {
  if (!['ORDER PLACED', 'INPROCESS', 'PICKED UP', 'ADVANCE ORDER'].includes(facts.status)) return null;
  const reason = reasonOf(facts);
  const target = targetOf(facts.steps);
  const last = facts.doneAt.findLastIndex((at) => at !== null);
  if (last >= target) return { from: now, to: now + MINUTE_MS, rate: ETA_RATE, reason };
  const since = last === -1 ? facts.startsAt : facts.doneAt[last]!;
  const base = Math.max(now, facts.startsAt);
  const usual = facts.steps.slice(Math.max(1, last + 1), target + 1).map((step) => step.usualMs);
  const { least, most } = facts.progress === null ? leftOf(usual, base - since) : wayLeftOf((usual[0] ?? 0) * (1 - facts.progress));
  // To the nearest minute: rounding outwards would make the range hold more often than it says, and without what rounding itself
  // varies it would hold less often.
  const spread = (most - least) / (2 * Z);
  const more = Z * (Math.hypot(spread, ROUNDED_MS) - spread);
  const minute = (ms: number) => Math.round((base + ms) / MINUTE_MS) * MINUTE_MS;
  const from = Math.max(now, minute(least - more));
  const to = Math.max(from + MINUTE_MS, minute(most + more));
  const moved = movedBecause(facts, last, base, (from + to) / 2);
  return { from, to, rate: ETA_RATE, reason, ...(moved === null ? {} : { moved }) };
}

/** A shift that nobody would notice needs no words. */
const NOTICED_MINUTES = 2;
const SLOWER: Readonly<Record<string, string>> = {
  CONFIRMED: 'the store confirmed late', PREP: 'orders before yours took longer', BAKE: 'making it took longer than usual', QC: 'the oven took longer than usual',
  READY: 'boxing took longer than usual', 'PICKED UP': 'the rider left later than usual', DELIVERED: 'the way takes longer than usual',
};
const QUICKER: Readonly<Record<string, string>> = {
  CONFIRMED: 'the store confirmed at once', PREP: 'the kitchen was free sooner', BAKE: 'it was made quickly', QC: 'the oven was quick',
  READY: 'it was boxed quickly', 'PICKED UP': 'the rider left sooner', DELIVERED: 'the way is clear',
};

function movedBecause({ first, steps, doneAt, startsAt }: EtaFacts, last: number, now: number, middle: number): string | null {
  if (first === null) return null;
  const minutes = Math.round((middle - (first.from + first.to) / 2) / MINUTE_MS);
  if (Math.abs(minutes) < NOTICED_MINUTES) return null;
  const isLater = minutes > 0;
  let most = { by: 0, id: '' };
  for (let at = 1; at <= Math.min(last + 1, steps.length - 1); at += 1) {
    const took = (doneAt[at] ?? now) - (doneAt[at - 1] ?? startsAt);
    const by = (took - steps[at]!.usualMs) * (isLater ? 1 : -1);
    // What is still going on has not been quick yet.
    if (by > most.by && (isLater || doneAt[at] !== null)) most = { by, id: steps[at]!.id };
  }
  const because = (isLater ? SLOWER : QUICKER)[most.id];
  return `About ${Math.abs(minutes)} minutes ${isLater ? 'later' : 'sooner'} than we first said${because === undefined ? '' : `: ${because}`}.`;
}

function reasonOf(facts: EtaFacts): string {
  const km = facts.distanceKm === null ? null : shownKm(facts.distanceKm);
  if (facts.status === 'ADVANCE ORDER') return 'The store starts in time for the hour you chose.';
  if (facts.status === 'PICKED UP') {
    const left = facts.distanceKm === null || facts.progress === null ? null : shownKm(facts.distanceKm * (1 - facts.progress));
    return left === null || left === 0 ? 'Your order is on its way.' : `Your order is on its way: about ${left} km to go.`;
  }
  if (facts.stage === 'READY') return 'Your order is ready.';
  const delay = Math.round(facts.delayMs / MINUTE_MS);
  if (delay >= 1) return `The kitchen is busy: orders before yours add about ${delay} ${delay === 1 ? 'minute' : 'minutes'}.`;
  if (!facts.isBrought) return 'The kitchen is keeping up.';
  if (km === null) return 'The kitchen is keeping up.';
  return `The kitchen is keeping up, and you are ${km === 0 ? 'next door to the store' : `${km} km from the store`}.`;
}
