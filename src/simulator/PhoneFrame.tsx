import { useEffect, useEffectEvent, useRef, useState, type CSSProperties, type RefObject } from 'react';
import { Button } from '../ui/forms/Button.tsx';
import { HostDialog } from './HostDialog.tsx';
import { ACCOUNTS, addressOf, type Phone } from './phones.ts';
import { CALM } from './protocol.ts';
import { isRunning, type PhoneActions, type PhoneState } from './usePhones.ts';
import css from './PhoneFrame.module.css';

/** CSS pixels that the app sees. */
const PHONE_WIDTH = 360;
/** A real phone is seldom wider; above it the app is shown larger instead. */
const WIDEST_PHONE = 430;
const LOOK_AT_PATH_EVERY_MS = 800;

const NETWORK_NAMES: Readonly<Record<string, string>> = { wifi: 'Wi-Fi', none: 'No network' };
/** What a phone whose app is not in front says. */
const HINTS: Readonly<Record<PhoneState['power'], string>> = {
  waiting: 'Tap to open',
  queued: 'Opening …',
  on: '',
  away: 'Still running. Tap to come back.',
  killed: 'Killed. What it kept is still on this phone.',
};

interface PartProps {
  readonly phone: Phone;
  readonly state: PhoneState;
  readonly actions: PhoneActions;
}

/** The address that a frame shows, watched while it runs. */
function usePath(frame: RefObject<HTMLIFrameElement | null>): string {
  const [path, setPath] = useState('');
  useEffect(() => {
    const timer = setInterval(() => {
      try {
        setPath(frame.current?.contentWindow?.location.pathname ?? '');
      } catch {
        setPath(''); // a page of another origin, or the browser's own error page
      }
    }, LOOK_AT_PATH_EVERY_MS);
    return () => clearInterval(timer);
  }, [frame]);
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
function useOpening(place: RefObject<HTMLElement | null>, want: () => void): void {
  const seen = useEffectEvent(want);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        const isInSight = ({ intersectionRect: part, boundingClientRect: whole }: IntersectionObserverEntry) =>
          part.width > whole.width * 0.6 && part.height > whole.height * 0.2;
        if (entries.some(isInSight)) seen();
      },
      { threshold: [0.15, 0.3, 0.45, 0.6, 0.75] },
    );
    observer.observe(place.current!);
    return () => observer.disconnect();
  }, [place]);
}

/** The app in its frame, and what the phone lays over it. */
function Screen({
  phone,
  state,
  actions,
  isChosen,
  frame,
}: PartProps & { isChosen: boolean; frame: RefObject<HTMLIFrameElement | null> }) {
  const { power, controls, scenario, user } = state;
  const box = useRef<HTMLDivElement>(null);
  const size = useSize(box);
  const logical = Math.min(Math.max(size.width, PHONE_WIDTH), WIDEST_PHONE);
  const scale = size.width / logical;
  const [sheet] = state.sheets;
  return (
    <div className={css.screen} ref={box}>
      {isRunning(state) && (
        <iframe
          key={state.run}
          ref={frame}
          title={`${phone.name}: the app`}
          src={addressOf(phone, true)}
          data-host-fake={JSON.stringify({
            scenario,
            // What a scenario changes, the switches must not change back.
            controls: scenario === CALM ? controls : { position: controls['position'] },
            sheets: state.asks,
            user,
          })}
          allow="clipboard-write"
          inert={sheet !== undefined || power === 'away'}
          // The server's refusals are text or JSON, and the browser's own error page shows no document; the bank's pages are pages too.
          onLoad={() => actions.loaded(frame.current?.contentDocument?.contentType === 'text/html')}
          style={{ width: logical, height: size.height / scale, transform: `scale(${scale})` }}
        />
      )}
      {power !== 'on' && (
        <button type="button" className={css.over} onClick={power === 'away' ? actions.show : actions.open}>
          <b>{phone.country.appName}</b>
          {HINTS[power]}
        </button>
      )}
      {power === 'on' && state.isBroken && (
        <div className={css.over} role="alert">
          <h4>The app is not here</h4>
          <p>Either the server is gone, or this bundle is not built: npm start builds and serves all of them.</p>
          <Button small onClick={actions.open}>
            Try again
          </Button>
        </div>
      )}
      {power === 'on' && sheet && (
        <HostDialog
          key={sheet.id}
          phone={phone}
          sheet={sheet}
          account={ACCOUNTS.get(user) ?? user}
          takesFocus={isChosen}
          onAnswer={(choice) => actions.answer(sheet.id, choice)}
          onDone={() => frame.current?.focus()}
        />
      )}
    </div>
  );
}

/** What a person can do to the phone. */
function Tools({ phone, state, actions }: PartProps) {
  return (
    <div className={css.tools} role="group" aria-label={`What you can do to ${phone.name}`}>
      {isRunning(state) ? (
        <button
          type="button"
          onClick={actions.kill}
          title="Ends the app without a word, as a phone short of memory does. Its storage stays."
        >
          Kill
        </button>
      ) : (
        <button type="button" onClick={actions.open}>
          {state.power === 'killed' ? 'Reopen' : 'Open'}
        </button>
      )}
      <button
        type="button"
        disabled={!isRunning(state)}
        onClick={actions.reload}
        title="Loads the page it shows once more."
      >
        Reload
      </button>
      <a href={addressOf(phone, phone.app !== null)} target="_blank" rel="noreferrer">
        Alone<span className="visually-hidden">: {phone.name} in a tab of its own</span>
      </a>
    </div>
  );
}

type PhoneFrameProps = PartProps & {
  readonly isChosen: boolean;
  /** The shop's time, epoch ms. */
  readonly now: number;
  readonly onChoose: () => void;
};

/** A phone with the shipped bundle inside, its host's bar above, and what a person can do to a phone. */
export function PhoneFrame({ isChosen, now, onChoose, ...parts }: PhoneFrameProps) {
  const { phone, state, actions } = parts;
  const { id, app, name, country } = phone;
  const place = useRef<HTMLElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  const path = usePath(frame);
  useOpening(place, actions.want);
  const clock = new Intl.DateTimeFormat(country.locale, { timeZone: country.timeZone, timeStyle: 'short' }).format(now);
  const network = String(state.controls['networkType']);
  const isInFront = state.power === 'on';
  return (
    <article
      ref={place}
      id={id}
      className={css.phone}
      data-chosen={isChosen}
      aria-labelledby={`${id}-name`}
      onPointerDown={onChoose}
      onFocus={onChoose}
    >
      <h3 id={`${id}-name`}>{name}</h3>
      <div
        className={css.body}
        style={app === null ? {} : ({ '--chrome': app.colour, '--chrome-ink': app.ink } as CSSProperties)}
      >
        <div className={css.status}>
          <span>{clock}</span>
          <span>{NETWORK_NAMES[network] ?? network.toUpperCase()}</span>
        </div>
        <div className={css.bar}>
          <b>{app === null ? location.host : `${country.appName} in ${app.name}`}</b>
          <span>{isInFront && path}</span>
          {state.isLoading && <span className={css.progress} role="progressbar" aria-label={`${name} is loading`} />}
        </div>
        <Screen {...parts} isChosen={isChosen} frame={frame} />
        <div className={css.keys}>
          <button type="button" aria-label={`Back on ${name}`} disabled={!isInFront} onClick={actions.back}>
            ◁
          </button>
          <button type="button" aria-label={`Home screen of ${name}`} disabled={!isInFront} onClick={actions.hide}>
            ○
          </button>
        </div>
      </div>
      <Tools {...parts} />
    </article>
  );
}
