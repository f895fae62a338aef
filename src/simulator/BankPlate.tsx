import type { BankOutcome } from '../contract/development.ts';
import { CardIcon } from '../ui/icons.ts';
import { Choice } from './Choice.tsx';
import { Plate } from './Plate.tsx';
import type { ServerActions, ServerState } from './useServer.ts';

type Outcome = BankOutcome | 'usual';

const OUTCOMES: readonly { value: Outcome; text: string; detail: string }[] = [
  { value: 'usual', text: 'As usual', detail: 'Pays. Bills ending in .13, .37, .59 do not.' },
  { value: 'success', text: 'Pays', detail: 'Whatever the bill says.' },
  { value: 'failure', text: 'Declines', detail: 'No money moves.' },
  { value: 'pending', text: 'Keeps it open', detail: 'Nobody knows yet, for long.' },
  { value: 'pending-then-success', text: 'Pays in 20 s', detail: 'First open, then paid.' },
  { value: 'pending-then-failure', text: 'Declines in 20 s', detail: 'First open, then money back.' },
  { value: 'late', text: 'Pays too late', detail: 'After 16 minutes: money back.' },
  { value: 'twice', text: 'Reports twice', detail: 'Still one order, one payment.' },
  { value: 'silent', text: 'Never reports', detail: 'The shop has to ask.' },
];

/** What the embedded bank does with the next payments, on every phone. */
export function BankPlate({ server, actions }: { server: ServerState; actions: ServerActions }) {
  return (
    <Plate
      id="bank"
      icon={<CardIcon size={20} />}
      title="The bank"
      about="What it does with the next payments, on every phone. No real money anywhere."
    >
      <Choice
        tiles
        quiet
        legend="The bank"
        options={OUTCOMES}
        value={server.switches.bankOutcome ?? 'usual'}
        onChange={(value) => actions.change({ bankOutcome: value === 'usual' ? null : value })}
      />
    </Plate>
  );
}
