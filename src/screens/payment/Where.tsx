import * as errors from '#text/errors.ts';
import * as placeText from '#text/location.ts';
import * as t from '#text/payment.ts';
import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import { useState, type ChangeEvent, type ReactNode } from 'react';
import { latinDigits } from '../../domain/phone.ts';
import { chooseSlotAtom, quoteState, slotIdAtom, vehicleAtom, type VehicleDraft } from '../../state/checkout.ts';
import { chosenStoreAtom, deliveryPlaceAtom, deliveryTypeAtom } from '../../state/first/location.ts';
import { onTrainAtom } from '../../state/onTrain.ts';
import { storeSelectorPath } from '../../state/stores.ts';
import { tableAtom } from '../../state/table.ts';
import { slotsState } from '../../state/timeSlots.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { href } from '../../ui/href.ts';
import { CarIcon } from '../../ui/icons/CarIcon.tsx';
import { PinIcon } from '../../ui/icons/PinIcon.tsx';
import { StoreIcon } from '../../ui/icons/StoreIcon.tsx';
import { ListRow } from '../../ui/ListRow.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { laterAt } from '../location/laterAt.ts';
import { TrainPlace } from '../trains/CartTrain.tsx';
import type { PaymentForm } from './paymentForm.ts';
import css from './Where.module.css';

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

/** Where and when the customer gets the food: one line, which unfolds to change it. */
export function Where({ form }: { form: PaymentForm }) {
  const [type, setType] = useAtom(deliveryTypeAtom);
  const trip = useAtomValue(onTrainAtom);
  // The field of the table says itself what is wrong with it.
  const error = form.errors.where ?? (type === 'DINEIN' ? undefined : form.errors.handover);
  if (TRAINS && trip) return <TrainPlace trip={trip} />;
  return (
    <div id="pay-where" role={error ? 'group' : undefined} aria-describedby="pay-where-error" tabIndex={-1}>
      {type === 'DELIVERY' ? <ToDoor form={form} /> : <AtStore form={form} />}
      {error && (
        // The focus goes to the fields of the car, which do not say it, or to this place, which it describes.
        <p className={css.error} id="pay-where-error" role={type === 'CURB' ? 'alert' : undefined}>
          {error}
        </p>
      )}
      {type === 'CURB' && <Vehicle form={form} onCounter={() => setType('PICKUP')} />}
      {type === 'DINEIN' && <Table error={form.errors.handover} />}
    </div>
  );
}

/** The sentence about an offline store's orders for later, as it is known now. */
function useLater(): readonly string[] {
  const sentence = laterAt(useAtomValue(slotsState.atom).data?.store, useAtomValue(deliveryTypeAtom));
  return sentence === null ? [] : [sentence];
}

function ToDoor({ form }: { form: PaymentForm }) {
  const later = useLater();
  const place = useAtomValue(deliveryPlaceAtom);
  const store = useAtomValue(chosenStoreAtom);
  if (!place) return <ListRow icon={<PinIcon />} title={t.addressChoose} href={href(storeSelectorPath('DELIVERY'))} />;
  const { address, text } = place;
  return (
    <PlaceFold
      form={form}
      icon={<PinIcon size={20} />}
      title={address?.houseNo ? `${address.houseNo}, ${address.address}` : text}
      notes={[
        ...(address?.landmark ? [t.near({ landmark: address.landmark })] : []),
        ...(store ? [t.fromStore({ store: store.name })] : []),
        ...later,
      ]}
      other={
        <a className={css.other} href={href('/address?from=cart')}>
          {t.addressOther}
        </a>
      }
    />
  );
}

function AtStore({ form }: { form: PaymentForm }) {
  const later = useLater();
  const store = useAtomValue(chosenStoreAtom);
  const selector = storeSelectorPath(useAtomValue(deliveryTypeAtom));
  if (!store) return <ListRow icon={<StoreIcon />} title={t.storeChoose} href={href(selector)} />;
  return (
    <PlaceFold
      form={form}
      icon={<StoreIcon size={20} />}
      title={store.name}
      notes={[store.address, store.hoursText, ...later]}
      other={
        <a className={css.other} href={href(selector)}>
          {t.storeOther}
        </a>
      }
    />
  );
}

interface PlaceFoldProps {
  form: PaymentForm;
  icon: ReactNode;
  title: string;
  notes: readonly string[];
  /** The link to another place. */
  other: ReactNode;
}

