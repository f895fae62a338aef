import * as placeText from '#text/location.ts';
import * as t from '#text/payment.ts';
import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import { useState, type ChangeEvent, type ReactNode } from 'react';
import type { Store } from '../../contract/stores.ts';
import { latinDigits, typedNumber } from '../../domain/typedText.ts';
import { chooseSlotAtom, quoteState } from '../../state/checkout/quote.ts';
import { slotIdAtom } from '../../state/drafts/slot.ts';
import { vehicleAtom, type VehicleDraft } from '../../state/drafts/vehicle.ts';
import { chosenStoreAtom, deliveryPlaceAtom, deliveryTypeAtom } from '../../state/first/location.ts';
import { onTrainAtom } from '../../state/trains/onTrain.ts';
import { storeSelectorPath } from '../../state/places/stores.ts';
import { tableAtom } from '../../state/drafts/table.ts';
import { slotsState } from '../../state/drafts/timeSlots.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { Field } from '../../ui/forms/Field.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { href } from '../../ui/href.ts';
import { CarIcon, PinIcon, StoreIcon } from '../../ui/pictures/icons.ts';
import { ListRow } from '../../ui/page/ListRow.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { hoursOf, laterAt, takesOf } from '../stores/taking.ts';
import { TrainRow } from '../trains/TrainRow.tsx';
import { useHandoverProblem } from './handover.ts';
import type { PaymentForm } from './paymentForm.ts';
import css from './DeliveryCard.module.css';

/** Where and when the customer gets the food: one line, which unfolds to change it. */
export function DeliveryCard({ form }: { form: PaymentForm }) {
  const [type, setType] = useAtom(deliveryTypeAtom);
  const store = useAtomValue(chosenStoreAtom);
  const trip = useAtomValue(onTrainAtom);
  const toMyCar = () => {
    setType('CURB');
    // This line goes, and the focus with it.
    document.getElementById('pay-where')?.focus();
  };
  // The field of the table says itself what is wrong with it.
  const error = form.errors.where ?? (type === 'DINEIN' ? undefined : form.errors.handover);
  if (trip) return <TrainRow trip={trip} />;
  return (
    <div id="pay-where" role={error ? 'group' : undefined} aria-describedby="pay-where-error" tabIndex={-1}>
      {type === 'DELIVERY' ? <ToDoor form={form} /> : <AtStore form={form} />}
      {error && (
        // The focus goes to the fields of the car, which do not say it, or to this place, which it describes.
        <p className={css.error} id="pay-where-error" role={type === 'CURB' ? 'alert' : undefined}>
          {error}
        </p>
      )}
      {type === 'PICKUP' && store?.services.includes('CURB') && (
        <ListRow icon={<CarIcon size={20} />} title={placeText.toMyCar} onClick={toMyCar} />
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
  const now = useAtomValue(slotsState.atom).data?.store;
  const type = useAtomValue(deliveryTypeAtom);
  const selector = storeSelectorPath(type);
  if (!store) return <ListRow icon={<StoreIcon />} title={t.storeChoose} href={href(selector)} />;
  return (
    <PlaceFold
      form={form}
      icon={<StoreIcon size={20} />}
      title={store.name}
      notes={[store.address, hoursOf(now?.id === store.id ? now : store, type), ...later]}
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

/** Asks for a time, and says why it has to be chosen. */
const chooseText = ({ online, hoursText }: Store) =>
  t.slotChoose({ hours: online === 0 ? placeText.laterOnly : hoursText });

/** The time of the food in words; `isMissing` when the store is closed and no time is chosen yet. */
function useWhen(): { text: string; isMissing: boolean } {
  const { data } = useAtomValue(slotsState.atom);
  const slotId = useAtomValue(slotIdAtom);
  const quote = useAtomValue(quoteState.atom).data;
  const type = useAtomValue(deliveryTypeAtom);
  const slot = data?.slots.find((one) => one.id === slotId);
  if (slot) return { text: slot.label, isMissing: false };
  if (data && takesOf(data.store, type) === 'later') return { text: chooseText(data.store), isMissing: true };
  // The times are still on their way, or there are none.
  if (slotId !== null || (quote && quote.takes !== 'now')) return { text: '', isMissing: false };
  return { text: quote ? t.whenMinutes({ ...quote.deliveryMinutes, type }) : t.slotSoonest, isMissing: false };
}

/** The four digits of a number plate: its last ones where the whole of it was pasted. */
function plateDigits(typed: string): string {
  const digits = latinDigits(typed);
  return /\p{L}/u.test(typed) ? digits.slice(-4) : digits.slice(0, 4);
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
        maxLength={24}
        value={vehicle.lastFourDigits}
        onChange={(event) => set('lastFourDigits', plateDigits(event.target.value))}
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
        error={typedNumber(table) === '' ? error : undefined}
        onChange={(event) => setTable(event.target.value)}
      />
    </div>
  );
}

function When() {
  const type = useAtomValue(deliveryTypeAtom);
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
        <option value="">{takesOf(data.store, type) === 'now' ? t.slotSoonest : chooseText(data.store)}</option>
        {data.slots.map((slot) => (
          <option key={slot.id} value={slot.id}>
            {slot.label}
          </option>
        ))}
      </select>
    </div>
  );
}
