import { randomOf } from '../kit/random.ts';

/** Lines of a file, the first and the last, counted from 1. */
export interface Range {
  readonly file: string;
  readonly from: number;
  readonly to: number;
}
/** A mutant that no test notices. `unmet`: the near tests do not even run its line. */
export interface Lived {
  readonly file: string;
  readonly line: number;
  readonly kind: string;
  readonly to: string;
  readonly unmet: boolean;
}

/** So many lines at once: a mutant may be longer than a line, and only those that lie whole in a range are tried. */
const WINDOW = 8;

/** A random choice of about `lines` lines of these files, the same for the same seed. */
export function sampled(whole: readonly Range[], lines: number, seed: number): readonly Range[] {
  const windows = whole.flatMap(({ file, to }) =>
    Array.from({ length: Math.ceil(to / WINDOW) }, (_, index) => ({
      file,
      from: index * WINDOW + 1,
      to: Math.min(to, (index + 1) * WINDOW),
    })),
  );
  const random = randomOf(seed);
  return windows
    .map((window) => ({ window, at: random() }))
    .sort((a, b) => a.at - b.at)
    .slice(0, Math.ceil(lines / WINDOW))
    .map(({ window }) => window)
    .sort((a, b) => a.file.localeCompare(b.file) || a.from - b.from);
}

/** The lines that `git diff -U0` says are new or changed. */
export function touched(diff: string): readonly Range[] {
  let file = '';
  return diff.split('\n').flatMap((line) => {
    if (line.startsWith('+++ ')) file = line.slice('+++ b/'.length);
    const [, from, length = '1'] = /^@@ \S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    return from && length !== '0' ? [{ file, from: Number(from), to: Number(from) + Number(length) - 1 }] : [];
  });
}
