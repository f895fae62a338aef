import { useCallback, useEffect, useMemo, useReducer, useRef } from 'react';
import { flushSync } from 'react-dom';
import { phones, storagePrefixes, type Phone } from './phones.ts';
import {
  CALM,
  calm,
  calmOwn,
  hear,
  type Controls,
  type Heard,
  type OpenSheet,
  type OwnControls,
  type Said,
  type Scenario,
} from './protocol.ts';

interface LogEntry {
  readonly id: number;
  readonly name: string;
  readonly text: string;
}

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
  readonly isWide: boolean;
  /** The person in front of the page answers the host's sheets; otherwise the controls do. */
  readonly asks: boolean;
  readonly user: string;
  readonly controls: Controls;
  readonly own: OwnControls;
  /** Those that the imitated host offers; none before it has said hello. */
  readonly scenarios: readonly Scenario[];
  /** The name of the one that is played. */
  readonly scenario: string;
  readonly sheets: readonly OpenSheet[];
  readonly log: readonly LogEntry[];
  readonly buzzes: number;
}
export type PhoneStates = Readonly<Record<string, PhoneState>>;

type Action =
  | { readonly do: 'want' | 'open' | 'reload' | 'kill' | 'hide' | 'show' | 'calm'; readonly id: string }
  | { readonly do: 'loaded'; readonly id: string; readonly isApp: boolean }
  | {
      readonly do: 'change';
      readonly id: string;
      readonly change: Partial<Pick<PhoneState, 'isWide' | 'asks' | 'user'>>;
    }
  | { readonly do: 'set'; readonly id: string; readonly controls: Partial<Controls> }
  | { readonly do: 'play'; readonly id: string; readonly scenario: string }
  | { readonly do: 'setOwn'; readonly id: string; readonly own: OwnControls }
  | { readonly do: 'hear'; readonly id: string; readonly heard: Heard };

const LOG_LENGTH = 14;
/** Pages are opened one after another; one that does not finish must not hold up the rest. */
const LOAD_PATIENCE_MS = 6_000;

const START = (phone: Phone): PhoneState => ({
  power: 'waiting',
  run: 0,
  isLoading: false,
  isConnected: false,
  isBroken: false,
  isWide: false,
  asks: true,
  user: 'customer-1',
  controls: calm(phone),
  own: calmOwn(phone),
  scenarios: [],
  scenario: CALM,
  sheets: [],
  log: [],
  buzzes: 0,
});

function textOf(detail: unknown): string {
  if (typeof detail !== 'object' || detail === null) return detail === undefined ? '' : String(detail);
  const { method, path, status } = detail as Record<string, unknown>;
  return [method, path, status].filter((part) => part !== undefined).join(' ');
}

let entries = 0;

function listen(state: PhoneState, heard: Heard): PhoneState {
  switch (heard.type) {
    case 'hello': {
      const { scenarios, controls } = heard;
      const told = Object.fromEntries(Object.entries(controls).filter(([, value]) => value !== undefined));
      return {
        ...state,
        isConnected: true,
        sheets: [],
        scenarios,
        controls: state.scenario === CALM ? state.controls : { ...state.controls, ...told },
      };
    }
    case 'controls':
      return { ...state, controls: { ...state.controls, consented: heard.controls.consented } };
    case 'sheet':
      return { ...state, sheets: [...state.sheets, heard] };
    case 'sheet-over':
      return { ...state, sheets: state.sheets.filter(({ id }) => id !== heard.id) };
    case 'event': {
      const log = [{ id: ++entries, name: heard.name, text: textOf(heard.detail) }, ...state.log].slice(0, LOG_LENGTH);
      // The host has closed its page: what a real one does next is to drop the web view.
      if (heard.name === 'closed') return { ...state, log, power: 'killed', sheets: [], isConnected: false };
      return { ...state, log, buzzes: state.buzzes + (heard.name === 'vibrate' ? 1 : 0) };
    }
  }
}

