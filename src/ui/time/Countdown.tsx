import * as t from '#text/alive.ts';
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { timeLeftText } from '../../domain/countdown.ts';
import { MINUTE_MS } from '../../domain/time.ts';

interface CountdownProps {
  /** Epoch milliseconds of the clock that `nowMs` reads. */
  endsAtMs: number;
  nowMs: () => number;
  /** Epoch milliseconds: nothing is shown before this moment, but the clock runs already. */
  showFromMs?: number;
  /** The sentence around the time, for example (time) => `Ends in ${time}`. */
  text: (time: string) => ReactNode;
  /** Shown and announced at the end. */
  expired: ReactNode;
  onExpire?: () => void;
}

/**
 * Shows a new time every second; screen readers announce only the start, the last minute and the end. Another
 * `endsAtMs` starts it again.
 */
export function Countdown(props: CountdownProps) {
  return <Clock key={props.endsAtMs} {...props} />;
}

/** By less than this two answers say the same of the server's clock. */
const JUMP_MS = 2_000;
/** The time that `nowMs` reads, and what a phone's clock was put back by meanwhile, until the server's time is known again. */
function steadied(): (nowMs: () => number) => number {
  let [wall, ahead, lost] = [0, 0, 0];
  return (nowMs) => {
    const [wallBefore, aheadBefore] = [wall, ahead];
    wall = Date.now();
    ahead = nowMs() - wall;
    lost = Math.abs(ahead - aheadBefore) > JUMP_MS ? 0 : lost + Math.max(0, wallBefore - wall);
    return wall + ahead + lost;
  };
}

function Clock({ endsAtMs, nowMs, showFromMs, text, expired, onExpire }: CountdownProps) {
  const [steady] = useState(steadied);
  const [leftMs, setLeft] = useState(() => Math.max(0, endsAtMs - steady(nowMs)));
  const over = leftMs === 0;
  // It ticks on after the end: the server's clock may become known only then, and show that there is time left.
  const tick = useEffectEvent(() => setLeft(Math.max(0, endsAtMs - steady(nowMs))));
  useEffect(() => {
    const timer = setInterval(() => tick(), 1000);
    return () => clearInterval(timer);
  }, []);
  const end = useEffectEvent(() => onExpire?.());
  useEffect(() => {
    if (over) end();
  }, [over]);
  const [started] = useState(leftMs);
  if (showFromMs !== undefined && endsAtMs - leftMs < showFromMs) return null;
  const shown = (ms: number) => text(t.left({ time: timeLeftText(ms) }));
  const said = over ? expired : shown(leftMs <= MINUTE_MS && started > MINUTE_MS ? MINUTE_MS : started);
  return (
    <span style={{ fontVariantNumeric: 'tabular-nums' }}>
      <span aria-hidden>{over ? expired : shown(leftMs)}</span>
      <span className="visually-hidden" aria-live="polite">
        {said}
      </span>
    </span>
  );
}
