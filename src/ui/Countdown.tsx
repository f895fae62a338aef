import { useEffect, useRef, useState, type ReactNode } from 'react';

interface CountdownProps {
  /** Epoch milliseconds of the clock that `nowMs` reads. */
  endsAtMs: number;
  nowMs: () => number;
  /** Nothing is shown before it; the clock runs all the same. */
  showFromMs?: number;
  /** The sentence around the time, for example (time) => `Ends in ${time}`. */
  text: (time: string) => ReactNode;
  /** Shown and said at the end. */
  expired: ReactNode;
  onExpire?: () => void;
}

/** 65000 becomes '01:05', an hour and more '1:01:05', a day and more '2d 1:01:05'; never below zero. */
export function clockText(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / 1000));
  const two = (value: number) => String(value).padStart(2, '0');
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor(seconds / 3600) % 24;
  return `${days ? `${days}d ` : ''}${days || hours ? `${hours}:` : ''}${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** Ticks for the eye every second; speaks only at the start, at one minute and at the end. */
export function Countdown({ endsAtMs, nowMs, showFromMs, text, expired, onExpire }: CountdownProps) {
  const [leftMs, setLeft] = useState(() => endsAtMs - nowMs());
  const over = leftMs <= 0;
  // The server's clock may become known after this began.
  const clock = useRef(nowMs);
  useEffect(() => { clock.current = nowMs; });
  useEffect(() => {
    if (over) {
      onExpire?.();
      return;
    }
    const timer = setInterval(() => setLeft(endsAtMs - clock.current()), 1000);
    return () => clearInterval(timer);
    // The callbacks are read when they are needed; only the end and being over restart the clock.
  }, [endsAtMs, over]);
  const [started] = useState(leftMs);
  if (showFromMs !== undefined && endsAtMs - leftMs < showFromMs) return null;
  const said = over ? expired : text(clockText(leftMs <= 60_000 && started > 60_000 ? 60_000 : started));
  return (
    <span style={{ fontVariantNumeric: 'tabular-nums' }}>
      <span aria-hidden>{over ? expired : text(clockText(leftMs))}</span>
      <span className="visually-hidden" aria-live="polite">
        {said}
      </span>
    </span>
  );
}
