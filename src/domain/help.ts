import type { CartLine } from '../contract/cart.ts';
import type { Issue } from '../contract/help.ts';
import { money, type Money } from '../contract/money.ts';
import type { Service } from './orders.ts';
import { pieceCosts } from './allocation.ts';
import { add, percent, rounding, smaller, ZERO } from './money.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './time.ts';

// All rules of the guided help: what comes back, how much, how long, how often, and when a person decides.

interface IssueRule {
  /** Whether it is said of dishes or of the whole order. */
  readonly about: 'items' | 'order';
  /** The refunded part of the dishes' share of the bill, in basis points; null: a person decides. */
  readonly share: number | null;
  /** How long after the order has ended the rule answers by itself (ms). After that, a person does. */
  readonly withinMs: number;
  /** Of which services it can be said; absent: of all. */
  readonly services?: readonly Service[];
  /** It can be said before the order has ended, and of one that ended without food. */
  readonly always?: true;
}
const BROUGHT: readonly Service[] = ['DELIVERY', 'IRCTC'];

export const RULES: Readonly<Record<Issue, IssueRule>> = {
  missing: { about: 'items', share: 10_000, withinMs: DAY_MS },
  wrong: { about: 'items', share: 10_000, withinMs: DAY_MS },
  damaged: { about: 'items', share: 10_000, withinMs: DAY_MS },
  cold: { about: 'items', share: 5_000, withinMs: 6 * HOUR_MS },
  taste: { about: 'items', share: 2_500, withinMs: DAY_MS },
  // The promise pays a late delivery by itself. This is for orders without one.
  late: { about: 'order', share: 1_000, withinMs: DAY_MS, always: true },
  notDelivered: { about: 'order', share: null, withinMs: DAY_MS, services: BROUGHT },
  rider: { about: 'order', share: null, withinMs: DAY_MS, services: BROUGHT },
  bill: { about: 'order', share: null, withinMs: DAY_MS, always: true },
  payment: { about: 'order', share: null, withinMs: DAY_MS, always: true },
};

/** How much the rules pay without a person, in minor units of the currency: per order, and per customer in a window. */
const LIMITS: Readonly<Record<string, { readonly order: number; readonly customer: number }>> = {
  INR: { order: 50_000, customer: 100_000 },
  LKR: { order: 250_000, customer: 500_000 },
  BDT: { order: 60_000, customer: 120_000 },
};
/** In a currency without limits, a person decides everything. */
export const helpLimits = (currency: string) => LIMITS[currency] ?? { order: 0, customer: 0 };
/**
 * How often the rules pay one customer in a window, however little. A device, a door or a way to pay has so much for each
 * who may share it.
 */
export const CLAIMS_BY_RULE = 3;
export const CLAIM_WINDOW_MS = 30 * DAY_MS;
/** How long after an order has ended somebody looks at it at all. */
const HELP_FOR_MS = 7 * DAY_MS;
/** When somebody has answered at the latest. */
export const PERSON_ANSWERS_MS = 30 * MINUTE_MS;
/** Without a promise, an order is late when it comes so much after the time that was stated. */
export const LATE_AFTER_MS = 15 * MINUTE_MS;
/** How long money waits at a counter. */
export const COUNTER_FOR_MS = 30 * DAY_MS;

/** When an order can still be helped with, or why not. */
export type HelpState = 'OPEN' | 'EARLY' | 'SERVICE' | 'LOST' | 'OVER';

/** @param endedAt when it was handed over or ended without food; null before that (epoch ms) */
export function helpState(
  issue: Issue,
  order: { readonly service: Service; readonly endedAt: number | null; readonly isLost: boolean },
  now: number,
): HelpState {
  const rule = RULES[issue];
  if (rule.services !== undefined && !rule.services.includes(order.service)) return 'SERVICE';
  if (order.endedAt !== null && now > order.endedAt + HELP_FOR_MS) return 'OVER';
  if (order.isLost && !(rule.always && issue !== 'late')) return 'LOST';
  return order.endedAt === null && !rule.always ? 'EARLY' : 'OPEN';
}

/** The part of a line that can be named alone: a half of a pizza, or a dish of a combo. */
export interface LinePart {
  readonly id: string;
  readonly slot?: number;
}
export const WHOLE_PART = 'ALL';

/** The parts of one piece of a line; a dish without parts is one part by itself. */
export function partsOfLine(line: Pick<CartLine, 'build' | 'slots'>): readonly LinePart[] {
  const { slots } = line;
  if (slots !== undefined && slots.length > 1) return slots.map((_, index) => ({ id: `SLOT-${index}`, slot: index }));
  return line.build?.secondHalf === undefined ? [{ id: WHOLE_PART }] : [{ id: 'LEFT' }, { id: 'RIGHT' }];
}

