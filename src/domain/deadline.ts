import { ASYNC_TIMEOUT } from './shellmessages.ts';

/** Settles as `promise` does, but after `ms` at the latest. Rejects with the catalogue's sentence then (specification section 8). */
export function inTime<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => { timer = setTimeout(() => reject(new Error(ASYNC_TIMEOUT)), ms); });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
