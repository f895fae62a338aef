/**
 * The work that one text may give the thread which does all else. It is counted as time on the processor, and of ten tries the
 * least counts: a neighbour on the same core lengthens it, and so do the compiler's and the collector's turns. 64 KB cost a few
 * milliseconds, and what grows with their square seconds.
 */
export const HELD_AT_MOST_MS = 50;
const TRIES = 10;
/** Another try could not help, and many of these would take hours. */
const HOPELESS_MS = 1_000;

/** Signs that patterns repeat. */
export const FILLS = { spaces: ' ', letters: 'a', digits: '7', brackets: '(', marks: '\u0301' } as const;
export const LONG_TEXT = 64 * 1024;

/** Texts of this length: of one sign alone, and of one sign between others, where a pattern may begin and cannot end. */
export const textsOf = (sign: string, length: number): string[] => [
  sign.repeat(length),
  `at ${sign.repeat(length - 4)}!`,
];

/** What this work costs this thread, in milliseconds. @throws where it is so much that nobody would wait for more of it */
export async function heldMs(work: () => unknown): Promise<number> {
  let least = Infinity;
  for (let attempt = 0; attempt < TRIES && least > HELD_AT_MOST_MS; attempt += 1) {
    const before = process.threadCpuUsage();
    await work();
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
    if (least > HOPELESS_MS) throw new Error(`held for ${Math.round(least)} ms`);
  }
  return least;
}
