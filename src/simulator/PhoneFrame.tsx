import { useEffect, useRef, useState } from 'react';
import { BackIcon } from '../ui/icons/BackIcon.tsx';
import { CloseIcon } from '../ui/icons/CloseIcon.tsx';
import { HostSheet } from './HostSheet.tsx';
import { Launcher } from './Launcher.tsx';
import { Notice } from './Notice.tsx';
import { ACCOUNTS, addressOf, HOST_NAMES, type Phone } from './phones.ts';
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

/** A phone with the shipped bundle inside, its host's bars around, and what a person can do to a phone. */
export function PhoneFrame({ phone, state, actions, isChosen, isShown, notice, now, onChoose, onNoticeDone }: PhoneFrameProps) {
  const { id, host, country, mount, name } = phone;
  const { power, isWide, isLoading, isBroken, controls, sheets } = state;
  const place = useRef<HTMLElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLIFrameElement | null>(null);
  const frameOf = useRef(() => frame.current).current;
  const [size, setSize] = useState({ width: PHONE_WIDTH, height: 640 });
  const path = usePath(frameOf, power === 'on', mount);

  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect;
      if (width > 0) setSize({ width, height });
    });
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);

  // Two cores: a phone is opened when it comes into sight, and not before.
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ intersectionRect: seen, boundingClientRect: whole }) => seen.width > whole.width * 0.6 && seen.height > whole.height * 0.2)) actions.want(id);
    }, { threshold: [0.15, 0.3, 0.45, 0.6, 0.75] });
    observer.observe(place.current!);
    return () => observer.disconnect();
  }, [actions, id]);

  // A real motor where there is one; the drawn phone shakes for everybody else.
  const { buzzes } = state;
  useEffect(() => {
    if (buzzes === 0) return;
    navigator.vibrate?.(20);
    const shaken = matchMedia('(prefers-reduced-motion: reduce)').matches ? null : box.current?.animate([{ translate: '0' }, { translate: '-3px' }, { translate: '3px' }, { translate: '0' }], { duration: 120, iterations: 2 });
    return () => shaken?.cancel();
  }, [buzzes]);

  const isRunning = power === 'on' || power === 'away';
  const logical = isWide ? DESKTOP_WIDTH : Math.min(Math.max(size.width, PHONE_WIDTH), WIDEST_PHONE);
  const scale = size.width / logical;
  const [sheet] = sheets;
  const clock = new Intl.DateTimeFormat(country.locale, { timeZone: country.timeZone, hour: 'numeric', minute: '2-digit', hour12: false }).format(now);
  const options = JSON.stringify({ controls, sheets: state.asks, user: state.user });
  const account = ACCOUNTS.find((one) => one.id === state.user)?.name ?? state.user;
  const shield = sheet !== undefined || power === 'away';

  const onLoad = () => {
    // The server's refusals are text or JSON, and the browser's own error page shows no document; the bank's pages are pages too.
    actions.loaded(id, frame.current?.contentDocument?.contentType === 'text/html');
  };

  return (
    <article ref={place} id={id} className={css.phone} data-wide={isWide} data-chosen={isChosen} data-shown={isShown} aria-labelledby={`${id}-name`} onPointerDown={onChoose} onFocus={onChoose}>
      <header className={css.label}>
        <h3 id={`${id}-name`}>{name}</h3>
        <p>{phone.about}</p>
      </header>
      <div className={css.body} data-host={host}>
        {!isWide && (
          <div className={css.status}>
            <span>{clock}</span>
            <span className={css.signal} data-none={controls.networkType === 'none'}>
              <SignalIcon network={controls.networkType} />
              {NETWORK_NAMES[controls.networkType]}
            </span>
          </div>
        )}
        <div className={css.bar}>
          {host === 'browser' ? (
            <>
              {isWide && <span className={css.lights} aria-hidden><i /><i /><i /></span>}
              <span className={css.address}><span className="visually-hidden">Address: </span>{location.host}/<b>{mount}</b>{path.replace(/^\//, '')}</span>
            </>
          ) : (
            <>
              <button type="button" className={css.close} aria-label={`Close the app in ${HOST_NAMES[host]}`} disabled={!isRunning} onClick={() => actions.kill(id)}><CloseIcon size={20} /></button>
              <span className={css.title}>
                <b>{country.appName}</b>
                <small>in {HOST_NAMES[host]}</small>
              </span>
              <span className={css.path}>{isRunning && path !== '/' && path}</span>
            </>
          )}
          {isLoading && <span className={css.progress} role="progressbar" aria-label={`${name} is loading`} />}
        </div>
        <div className={css.screen} ref={box}>
          {isRunning && (
            <iframe
              key={state.run}
              ref={(element) => {
                frame.current = element;
                actions.frame(id)(element);
              }}
              title={`${name}: the app`}
              src={addressOf(phone, true)}
              data-host-fake={options}
              allow="clipboard-write"
              inert={shield}
              onLoad={onLoad}
              style={{ width: logical, height: size.height / scale, transform: `scale(${scale})` }}
            />
          )}
          {power !== 'on' && <Launcher phone={phone} power={power} clock={clock} onOpen={() => (power === 'away' ? actions.show(id) : actions.open(id))} />}
          {power === 'on' && isBroken && (
            <div className={css.broken} role="alert">
              <h4>The app is not here</h4>
              <p>Either the server is gone, or this bundle is not built. <code>npm start</code> builds and serves all of them.</p>
              <button type="button" onClick={() => actions.open(id)}>Try again</button>
            </div>
          )}
          {power === 'on' && sheet && (
            <HostSheet
              key={sheet.id} phone={phone} sheet={sheet} account={account} takesFocus={isChosen}
              onAnswer={(choice) => actions.answer(id, sheet.id, choice)} onDone={() => actions.focus(id)}
            />
          )}
          {notice && <Notice message={notice} onDone={onNoticeDone} />}
        </div>
        {!isWide && (
          <div className={css.keys}>
            <button type="button" aria-label={`Back on ${name}`} disabled={power !== 'on'} onClick={() => actions.back(id)}><span className={css.triangle} /></button>
            <button type="button" aria-label={`Home screen of ${name}`} disabled={power !== 'on'} onClick={() => actions.hide(id)}><span className={css.circle} /></button>
          </div>
        )}
      </div>
      <div className={css.tools} role="group" aria-label={`What you can do to ${name}`}>
        {isWide && <button type="button" disabled={power !== 'on'} onClick={() => actions.back(id)}><BackIcon size={16} />Back</button>}
        {isRunning
          ? <button type="button" onClick={() => actions.kill(id)} title="Ends the app without a word, as a phone short of memory does. Its storage stays.">Kill</button>
          : <button type="button" data-strong onClick={() => actions.open(id)}>{power === 'killed' ? 'Reopen' : 'Open'}</button>}
        <button type="button" disabled={!isRunning} onClick={() => actions.reload(id)} title="Loads the page it shows once more.">Reload</button>
        {host === 'browser' && <button type="button" className={css.desktop} aria-pressed={isWide} onClick={() => actions.widen(id, !isWide)}>Desktop</button>}
        <a href={addressOf(phone, host !== 'browser')} target="_blank" rel="noreferrer">Alone<span className="visually-hidden">: {name} in a tab of its own</span><span aria-hidden> ↗</span></a>
      </div>
    </article>
  );
}
