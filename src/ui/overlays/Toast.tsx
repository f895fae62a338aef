import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../forms/Button.tsx';
import css from './Toast.module.css';

interface ToastProps {
  /** Null hides it; its element stays in the page, so that the next sentence is announced. */
  message: string | null;
  action?: { text: string; onPress: () => void } | undefined;
  /** Called once there was time to read it. Without, the message stays as long as it is given. */
  onDone?: () => void;
}

/** One plain line is read at a glance. */
const LINE_LETTERS = 32;
const LINE_MS = 3500;
/** Nobody gets less for more, and slow readers need about 90 ms for a letter. */
const SHORTEST_MS = 5000;
const LETTER_MS = 90;
/** To find the message, and once more to decide about its button. */
const NOTICE_MS = 2000;

/** Milliseconds that a message stays, by its length. */
const timeFor = (message: string, action: string | undefined) =>
  !action && message.length <= LINE_LETTERS
    ? LINE_MS
    : Math.max(
        SHORTEST_MS,
        NOTICE_MS + LETTER_MS * message.length + (action ? NOTICE_MS + LETTER_MS * action.length : 0),
      );

const GAP = 8;
/** From a change of the page until the message looks for a place again: what changes with it stands by then. */
const SETTLED_MS = 100;
const BARS = '[data-bar],[data-dock]';
/** What one taps or reads next: controls with their words, names and prices of dishes, sentences, sums, steps. */
const WANTED = `a[href],button,label,input,select,textarea,summary,h1,h2,h3,p,dd,ol>li,span[translate],${BARS},[data-stays]`;
/** What explains something: a message lies over it sooner than over a heading, a price or a control. */
const TOLD = 'p,dd';
/** What stays lies over the page wherever somebody scrolls to: it keeps to the foot. */
const FOOT = `${BARS},aside>a,aside>button`;
/** How far from the lower edge it may go, as a part of the window's height. */
const HIGHEST = 0.8;

/** The dialog that lies over everything else. */
const topDialog = (): HTMLDialogElement | undefined =>
  [...document.querySelectorAll<HTMLDialogElement>('dialog[open]')].pop();

/**
 * The lowest place for `toast` above the bars where it lies over nothing that is `wanted`, in pixels from the window's
 * lower edge; if there is none, where it lies over the least.
 */
function freePlace(toast: HTMLElement, wanted: string): number {
  const within = topDialog() ?? document;
  const { height, left, right } = toast.getBoundingClientRect();
  const taken: { box: DOMRect; weight: number }[] = [];
  let foot = GAP;
  for (const element of within.querySelectorAll(wanted)) {
    const box = element.getBoundingClientRect();
    const isBeside = box.right <= left || box.left >= right;
    if (toast.contains(element) || box.height === 0 || isBeside || box.bottom <= 0 || box.top >= innerHeight) continue;
    taken.push({ box, weight: element.matches(TOLD) ? 1 : 2 });
    const isBar = element.matches(BARS) && box.bottom >= innerHeight - 1;
    if (isBar) foot = Math.max(foot, innerHeight - box.top + GAP);
  }
  let best = foot;
  let least = Infinity;
  for (let place = foot; least > 0 && place + height < innerHeight * HIGHEST; place += GAP) {
    const lower = innerHeight - place;
    const covered = taken.reduce(
      (sum, { box, weight }) => (box.bottom > lower - height && box.top < lower ? sum + weight : sum),
      0,
    );
    if (covered >= least) continue;
    least = covered;
    best = place;
  }
  return best;
}

function Shown({ message, action, onDone }: ToastProps & { message: string }) {
  const own = useRef<HTMLDivElement>(null);
  const [held, setHeld] = useState(false);
  const [place, setPlace] = useState<number>();
  const stays = !onDone;
  const ms = timeFor(message, action?.text);
  useLayoutEffect(() => {
    let due: ReturnType<typeof setTimeout> | undefined;
    const find = () => {
      due = undefined;
      setPlace(freePlace(own.current!, stays ? FOOT : WANTED));
    };
    find();
    // Measuring lays the whole page out: a tap's answer is painted before, and many changes are measured once.
    const findLater = () => {
      due ??= setTimeout(find, SETTLED_MS);
    };
    // A message that is told on the way to another screen meets that screen's bar only there (counted.ts).
    const watch = new MutationObserver(findLater);
    watch.observe(document.documentElement, { attributeFilter: ['data-bars', 'data-docks', 'data-links'] });
    // What is still loaded when it is told comes under it otherwise.
    watch.observe(document.body, { childList: true, subtree: true });
    return () => {
      watch.disconnect();
      clearTimeout(due);
    };
  }, [stays]);
  const before = useRef<EventTarget | null>(null);
  // Focus that was on its button returns to where it came from.
  useLayoutEffect(() => {
    const toast = own.current!;
    return () => {
      if (!toast.contains(document.activeElement)) return;
      const from = before.current;
      const back = from instanceof HTMLElement && from.isConnected ? from : document.querySelector('main');
      back?.focus({ preventScroll: true });
    };
  }, []);
  useEffect(() => {
    if (held || !onDone) return;
    const timer = setTimeout(onDone, ms);
    return () => clearTimeout(timer);
  }, [held, ms, onDone]);
  // A tap beside its button goes to what is under the message, so the message itself never hears of a pointer.
  useEffect(() => {
    const follow = ({ pointerType, clientX, clientY }: PointerEvent) => {
      if (pointerType === 'touch') return;
      const box = own.current!.getBoundingClientRect();
      setHeld(clientX >= box.left && clientX <= box.right && clientY >= box.top && clientY <= box.bottom);
    };
    addEventListener('pointermove', follow);
    return () => removeEventListener('pointermove', follow);
  }, []);
  return (
    <div
      ref={own}
      className={css.toast}
      data-stays={stays ? '' : undefined}
      style={{ bottom: place }}
      onFocus={({ relatedTarget }) => {
        before.current = relatedTarget;
        setHeld(true);
      }}
      onBlur={() => setHeld(false)}
    >
      <span className={css.words}>{message}</span>
      {action && (
        <Button kind="quiet" small onClick={action.onPress}>
          {action.text}
        </Button>
      )}
    </div>
  );
}

/**
 * While a dialog is open, everything outside is covered and cannot be used: the region with the message goes inside. It
 * returns when the dialog goes.
 */
function useTopmost(id: number | undefined, isShown: boolean) {
  const home = useRef<HTMLDivElement>(null);
  const region = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!isShown) return;
    const own = region.current!;
    const goHome = () => home.current?.append(own);
    const dialog = topDialog();
    if (!dialog) return goHome();
    dialog.append(own);
    const watch = new MutationObserver(() => {
      if (!own.isConnected) goHome();
    });
    watch.observe(document.body, { childList: true, subtree: true });
    return () => {
      watch.disconnect();
      goHome();
    };
  }, [id, isShown]);
  return { home, region };
}

/**
 * A short message that goes by itself once there was time to read it, unless it stays for as long as what it says holds;
 * the time stops while a pointer or the focus is on it. It takes no taps but those on its button, and lies over no control. `id` names the message: a new one is announced
 * even if it says the same.
 */
export function Toast({ id, message, ...rest }: ToastProps & { id?: number | undefined }) {
  const { home, region } = useTopmost(id, message !== null);
  return (
    <div ref={home}>
      <div role="status" ref={region}>
        {message !== null && <Shown key={id} message={message} {...rest} />}
      </div>
    </div>
  );
}
