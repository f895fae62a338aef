import { atom, useAtom, useAtomValue, useSetAtom } from 'jotai';
import { useState, type FormEvent } from 'react';
import { isUnusualPhone, phoneNumber } from '../../domain/phone.ts';
import { ADVANCE_ORDER_ONLY, MOBILE_UNUSUAL } from '../../domain/messages.ts';
import {
  addressDetailAtom, addressProblemsAtom, checkAddressAtom, openAddressAtom, saveAddressAtom, type AddressDetail, type AddressField, type AddressProblems,
} from '../../state/addresses.ts';
import { chosenStoreAtom } from '../../state/location.ts';
import { askPickerAgainAtom, findingAtom, hostAddressMessageAtom, isHostPickerFirstAtom, pickHostAddressAtom, searchAddressAtom } from '../../state/places.ts';
import { countryAtom, placeAtom } from '../../state/seams.ts';
import { flowAtom, flowPath, openChoiceAtom } from '../../state/stores.ts';
import { AppBar } from '../../ui/AppBar.tsx';
import { BottomBar } from '../../ui/BottomBar.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { EmptyPicture } from '../../ui/EmptyPicture.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Field } from '../../ui/Field.tsx';
import { href } from '../../ui/href.ts';
import { HomeIcon } from '../../ui/icons/HomeIcon.tsx';
import { OfficeIcon } from '../../ui/icons/OfficeIcon.tsx';
import { PinIcon } from '../../ui/icons/PinIcon.tsx';
import { UserIcon } from '../../ui/icons/UserIcon.tsx';
import { ListRow } from '../../ui/ListRow.tsx';
import { RadioCards } from '../../ui/RadioCards.tsx';
import { TextArea } from '../../ui/TextArea.tsx';
import { NoDelivery } from './NoDelivery.tsx';
import css from './AddressScreen.module.css';

export const enter = atom(null, async (_get, set, { query }: { query: URLSearchParams }) => {
  set(openChoiceAtom, query);
  set(searchAddressAtom, null);
  set(hostAddressMessageAtom, '');
  set(askPickerAgainAtom);
  await set(openAddressAtom, query.get('addressId'));
});

const FIELDS: readonly AddressField[] = ['houseNo', 'address', 'label', 'receiverMobile'];

/** The host wants its own picker to be used, so that comes first; our form stands in when it cannot be shown. */
function HostFirst() {
  const pick = useSetAtom(pickHostAddressAtom);
  const message = useAtomValue(hostAddressMessageAtom);
  const isOpen = useAtomValue(findingAtom) === 'host';
  return (
    <EmptyState picture={<EmptyPicture />} title="Choose one of your addresses" action={<Button busy={isOpen} onClick={() => void pick()}>Open my addresses</Button>}>
      <p>They are kept by the app you are in. Pick one, and there is nothing to type.</p>
      <p role="status">{message}</p>
    </EmptyState>
  );
}

