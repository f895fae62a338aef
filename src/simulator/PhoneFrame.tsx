import { useEffect, useRef, useState, type CSSProperties, type RefObject } from 'react';
import { BackIcon, CloseIcon } from '../ui/icons.ts';
import { HostDialog } from './HostDialog.tsx';
import { Launcher } from './Launcher.tsx';
import { Notice } from './Notice.tsx';
import { ACCOUNTS, addressOf, type Phone } from './phones.ts';
import { CALM } from './protocol.ts';
import type { Message } from './server.ts';
import { SignalIcon } from './SignalIcon.tsx';
import type { PhoneActions, PhoneState } from './usePhones.ts';
import css from './PhoneFrame.module.css';

/** CSS pixels that the app sees. */
const PHONE_WIDTH = 360;
const DESKTOP_WIDTH = 1280;
/** A real phone is seldom wider; above it the app is shown larger instead. */
const WIDEST_PHONE = 430;
const LOOK_AT_PATH_EVERY_MS = 800;

const NETWORK_NAMES = { wifi: 'Wi-Fi', '4g': '4G', '3g': '3G', '2g': '2G', none: 'No network' } as const;

interface PhoneFrameProps {
  readonly phone: Phone;
  readonly state: PhoneState;
  readonly actions: PhoneActions;
  readonly isChosen: boolean;
  readonly isShown: boolean;
  readonly notice: Message | null;
  /** The shop's time, epoch ms. */
  readonly now: number;
  readonly onChoose: () => void;
  readonly onNoticeDone: () => void;
}

/** The path inside the app that a frame shows, watched while it runs. */
function usePath(frame: () => HTMLIFrameElement | null, isRunning: boolean, mount: string): string {
  const [path, setPath] = useState('/');
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => {
      try {
        const { pathname } = frame()?.contentWindow?.location ?? { pathname: '' };
        const at = pathname.indexOf(`/${mount}`);
        setPath(at < 0 ? pathname : pathname.slice(at + mount.length));
      } catch {
        setPath(''); // a page of another origin, or the browser's own error page
      }
    }, LOOK_AT_PATH_EVERY_MS);
    return () => clearInterval(timer);
  }, [frame, isRunning, mount]);
  return path;
}

/** How large the phone's screen is drawn. */
function useSize(box: RefObject<HTMLElement | null>) {
  const [size, setSize] = useState({ width: PHONE_WIDTH, height: 640 });
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect;
      if (width > 0) setSize({ width, height });
    });
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, [box]);
  return size;
}

/** Two cores: a phone is opened when it comes into sight, and not before. */
function useOpening(place: RefObject<HTMLElement | null>, id: string, actions: PhoneActions): void {
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (
          entries.some(
            ({ intersectionRect: seen, boundingClientRect: whole }) =>
              seen.width > whole.width * 0.6 && seen.height > whole.height * 0.2,
          )
        )
          actions.want(id);
      },
      { threshold: [0.15, 0.3, 0.45, 0.6, 0.75] },
    );
    observer.observe(place.current!);
    return () => observer.disconnect();
  }, [place, actions, id]);
}

/** A real motor where there is one; the drawn phone shakes for everybody else. */
function useBuzz(box: RefObject<HTMLElement | null>, buzzes: number): void {
  useEffect(() => {
    if (buzzes === 0) return;
    navigator.vibrate?.(20);
    const shaken = matchMedia('(prefers-reduced-motion: reduce)').matches
      ? null
      : box.current?.animate([{ translate: '0' }, { translate: '-3px' }, { translate: '3px' }, { translate: '0' }], {
          duration: 120,
          iterations: 2,
        });
    return () => shaken?.cancel();
  }, [box, buzzes]);
}

const clockOf = ({ country }: Phone, now: number) =>
  new Intl.DateTimeFormat(country.locale, {
    timeZone: country.timeZone,
    hour: 'numeric',
    minute: '2-digit',
    hour12: false,
  }).format(now);

type App = NonNullable<Phone['app']>;

interface PartProps {
  readonly phone: Phone;
  readonly state: PhoneState;
  readonly actions: PhoneActions;
}

