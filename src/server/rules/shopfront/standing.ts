import { seedsIn, seedVersion } from '../../store/catalogue.ts';
import { transact, type Db } from '../../store/db.ts';
import { offlineStores, setOnline, setSoldOut, setTold, soldOutAt, toldAt } from '../../store/stores.ts';
import { now, readSystem } from '../../store/system.ts';

// What somebody who runs a shop says of its stores as they are now; in words for operators.

/** A store that takes orders now or not; with a dish, one that it has or not; with an alert, one that it tells or not. */
interface Wish {
  readonly storeId: string;
  readonly dishId: string | null;
  readonly alertId?: string;
  readonly isOn: boolean;
}

/** What is typed, with commas between several: stores, dishes as STORE:DISH, and alerts as STORE:ALERT. */
interface TypedWishes {
  readonly offline: string | undefined;
  readonly online: string | undefined;
  readonly soldOut: string | undefined;
  readonly available: string | undefined;
  readonly tell: string | undefined;
  readonly untell: string | undefined;
}

interface KnownStore {
  readonly id: string;
  readonly name: string;
  readonly country: string;
  readonly isOnline: boolean;
  readonly soldOut: ReadonlySet<string>;
  /** Names by id. */
  readonly dishes: ReadonlyMap<string, string>;
  readonly told: ReadonlySet<string>;
  /** Texts by id. */
  readonly alerts: ReadonlyMap<string, string>;
}

const listed = (text: string | undefined) =>
  (text ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');

function parted(text: string, what: string): readonly [storeId: string, id: string] {
  const [storeId = '', id = '', ...more] = text.split(':');
  if (storeId === '' || id === '' || more.length > 0) throw new Error(`${text} is no ${what}`);
  return [storeId, id];
}
function dishWish(text: string, isOn: boolean): Wish {
  const [storeId, dishId] = parted(text, 'dish of a store: 10101:PZ004, the store before its dish');
  return { storeId, dishId, isOn };
}
function alertWish(text: string, isOn: boolean): Wish {
  const [storeId, alertId] = parted(text, 'alert of a store: 10101:rain, the store before its alert');
  return { storeId, dishId: null, alertId, isOn };
}
const nameOf = ({ storeId, dishId, alertId }: Wish) => [storeId, dishId ?? alertId ?? []].flat().join(':');

/** @throws Error for what cannot be read, and for one thing that is to be both */
export function wishesIn({ offline, online, soldOut, available, tell, untell }: TypedWishes): Wish[] {
  const wishes = [
    ...listed(offline).map((storeId) => ({ storeId, dishId: null, isOn: false })),
    ...listed(online).map((storeId) => ({ storeId, dishId: null, isOn: true })),
    ...listed(soldOut).map((text) => dishWish(text, false)),
    ...listed(available).map((text) => dishWish(text, true)),
    ...listed(tell).map((text) => alertWish(text, true)),
    ...listed(untell).map((text) => alertWish(text, false)),
  ];
  for (const wish of wishes)
    if (!wish.isOn && wishes.some((one) => one.isOn && nameOf(one) === nameOf(wish)))
      throw new Error(`${nameOf(wish)} cannot be both`);
  return wishes;
}

/** The stores of a database in some countries, as customers find them now. */
export async function knownStores(db: Db, countries: readonly string[]): Promise<KnownStore[]> {
  const seen = await readSystem(db);
  const found: KnownStore[] = [];
  for (const country of countries) {
    // A country whose orders are in another database.
    if ((await seedVersion(db, country)) === undefined) continue;
    const { stores, items, content } = await seedsIn(db, country);
    const alerts = new Map(content.alerts.map(({ id, message }) => [id, message]));
    const dishes = new Map(items.map(({ id, name }) => [id, name]));
    const offline = await offlineStores(db, country, seen);
    for (const { id, name } of stores)
      found.push({
        id,
        name,
        country,
        isOnline: !offline.has(id),
        soldOut: await soldOutAt(db, id, seen),
        dishes,
        told: await toldAt(db, id, seen),
        alerts,
      });
  }
  return found;
}

const dishTold = ({ dishes }: KnownStore, id: string) => [id, dishes.get(id) ?? ''].join(' ').trim();

/** A line for each store. */
export const storeLines = (known: readonly KnownStore[]): string[] =>
  known.map((store) => {
    const out = [...store.soldOut].sort().map((id) => dishTold(store, id));
    const told = [...store.told].sort();
    return [
      `${store.id}  ${store.isOnline ? 'online ' : 'OFFLINE'}  ${store.name}`,
      ...(out.length === 0 ? [] : [`sold out: ${out.join(', ')}`]),
      ...(told.length === 0 ? [] : [`tells: ${told.join(', ')}`]),
    ].join('; ');
  });

/** @throws Error for a store that there is not, or a dish or an alert that its country does not have */
export function checkWishes(known: readonly KnownStore[], wishes: readonly Wish[]): void {
  for (const { storeId, dishId, alertId } of wishes) {
    const store = known.find(({ id }) => id === storeId);
    if (store === undefined) throw new Error(`there is no store ${storeId}; npm run stores names them all`);
    // A dish that was sold out when it was taken off the menu can still be cleared.
    if (dishId !== null && !store.dishes.has(dishId) && !store.soldOut.has(dishId))
      throw new Error(`there is no dish ${dishId} in ${store.country}`);
    if (alertId !== undefined && !store.alerts.has(alertId) && !store.told.has(alertId))
      throw new Error(`there is no alert ${alertId} in ${store.country}: ${[...store.alerts.keys()].join(', ')}`);
  }
}

/** Does what concerns the stores of one database, all or nothing. @returns a line for each wish */
export async function changeStores(db: Db, known: readonly KnownStore[], wishes: readonly Wish[]): Promise<string[]> {
  return await transact(db, async (tx) => {
    const at = await now(tx);
    const lines: string[] = [];
    for (const { storeId, dishId, alertId, isOn } of wishes) {
      const store = known.find(({ id }) => id === storeId);
      if (store === undefined) continue;
      const [isNew, is] =
        alertId !== undefined
          ? [await setTold(tx, storeId, alertId, isOn, at), `${alertId} ${isOn ? 'told' : 'not told'}`]
          : dishId !== null
            ? [
                await setSoldOut(tx, storeId, dishId, !isOn, at),
                `${dishTold(store, dishId)} ${isOn ? 'available' : 'sold out'}`,
              ]
            : [await setOnline(tx, storeId, isOn), isOn ? 'online' : 'offline'];
      lines.push(`${storeId} ${store.name}: ${is} ${isNew ? 'now' : 'already'}`);
    }
    return lines;
  });
}
