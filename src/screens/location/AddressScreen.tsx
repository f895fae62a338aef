import * as errorText from '#text/errors.ts';
import * as t from '#text/location.ts';
import { atom, useAtomValue, useSetAtom } from 'jotai';
import { useState, type ChangeEvent, type FormEvent } from 'react';
import { LONGEST } from '../../contract/addresses.ts';
import {
  addressDetailAtom,
  checkAddressAtom,
  openAddressAtom,
  saveAddressAtom,
  type AddressDetail,
} from '../../state/places/addresses.ts';
import { chosenStoreAtom } from '../../state/first/location.ts';
import {
  askPickerAgainAtom,
  findTasks,
  type AddressField,
  hostAddressMessageAtom,
  isHostPickerFirstAtom,
  pickerQuestion,
  pickHostAddressAtom,
  searchAddressAtom,
} from '../../state/places/places.ts';
import { addressExamplesAtom } from '../../state/base/country.ts';
import { pathAtom } from '../../state/first/seams.ts';
import { flowAtom, flowPath, openChoiceAtom } from '../../state/places/stores.ts';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { BottomBar } from '../../ui/page/BottomBar.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { EmptyPicture } from '../../ui/pictures/EmptyPicture.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { Field } from '../../ui/forms/Field.tsx';
import { PhoneField } from '../base/PhoneField.tsx';
import { href } from '../../ui/href.ts';
import { PinIcon, UserIcon } from '../../ui/pictures/icons.ts';
import { ListRow } from '../../ui/page/ListRow.tsx';
import { Column, Page } from '../../ui/page/Page.tsx';
import { RadioCards } from '../../ui/forms/RadioCards.tsx';
import { TextArea } from '../../ui/forms/TextArea.tsx';
import { AddressIcon } from './AddressIcon.tsx';
import { backOf } from './back.ts';
import { takingOf } from '../stores/taking.ts';
import { NoDelivery } from '../stores/NoDelivery.tsx';
import css from './AddressScreen.module.css';

export const enter = atom(null, async (_get, set, { query }: { query: URLSearchParams }) => {
  set(openChoiceAtom, query);
  set(searchAddressAtom, null);
  set(hostAddressMessageAtom, '');
  set(askPickerAgainAtom);
  await set(openAddressAtom, query.get('addressId'));
});

const FIELDS: readonly AddressField[] = ['houseNo', 'address', 'landmark', 'label', 'receiverMobile'];

/**
 * Some hosts want their own address picker to be used, so it comes first. Our form is shown when the picker cannot be.
 */
function HostFirst() {
  const pick = useSetAtom(pickHostAddressAtom);
  const message = useAtomValue(hostAddressMessageAtom);
  const asked = useAtomValue(pickerQuestion.atom);
  const isSilent = asked === 'silent';
  return (
    <EmptyState
      picture={<EmptyPicture />}
      title={t.hostAddresses}
      action={
        <Button busy={asked === 'asked'} onClick={() => void pick()}>
          {isSilent ? t.pickerAgain : t.hostAddressesOpen}
        </Button>
      }
    >
      <p>{t.hostAddressesText}</p>
      <p role="status">{isSilent ? t.pickerSilent : message}</p>
    </EmptyState>
  );
}