function PlaceFold({ form, icon, title, notes, other }: PlaceFoldProps) {
  const when = useWhen();
  return (
    <Fold
      icon={icon}
      title={title}
      detail={when.text}
      change={t.change}
      isOpen={form.open.where ?? when.isMissing}
      onToggle={(isOpen) => form.unfold('where', isOpen)}
    >
      {notes.map((note) => (
        <p key={note} className={css.note}>
          {note}
        </p>
      ))}
      <When />
      {other}
    </Fold>
  );
}

/** The time of the food in words; `isMissing` when the store is closed and no time is chosen yet. */
function useWhen(): { text: string; isMissing: boolean } {
  const { data } = useAtomValue(slotsState.atom);
  const slotId = useAtomValue(slotIdAtom);
  const minutes = useAtomValue(quoteState.atom).data?.deliveryMinutes;
  const type = useAtomValue(deliveryTypeAtom);
  const slot = data?.slots.find((one) => one.id === slotId);
  if (slot) return { text: slot.label, isMissing: false };
  if (data && data.store.online === 0) return { text: t.slotChoose({ hours: placeText.laterOnly }), isMissing: true };
  if (data && !data.store.isOpen) return { text: t.slotChoose({ hours: data.store.hoursText }), isMissing: true };
  return { text: minutes ? t.whenMinutes({ ...minutes, type }) : t.slotSoonest, isMissing: false };
}

function Vehicle({ form, onCounter }: { form: PaymentForm; onCounter: () => void }) {
  const [vehicle, setVehicle] = useAtom(vehicleAtom);
  const isMissing = useHandoverProblem() !== null;
  // What is being typed does not fold away under the fingers.
  const [isTyped, setTyped] = useState(false);
  const set = (field: keyof VehicleDraft, value: string) => {
    setTyped(true);
    setVehicle((before) => ({ ...before, [field]: value }));
  };
  const bound = (field: 'colour' | 'model') => ({
    name: `vehicle-${field}`,
    autoComplete: 'off',
    value: vehicle[field],
    onChange: (event: ChangeEvent<HTMLInputElement>) => set(field, event.target.value),
  });
  return (
    <Fold
      icon={<CarIcon size={20} />}
      title={t.vehicle}
      detail={isMissing ? undefined : `${vehicle.colour} ${vehicle.model} · ${vehicle.lastFourDigits}`}
      isOpen={form.open.vehicle ?? (isMissing || isTyped)}
      onToggle={(isOpen) => form.unfold('vehicle', isOpen)}
    >
      <div className={css.pair}>
        <Field id="pay-handover" label={t.vehicleColour} maxLength={30} {...bound('colour')} />
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
    </Fold>
  );
}

function Table({ error }: { error: string | undefined }) {
  const [table, setTable] = useAtom(tableAtom);
  return (
    <div className={css.table}>
      <Field
        id="pay-handover"
        label={t.table}
        name="table"
        autoComplete="off"
        inputMode="numeric"
        maxLength={12}
        value={table}
        hint={t.tableHint}
        error={table.trim() === '' ? error : undefined}
        onChange={(event) => setTable(event.target.value)}
      />
    </div>
  );
}

function When() {
  const { data, status } = useAtomValue(slotsState.atom);
  const slotId = useAtomValue(slotIdAtom);
  const choose = useSetAtom(chooseSlotAtom);
  if (!data && status !== 'failed') return <Skeleton height="var(--touch)" />;
  if (!data || data.slots.length === 0) return null;
  const isKnown = slotId === null || data.slots.some((slot) => slot.id === slotId);
  return (
    <div className={css.when}>
      <label htmlFor="slot">{t.slot}</label>
      <select
        id="slot"
        className={css.select}
        value={isKnown ? (slotId ?? '') : ''}
        onChange={(event) => void choose(event.target.value || null)}
      >
        <option value="">
          {data.store.online === 0
            ? t.slotChoose({ hours: placeText.laterOnly })
            : data.store.isOpen
              ? t.slotSoonest
              : t.slotChoose({ hours: data.store.hoursText })}
        </option>
        {data.slots.map((slot) => (
          <option key={slot.id} value={slot.id}>
            {slot.label}
          </option>
        ))}
      </select>
    </div>
  );
}
