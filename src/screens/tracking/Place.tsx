import * as t from '#text/order.ts';
import { useAtomValue } from 'jotai';
import type { ReactElement } from 'react';
import type { OrderView } from '../../contract/orders.ts';
import { writtenPhone } from '../../domain/writtenPhone.ts';
import { addressLine } from '../../state/places/addresses.ts';
import { countryAtom } from '../../state/base/country.ts';
import { Card } from '../../ui/page/Card.tsx';
import { Exact } from '../../ui/money/Exact.tsx';
import { CarIcon, PinIcon, StoreIcon, TableIcon } from '../../ui/pictures/icons.ts';
import { addressName } from '../base/words.ts';
import { rich } from '../../ui/rich.ts';
import css from './Place.module.css';

const ICONS = { DELIVERY: PinIcon, PICKUP: StoreIcon, CURB: CarIcon, DINEIN: TableIcon };

/** Where the order goes to or is collected, for whom, and what the rider was told. */
export function Place({ order }: { order: OrderView }) {
  const { orderType, address, customer, store, vehicle, table } = order;
  const Icon = ICONS[orderType];
  return (
    <div data-printed>
      <Card
        title={
          <span className={css.title}>
            <Icon size={20} /> {t.place({ type: orderType })}
          </span>
        }
      >
        <div className={css.place}>
          {customer.firstName === '' ? (
            <p>{t.placeForgotten}</p>
          ) : address ? (
            <p>
              <b>{addressName(address)}</b>
              <br />
              {addressLine(address)}
              {address.landmark && (
                <>
                  <br />
                  {t.placeNear({ landmark: address.landmark })}
                </>
              )}
            </p>
          ) : (
            <p>
              <b>{table ? t.placeTable({ table }) : store.name}</b>
              <br />
              {table ? store.name : store.address}
            </p>
          )}
          {vehicle && (
            <p>
              {rich(t.vehicle, {
                colour: vehicle.colour,
                model: vehicle.model,
                digits: <Exact>{vehicle.lastFourDigits}</Exact>,
              })}
            </p>
          )}
          <Receiver order={order} />
          {order.cutlery && <p>{t.withCutlery}</p>}
          <RiderKnows order={order} />
        </div>
      </Card>
    </div>
  );
}

function Receiver({ order: { customer, address } }: { order: OrderView }): ReactElement | null {
  const country = useAtomValue(countryAtom);
  const name = address?.receiverName || [customer.firstName, customer.lastName].join(' ').trim();
  const phone = writtenPhone((address?.receiverName && address.receiverMobile) || customer.mobile, country);
  if (name === '' && phone === '') return null;
  return <p className={css.soft}>{rich(t.placeFor, { name, phone: <Exact>{phone}</Exact> })}</p>;
}

function RiderKnows({ order: { orderType, instructions, note, address, payment } }: { order: OrderView }) {
  // What stands with the address goes with every order to it.
  const directions = address?.instructions;
  if (instructions.length === 0 && !note && !directions) return null;
  return (
    <div>
      <h3>{t.riderKnows({ type: orderType })}</h3>
      <ul className={css.told}>
        {instructions.map((text) => (
          <li key={text}>{text}</li>
        ))}
        {directions && <li>“{directions}”</li>}
        {note && <li>“{note}”</li>}
      </ul>
      {instructions.length > 0 && payment.state === 'DUE_AT_DOOR' && <p className={css.soft}>{t.riderWaitsForCash}</p>}
    </div>
  );
}