function Form({ detail }: { detail: AddressDetail }) {
  const examples = useAtomValue(addressExamplesAtom);
  const setDetail = useSetAtom(addressDetailAtom);
  const problems = useAtomValue(checkAddressAtom);
  const said = useAtomValue(findTasks.problemsAtom);
  const clear = useSetAtom(findTasks.clear);
  const [touched, setTouched] = useState<Partial<Record<AddressField, true>>>({});
  const [isSomebodyElse, setSomebodyElse] = useState(detail.receiverName !== '' || detail.receiverMobile !== '');
  const store = useAtomValue(chosenStoreAtom);
  const flow = useAtomValue(flowAtom);
  const place = useAtomValue(pathAtom);
  const isSaving = useAtomValue(findTasks.busyAtom) === 'address';
  const save = useSetAtom(saveAddressAtom);
  // The store itself knows better than the address that led here, once it is there.
  const isOffline = new URLSearchParams(place.split('?')[1]).get('offline') === 'true';
  const taking = store ? takingOf(store, 'DELIVERY') : isOffline ? errorText.advanceOrderOnly : null;

  const set = (field: keyof AddressDetail, value: string) => {
    setDetail((before) => (before ? { ...before, [field]: value } : before));
    // Problems are said after leaving the field, not while somebody types.
    setTouched(({ [field as AddressField]: _left, ...rest }) => rest);
    clear(field as AddressField);
  };
  const bound = (field: AddressField | 'instructions' | 'receiverName') => ({
    name: field,
    value: detail[field],
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => set(field, event.target.value),
  });
  const checked = (field: AddressField) => ({
    ...bound(field),
    id: `address-${field}`,
    error: said[field] ?? (touched[field] ? problems[field] : undefined),
    onBlur: () => setTouched((before) => ({ ...before, [field]: true })),
  });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTouched(Object.fromEntries(FIELDS.map((field) => [field, true])));
    const first = FIELDS.find((field) => problems[field]);
    if (first) {
      document.getElementById(`address-${first}`)?.focus();
      return;
    }
    if (!(await save())) document.querySelector<HTMLElement>('#no-delivery, [aria-invalid="true"]')?.focus();
  };

  return (
    <form className={css.form} noValidate onSubmit={(event) => void submit(event)}>
      <Page columns="even">
        <Column>
          <NoDelivery />
          {taking && (
            <p className={css.note} role="status">
              {taking}
            </p>
          )}
          {said.form && (
            <p className={css.note} role="alert">
              {said.form}
            </p>
          )}
          <div className={css.where}>
            <PinIcon />
            <p>
              <b>{detail.placeText || detail.address}</b>
              {store && (
                <span>
                  {store.deliveryMinutes
                    ? t.deliversHereIn({ store: store.name, ...store.deliveryMinutes })
                    : t.deliversHere({ store: store.name })}
                </span>
              )}
              {detail.address_id === null && (
                <a
                  href={href(
                    flowPath(
                      '/postorder-ui/mapScreen',
                      {
                        ...flow,
                        from: '',
                        page: `/address${flow.from ? `?from=${flow.from}` : flow.fromProfile ? '?fromProfile=true' : ''}`,
                      },
                      { pin: 'place' },
                    ),
                  )}
                >
                  {t.movePin}
                </a>
              )}
            </p>
          </div>
          <Card title={t.door}>
            <div className={css.fields}>
              <Field
                {...checked('houseNo')}
                label={t.houseNo}
                autoFocus={detail.address_id === null && detail.houseNo === ''}
                autoComplete="address-line1"
                enterKeyHint="next"
                maxLength={LONGEST.houseNo}
                hint={t.example({ example: examples.house })}
              />
              <Field
                {...checked('address')}
                label={t.street}
                autoComplete="address-line2"
                enterKeyHint="next"
                maxLength={LONGEST.address}
                hint={t.example({ example: examples.street })}
              />
              <Field
                {...checked('landmark')}
                label={t.landmark}
                autoComplete="off"
                enterKeyHint="next"
                maxLength={LONGEST.landmark}
                hint={t.example({ example: examples.landmark })}
              />
            </div>
          </Card>
        </Column>
        <Column>
          <Card>
            <div className={css.fields}>
              <RadioCards
                legend={t.saveAs}
                tiles
                value={detail.type}
                onChange={(type) => set('type', type)}
                options={[
                  { value: 'home', title: t.home, icon: <AddressIcon type="home" /> },
                  { value: 'office', title: t.office, icon: <AddressIcon type="office" /> },
                  { value: 'other', title: t.other, icon: <AddressIcon type="other" /> },
                ]}
              />
              {detail.type === 'other' && (
                <Field
                  {...checked('label')}
                  label={t.label}
                  autoComplete="off"
                  enterKeyHint="next"
                  maxLength={40}
                  placeholder={t.labelExamples}
                />
              )}
              <TextArea label={t.forRider} {...bound('instructions')} rows={2} maxLength={160} hint={t.forRiderHint} />
            </div>
          </Card>
          {isSomebodyElse ? (
            <Card>
              <div className={css.fields}>
                <Field
                  label={t.receiverName}
                  {...bound('receiverName')}
                  autoComplete="off"
                  enterKeyHint="next"
                  maxLength={60}
                />
                <PhoneField
                  {...checked('receiverMobile')}
                  label={t.receiverMobile}
                  autoComplete="off"
                  enterKeyHint="done"
                  hint={t.receiverMobileHint}
                  warns
                />
              </div>
            </Card>
          ) : (
            <Card flush>
              <ListRow icon={<UserIcon />} title={t.receiver} onClick={() => setSomebodyElse(true)} />
            </Card>
          )}
        </Column>
      </Page>
      <BottomBar
        label={t.save}
        action={
          <Button type="submit" full busy={isSaving}>
            {flow.from === 'cart' ? t.saveAndPay : t.saveAddress}
          </Button>
        }
      >
        {flow.from !== 'cart' && !flow.fromProfile && detail.address_id === null && (
          <Button kind="quiet" href={href('/menu')}>
            {t.saveLater}
          </Button>
        )}
      </BottomBar>
    </form>
  );
}

/**
 * The address form: what the rider needs beyond the place itself. What was typed survives errors, reloads and a moved
 * pin.
 */
export default function AddressScreen() {
  const detail = useAtomValue(addressDetailAtom);
  const flow = useAtomValue(flowAtom);
  const isHostFirst = useAtomValue(isHostPickerFirstAtom);
  return (
    <>
      <AppBar
        title={detail?.address_id ? t.addressChange : t.addressTitle}
        back={backOf(flow, { label: t.back, href: href(flowPath('/postorder-ui/searchAddress', flow)) })}
      />
      {HOSTED && isHostFirst ? (
        <HostFirst />
      ) : detail ? (
        <Form key={detail.address_id ?? 'new'} detail={detail} />
      ) : (
        <EmptyState
          title={t.addressPlaceless}
          action={
            <Button
              href={href(
                flowPath(
                  '/postorder-ui/searchAddress',
                  { ...flow, page: flow.page || '/address' },
                  { deliveryType: 'delivery' },
                ),
              )}
            >
              {t.addressFindArea}
            </Button>
          }
        >
          {t.addressPlacelessText}
        </EmptyState>
      )}
    </>
  );
}
