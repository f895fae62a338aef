import { ClockIcon } from '../ui/icons.ts';
import type { Phone } from './phones.ts';
import { Plate } from './Plate.tsx';
import type { ServerActions, ServerState } from './useServer.ts';
import css from './ClockPlate.module.css';

const JUMPS = [
  { seconds: 60, text: '+1 min' },
  { seconds: 300, text: '+5 min' },
  { seconds: 900, text: '+15 min' },
] as const;
/** Every shop of every country is open at half past twelve. */
const LUNCH_SECONDS = 12.5 * 3_600;
const DAY_SECONDS = 86_400;
/** An order takes 24 minutes from the oven to the door; a busy kitchen adds some. */
const TO_DELIVERY_SECONDS = 1_800;

/** Until the next lunch time in a time zone; `now` is epoch ms. */
export function secondsToLunch(now: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
  }).formatToParts(now);
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value ?? 0);
  const today = part('hour') * 3_600 + part('minute') * 60 + part('second');
  return ((LUNCH_SECONDS - today + DAY_SECONDS - 1) % DAY_SECONDS) + 1;
}

function inWords(offsetMs: number): string {
  const minutes = Math.round(offsetMs / 60_000);
  if (minutes === 0) return 'as in real life';
  if (minutes < 120) return `${minutes} min ahead of real life`;
  return minutes < 2_880
    ? `${Math.round(minutes / 60)} h ahead of real life`
    : `${Math.round(minutes / 1_440)} days ahead of real life`;
}

/** The shop's clock, and buttons that push it forward. */
export function ClockPlate({
  phone,
  now,
  server,
  actions,
}: {
  phone: Phone;
  now: number;
  server: ServerState;
  actions: ServerActions;
}) {
  const { country } = phone;
  const isBusy = server.busy === 'clock';
  const time = new Intl.DateTimeFormat(country.locale, {
    timeZone: country.timeZone,
    hour: 'numeric',
    minute: '2-digit',
    second: '2-digit',
  }).format(now);
  const day = new Intl.DateTimeFormat(country.locale, {
    timeZone: country.timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
  }).format(now);
  return (
    <Plate
      id="clock"
      icon={<ClockIcon size={20} />}
      title="The shop’s clock"
      about="Ovens, riders, offers and codes follow it. It only goes forward. Shops closed? Lunch finds them open."
    >
      <p className={css.time} data-busy={isBusy}>
        <b>{time}</b>
        <span>
          {day} in {country.label}, {inWords(server.offsetMs)}
        </span>
      </p>
      <div className={css.jumps} role="group" aria-label="Push the clock forward">
        {JUMPS.map(({ seconds, text }) => (
          <button key={seconds} type="button" disabled={isBusy} onClick={() => actions.advance(seconds)}>
            {text}
          </button>
        ))}
        <button type="button" disabled={isBusy} onClick={() => actions.advance(secondsToLunch(now, country.timeZone))}>
          To lunch
        </button>
        <button type="button" data-main disabled={isBusy} onClick={() => actions.advance(TO_DELIVERY_SECONDS)}>
          To delivery <span>+30 min</span>
        </button>
      </div>
    </Plate>
  );
}
