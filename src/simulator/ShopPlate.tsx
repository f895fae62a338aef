import { useEffect, useEffectEvent, useState } from 'react';
import * as menus from '../contract/menu.ts';
import * as stores from '../contract/stores.ts';
import { CheckBox } from '../ui/forms/CheckBox.tsx';
import { Plate } from './Plate.tsx';
import type { Phone } from './phones.ts';
import { ask } from './server.ts';
import type { ServerActions, ServerState } from './useServer.ts';
import css from './Panel.module.css';

interface Row {
  readonly id: string;
  readonly name: string;
}
interface Shop {
  readonly offlineStores: readonly Row[];
  readonly soldOut: readonly Row[];
}

const STORES_SHOWN = 3;
const PIZZAS_SHOWN = 4;
const GROUPS = [
  ['offlineStores', 'Offline'],
  ['soldOut', 'Sold out'],
] as const;

async function look({ country, apiKey: key }: Phone): Promise<Shop> {
  const { latitude, longitude } = country.mapCentre;
  const query = { latitude: String(latitude), longitude: String(longitude), orderDeliveryType: 'DELIVERY' } as const;
  const near = await ask(stores.nearest, { query }, key);
  const { menu } = await ask(menus.byStore, { storeId: country.DEFAULT_STORE, query: {} }, key);
  return {
    offlineStores: near.storeStationDetails.slice(0, STORES_SHOWN),
    soldOut: (menu?.items ?? []).filter(({ kind }) => kind === 'PIZZA').slice(0, PIZZAS_SHOWN),
  };
}

/** Shops that are offline and pizzas that are sold out, in the country of the phone; keyed by the country. */
export function ShopPlate({ phone, server, actions }: { phone: Phone; server: ServerState; actions: ServerActions }) {
  const [shop, setShop] = useState<Shop | null>(null);
  const [failure, setFailure] = useState<string>();
  const load = useEffectEvent(() => look(phone).then(setShop, (thrown: Error) => setFailure(thrown.message)));
  useEffect(() => void load(), []);
  return (
    <Plate
      title={`Shops in ${phone.country.label}`}
      about={failure ?? 'A shop loses its line, a favourite runs out: while you browse, or with it in your cart.'}
    >
      {shop !== null &&
        GROUPS.map(([name, legend]) => {
          const off = server.switches[name];
          return (
            <fieldset key={name} className={css.group}>
              <legend>{legend}</legend>
              {shop[name].map(({ id, name: label }) => (
                <CheckBox
                  key={id}
                  label={label}
                  checked={off.includes(id)}
                  onChange={(isIn) => actions.change({ [name]: isIn ? [...off, id] : off.filter((one) => one !== id) })}
                />
              ))}
            </fieldset>
          );
        })}
    </Plate>
  );
}
