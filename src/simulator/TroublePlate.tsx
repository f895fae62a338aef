import { WarningIcon } from '../ui/icons.ts';
import { Choice } from './Choice.tsx';
import { Plate } from './Plate.tsx';
import { TROUBLES, troubleOf } from './server.ts';
import type { ServerActions, ServerState } from './useServer.ts';
import css from './TroublePlate.module.css';

const OPTIONS = TROUBLES.map(({ id, title, detail }) => ({ value: id, text: title, detail }));

/** Slow and failing calls, for every phone. */
export function TroublePlate({ server, actions }: { server: ServerState; actions: ServerActions }) {
  const { faults } = server.switches;
  const trouble = troubleOf(faults);
  return (
    <Plate
      id="trouble"
      icon={<WarningIcon size={20} />}
      title="The line to the server"
      about="Slow and failing calls, on every phone. What the apps say then is worth reading."
    >
      <Choice
        tiles
        quiet
        legend="The line to the server"
        options={OPTIONS}
        value={trouble?.id ?? null}
        onChange={(id) => actions.change({ faults: TROUBLES.find((one) => one.id === id)?.faults ?? [] })}
      />
      {trouble === null && (
        <p className={css.own}>
          {faults.length} {faults.length === 1 ? 'fault' : 'faults'} set by somebody else:{' '}
          {faults.map(({ match }) => match).join(', ')}
        </p>
      )}
    </Plate>
  );
}