function next(state: PhoneState, action: Action, phone: Phone): PhoneState {
  switch (action.do) {
    case 'want':
      return state.power === 'waiting' ? { ...state, power: 'queued' } : state;
    case 'open':
      return {
        ...state,
        power: 'on',
        run: state.run + 1,
        isLoading: true,
        isConnected: false,
        isBroken: false,
        sheets: [],
      };
    case 'reload':
      return { ...state, power: 'on', isLoading: true, isConnected: false, isBroken: false, sheets: [] };
    case 'kill':
      return { ...state, power: 'killed', isLoading: false, isConnected: false, sheets: [] };
    case 'hide':
      return state.power === 'on' ? { ...state, power: 'away' } : state;
    case 'show':
      return state.power === 'away' ? { ...state, power: 'on' } : state;
    case 'loaded':
      return { ...state, isLoading: false, isBroken: !action.isApp };
    case 'change':
      return { ...state, ...action.change };
    case 'set':
      return { ...state, controls: { ...state.controls, ...action.controls } };
    case 'play':
      return {
        ...state,
        scenario: action.scenario,
        asks: action.scenario === CALM,
        controls: calm(phone),
        own: calmOwn(phone),
      };
    case 'setOwn':
      return { ...state, own: { ...state.own, ...action.own } };
    case 'calm':
      return {
        ...state,
        asks: true,
        user: START(phone).user,
        scenario: CALM,
        controls: calm(phone),
        own: calmOwn(phone),
      };
    case 'hear':
      return listen(state, action.heard);
  }
}

function reduce(states: PhoneStates, action: Action): PhoneStates {
  const phone = phones.find(({ id }) => id === action.id);
  const state = states[action.id];
  return phone && state ? { ...states, [action.id]: next(state, action, phone) } : states;
}

export interface PhoneActions {
  /** Opens it when its turn comes. */
  want(id: string): void;
  open(id: string): void;
  /** The page that it shows, once more, as pulling it down does; opening begins at the start. */
  reload(id: string): void;
  kill(id: string): void;
  hide(id: string): void;
  show(id: string): void;
  back(id: string): void;
  loaded(id: string, isApp: boolean): void;
  widen(id: string, isWide: boolean): void;
  answer(id: string, sheet: number, choice: string): void;
  set(id: string, controls: Partial<Controls>): void;
  setOwn(id: string, own: OwnControls): void;
  /** Takes effect from the next opening on, so it opens again. */
  setAndReopen(id: string, controls: Partial<Controls>): void;
  /** Opens it again with a scenario, whose answers the host gives by itself. */
  play(id: string, scenario: string): void;
  asks(id: string, asks: boolean): void;
  signIn(id: string, user: string): void;
  /** Everything the app keeps on this phone is gone, as after a new installation. */
  erase(id: string): void;
  calm(id: string): void;
  /** React's ref of a phone's frame. */
  frame(id: string): (frame: HTMLIFrameElement | null) => void;
  focus(id: string): void;
}

