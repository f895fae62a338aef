import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../..');

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export const pad = (text, width) => String(text).padEnd(width);

/** The time within which `part` of them were answered. */
export function within(values, part) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
}
