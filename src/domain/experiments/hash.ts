/** Traffic is counted from 1 to 100, variations from 1 to 10000 (product.md C32). */
export const TRAFFIC_SCALE = 100;
export const VARIATION_SCALE = 10_000;
/** Shares come in per cent. */
export const PERCENT = 100;

const turned = (word: number, by: number): number => (word << by) | (word >>> (32 - by));
const mixed = (word: number): number => Math.imul(turned(Math.imul(word, 0xcc9e2d51), 15), 0x1b873593);

/**
 * MurmurHash3 (x86, 32 bits, seed 1) of a text's UTF-16 units, of each the low byte alone: not of its UTF-8, so ids in
 * Bengali, Sinhala or emoji have another hash than elsewhere. This is what the experiment service counts with.
 */
export function murmur3(text: string): number {
  const byte = (at: number) => text.charCodeAt(at) & 0xff;
  const whole = text.length & ~3;
  let hash = 1;
  for (let at = 0; at < whole; at += 4) {
    hash ^= mixed(byte(at) | (byte(at + 1) << 8) | (byte(at + 2) << 16) | (byte(at + 3) << 24));
    hash = (Math.imul(turned(hash, 13), 5) + 0xe6546b64) | 0;
  }
  // `charCodeAt` behind the end is NaN, which counts as 0.
  if (whole < text.length) hash ^= mixed(byte(whole) | (byte(whole + 1) << 8) | (byte(whole + 2) << 16));
  hash ^= text.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** A text's place on a scale from 1; `stretch` widens a share of it to the whole (and a little beyond, as the service does). */
export const placeOf = (text: string, scale: number, stretch = 1): number =>
  Math.floor((scale * (murmur3(text) / 2 ** 32) + 1) * stretch);
