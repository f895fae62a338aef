import type { OrderStatus } from '../../contract/names.ts';
import { shownKm } from '../../domain/geo.ts';

const MINUTE_MS = 60_000;

export interface EtaFacts {
  readonly status: OrderStatus;
  readonly stage: string | null;
  /** When the last step is planned, epoch ms. */
  readonly endsAt: number;
  /** When the order started (the plan's first step). */
  readonly startsAt: number;
  readonly delayMs: number;
  readonly isBrought: boolean;
  readonly distanceKm: number | null;
  /** 0 to 1 while the rider is on the way. */
  readonly progress: number | null;
}

/**
 * When to expect the order, epoch ms, as a range that narrows with every step, and why (product.md 3.9).
 * Null once the order is finished or while it is not paid.
 */
export function etaOf(facts: EtaFacts, now: number): { from: number; to: number; reason: string } | null {
  if (!['ORDER PLACED', 'INPROCESS', 'PICKED UP', 'ADVANCE ORDER'].includes(facts.status)) return null;
  const left = Math.max(0, facts.endsAt - Math.max(now, facts.startsAt));
  const spread = left * 0.15;
  const from = Math.max(now, Math.floor((facts.endsAt - spread) / MINUTE_MS) * MINUTE_MS);
  const to = Math.max(from + MINUTE_MS, Math.ceil((facts.endsAt + spread) / MINUTE_MS) * MINUTE_MS);
  return { from, to, reason: reasonOf(facts) };
}

function reasonOf(facts: EtaFacts): string {
  const km = facts.distanceKm === null ? null : shownKm(facts.distanceKm);
  if (facts.status === 'ADVANCE ORDER') return 'The store starts in time for the hour you chose.';
  if (facts.status === 'PICKED UP') {
    const left = km === null || facts.progress === null ? null : shownKm(km * (1 - facts.progress));
    return left === null || left === 0 ? 'Your order is on its way.' : `Your order is on its way: about ${left} km to go.`;
  }
  if (facts.stage === 'READY') return 'Your order is ready.';
  const delay = Math.round(facts.delayMs / MINUTE_MS);
  if (delay >= 1) return `The kitchen is busy: orders before yours add about ${delay} ${delay === 1 ? 'minute' : 'minutes'}.`;
  if (!facts.isBrought) return 'The kitchen is keeping up.';
  if (km === null) return 'The kitchen is keeping up.';
  return `The kitchen is keeping up, and you are ${km === 0 ? 'next door to the store' : `${km} km from the store`}.`;
}
