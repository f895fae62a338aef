import { useEffect, useEffectEvent, useState } from 'react';
import * as menus from '../contract/menu.ts';
import * as stores from '../contract/stores.ts';
import { CheckBox } from '../ui/CheckBox.tsx';
import { StoreIcon } from '../ui/icons.ts';
import { Plate } from './Plate.tsx';
import type { Phone } from './phones.ts';
import { ask } from './server.ts';
import type { ServerActions, ServerState } from './useServer.ts';
import css from './ShopPlate.module.css';

interface Named {
  readonly id: string;
  readonly name: string;
}
interface Shop {
  readonly storesNear: readonly Named[];
  readonly pizzas: readonly Named[];
}

const STORES_SHOWN = 3;
const PIZZAS_SHOWN = 4;

async function look({ country, apiKey: key }: Phone): Promise<Shop> {
  const { latitude, longitude } = country.mapCentre;
  const near = await ask(
    stores.nearest,
    { query: { latitude: String(latitude), longitude: String(longitude), orderDeliveryType: 'DELIVERY' } },
    key,
  );
  const { menu } = await ask(menus.byStore, { storeId: country.DEFAULT_STORE, query: {} }, key);
  return {
    storesNear: near.storeStationDetails.slice(0, STORES_SHOWN),
    pizzas: (menu?.items ?? []).filter(({ kind }) => kind === 'PIZZA').slice(0, PIZZAS_SHOWN),
  };
}

const toggled = (list: readonly string[], id: string, isIn: boolean) =>
  isIn ? [...list, id] : list.filter((one) => one !== id);

/** Shops that are offline and pizzas that are sold out, in the country of the chosen phone. */
export function ShopPlate({ phone, server, actions }: { phone: Phone; server: ServerState; actions: ServerActions }) {
  const [shop, setShop] = useState<Shop | 'asking' | 'failed'>('asking');
  const [round, setRound] = useState(0);
  const { country } = phone;
  const isThere = server.mode === 'there';
  // Another phone of the same country sees the same shops.
  const ask = useEffectEvent(() => look(phone));
  useEffect(() => {
    if (!isThere) return;
    let isOver = false;
    setShop('asking');
    ask().then(
      (found) => {
        if (!isOver) setShop(found);
      },
      () => {
        if (!isOver) setShop('failed');
      },
    );
    return () => {
      isOver = true;
    };
  }, [country.COUNTRY_CODE, isThere, round]);
  const { offlineStores, soldOut } = server.switches;
  return (
    <Plate
      id="shop"
      icon={<StoreIcon size={20} />}
      title={`Shops in ${country.label}`}
      about="A shop loses its line, a favourite runs out: while you browse, or with it in your cart."
    >
      {shop === 'asking' && (
        <p className={css.note} role="status">
          Asking the server for its shops …
        </p>
      )}
      {shop === 'failed' && (
        <p className={css.note} role="status">
          The shops could not be loaded.{' '}
          <button type="button" onClick={() => setRound(round + 1)}>
            Try again
          </button>
        </p>
      )}
      {typeof shop === 'object' && (
        <>
          <fieldset className={css.group}>
            <legend>Offline</legend>
            {shop.storesNear.map(({ id, name }) => (
              <CheckBox
                key={id}
                label={name}
                checked={offlineStores.includes(id)}
                onChange={(isIn) => actions.change({ offlineStores: toggled(offlineStores, id, isIn) })}
              />
            ))}
          </fieldset>
          <fieldset className={css.group}>
            <legend>Sold out</legend>
            {shop.pizzas.map(({ id, name }) => (
              <CheckBox
                key={id}
                label={name}
                checked={soldOut.includes(id)}
                onChange={(isIn) => actions.change({ soldOut: toggled(soldOut, id, isIn) })}
              />
            ))}
          </fieldset>
        </>
      )}
    </Plate>
  );
}
