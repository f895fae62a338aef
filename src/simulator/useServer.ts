import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import * as development from '../contract/development.ts';
import { ask, OFF, Refused, type Message, type Switches } from './server.ts';

const LOOK_EVERY_MS = 2_000;
const LOOK_AGAIN_MS = 3_000;
/** Messages younger than this, by arrival on this page, are new. */
const NEW_FOR_MS = 45_000;
const NOTICE_FOR_MS = 15_000;

export interface ServerState {
  /** closed: the server runs in production and has no development calls. */
  readonly mode: 'asking' | 'there' | 'away' | 'closed';
  /** The shop's clock minus this browser's, ms. */
  readonly aheadMs: number;
  /** How far it was moved by hand, ms. */
  readonly offsetMs: number;
  readonly messages: readonly Message[];
  readonly newIds: ReadonlySet<string>;
  /** The message that has just come in. */
  readonly notice: Message | null;
  readonly switches: Switches;
  /** What went wrong with the last change. */
  readonly error: string | null;
  /** A change is under way: 'clock' or 'switches'. */
  readonly busy: string | null;
}

export interface ServerActions {
  advance(seconds: number): void;
  change(switches: Partial<Switches>): void;
  dismissNotice(): void;
  dismissError(): void;
  retry(): void;
}

export function useServer(): { server: ServerState; serverActions: ServerActions } {
  const [server, setServer] = useState<ServerState>({
    mode: 'asking',
    aheadMs: 0,
    offsetMs: 0,
    messages: [],
    newIds: new Set(),
    notice: null,
    switches: OFF,
    error: null,
    busy: null,
  });
  const arrivals = useRef<Map<string, number> | null>(null);
  const merge = useCallback((change: Partial<ServerState>) => setServer((before) => ({ ...before, ...change })), []);
  /** A look that began before a change would show the switches as they were. */
  const changes = useRef(0);

  const look = useCallback(async () => {
    const asOf = changes.current;
    try {
      const [clock, inbox, { switches }] = await Promise.all([
        ask(development.clock, {}),
        ask(development.inbox, { query: {} }),
        ask(development.switches, {}),
      ]);
      const at = Date.now();
      const isFirst = arrivals.current === null;
      const known = (arrivals.current ??= new Map());
      const fresh = inbox.messages.filter(({ id }) => !known.has(id));
      for (const { id } of inbox.messages) if (!known.has(id)) known.set(id, isFirst ? 0 : at);
      const newest = isFirst ? undefined : fresh[0];
      setServer((before) => ({
        ...before,
        mode: 'there',
        aheadMs: clock.now - at,
        offsetMs: clock.offsetMs,
        messages: inbox.messages,
        newIds: new Set(inbox.messages.filter(({ id }) => at - (known.get(id) ?? 0) < NEW_FOR_MS).map(({ id }) => id)),
        notice:
          newest ?? (before.notice && at - (known.get(before.notice.id) ?? 0) < NOTICE_FOR_MS ? before.notice : null),
        switches: asOf === changes.current ? switches : before.switches,
      }));
    } catch (thrown) {
      merge({ mode: thrown instanceof Refused && thrown.status === 404 ? 'closed' : 'away' });
    }
  }, [merge]);

  const { mode } = server;
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (mode === 'closed') return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const turn = async () => {
      if (document.visibilityState === 'visible') await look();
      if (!isOver) timer = setTimeout(() => void turn(), mode === 'away' ? LOOK_AGAIN_MS : LOOK_EVERY_MS);
    };
    const onVisible = () => {
      if (document.visibilityState !== 'visible') return;
      clearTimeout(timer);
      void turn();
    };
    void turn();
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      isOver = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [look, mode, round]);

  const serverActions = useMemo((): ServerActions => {
    const run = async (busy: string, work: () => Promise<Partial<ServerState>>) => {
      changes.current += 1;
      merge({ busy, error: null });
      try {
        merge({ ...(await work()), busy: null });
      } catch (thrown) {
        merge({ busy: null, error: thrown instanceof Error ? thrown.message : String(thrown) });
      }
    };
    return {
      advance: (seconds) =>
        void run('clock', async () => {
          const { now, offsetMs } = await ask(development.advanceClock, { body: { seconds } });
          return { aheadMs: now - Date.now(), offsetMs };
        }),
      change(body) {
        // Shown at once; a refused change is put right by the next look.
        setServer((before) => ({ ...before, switches: { ...before.switches, ...body } }));
        void run('switches', async () => {
          const own = changes.current;
          const { switches } = await ask(development.setSwitches, { body });
          return own === changes.current ? { switches } : {};
        });
      },
      dismissNotice: () => merge({ notice: null }),
      dismissError: () => merge({ error: null }),
      retry: () => setRound((before) => before + 1),
    };
  }, [merge]);
  return { server, serverActions };
}

const TICK_MS = 1_000;

/** The shop's time, epoch ms, moving on every second. */
export function useShopTime(aheadMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now + aheadMs;
}