export function usePhones(): {
  states: PhoneStates;
  actions: PhoneActions;
  frameOf: (id: string) => HTMLIFrameElement | undefined;
} {
  const [states, dispatch] = useReducer(reduce, null, () =>
    Object.fromEntries(phones.map((phone) => [phone.id, START(phone)])),
  );
  const frames = useRef(new Map<string, HTMLIFrameElement>());
  const refs = useRef(new Map<string, (frame: HTMLIFrameElement | null) => void>());
  const latest = useRef(states);
  useEffect(() => {
    latest.current = states;
  });

  useEffect(() => {
    const onMessage = (event: MessageEvent) => {
      if (event.origin !== location.origin) return;
      const phone = phones.find(({ id }) => frames.current.get(id)?.contentWindow === event.source);
      const heard = phone && hear(phone.host, event.data);
      if (heard) dispatch({ do: 'hear', id: phone.id, heard });
    };
    addEventListener('message', onMessage);
    return () => removeEventListener('message', onMessage);
  }, []);

  const loading = phones.find(({ id }) => states[id]?.isLoading)?.id;
  const queued = phones.find(({ id }) => states[id]?.power === 'queued')?.id;
  useEffect(() => {
    if (queued === undefined) return;
    const timer = setTimeout(() => dispatch({ do: 'open', id: queued }), loading === undefined ? 0 : LOAD_PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [loading, queued]);

  const frameOf = useCallback((id: string) => frames.current.get(id), []);
  const actions = useMemo((): PhoneActions => {
    const say = (id: string, said: Said) => {
      const host = phones.find((phone) => phone.id === id)?.host;
      frames.current.get(id)?.contentWindow?.postMessage({ hostFake: host, ...said }, location.origin);
    };
    const isRunning = (id: string) => ['on', 'away'].includes(latest.current[id]?.power ?? '');
    const reopen = (id: string) => {
      if (isRunning(id)) dispatch({ do: 'open', id });
    };
    const set = (id: string, controls: Partial<Controls>) => {
      dispatch({ do: 'set', id, controls });
      say(id, { type: 'set', controls });
    };
    return {
      want: (id) => dispatch({ do: 'want', id }),
      open: (id) => dispatch({ do: 'open', id }),
      reload(id) {
        dispatch({ do: 'reload', id });
        try {
          frames.current.get(id)?.contentWindow?.location.reload();
        } catch {
          dispatch({ do: 'open', id }); // a page of another origin
        }
      },
      kill: (id) => dispatch({ do: 'kill', id }),
      hide(id) {
        say(id, { type: 'hide' });
        dispatch({ do: 'hide', id });
      },
      show(id) {
        dispatch({ do: 'show', id });
        say(id, { type: 'show' });
      },
      back: (id) => say(id, { type: 'back' }),
      loaded: (id, isApp) => dispatch({ do: 'loaded', id, isApp }),
      widen: (id, isWide) => dispatch({ do: 'change', id, change: { isWide } }),
      answer: (id, sheet, choice) => say(id, { type: 'answer', id: sheet, choice }),
      set,
      setOwn(id, own) {
        dispatch({ do: 'setOwn', id, own });
        say(id, { type: 'set', controls: own });
      },
      setAndReopen(id, controls) {
        dispatch({ do: 'set', id, controls });
        reopen(id);
      },
      play(id, scenario) {
        dispatch({ do: 'play', id, scenario });
        reopen(id);
      },
      asks(id, asks) {
        dispatch({ do: 'change', id, change: { asks } });
        say(id, { type: 'attach', sheets: asks });
      },
      signIn(id, user) {
        dispatch({ do: 'change', id, change: { user } });
        dispatch({ do: 'set', id, controls: { consented: false } });
        reopen(id);
      },
      erase(id) {
        const erased = phones.find((phone) => phone.id === id);
        const prefixes = erased === undefined ? [] : storagePrefixes(erased);
        // Closed first: a page that is still open would write its state back.
        const wasRunning = isRunning(id);
        flushSync(() => dispatch({ do: 'kill', id }));
        for (const storage of [localStorage, sessionStorage]) {
          for (const key of Object.keys(storage))
            if (prefixes.some((prefix) => key.startsWith(prefix))) storage.removeItem(key);
        }
        dispatch({ do: 'set', id, controls: { consented: false } });
        if (wasRunning) dispatch({ do: 'open', id });
      },
      calm(id) {
        const phone = phones.find((one) => one.id === id);
        const before = latest.current[id];
        if (!phone || !before) return;
        const controls = calm(phone);
        const needsOpening =
          before.controls.ready !== controls.ready || before.user !== START(phone).user || before.scenario !== CALM;
        dispatch({ do: 'calm', id });
        say(id, { type: 'set', controls: { ...controls, ...calmOwn(phone) } });
        say(id, { type: 'attach', sheets: true });
        if (needsOpening) reopen(id);
      },
      frame(id) {
        let ref = refs.current.get(id);
        if (!ref) {
          ref = (frame) => {
            if (frame) frames.current.set(id, frame);
            else frames.current.delete(id);
          };
          refs.current.set(id, ref);
        }
        return ref;
      },
      focus: (id) => frames.current.get(id)?.focus(),
    };
  }, []);
  return { states, actions, frameOf };
}

/** The scenario that is played, in words: 'Payment: Declined'. */
export function scenarioOf({ scenario, scenarios }: PhoneState): string {
  const played = scenarios.find(({ name }) => name === scenario);
  return played ? `${played.group}: ${played.title}` : scenario;
}

/** What is not as it was at the start, in words; empty when the phone is calm. */
export function deviations(phone: Phone, state: PhoneState): string[] {
  const { controls: now, user } = state;
  if (state.scenario !== CALM) return [scenarioOf(state)];
  const start = calm(phone);
  const network = { wifi: 'on Wi-Fi', '4g': '', '3g': 'on 3G', '2g': 'on 2G', none: 'offline' }[now.networkType];
  return [
    now.networkType !== start.networkType && network,
    now.ready !== start.ready && (now.ready === 'late' ? 'bridge late' : 'no bridge'),
    now.login !== start.login && 'login refused',
    now.location !== start.location && 'no location',
    now.payment !== start.payment && `payment: ${now.payment}`,
    now.position.latitude !== start.position.latitude && 'far away',
    ...(phone.app?.switches ?? []).map(
      ({ control, choices, deviation }) => state.own[control] !== choices[0]?.value && deviation,
    ),
    now.reply !== start.reply && 'odd replies',
    now.storage !== start.storage && 'storage trouble',
    user !== START(phone).user && 'another account',
    !state.asks && 'sheets answer themselves',
  ].filter((text): text is string => typeof text === 'string');
}
