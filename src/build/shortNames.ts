import { hash } from './hash.ts';

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/**
 * Short names derived from the long ones by a hash, so that adding one changes no other, except where two collide.
 * @param isTaken tells short names that may not be given
 */
export function shortNames(
  long: readonly string[],
  isTaken: (short: string) => boolean = () => false,
): ReadonlyMap<string, string> {
  const used = new Set<string>();
  return new Map(
    [...long].sort(compare).map((name) => {
      for (let attempt = 0; ; attempt += 1) {
        let number = Number.parseInt(hash(`${name}#${attempt}`).slice(0, 8), 16);
        let short = DIGITS[10 + (number % 52)] as string;
        number = Math.floor(number / 52);
        short += DIGITS[number % 62] as string;
        if (attempt > 3) short += DIGITS[attempt % 62] as string;
        if (used.has(short) || isTaken(short)) continue;
        used.add(short);
        return [name, short];
      }
    }),
  );
}
