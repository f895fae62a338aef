import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Meta } from '../../src/build/meta.ts';

export const root = path.resolve(import.meta.dirname, '../..');

/** The middle one; NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

export const pause = (ms: number): Promise<void> =>
  new Promise((done) => {
    setTimeout(done, ms);
  });

export const pad = (text: string, width: number): string => text.padEnd(width);

/** The time within which `part` of them were answered. */
export function within(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** What the build wrote about a bundle, by its folder in dist: 'in/gpay'. */
export const metaOf = (bundle: string): Meta =>
  JSON.parse(readFileSync(path.join(root, 'dist', bundle, 'meta.json'), 'utf8')) as Meta;