/** How many of each part of each line are named: `parts.get(lineId)?.get(partId)`. */
export type PartCounts = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** The named pieces by part; null if one is not in the order, or named more often than it is there. */
export function namedParts(
  lines: readonly CartLine[],
  pieces: readonly { lineId: string; part?: string | undefined; quantity: number }[],
): PartCounts | null {
  const named = new Map<string, Map<string, number>>();
  for (const { lineId, part, quantity } of pieces) {
    const line = lines.find((own) => own.lineId === lineId);
    if (line === undefined) return null;
    const parts = partsOfLine(line).filter((own) => part === undefined || own.id === part);
    if (parts.length === 0) return null;
    const own = named.get(lineId) ?? new Map<string, number>();
    named.set(lineId, own);
    for (const { id } of parts) {
      own.set(id, (own.get(id) ?? 0) + quantity);
      if (own.get(id)! > line.quantity) return null;
    }
  }
  return named;
}

/** An order's dishes and what each line of them cost. */
export interface Dishes {
  readonly lines: readonly CartLine[];
  readonly costs: readonly {
    readonly lineId: string;
    readonly cost: number;
    /** What its pieces cost, one against the other, dearest first; absent where all cost the same. */
    readonly pieces?: readonly number[] | undefined;
    /** Of a combo: what each of its dishes costs by itself. */
    readonly partPrices?: readonly number[] | undefined;
  }[];
}
/** How many of a part of a line were named before. */
export type NamedBefore = (lineId: string, partId: string) => number;

/** The cost of each part of each piece of a line, dearest piece first: `piecesOf(dishes, line)[piece][part]`. */
function piecesOf({ costs }: Dishes, line: CartLine): Money[][] {
  const own = costs.find(({ lineId }) => lineId === line.lineId);
  const parts = partsOfLine(line);
  const prices = own?.partPrices;
  return pieceCosts(
    money(own?.cost ?? 0),
    own?.pieces?.length === line.quantity ? own.pieces : Array.from({ length: line.quantity }, () => 1),
    prices?.length === parts.length ? prices : parts.map(() => 1),
  );
}

/** The cost of the named parts of each line with discounts and taxes, by the line's id; with no part named, of all dishes. */
export function worthByLine(
  dishes: Dishes,
  named: PartCounts | null,
  before: NamedBefore = () => 0,
): Map<string, Money> {
  return new Map(
    dishes.lines.map((line) => {
      const own = piecesOf(dishes, line);
      const worths = partsOfLine(line).flatMap(({ id }, part) => {
        const from = named === null ? 0 : before(line.lineId, id);
        const to = named === null ? line.quantity : from + (named.get(line.lineId)?.get(id) ?? 0);
        return own.slice(from, to).map((piece) => piece[part]!);
      });
      return [line.lineId, add(ZERO, ...worths)];
    }),
  );
}
export const worthOf = (dishes: Dishes, named: PartCounts | null, before?: NamedBefore): Money =>
  add(ZERO, ...worthByLine(dishes, named, before).values());

/** A rule's refund of that worth: all of it to the last unit; a part in whole units of the currency, unless that is nothing. */
export function shareOf(issue: Issue, worth: Money, roundTo: number): Money {
  const { share: points } = RULES[issue];
  if (points === null || points === 10_000) return worth;
  const share = percent(worth, points);
  const round = money(share + rounding(share, roundTo));
  return smaller(round > 0 ? round : share, worth);
}

/** Why a person decides. */
export type PersonReason = 'RULE' | 'ASKED' | 'AGED' | 'AMOUNT' | 'OFTEN' | 'WORTH';

/**
 * Whether the rules answer by themselves; null: they do. What the customer was given in the window is checked once more
 * by a guarded update.
 */
export function personReason(
  issue: Issue,
  of: {
    readonly amount: number;
    readonly endedAt: number | null;
    readonly given: number;
    /** Refunds in the window by each sign that the customer is known by, and how many people may share that sign. */
    readonly known: readonly { readonly given: number; readonly claims: number; readonly room: number }[];
    readonly currency: string;
  },
  now: number,
): PersonReason | null {
  const rule = RULES[issue];
  const limits = helpLimits(of.currency);
  if (rule.share === null) return 'RULE';
  if (of.amount <= 0) return 'WORTH';
  if (of.endedAt === null || now > of.endedAt + rule.withinMs) return 'AGED';
  const isTooMuch = of.known.some(({ given, room }) => given + of.amount > limits.customer * room);
  if (of.given + of.amount > limits.order || isTooMuch) return 'AMOUNT';
  return of.known.some(({ claims, room }) => claims >= CLAIMS_BY_RULE * room) ? 'OFTEN' : null;
}