function Form({ detail }: { detail: AddressDetail }) {
  const country = useAtomValue(countryAtom);
  const setDetail = useSetAtom(addressDetailAtom);
  const problems = useAtomValue(checkAddressAtom);
  const [said, setSaid] = useAtom(addressProblemsAtom);
  const [touched, setTouched] = useState<Partial<Record<AddressField, true>>>({});
  const [isSomebodyElse, setSomebodyElse] = useState(detail.receiverName !== '' || detail.receiverMobile !== '');
  const store = useAtomValue(chosenStoreAtom);
  const flow = useAtomValue(flowAtom);
  const place = useAtomValue(placeAtom);
  const isSaving = useAtomValue(findingAtom) === 'address';
  const save = useSetAtom(saveAddressAtom);
  const isAdvanceOnly = new URLSearchParams(place.split('?')[1]).get('offline') === 'true';
  const unusual = phoneNumber(detail.receiverMobile, country);

  const set = (field: keyof AddressDetail, value: string) => {
    setDetail((before) => (before ? { ...before, [field]: value } : before));
    if (field in said) setSaid(({ [field as keyof AddressProblems]: _gone, ...rest }) => rest);
  };
  const error = (field: AddressField) => said[field] ?? (touched[field] ? problems[field] : undefined);
  const blur = (field: AddressField) => setTouched((before) => ({ ...before, [field]: true }));
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTouched(Object.fromEntries(FIELDS.map((field) => [field, true])));
    const first = FIELDS.find((field) => problems[field]);
    if (first) {
      document.getElementById(`address-${first}`)?.focus();
      return;
    }
    if (!await save()) document.querySelector<HTMLElement>('#no-delivery, [aria-invalid="true"]')?.focus();
  };

  return (
    <form className={css.form} noValidate onSubmit={(event) => void submit(event)}>
      <div className={css.page}>
        <div className={css.column}>
          <NoDelivery />
          {isAdvanceOnly && <p className={css.note} role="status">{ADVANCE_ORDER_ONLY}</p>}
          {said.form && <p className={css.note} role="alert">{said.form}</p>}
          <div className={css.where}>
            <PinIcon />
            <p>
              <b>{detail.placeText}</b>
              {store && <span>{store.name} delivers here{store.deliveryMinutes ? ` in ${store.deliveryMinutes.from} to ${store.deliveryMinutes.to} minutes` : ''}</span>}
              {detail.address_id === null && <a href={href(flowPath('/postorder-ui/mapScreen', { ...flow, from: '', page: `/address${flow.from ? `?from=${flow.from}` : flow.fromProfile ? '?fromProfile=true' : ''}` }, { pin: 'place' }))}>Move the pin</a>}
            </p>
          </div>
          <Card title="Your door">
            <div className={css.fields}>
              <Field id="address-houseNo" label="House, flat or floor number" name="houseNo" autoComplete="address-line1" enterKeyHint="next" maxLength={80} value={detail.houseNo} error={error('houseNo')} onChange={(event) => set('houseNo', event.target.value)} onBlur={() => blur('houseNo')} />
              <Field id="address-address" label="Building, street and area" name="address" autoComplete="address-line2" enterKeyHint="next" maxLength={240} value={detail.address} error={error('address')} onChange={(event) => set('address', event.target.value)} onBlur={() => blur('address')} />
              <Field label="Landmark (optional)" name="landmark" autoComplete="off" enterKeyHint="next" maxLength={120} value={detail.landmark} hint="Something the rider can see from the street." onChange={(event) => set('landmark', event.target.value)} />
            </div>
          </Card>
        </div>
        <div className={css.column}>
          <Card>
            <div className={css.fields}>
              <RadioCards
                legend="Save it as" tiles value={detail.type} onChange={(type) => set('type', type)}
                options={[{ value: 'home', title: 'Home', icon: <HomeIcon /> }, { value: 'office', title: 'Office', icon: <OfficeIcon /> }, { value: 'other', title: 'Other', icon: <PinIcon /> }]}
              />
              {detail.type === 'other' && (
                <Field id="address-label" label="Its name" name="label" autoComplete="off" enterKeyHint="next" maxLength={40} placeholder="Mum, gym, shop …" value={detail.label} error={error('label')} onChange={(event) => set('label', event.target.value)} onBlur={() => blur('label')} />
              )}
              <TextArea label="For the rider (optional)" name="instructions" rows={2} maxLength={160} value={detail.instructions} hint="Gate code, which bell, where to park." onChange={(event) => set('instructions', event.target.value)} />
            </div>
          </Card>
          {isSomebodyElse ? (
            <Card>
              <div className={css.fields}>
                <Field label="Receiver's name (optional)" name="receiverName" autoComplete="off" enterKeyHint="next" maxLength={60} value={detail.receiverName} onChange={(event) => set('receiverName', event.target.value)} />
                <Field
                  id="address-receiverMobile" label="Receiver's mobile number (optional)" name="receiverMobile" type="tel" inputMode="tel" autoComplete="off" enterKeyHint="done" maxLength={20} prefix={country.dialPrefix}
                  value={detail.receiverMobile} error={error('receiverMobile')} onChange={(event) => set('receiverMobile', event.target.value)} onBlur={() => blur('receiverMobile')}
                  hint={unusual !== null && isUnusualPhone(unusual, country) ? MOBILE_UNUSUAL : 'The rider calls this number instead of yours.'}
                />
              </div>
            </Card>
          ) : <Card flush><ListRow icon={<UserIcon />} title="Somebody else receives it" onClick={() => setSomebodyElse(true)} /></Card>}
        </div>
      </div>
      <BottomBar label="Save" action={<Button type="submit" full busy={isSaving}>{flow.from === 'cart' ? 'Save and pay' : 'Save address'}</Button>}>
        {flow.from !== 'cart' && !flow.fromProfile && detail.address_id === null && <Button kind="quiet" href={href('/menu')}>Later, show me the menu</Button>}
      </BottomBar>
    </form>
  );
}

/** The door of a place; what was typed survives errors, reloads and a moved pin. */
export default function AddressScreen() {
  const detail = useAtomValue(addressDetailAtom);
  const flow = useAtomValue(flowAtom);
  const isHostFirst = useAtomValue(isHostPickerFirstAtom);
  return (
    <>
      <AppBar
        title={detail?.address_id ? 'Change address' : 'Your address'}
        back={flow.from === 'cart' ? { label: 'Back to the cart', href: href('/cart') } : flow.fromProfile ? { label: 'Back to your addresses', href: href('/postorder-ui/myAddresses?fromProfile=true') } : { label: 'Back', href: href(flowPath('/postorder-ui/searchAddress', flow)) }}
      />
      {isHostFirst ? <HostFirst /> : detail ? <Form key={detail.address_id ?? 'new'} detail={detail} /> : (
        <EmptyState picture={<EmptyPicture />} title="First, where is it?" action={<Button href={href(flowPath('/postorder-ui/searchAddress', { ...flow, page: flow.page || '/address' }, { deliveryType: 'delivery' }))}>Find your area</Button>}>
          We look up who delivers to you, then ask for your door.
        </EmptyState>
      )}
    </>
  );
}
