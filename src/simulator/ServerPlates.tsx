import type { BankOutcome } from '../contract/development.ts';
import { Button } from '../ui/forms/Button.tsx';
import type { Phone } from './phones.ts';
import { Choice, Plate } from './Plate.tsx';
import { TROUBLES, troubleOf } from './server.ts';
import type { ServerActions, ServerState } from './useServer.ts';
import { DAY_S, HOUR_S, MINUTE_MS } from '../domain/time.ts';
import css from './Panel.module.css';

interface ServerProps {
  readonly server: ServerState;
  readonly actions: ServerActions;
}

const JUMPS = [
  [60, '+1 min'],
  [300, '+5 min'],
  [900, '+15 min'],
  // An order takes 24 minutes from the oven to the door; a busy kitchen adds some.
  [1_800, '+30 min'],
] as const;
/** Every shop of every country is open at half past twelve. */
const LUNCH_SECONDS = 12.5 * HOUR_S;

/** Until the next lunch time in a time zone; `now` is epoch ms. */
export function secondsToLunch(now: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'medium' }).format(now).split(':');
  const [hours = 0, minutes = 0, seconds = 0] = parts.map(Number);
  const today = hours * HOUR_S + minutes * 60 + seconds;
  return ((LUNCH_SECONDS - today + DAY_S - 1) % DAY_S) + 1;
}

/** The shop's clock, and buttons that push it forward. */
export function ClockPlate({ phone: { country }, now, server, actions }: ServerProps & { phone: Phone; now: number }) {
  const { locale, timeZone, label } = country;
  const [time, day] = [{ timeStyle: 'medium' as const }, { dateStyle: 'medium' as const }].map((style) =>
    new Intl.DateTimeFormat(locale, { timeZone, ...style }).format(now),
  );
  const jump = (seconds: number, text: string) => (
    <Button key={text} kind="secondary" small busy={server.isBusy} onClick={() => actions.advance(seconds)}>
      {text}
    </Button>
  );
  return (
    <Plate
      title="The shop’s clock"
      about="Ovens, riders, offers and codes follow it. It only goes forward. Shops closed? Lunch finds them open."
    >
      <p className={css.time}>
        <b>{time}</b> {day} in {label}, {Math.round(server.offsetMs / MINUTE_MS)} min ahead of real life
      </p>
      <div className={css.buttons} role="group" aria-label="Push the clock forward">
        {JUMPS.map(([seconds, text]) => jump(seconds, text))}
        {jump(secondsToLunch(now, timeZone), 'To lunch')}
      </div>
    </Plate>
  );
}

const OUTCOMES: readonly (readonly [BankOutcome | 'usual', string, string])[] = [
  ['usual', 'As usual', 'Pays. Bills ending in .13, .37, .59 do not.'],
  ['success', 'Pays', 'Whatever the bill says.'],
  ['failure', 'Declines', 'No money moves.'],
  ['pending', 'Keeps it open', 'Nobody knows yet, for long.'],
  ['pending-then-success', 'Pays in 20 s', 'First open, then paid.'],
  ['pending-then-failure', 'Declines in 20 s', 'First open, then money back.'],
  ['late', 'Pays too late', 'After 16 minutes: money back.'],
  ['twice', 'Reports twice', 'Still one order, one payment.'],
  ['silent', 'Never reports', 'The shop has to ask.'],
];

/** What the embedded bank does with the next payments, on every phone. */
export function BankPlate({ server, actions }: ServerProps) {
  return (
    <Plate title="The bank" about="What it does with the next payments, on every phone. No real money anywhere.">
      <Choice
        quiet
        legend="The bank"
        options={OUTCOMES}
        value={server.switches.bankOutcome ?? 'usual'}
        onChange={(value) => actions.change({ bankOutcome: value === 'usual' ? null : value })}
      />
    </Plate>
  );
}

/** Slow and failing calls, for every phone. */
export function TroublePlate({ server, actions }: ServerProps) {
  const { faults } = server.switches;
  return (
    <Plate title="The line to the server" about="Slow and failing calls, on every phone.">
      <Choice
        quiet
        legend="The line to the server"
        options={TROUBLES.map(({ id, title, detail }) => [id, title, detail])}
        // None is chosen where somebody else has set faults of their own.
        value={troubleOf(faults)?.id ?? null}
        onChange={(id) => actions.change({ faults: TROUBLES.find((one) => one.id === id)?.faults ?? [] })}
      />
    </Plate>
  );
}
