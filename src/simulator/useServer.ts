import { useEffect, useEffectEvent, useRef, useState } from 'react';
import * as development from '../contract/development.ts';
import { ask, OFF, ServerRefusal, type Message, type Switches } from './server.ts';

const LOOK_EVERY_MS = 2_000;

/** The server's clock, messages and switches, read every few seconds, and what can be done to them. */
export function useServer() {
  const [server, setServer] = useState({
    /** closed: the server runs in production and has no development calls. */
    mode: 'asking' as 'asking' | 'there' | 'away' | 'closed',
    /** The shop's clock minus this browser's, ms. */
    aheadMs: 0,
    /** How far it was moved by hand, ms. */
    offsetMs: 0,
    messages: [] as readonly Message[],
    switches: OFF,
    /** What went wrong with the last change. */
    error: null as string | null,
    isBusy: false,
  });
  const merge = (change: Partial<typeof server>) => setServer((before) => ({ ...before, ...change }));
  /** A look that began before a change would show the switches as they were. */
  const changes = useRef(0);

  const look = useEffectEvent(async () => {
    const asOf = changes.current;
    try {
      const [clock, { messages }, { switches }] = await Promise.all([
        ask(development.clock, {}),
        ask(development.inbox, { query: {} }),
        ask(development.switches, {}),
      ]);
      const { now, offsetMs } = clock;
      merge({
        mode: 'there',
        aheadMs: now - Date.now(),
        offsetMs,
        messages,
        ...(asOf === changes.current && { switches }),
      });
    } catch (thrown) {
      merge({ mode: thrown instanceof ServerRefusal && thrown.status === 404 ? 'closed' : 'away' });
    }
  });
  const isClosed = server.mode === 'closed';
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (isClosed) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const turn = async () => {
      if (document.visibilityState === 'visible') await look();
      if (!isOver) timer = setTimeout(() => void turn(), LOOK_EVERY_MS);
    };
    void turn();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isClosed, round]);

  const run = async (work: () => Promise<Partial<typeof server>>) => {
    changes.current += 1;
    merge({ isBusy: true, error: null });
    try {
      merge({ ...(await work()), isBusy: false });
    } catch (thrown) {
      merge({ isBusy: false, error: (thrown as Error).message });
    }
  };
  const serverActions = {
    advance: (seconds: number) =>
      void run(async () => {
        const { now, offsetMs } = await ask(development.advanceClock, { body: { seconds } });
        return { aheadMs: now - Date.now(), offsetMs };
      }),
    change(body: Partial<Switches>) {
      // Shown at once; a refused change is put right by the next look.
      merge({ switches: { ...server.switches, ...body } });
      void run(async () => {
        const own = changes.current;
        const { switches } = await ask(development.setSwitches, { body });
        return own === changes.current ? { switches } : {};
      });
    },
    dismissError: () => merge({ error: null }),
    /** Looks at once. */
    retry: () => setRound(round + 1),
  };
  return { server, serverActions };
}
export type ServerState = ReturnType<typeof useServer>['server'];
export type ServerActions = ReturnType<typeof useServer>['serverActions'];

/** The shop's time, epoch ms, moving on every second. */
export function useShopTime(aheadMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now + aheadMs;
}
