import * as t from '#text/trains.ts';
import type { Stop } from '../../contract/trainOrder.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { href } from '../../ui/href.ts';
import { Sheet } from '../../ui/overlays/Sheet.tsx';
import { StationFacts } from './StationFacts.tsx';
import { stopFacts } from './JourneyLine.tsx';
import css from './Trains.module.css';

/** One station of the journey: what is known of the halt, and the way to its food or why there is none. */
export function StationSheet({ stop, onClose, onOver }: { stop: Stop; onClose: () => void; onOver: () => void }) {
  const isOpen = stop.state === 'OPEN';
  return (
    <Sheet
      title={stop.name}
      onClose={onClose}
      footer={
        isOpen ? (
          <Button full href={href(`/irctcStation?station=${stop.stationId}`)} onClick={onClose}>
            {t.stationSee({ station: stop.name })}
          </Button>
        ) : (
          <Button full kind="secondary" onClick={onClose}>
            {t.otherStation}
          </Button>
        )
      }
    >
      <div className={css.stack}>
        <p className={css.note}>{stopFacts(stop)}</p>
        {stop.reason !== null && <p className={css.reason}>{stop.reason}</p>}
        {stop.state !== 'SKIPPED' && <StationFacts stop={stop} onOver={onOver} />}
      </div>
    </Sheet>
  );
}
