import * as t from '#text/league.ts';
import { enterLeagueAtom, League } from './League.tsx';
import css from './League.module.css';

export const enter = enterLeagueAtom;

/** Whether a page of another origin shows this one in a frame: what it is may not be asked there. */
function isInAnothers(): boolean {
  try {
    return globalThis.top?.location.origin !== globalThis.location.origin;
  } catch {
    return true;
  }
}

/** The same for an app that shows it in a frame of its own: without our bar and what else stands around a screen. */
export default function LeagueAppScreen() {
  return (
    <>
      <h1 id="main" tabIndex={-1} className={css.alone}>
        {t.title}
      </h1>
      <League path="/worldPizzaLeagueApp" isFramed={isInAnothers()} />
    </>
  );
}
