import { expect, vi } from 'vitest';
import { closedPages } from '../screens/closedPages.ts';

const NO_BODY = new Set([204, 304]);
const turn = () =>
  new Promise((done) => {
    setTimeout(done);
  });

/**
 * Answers that come when their page is closed would be remembered for the next one. Counts what is under way from now on;
 * the function it returns settles when all of it is answered and worked off.
 */
export function countCalls(): () => Promise<void> {
  const fetchNow = globalThis.fetch;
  // By the page that asks: one that is closed meanwhile hears no answer.
  const asking = new Set<{ readonly page: number }>();
  const underway = () => [...asking].filter(({ page }) => page === closedPages.count).length;
  globalThis.fetch = async (...call) => {
    const one = { page: closedPages.count };
    asking.add(one);
    try {
      const reply = await fetchNow(...call);
      // The line that news of an order come by stays open.
      if (reply.headers.get('content-type')?.startsWith('text/event-stream')) return reply;
      const body = NO_BODY.has(reply.status) ? null : await reply.arrayBuffer();
      return new Response(body, { status: reply.status, headers: reply.headers });
    } finally {
      asking.delete(one);
    }
  };
  return () =>
    vi.waitFor(
      async () => {
        expect(underway()).toBe(0);
        for (let turns = 0; turns < 3; turns += 1) await turn();
        expect(underway()).toBe(0);
      },
      { timeout: 20_000, interval: 20 },
    );
}

/** What a page puts off for three seconds comes at once; that it waits is shown in a browser (e2e/start.spec.ts). */
export function withoutWaiting(): void {
  const plain = globalThis.setTimeout;
  globalThis.setTimeout = ((act: () => void, ms?: number, ...given: unknown[]) =>
    plain(act, ms === 3_000 ? 0 : ms, ...given)) as typeof setTimeout;
}

/**
 * Timers that a page sets for one of these times (ms) while this holds run only when they are let go: how long something
 * waits is then known without waiting for it.
 */
export function holdTimers(...times: readonly number[]) {
  const set = globalThis.setTimeout;
  const unset = globalThis.clearTimeout;
  const held = new Map<object, { readonly ms: number; readonly act: () => void }>();
  globalThis.setTimeout = ((act: () => void, ms = 0, ...given: unknown[]) => {
    if (!times.includes(ms)) return set(act, ms, ...given);
    // Never comes by itself, and is what a page may end.
    const timer = set(() => undefined, 2 ** 31 - 1);
    timer.unref?.();
    held.set(timer, { ms, act: () => act() });
    return timer;
  }) as typeof setTimeout;
  globalThis.clearTimeout = (timer) => {
    if (typeof timer === 'object') held.delete(timer);
    unset(timer);
  };
  return {
    /** Waits until there is one for `ms`, and runs all of them. */
    run: (ms: number) =>
      vi.waitFor(() => {
        const due = [...held].filter(([, one]) => one.ms === ms);
        expect(
          due.length,
          `a timer of ${ms} ms, where there are ${[...held.values()].map((one) => one.ms)}`,
        ).toBeGreaterThan(0);
        for (const [timer, { act }] of due) {
          held.delete(timer);
          unset(timer as NodeJS.Timeout);
          act();
        }
      }),
    end: () => {
      globalThis.setTimeout = set;
      globalThis.clearTimeout = unset;
    },
  };
}
