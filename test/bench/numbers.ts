import { readdirSync, readFileSync } from 'node:fs';
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

const CLOCK_TICKS = 100;
/** CPU of a process, with that of its children that have ended, which PostgreSQL's backends are; 0 where nobody counts. */
export function cpuMs(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return ((Number(fields[11]) + Number(fields[12]) + Number(fields[13]) + Number(fields[14])) * 1_000) / CLOCK_TICKS;
  } catch {
    return 0;
  }
}
export function parentOf(pid: number | string): number {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]);
  } catch {
    return 0;
  }
}
export const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number);
