import { seedsIn, seedVersion } from '../../store/catalogue.ts';
import { transact, type Db } from '../../store/db.ts';
import { offlineStores, setOnline, setSoldOut, soldOutAt } from '../../store/stores.ts';
import { now, readSystem } from '../../store/system.ts';

// What somebody who runs a shop says of its stores as they are now; in words for operators.

/** A store that takes orders now or not; or, with a dish, one that it has or not. */
interface Wish {
  readonly storeId: string;
  readonly dishId: string | null;
  readonly isOn: boolean;
}

/** What is typed, with commas between several: stores, and dishes as STORE:DISH. */
interface TypedWishes {
  readonly offline: string | undefined;
  readonly online: string | undefined;
  readonly soldOut: string | undefined;
  readonly available: string | undefined;
}

interface KnownStore {
  readonly id: string;
  readonly name: string;
  readonly country: string;
  readonly isOnline: boolean;
  readonly soldOut: ReadonlySet<string>;
  /** Names by id. */
  readonly dishes: ReadonlyMap<string, string>;
}

const listed = (text: string | undefined) =>
  (text ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');

function dishWish(text: string, isOn: boolean): Wish {
  const [storeId = '', dishId = '', ...more] = text.split(':');
  if (storeId === '' || dishId === '' || more.length > 0)
    throw new Error(`${text} is no dish of a store: 10101:PZ004, the store before its dish`);
  return { storeId, dishId, isOn };
}

/** @throws Error for what cannot be read, and for one thing that is to be both */
export function wishesIn({ offline, online, soldOut, available }: TypedWishes): Wish[] {
  const wishes = [
    ...listed(offline).map((storeId) => ({ storeId, dishId: null, isOn: false })),
    ...listed(online).map((storeId) => ({ storeId, dishId: null, isOn: true })),
    ...listed(soldOut).map((text) => dishWish(text, false)),
    ...listed(available).map((text) => dishWish(text, true)),
  ];
  for (const { storeId, dishId, isOn } of wishes)
    if (!isOn && wishes.some((one) => one.isOn && one.storeId === storeId && one.dishId === dishId))
      throw new Error(`${dishId === null ? storeId : `${storeId}:${dishId}`} cannot be both`);
  return wishes;
}

/** The stores of a database in some countries, as customers find them now. */
export async function knownStores(db: Db, countries: readonly string[]): Promise<KnownStore[]> {
  const seen = await readSystem(db);
  const found: KnownStore[] = [];
  for (const country of countries) {
    // A country whose orders are in another database.
    if ((await seedVersion(db, country)) === undefined) continue;
    const { stores, items } = await seedsIn(db, country);
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
      });
  }
  return found;
}

const dishTold = ({ dishes }: KnownStore, id: string) => [id, dishes.get(id) ?? ''].join(' ').trim();

/** A line for each store. */
export const storeLines = (known: readonly KnownStore[]): string[] =>
  known.map((store) => {
    const out = [...store.soldOut].sort().map((id) => dishTold(store, id));
    return `${store.id}  ${store.isOnline ? 'online ' : 'OFFLINE'}  ${store.name}${out.length === 0 ? '' : `; sold out: ${out.join(', ')}`}`;
  });

/** @throws Error for a store that there is not, or a dish that its country does not have */
export function checkWishes(known: readonly KnownStore[], wishes: readonly Wish[]): void {
  for (const { storeId, dishId } of wishes) {
    const store = known.find(({ id }) => id === storeId);
    if (store === undefined) throw new Error(`there is no store ${storeId}; npm run stores names them all`);
    // A dish that was sold out when it was taken off the menu can still be cleared.
    if (dishId !== null && !store.dishes.has(dishId) && !store.soldOut.has(dishId))
      throw new Error(`there is no dish ${dishId} in ${store.country}`);
  }
}

/** Does what concerns the stores of one database, all or nothing. @returns a line for each wish */
export async function changeStores(db: Db, known: readonly KnownStore[], wishes: readonly Wish[]): Promise<string[]> {
  return await transact(db, async (tx) => {
    const at = await now(tx);
    const lines: string[] = [];
    for (const { storeId, dishId, isOn } of wishes) {
      const store = known.find(({ id }) => id === storeId);
      if (store === undefined) continue;
      const isNew =
        dishId === null ? await setOnline(tx, storeId, isOn) : await setSoldOut(tx, storeId, dishId, !isOn, at);
      const is =
        dishId === null
          ? isOn
            ? 'online'
            : 'offline'
          : `${dishTold(store, dishId)} ${isOn ? 'available' : 'sold out'}`;
      lines.push(`${storeId} ${store.name}: ${is} ${isNew ? 'now' : 'already'}`);
    }
    return lines;
  });
}
