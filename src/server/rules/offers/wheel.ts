import { createHash, randomInt } from 'node:crypto';
import type { WheelResult } from '../../../contract/wheel.ts';
import { t, translated } from '../../call/language.ts';
import type { Call } from '../../call/call.ts';
import type { LoginMove } from '../people/sessions.ts';
import type { Tx } from '../../store/db.ts';
import type { SeedWheel } from '../../store/seeds.ts';
import { moveSpin, spinOf, type Spin } from '../../store/wheel.ts';

const totalOf = ({ slots }: SeedWheel) => slots.reduce((sum, slot) => sum + slot.weight, 0);

/** What a part is called in the language of the request. */
const labelOf = ({ label, labels }: SeedWheel['slots'][number]) => translated(label, labels);

/** The parts of the wheel with their odds in per cent, from the weights that are used for drawing. */
export function slotsOf(wheel: SeedWheel): { label: string; chance: number; isPrize: boolean }[] {
  const total = totalOf(wheel);
  return wheel.slots.map((part) => ({
    label: labelOf(part),
    chance: Math.round((part.weight / total) * 10_000) / 100,
    isPrize: part.code !== undefined || part.points !== undefined,
  }));
}

/**
 * Draws a part by its weight. `random(n)` returns an integer from 0 to n - 1; the default is cryptographically random.
 */
export function drawn(wheel: SeedWheel, random: (below: number) => number = randomInt): number {
  let left = random(totalOf(wheel));
  for (const [index, { weight }] of wheel.slots.entries()) {
    if (left < weight) return index;
    left -= weight;
  }
  throw new Error('the wheel has no part for what was drawn');
}

/** Recognises a guest's device by what the network shows (country, host, IP address and browser), as a digest. */
export function deviceOf({ caller, ip, header }: Pick<Call, 'caller' | 'ip' | 'header'>): string {
  return createHash('sha256')
    .update(JSON.stringify([caller.country, caller.host, ip, header('user-agent')]))
    .digest('base64url');
}

const isPrize = ({ code, points }: Spin) => code !== null || points !== null;

/** `program` is what points are for and the customer has not joined, or null. */
function resultText(spin: Spin, prize: string, why: string | null, program: string | null): string {
  const { code, state } = spin;
  if (!isPrize(spin)) return t.wheelNothing;
  if (code === null && program !== null)
    return state === 'FREE' ? t.wheelJoin({ prize, program }) : t.wheelMembers({ prize, program });
  if (state === 'USED') return t.wheelUsed({ prize });
  if (state === 'TAKEN') return t.wheelTaken({ prize });
  if (code === null) return t.wheelPoints({ prize });
  return why === null ? t.wheelWon({ prize, code }) : t.wheelWaits({ prize, code, why });
}

/**
 * `why`: what keeps the prize's coupon from applying to the cart right now, or null. `program`: the rewards programme
 * that the prize's points are for, if the customer has not joined it, else null.
 */
export function resultOf(wheel: SeedWheel, spin: Spin, why: string | null, program: string | null): WheelResult {
  const { slot, code, points, state } = spin;
  const part = wheel.slots[slot];
  // A wheel that has changed since has another part there: what was won is called as it was then.
  const label = part?.label === spin.label ? labelOf(part) : spin.label;
  return {
    slot,
    label,
    isPrize: isPrize(spin),
    ...(code === null ? {} : { code }),
    ...(points === null ? {} : { points }),
    state,
    message: resultText(spin, label, why, program),
  };
}

/** Moves a guest's unused spin to the account at a login, unless the account's cart has an unused one of its own. */
export async function moveSpinAlong(tx: Tx, move: LoginMove): Promise<void> {
  const guest = await spinOf(tx, move.guestCartId);
  if (guest === undefined || guest.state !== 'FREE') return;
  const own = await spinOf(tx, move.cartId);
  if (own !== undefined && own.state !== 'USED') return;
  await moveSpin(
    tx,
    { cartId: move.guestCartId, round: guest.round },
    { cartId: move.cartId, round: (own?.round ?? 0) + 1, userId: move.userId },
  );
}