const isRunning = ({ power }: PhoneState) => power === 'on' || power === 'away';

function StatusBar({ clock, controls }: { clock: string; controls: PhoneState['controls'] }) {
  return (
    <div className={css.status}>
      <span>{clock}</span>
      <span className={css.signal} data-none={controls.networkType === 'none'}>
        <SignalIcon network={controls.networkType} />
        {NETWORK_NAMES[controls.networkType]}
      </span>
    </div>
  );
}

/** The browser's bar with the address. */
function AddressBar({ phone: { mount }, isWide, path }: { phone: Phone; isWide: boolean; path: string }) {
  return (
    <>
      {isWide && (
        <span className={css.lights} aria-hidden>
          <i />
          <i />
          <i />
        </span>
      )}
      <span className={css.address}>
        <span className="visually-hidden">Address: </span>
        {location.host}/<b>{mount}</b>
        {path.replace(/^\//, '')}
      </span>
    </>
  );
}

/** The bar of the app that the mini-app runs in. */
function AppBar({ phone: { id, country }, app, state, actions, path }: PartProps & { app: App; path: string }) {
  return (
    <>
      <button
        type="button"
        className={css.close}
        aria-label={`Close the app in ${app.name}`}
        disabled={!isRunning(state)}
        onClick={() => actions.kill(id)}
      >
        <CloseIcon size={20} />
      </button>
      <span className={css.title}>
        <b>{country.appName}</b>
        <small>in {app.name}</small>
      </span>
      <span className={css.path}>{isRunning(state) && path !== '/' && path}</span>
    </>
  );
}

function Broken({ onOpen }: { onOpen: () => void }) {
  return (
    <div className={css.broken} role="alert">
      <h4>The app is not here</h4>
      <p>
        Either the server is gone, or this bundle is not built. <code>npm start</code> builds and serves all of them.
      </p>
      <button type="button" onClick={onOpen}>
        Try again
      </button>
    </div>
  );
}

/** The phone's own keys, below the screen. */
function Keys({ phone: { id, name }, state: { power }, actions }: PartProps) {
  return (
    <div className={css.keys}>
      <button type="button" aria-label={`Back on ${name}`} disabled={power !== 'on'} onClick={() => actions.back(id)}>
        <span className={css.triangle} />
      </button>
      <button
        type="button"
        aria-label={`Home screen of ${name}`}
        disabled={power !== 'on'}
        onClick={() => actions.hide(id)}
      >
        <span className={css.circle} />
      </button>
    </div>
  );
}

/** What a person can do to the phone. */
function Tools({ phone, state, actions }: PartProps) {
  const { id, app, name } = phone;
  const { power, isWide } = state;
  return (
    <div className={css.tools} role="group" aria-label={`What you can do to ${name}`}>
      {isWide && (
        <button type="button" disabled={power !== 'on'} onClick={() => actions.back(id)}>
          <BackIcon size={16} />
          Back
        </button>
      )}
      {isRunning(state) ? (
        <button
          type="button"
          onClick={() => actions.kill(id)}
          title="Ends the app without a word, as a phone short of memory does. Its storage stays."
        >
          Kill
        </button>
      ) : (
        <button type="button" data-strong onClick={() => actions.open(id)}>
          {power === 'killed' ? 'Reopen' : 'Open'}
        </button>
      )}
      <button
        type="button"
        disabled={!isRunning(state)}
        onClick={() => actions.reload(id)}
        title="Loads the page it shows once more."
      >
        Reload
      </button>
      {app === null && (
        <button type="button" className={css.desktop} aria-pressed={isWide} onClick={() => actions.widen(id, !isWide)}>
          Desktop
        </button>
      )}
      <a href={addressOf(phone, app !== null)} target="_blank" rel="noreferrer">
        Alone<span className="visually-hidden">: {name} in a tab of its own</span>
        <span aria-hidden> ↗</span>
      </a>
    </div>
  );
}

type ScreenProps = Pick<PhoneFrameProps, 'phone' | 'state' | 'actions' | 'isChosen' | 'notice' | 'onNoticeDone'> & {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly frame: RefObject<HTMLIFrameElement | null>;
  readonly clock: string;
};

/** The app in its frame, and what the phone lays over it. */
function Screen({ phone, state, actions, isChosen, notice, onNoticeDone, box, frame, clock }: ScreenProps) {
  const { id, name } = phone;
  const { power, isWide, controls, sheets } = state;
  const size = useSize(box);
  useBuzz(box, state.buzzes);
  const logical = isWide ? DESKTOP_WIDTH : Math.min(Math.max(size.width, PHONE_WIDTH), WIDEST_PHONE);
  const scale = size.width / logical;
  const [sheet] = sheets;
  return (
    <div className={css.screen} ref={box}>
      {isRunning(state) && (
        <iframe
          key={state.run}
          ref={(element) => {
            frame.current = element;
            actions.frame(id)(element);
          }}
          title={`${name}: the app`}
          src={addressOf(phone, true)}
          data-host-fake={JSON.stringify({
            scenario: state.scenario,
            // What a scenario changes, the switches must not change back.
            controls: state.scenario === CALM ? { ...controls, ...state.own } : { position: controls.position },
            sheets: state.asks,
            user: state.user,
          })}
          allow="clipboard-write"
          inert={sheet !== undefined || power === 'away'}
          // The server's refusals are text or JSON, and the browser's own error page shows no document; the bank's pages are pages too.
          onLoad={() => actions.loaded(id, frame.current?.contentDocument?.contentType === 'text/html')}
          style={{ width: logical, height: size.height / scale, transform: `scale(${scale})` }}
        />
      )}
      {power !== 'on' && (
        <Launcher
          phone={phone}
          power={power}
          clock={clock}
          onOpen={() => (power === 'away' ? actions.show(id) : actions.open(id))}
        />
      )}
      {power === 'on' && state.isBroken && <Broken onOpen={() => actions.open(id)} />}
      {power === 'on' && sheet && (
        <HostDialog
          key={sheet.id}
          phone={phone}
          sheet={sheet}
          account={ACCOUNTS.find((one) => one.id === state.user)?.name ?? state.user}
          takesFocus={isChosen}
          onAnswer={(choice) => actions.answer(id, sheet.id, choice)}
          onDone={() => actions.focus(id)}
        />
      )}
      {notice && <Notice message={notice} onDone={onNoticeDone} />}
    </div>
  );
}

/** A phone with the shipped bundle inside, its host's bars around, and what a person can do to a phone. */
export function PhoneFrame({ phone, state, actions, isShown, now, onChoose, ...screen }: PhoneFrameProps) {
  const { id, app, name } = phone;
  const { isWide } = state;
  const place = useRef<HTMLElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLIFrameElement | null>(null);
  const frameOf = useRef(() => frame.current).current;
  const path = usePath(frameOf, state.power === 'on', phone.mount);
  useOpening(place, id, actions);
  const clock = clockOf(phone, now);
  const parts = { phone, state, actions };
  return (
    <article
      ref={place}
      id={id}
      className={css.phone}
      data-wide={isWide}
      data-chosen={screen.isChosen}
      data-shown={isShown}
      aria-labelledby={`${id}-name`}
      onPointerDown={onChoose}
      onFocus={onChoose}
    >
      <header className={css.label}>
        <h3 id={`${id}-name`}>{name}</h3>
        <p>{phone.about}</p>
      </header>
      <div
        className={css.body}
        style={app === null ? {} : ({ '--chrome': app.colour, '--chrome-ink': app.ink } as CSSProperties)}
      >
        {!isWide && <StatusBar clock={clock} controls={state.controls} />}
        <div className={css.bar}>
          {app === null ? (
            <AddressBar phone={phone} isWide={isWide} path={path} />
          ) : (
            <AppBar {...parts} app={app} path={path} />
          )}
          {state.isLoading && <span className={css.progress} role="progressbar" aria-label={`${name} is loading`} />}
        </div>
        <Screen {...parts} {...screen} box={box} frame={frame} clock={clock} />
        {!isWide && <Keys {...parts} />}
      </div>
      <Tools {...parts} />
    </article>
  );
}
