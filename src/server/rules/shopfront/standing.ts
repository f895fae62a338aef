import { seedsIn, seedVersion } from '../../store/catalogue.ts';
import { transact, type Db, type Tx } from '../../store/db.ts';
import { offlineStores, setOnline, setSoldOut, setTold, soldOutAt, toldAt } from '../../store/stores.ts';
import { now, readSystem } from '../../store/system.ts';

// What somebody who runs a shop says of its stores as they are now; in words for operators.

/** What a store is to do or to have no more: take orders (its id is ''), a dish, an alert that it tells. */
interface StoreChange {
  readonly kind: 'orders' | 'dish' | 'alert';
  readonly storeId: string;
  readonly id: string;
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

const EXAMPLES = { dish: '10101:PZ004', alert: '10101:rain' };
function wishIn(kind: keyof typeof EXAMPLES, text: string, isOn: boolean): StoreChange {
  const [storeId = '', id = '', ...more] = text.split(':');
  if (storeId === '' || id === '' || more.length > 0)
    throw new Error(`${text} is no ${kind} of a store: ${EXAMPLES[kind]}, the store before its ${kind}`);
  return { kind, storeId, id, isOn };
}
const nameOf = ({ storeId, id }: StoreChange) => (id === '' ? storeId : `${storeId}:${id}`);

/** @throws Error for what cannot be read, and for one thing that is to be both */
export function wishesIn({ offline, online, soldOut, available, tell, untell }: TypedWishes): StoreChange[] {
  const orders = (storeId: string, isOn: boolean): StoreChange => ({ kind: 'orders', storeId, id: '', isOn });
  const wishes = [
    ...listed(offline).map((storeId) => orders(storeId, false)),
    ...listed(online).map((storeId) => orders(storeId, true)),
    ...listed(soldOut).map((text) => wishIn('dish', text, false)),
    ...listed(available).map((text) => wishIn('dish', text, true)),
    ...listed(tell).map((text) => wishIn('alert', text, true)),
    ...listed(untell).map((text) => wishIn('alert', text, false)),
  ];
  for (const wish of wishes)
    if (!wish.isOn && wishes.some((one) => one.isOn && one.kind === wish.kind && nameOf(one) === nameOf(wish)))
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
export function checkWishes(known: readonly KnownStore[], wishes: readonly StoreChange[]): void {
  for (const { kind, storeId, id: wanted } of wishes) {
    const store = known.find(({ id }) => id === storeId);
    if (store === undefined) throw new Error(`there is no store ${storeId}; npm run stores names them all`);
    // What was sold out, or told, when it was taken off the menu can still be cleared.
    const { country, dishes, soldOut, alerts, told } = store;
    if (kind === 'dish' && !dishes.has(wanted) && !soldOut.has(wanted))
      throw new Error(`there is no dish ${wanted} in ${country}`);
    if (kind === 'alert' && !alerts.has(wanted) && !told.has(wanted))
      throw new Error(`there is no alert ${wanted} in ${country}: ${[...alerts.keys()].join(', ')}`);
  }
}

/** @returns whether that changes anything, and how it is now */
async function changed(
  tx: Tx,
  store: KnownStore,
  { kind, id, isOn }: StoreChange,
  at: number,
): Promise<[boolean, string]> {
  switch (kind) {
    case 'orders':
      return [await setOnline(tx, store.id, isOn), isOn ? 'online' : 'offline'];
    case 'dish':
      return [
        await setSoldOut(tx, store.id, id, !isOn, at),
        `${dishTold(store, id)} ${isOn ? 'available' : 'sold out'}`,
      ];
    case 'alert':
      return [await setTold(tx, store.id, id, isOn, at), `${id} ${isOn ? 'told' : 'not told'}`];
  }
}

/** Does what concerns the stores of one database, all or nothing. @returns a line for each wish */
export async function changeStores(
  db: Db,
  known: readonly KnownStore[],
  wishes: readonly StoreChange[],
): Promise<string[]> {
  return await transact(db, async (tx) => {
    const at = await now(tx);
    const lines: string[] = [];
    for (const wish of wishes) {
      const { storeId } = wish;
      const store = known.find(({ id }) => id === storeId);
      if (store === undefined) continue;
      const [isNew, is] = await changed(tx, store, wish, at);
      lines.push(`${storeId} ${store.name}: ${is} ${isNew ? 'now' : 'already'}`);
    }
    return lines;
  });
}
