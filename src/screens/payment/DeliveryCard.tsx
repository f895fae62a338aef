import * as placeText from '#text/location.ts';
import * as t from '#text/payment.ts';
import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import type { ReactNode } from 'react';
import type { Store } from '../../contract/stores.ts';
import { chooseSlotAtom, quoteState } from '../../state/checkout/quote.ts';
import { slotIdAtom } from '../../state/drafts/slot.ts';
import { chosenStoreAtom, deliveryPlaceAtom, deliveryTypeAtom } from '../../state/first/location.ts';
import { onTrainAtom } from '../../state/trains/onTrain.ts';
import { storeSelectorPath } from '../../state/places/stores.ts';
import { slotsState } from '../../state/drafts/timeSlots.ts';
import { Fold } from '../../ui/Fold.tsx';
import { href } from '../../ui/href.ts';
import { CarIcon, PinIcon, StoreIcon } from '../../ui/pictures/icons.ts';
import { ListRow } from '../../ui/page/ListRow.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { hoursOf, laterAt, takesOf } from '../stores/taking.ts';
import { part } from '../../ui/time/loaded.tsx';
import { TrainRow } from '../trains/TrainRow.tsx';
import type { PaymentForm } from './paymentForm.ts';
import css from './DeliveryCard.module.css';

/** Nobody at a door needs it. */
const HandoverFields = part(
  () => import('./HandoverFields.tsx'),
  () => <Skeleton height="6rem" />,
);

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
      {(type === 'CURB' || type === 'DINEIN') && (
        <HandoverFields type={type} form={form} onCounter={() => setType('PICKUP')} />
      )}
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
