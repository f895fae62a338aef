import { DrawnPicture } from '../ui/DrawnPicture.tsx';
import type { Phone } from './phones.ts';
import { PIZZA } from './pizza.ts';
import type { PhoneState } from './usePhones.ts';
import css from './Launcher.module.css';

const HINTS: Readonly<Record<PhoneState['power'], string>> = {
  waiting: 'Tap to open',
  queued: 'Opening …',
  on: '',
  away: 'Still running. Tap to come back.',
  killed: 'Killed. What it kept is still on this phone.',
};

/** The home screen of a phone whose app is not in front. */
export function Launcher({
  phone,
  power,
  clock,
  onOpen,
}: {
  phone: Phone;
  power: PhoneState['power'];
  clock: string;
  onOpen: () => void;
}) {
  return (
    <div className={css.launcher} data-app={phone.app !== null}>
      <p className={css.clock} aria-hidden>
        {clock}
      </p>
      <button type="button" className={css.app} onClick={onOpen}>
        <span className={css.icon}>
          <DrawnPicture subjects={[{ pizza: PIZZA }]} />
        </span>
        <span className={css.name}>{phone.country.appName}</span>
        <span className={css.hint}>{HINTS[power]}</span>
      </button>
    </div>
  );
}
