import * as happyDom from 'happy-dom';
import { vi } from 'vitest';
import { builtinEnvironments } from 'vitest/runtime';

// Files of whole pages share a process and the packages in it: to read React and happy-dom anew, and to warm them up, costs a
// second of CPU time a file. Each file reads the product anew in a window of its own, as if nobody had been there before.

interface Process {
  /** Takes the window of the file before away, with all that it has left. */
  leave?: () => Promise<void>;
  /** Gives back what all windows of a process share. */
  readonly restore: readonly (() => void)[];
}
const KEY = Symbol.for('the windows of this process');
const shared = globalThis as unknown as { [KEY]?: Process };

/** Remembers what an object is made of. Returns what makes it so again. */
function kept(owner: object): () => void {
  const own = new Map(Reflect.ownKeys(owner).map((key) => [key, Object.getOwnPropertyDescriptor(owner, key)!]));
  return () => {
    for (const key of Reflect.ownKeys(owner))
      if (!own.has(key) && !Reflect.deleteProperty(owner, key))
        throw new Error(`${String(key)} cannot be taken away again.`);
    for (const [key, was] of own) {
      const is = Object.getOwnPropertyDescriptor(owner, key);
      if (is?.value !== was.value || is?.get !== was.get || is?.set !== was.set) Object.defineProperty(owner, key, was);
    }
  };
}

/** A closed page's timers would go on, and ask the server of the file after it. Returns what ends them. */
function countTimers(): () => void {
  const open = new Set<NodeJS.Timeout>();
  const { setTimeout: once, setInterval: every } = globalThis;
  globalThis.setTimeout = Object.assign((act: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) => {
    const timer = once(() => {
      open.delete(timer);
      act(...given);
    }, ms);
    open.add(timer);
    return timer;
  }, once) as typeof setTimeout;
  globalThis.setInterval = ((...given: Parameters<typeof every>) => {
    const timer = every(...given);
    open.add(timer);
    return timer;
  }) as typeof setInterval;
  return () => open.forEach((timer) => clearTimeout(timer));
}

const here = (shared[KEY] ??= {
  restore: Object.values(happyDom).flatMap((one) =>
    typeof one === 'function' && typeof one.prototype === 'object' ? [kept(one), kept(one.prototype as object)] : [],
  ),
});
await here.leave?.();
vi.resetModules();
const restoreGlobals = kept(globalThis);
const { teardown } = await builtinEnvironments['happy-dom'].setup(globalThis, {
  // The document lies where its server does: a page of anywhere else may not move its clock.
  happyDOM: { url: 'http://127.0.0.1/' },
});
// It marks a window whose history it listens to for good.
Object.defineProperty(globalThis, Symbol.for('wouter_v3'), { configurable: true, value: undefined });
const endTimers = countTimers();
here.leave = async () => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  endTimers();
  await teardown(globalThis);
  restoreGlobals();
  for (const restore of here.restore) restore();
};
