import { Worker } from 'node:worker_threads';
import { errors } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';
import type { Sheaf } from './paper.ts';

// Drawing takes some 50 ms of a processor: a thread of its own does it, one paper after the other, so that nobody else's
// call waits for it.

/** More than so many at a time are sent away: the last would wait for seconds. */
const WAITING_AT_MOST = 40;
const PATIENCE_MS = 15_000;

interface PrintOrder {
  readonly done: (bytes: Uint8Array<ArrayBuffer>) => void;
  readonly failed: (error: Error) => void;
}
const waiting = new Map<number, PrintOrder>();
let press: Worker | null = null;
let last = 0;

function stop(error: Error): void {
  const own = press;
  press = null;
  for (const [id, { failed }] of waiting) {
    waiting.delete(id);
    failed(error);
  }
  void own?.terminate();
}

function started(): Worker {
  if (press !== null) return press;
  const worker = new Worker(new URL('./pressWorker.ts', import.meta.url));
  worker.on('message', ({ id, bytes, error }: { id: number; bytes?: Uint8Array<ArrayBuffer>; error?: string }) => {
    const one = waiting.get(id);
    waiting.delete(id);
    if (bytes === undefined) one?.failed(new Error(error));
    else one?.done(bytes);
  });
  worker.on('error', (error) => stop(error as Error));
  worker.on('exit', () => {
    if (press === worker) stop(new Error('the thread that draws invoices has ended'));
  });
  // It keeps no process alive that has nothing else to do.
  worker.unref();
  press = worker;
  return worker;
}

/**
 * Draws papers as one PDF, in a thread of its own.
 * @throws Refusal 503 BUSY when too many wait already; Error when it cannot be drawn
 */
export async function pressed(sheaf: Sheaf): Promise<Uint8Array<ArrayBuffer>> {
  if (waiting.size >= WAITING_AT_MOST) refuse(503, 'BUSY', errors.internalServerError);
  last += 1;
  const id = last;
  const timer = setTimeout(() => stop(new Error('an invoice took too long to draw')), PATIENCE_MS);
  try {
    return await new Promise<Uint8Array<ArrayBuffer>>((done, failed) => {
      waiting.set(id, { done, failed });
      started().postMessage({ id, sheaf });
    });
  } finally {
    clearTimeout(timer);
  }
}
