import * as errors from '#text/errors.ts';
import * as t from '#text/payment.ts';
import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import type { ChangeEvent } from 'react';
import { latinDigits } from '../../domain/phone.ts';
import {
  instructionsAtom,
  orderNoteAtom,
  quoteState,
  slotIdAtom,
  tableAtom,
  vehicleAtom,
  type VehicleDraft,
} from '../../state/checkout.ts';
import { chosenStoreAtom, deliveryPlaceAtom, deliveryTypeAtom } from '../../state/first/location.ts';
import { slotsState } from '../../state/timeSlots.ts';
import { instructionChoices } from '../../state/checkout.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Chips } from '../../ui/Chips.tsx';
import { Field } from '../../ui/Field.tsx';
import { href } from '../../ui/href.ts';
import { PinIcon } from '../../ui/icons/PinIcon.tsx';
import { StoreIcon } from '../../ui/icons/StoreIcon.tsx';
import { ListRow } from '../../ui/ListRow.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { TextArea } from '../../ui/TextArea.tsx';
import css from './Handover.module.css';

/** What is still missing before the food can be handed over, as a sentence; null when nothing is. */
export function useHandoverProblem(): string | null {
  const type = useAtomValue(deliveryTypeAtom);
  const vehicle = useAtomValue(vehicleAtom);
  const table = useAtomValue(tableAtom);
  if (type === 'CURB' && !(vehicle.colour.trim() && vehicle.model.trim() && /^\d{4}$/.test(vehicle.lastFourDigits)))
    return errors.vehicleMissing;
  if (type === 'DINEIN' && table.trim() === '') return errors.tableMissing;
  return null;
}

/** Where, when and how the customer gets the food, by delivery type. */
export function Handover({ error }: { error: string | undefined }) {
  const [type, setType] = useAtom(deliveryTypeAtom);
  const place = useAtomValue(deliveryPlaceAtom);
  const store = useAtomValue(chosenStoreAtom);
  return (
    <Card title={type === 'DELIVERY' ? t.whereBring : t.whereCollect}>
      <div className={css.place}>
        {type === 'DELIVERY' ? (
          <ListRow
            icon={<PinIcon />}
            title={
              place?.address?.houseNo
                ? `${place.address.houseNo}, ${place.address.address}`
                : (place?.text ?? t.addressChoose)
            }
            detail={
              place?.address?.landmark
                ? t.near({ landmark: place.address.landmark })
                : store
                  ? t.fromStore({ store: store.name })
                  : undefined
            }
            href={href(place ? '/address?from=cart' : '/postorder-ui/searchAddress?from=cart')}
            end={<span className={css.change}>{t.change}</span>}
          />
        ) : (
          <ListRow
            icon={<StoreIcon />}
            title={store?.name ?? t.storeChoose}
            detail={store ? `${store.address} · ${store.hoursText}` : undefined}
            href={href('/postorder-ui/searchAddress?from=cart')}
            end={<span className={css.change}>{t.change}</span>}
          />
        )}
      </div>
      {error && (
        <p className={css.error} role="alert">
          {error}
        </p>
      )}
      {type === 'CURB' && <Vehicle onCounter={() => setType('PICKUP')} />}
      {type === 'DINEIN' && <Table />}
      <When />
      {type === 'DELIVERY' && <Rider />}
    </Card>
  );
}

function Vehicle({ onCounter }: { onCounter: () => void }) {
  const [vehicle, setVehicle] = useAtom(vehicleAtom);
  const set = (field: keyof VehicleDraft, value: string) => setVehicle((before) => ({ ...before, [field]: value }));
  const bound = (field: 'colour' | 'model') => ({
    name: `vehicle-${field}`,
    autoComplete: 'off',
    value: vehicle[field],
    onChange: (event: ChangeEvent<HTMLInputElement>) => set(field, event.target.value),
  });
  return (
    <div className={css.block}>
      <p className={css.lead}>{t.vehicle}</p>
      <div className={css.pair}>
        <Field label={t.vehicleColour} maxLength={30} {...bound('colour')} />
        <Field label={t.vehicleModel} maxLength={40} {...bound('model')} />
      </div>
      <Field
        label={t.vehicleDigits}
        name="vehicle-number"
        autoComplete="off"
        inputMode="numeric"
        maxLength={4}
        value={vehicle.lastFourDigits}
        onChange={(event) => set('lastFourDigits', latinDigits(event.target.value).slice(0, 4))}
      />
      <Button kind="quiet" small onClick={onCounter}>
        {t.vehicleNone}
      </Button>
    </div>
  );
}

function Table() {
  const [table, setTable] = useAtom(tableAtom);
  return (
    <div className={css.block}>
      <Field
        label={t.table}
        name="table"
        autoComplete="off"
        inputMode="numeric"
        maxLength={12}
        value={table}
        hint={t.tableHint}
        onChange={(event) => setTable(event.target.value)}
      />
    </div>
  );
}

function When() {
  const { data, status } = useAtomValue(slotsState.atom);
  const [slotId, setSlot] = useAtom(slotIdAtom);
  const loadQuote = useSetAtom(quoteState.load);
  if (!data && status !== 'failed')
    return (
      <div className={css.block} aria-busy="true">
        <p className={css.lead}>{t.slot}</p>
        <Skeleton height="var(--touch)" />
      </div>
    );
  if (!data || data.slots.length === 0) return null;
  const isKnown = slotId === null || data.slots.some((slot) => slot.id === slotId);
  return (
    <div className={css.block}>
      <label className={css.lead} htmlFor="slot">
        {t.slot}
      </label>
      <select
        id="slot"
        className={css.select}
        value={isKnown ? (slotId ?? '') : ''}
        onChange={(event) => {
          setSlot(event.target.value || null);
          void loadQuote();
        }}
      >
        <option value="">{data.store.isOpen ? t.slotSoonest : t.slotChoose({ hours: data.store.hoursText })}</option>
        {data.slots.map((slot) => (
          <option key={slot.id} value={slot.id}>
            {slot.label}
          </option>
        ))}
      </select>
    </div>
  );
}

function Rider() {
  const { data, status } = useAtomValue(instructionChoices.atom);
  const [chosen, setChosen] = useAtom(instructionsAtom);
  const [note, setNote] = useAtom(orderNoteAtom);
  return (
    <div className={css.block}>
      {!data && status !== 'failed' && <Skeleton height="calc(2.5rem + 8px)" />}
      {data && data.length > 0 && (
        <Chips
          label={t.forRider}
          chips={data.map(({ id, label }) => ({ id, text: label }))}
          pressed={chosen}
          onToggle={(id) =>
            setChosen((before) => (before.includes(id) ? before.filter((one) => one !== id) : [...before, id]))
          }
        />
      )}
      <TextArea
        label={t.riderNote}
        name="note"
        rows={2}
        maxLength={200}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
    </div>
  );
}
