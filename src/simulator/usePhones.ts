import { useEffect, useEffectEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { phones, storagePrefixes, type Phone } from './phones.ts';
import {
  CALM,
  calm,
  hear,
  type Controls,
  type Heard,
  type Message,
  type OpenSheet,
  type Scenario,
} from './protocol.ts';

export interface PhoneState {
  /** waiting: never opened; queued: will open when the one before has loaded; away: runs behind the home screen; killed: removed, its storage stays. */
  readonly power: 'waiting' | 'queued' | 'on' | 'away' | 'killed';
  /** Counts openings: a new number is a new frame. */
  readonly run: number;
  readonly isLoading: boolean;
  /** The imitated host has said hello, so that its switches work. */
  readonly isConnected: boolean;
  /** What stands in the frame is not the app. */
  readonly isBroken: boolean;
  /** The person in front of the page answers the host's sheets; otherwise the controls do. */
  readonly asks: boolean;
  readonly user: string;
  readonly controls: Controls;
  /** Those that the imitated host offers; none before it has said hello. */
  readonly scenarios: readonly Scenario[];
  /** The name of the one that is played. */
  readonly scenario: string;
  readonly sheets: readonly OpenSheet[];
  /** What the app asked of the phone, newest first. */
  readonly log: readonly string[];
}
type Change = Partial<PhoneState>;

const LOG_LENGTH = 14;
/** Pages are opened one after another; one that does not finish must not hold up the rest. */
const LOAD_PATIENCE_MS = 6_000;

const untouched = (phone: Phone) => ({ asks: true, user: 'customer-1', scenario: CALM, controls: calm(phone) });
const START = (phone: Phone): PhoneState => ({
  ...untouched(phone),
  power: 'waiting',
  run: 0,
  isLoading: false,
  isConnected: false,
  isBroken: false,
  scenarios: [],
  sheets: [],
  log: [],
});

export const isRunning = ({ power }: PhoneState) => power === 'on' || power === 'away';
const RELOAD = { power: 'on', isLoading: true, isConnected: false, isBroken: false, sheets: [] } as const;
const KILL = { power: 'killed', isLoading: false, isConnected: false, sheets: [] } as const;
const OPEN = ({ run }: PhoneState): Change => ({ ...RELOAD, run: run + 1 });

function textOf(detail: unknown): string {
  if (typeof detail !== 'object' || detail === null) return detail === undefined ? '' : String(detail);
  const { method, path, status } = detail as Record<string, unknown>;
  return [method, path, status].filter((part) => part !== undefined).join(' ');
}

function listen(state: PhoneState, heard: Heard): Change {
  const { controls } = state;
  switch (heard.type) {
    case 'hello': {
      const own = Object.entries(heard.controls).filter(([name]) => name in controls);
      return {
        isConnected: true,
        sheets: [],
        scenarios: heard.scenarios,
        // A scenario says by itself how the switches stand.
        ...(state.scenario !== CALM && { controls: { ...controls, ...Object.fromEntries(own) } }),
      };
    }
    case 'controls':
      return { controls: { ...controls, ...heard.controls } };
    case 'sheet':
      return { sheets: [...state.sheets, heard] };
    case 'sheet-over':
      return { sheets: state.sheets.filter(({ id }) => id !== heard.id) };
    case 'event': {
      const log = [`${heard.name} ${textOf(heard.detail)}`, ...state.log].slice(0, LOG_LENGTH);
      // The host has closed its page: what a real one does next is to drop the web view.
      return { log, ...(heard.name === 'closed' && KILL) };
    }
  }
}

const frameOf = (id: string) => document.getElementById(id)?.querySelector('iframe')?.contentWindow;

/** The phones of the page by id, and what can be done to each. */
export function usePhones() {
  const [states, setStates] = useState<Readonly<Record<string, PhoneState>>>(() =>
    Object.fromEntries(phones.map((phone) => [phone.id, START(phone)])),
  );
  const change = (id: string, to: Change | ((state: PhoneState) => Change)) =>
    setStates((all) => {
      const state = all[id]!;
      return { ...all, [id]: { ...state, ...(typeof to === 'function' ? to(state) : to) } };
    });

  const onMessage = useEffectEvent((event: MessageEvent) => {
    if (event.origin !== location.origin) return;
    const phone = phones.find(({ id }) => frameOf(id) === event.source);
    const heard = phone && hear(phone.host, event.data);
    if (heard) change(phone.id, (state) => listen(state, heard));
  });
  useEffect(() => {
    const listener = (event: MessageEvent) => onMessage(event);
    addEventListener('message', listener);
    return () => removeEventListener('message', listener);
  }, []);

  const isOneLoading = phones.some(({ id }) => states[id]?.isLoading);
  const queued = phones.find(({ id }) => states[id]?.power === 'queued')?.id;
  const openQueued = useEffectEvent((id: string) => change(id, OPEN));
  useEffect(() => {
    if (queued === undefined) return;
    const timer = setTimeout(() => openQueued(queued), isOneLoading ? LOAD_PATIENCE_MS : 0);
    return () => clearTimeout(timer);
  }, [isOneLoading, queued]);

  const actionsOf = (phone: Phone) => {
    const { id, host } = phone;
    const say = (message: Message) => frameOf(id)?.postMessage({ hostFake: host, ...message }, location.origin);
    const set = (controls: Controls) => {
      change(id, (state) => ({ controls: { ...state.controls, ...controls } }));
      say({ type: 'set', controls });
    };
    const reopen = () => change(id, (state) => (isRunning(state) ? OPEN(state) : {}));
    return {
      /** Opens it when its turn comes. */
      want: () => change(id, ({ power }) => (power === 'waiting' ? { power: 'queued' } : {})),
      open: () => change(id, OPEN),
      /** The page that it shows, once more, as pulling it down does; opening begins at the start. */
      reload() {
        change(id, RELOAD);
        try {
          frameOf(id)?.location.reload();
        } catch {
          change(id, OPEN); // a page of another origin
        }
      },
      kill: () => change(id, KILL),
      hide() {
        say({ type: 'hide' });
        change(id, { power: 'away' });
      },
      show() {
        change(id, { power: 'on' });
        say({ type: 'show' });
      },
      back: () => say({ type: 'back' }),
      loaded: (isApp: boolean) => change(id, { isLoading: false, isBroken: !isApp }),
      answer: (sheet: number, choice: string) => say({ type: 'answer', id: sheet, choice }),
      set,
      /** Takes effect from the next opening on, so it opens again. */
      setAndReopen(controls: Controls) {
        set(controls);
        reopen();
      },
      /** Opens it again with a scenario, whose answers the host gives by itself. */
      play(scenario: string) {
        change(id, { scenario, asks: scenario === CALM, controls: calm(phone) });
        reopen();
      },
      setAsks(asks: boolean) {
        change(id, { asks });
        say({ type: 'attach', sheets: asks });
      },
      signIn(user: string) {
        change(id, ({ controls }) => ({ user, controls: { ...controls, consented: false } }));
        reopen();
      },
      /** Everything the app keeps on this phone is gone, as after a new installation. */
      erase() {
        const prefixes = storagePrefixes(phone);
        const wasRunning = isRunning(states[id]!);
        // Closed first: a page that is still open would write its state back.
        flushSync(() => change(id, KILL));
        for (const storage of [localStorage, sessionStorage])
          for (const key of Object.keys(storage))
            if (prefixes.some((prefix) => key.startsWith(prefix))) storage.removeItem(key);
        change(id, (state) => ({
          controls: { ...state.controls, consented: false },
          ...(wasRunning && OPEN(state)),
        }));
      },
      /** All switches as at the start; it opens again where that needs a new start. */
      reset() {
        const calmed = untouched(phone);
        change(id, (state) => ({
          ...calmed,
          ...(isRunning(state) &&
            (state.controls['ready'] !== calmed.controls['ready'] ||
              state.user !== calmed.user ||
              state.scenario !== CALM) &&
            OPEN(state)),
        }));
        say({ type: 'set', controls: calmed.controls });
        say({ type: 'attach', sheets: true });
      },
    };
  };
  return { states, actionsOf };
}
export type PhoneActions = ReturnType<ReturnType<typeof usePhones>['actionsOf']>;

/** What is not as it was at the start, in words; empty when nobody has touched a switch. */
export function deviations(phone: Phone, { scenario, scenarios, controls, user, asks }: PhoneState): string[] {
  const played = scenarios.find(({ name }) => name === scenario);
  if (scenario !== CALM) return [played ? `${played.group}: ${played.title}` : scenario];
  const start = untouched(phone);
  return [
    ...Object.entries(start.controls)
      // A consent is given by using the app, and the delay of a bridge says no more than that it is late.
      .filter(([name, value]) => !['consented', 'readyAfterMs'].includes(name) && controls[name] !== value)
      .map(([name]) => (name === 'position' ? 'far away' : `${name} ${String(controls[name])}`)),
    ...(user === start.user ? [] : ['another account']),
    ...(asks ? [] : ['sheets answer themselves']),
  ];
}
