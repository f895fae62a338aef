import { createHash, randomInt } from 'node:crypto';
import type { WheelResult } from '../../contract/wheel.ts';
import type { Call } from '../http/route.ts';
import { onLogin } from './sessions.ts';
import type { SeedWheel } from './seeds.ts';
import { moveSpin, spinOf, type Spin } from '../store/wheel.ts';

const totalOf = ({ slots }: SeedWheel) => slots.reduce((sum, slot) => sum + slot.weight, 0);

/** The parts with their odds in per cent, as they are drawn. */
export function slotsOf(wheel: SeedWheel): { label: string; chance: number; isPrize: boolean }[] {
  const total = totalOf(wheel);
  return wheel.slots.map(({ label, weight, code, points }) => ({ label, chance: Math.round((weight / total) * 10_000) / 100, isPrize: code !== undefined || points !== undefined }));
}

/** Draws a part by its weight. `random(n)` answers an integer from 0 to n - 1; the default cannot be foreseen. */
export function drawn(wheel: SeedWheel, random: (below: number) => number = randomInt): number {
  let left = random(totalOf(wheel));
  for (const [index, { weight }] of wheel.slots.entries()) {
    if (left < weight) return index;
    left -= weight;
  }
  throw new Error('the wheel has no part for what was drawn');
}

/** What the network tells of a guest's device, as a digest: country, host, address and browser. */
export function deviceOf({ caller, ip, header }: Pick<Call, 'caller' | 'ip' | 'header'>): string {
  return createHash('sha256').update(JSON.stringify([caller.country, caller.partner, ip, header('user-agent')])).digest('base64url');
}

/** `why`: what keeps the prize's coupon from applying to the cart as it is, or null. */
export function resultOf(spin: Spin, why: string | null): WheelResult {
  const { slot, label, code, points, state } = spin;
  const isPrize = code !== null || points !== null;
  const message = !isPrize ? 'No prize this time. Your next order brings a new spin.'
    : state === 'USED' ? `${label} went with your last order.`
      : state === 'TAKEN' ? `${label} goes with your order that is under way.`
        : code !== null ? `You won: ${label}. ${why === null ? `It is on this cart as ${code}.` : `It waits on this cart as ${code}: ${why}.`}` : `You won: ${label}. They go to your rewards with this order.`;
  return { slot, label, isPrize, ...(code === null ? {} : { code }), ...(points === null ? {} : { points }), state, message };
}

// A guest's spin goes along at login, unless the account's cart has one of its own waiting.
onLogin(async (tx, move) => {
  const guest = await spinOf(tx, move.guestCartId);
  if (guest === undefined || guest.state !== 'FREE') return;
  const own = await spinOf(tx, move.cartId);
  if (own !== undefined && own.state !== 'USED') return;
  await moveSpin(tx, { cartId: move.guestCartId, round: guest.round }, { cartId: move.cartId, round: (own?.round ?? 0) + 1, userId: move.userId });
});
