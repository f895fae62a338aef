import type { SeedStore, Seeds } from './seeds.ts';
import { transact, type Db, type Tx, type Tables } from './db.ts';
import { noteChange } from './system.ts';

declare module './db.ts' {
  interface Tables {
    catalogue_versions: { country: string; version: string; loaded_at: number };
    catalogue_entries: { country: string; kind: string; id: string; position: number; body: string };
    stores: { id: string; country: string; position: number; online: number; body: string };
    sold_out: { store_id: string; product_id: string; since: number };
    told_alerts: { store_id: string; alert_id: string; since: number };
  }
}

const LISTS = { item: 'items', deal: 'deals', topping: 'toppings', coupon: 'coupons', place: 'places' } as const;
const DOCUMENTS = ['builder', 'payments', 'content'] as const;
const ROWS_AT_ONCE = 100;

function entriesOf(code: string, seeds: Seeds): Tables['catalogue_entries'][] {
  const rows: Tables['catalogue_entries'][] = [];
  for (const [kind, list] of Object.entries(LISTS)) {
    for (const [position, entry] of (seeds[list] as readonly ({ id: string } | { code: string })[]).entries()) {
      rows.push({
        country: code,
        kind,
        id: 'code' in entry ? entry.code : entry.id,
        position,
        body: JSON.stringify(entry),
      });
    }
  }
  for (const [position, name] of DOCUMENTS.entries())
    rows.push({ country: code, kind: 'document', id: name, position, body: JSON.stringify(seeds[name]) });
  return rows;
}

export interface SeedVersion {
  /** The country's code. */
  readonly code: string;
  readonly version: string;
  readonly seeds: Seeds;
}

/** Replaces a country's stored seeds when they are of another version; the same version writes nothing. */
export async function writeSeeds(db: Db, from: SeedVersion, at: number): Promise<void> {
  await transact(db, (tx) => write(tx, from, at));
}

async function write(tx: Tx, { code, version, seeds }: SeedVersion, at: number): Promise<void> {
  await tx
    .insertInto('catalogue_versions')
    .values({ country: code, version: '', loaded_at: at })
    .onConflict((c) => c.doNothing())
    .execute();
  // A process that comes second waits here for the first, and then finds nothing to do.
  const mine = await tx
    .updateTable('catalogue_versions')
    .set({ version, loaded_at: at })
    .where('country', '=', code)
    .where('version', '!=', version)
    .executeTakeFirst();
  if (mine.numUpdatedRows === 0n) return;
  const before = await tx.selectFrom('stores').select(['id', 'online', 'body']).where('country', '=', code).execute();
  // Switches of the shop itself (npm run stores) outlast a release.
  const switched = new Map(
    before.flatMap(({ id, online, body }) =>
      online === (JSON.parse(body) as SeedStore).online ? [] : [[id, online] as const],
    ),
  );
  await tx.deleteFrom('catalogue_entries').where('country', '=', code).execute();
  await tx.deleteFrom('stores').where('country', '=', code).execute();
  const rows = entriesOf(code, seeds);
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE)
    await tx
      .insertInto('catalogue_entries')
      .values(rows.slice(start, start + ROWS_AT_ONCE))
      .execute();
  await tx
    .insertInto('stores')
    .values(
      seeds.stores.map((store, position) => ({
        id: store.id,
        country: code,
        position,
        online: switched.get(store.id) ?? store.online,
        body: JSON.stringify(store),
      })),
    )
    .execute();
  await tx
    .insertInto('coupon_states')
    .values(seeds.coupons.map(({ code: coupon }) => ({ country: code, code: coupon, loaded_at: at, used: 0 })))
    .onConflict((c) => c.doNothing())
    .execute();
  await noteChange(tx);
}

/** The seeds of a country as they are stored in the database. */
export async function seedsIn(db: Db, code: string): Promise<Seeds> {
  const rows = await db
    .selectFrom('catalogue_entries')
    .select(['kind', 'id', 'body'])
    .where('country', '=', code)
    .orderBy('kind')
    .orderBy('position')
    .execute();
  const stores = await db.selectFrom('stores').select('body').where('country', '=', code).orderBy('position').execute();
  const of = (kind: string) => rows.filter((row) => row.kind === kind).map((row) => JSON.parse(row.body) as never);
  const document = (id: string) =>
    JSON.parse(rows.find((row) => row.kind === 'document' && row.id === id)?.body ?? 'null') as never;
  return {
    items: of('item'),
    deals: of('deal'),
    toppings: of('topping'),
    builder: document('builder'),
    coupons: of('coupon'),
    stores: stores.map((row) => JSON.parse(row.body) as SeedStore),
    places: of('place'),
    payments: document('payments'),
    content: document('content'),
  };
}

/** Undefined for a country that was never loaded. */
export async function seedVersion(db: Db, code: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('catalogue_versions')
    .select('version')
    .where('country', '=', code)
    .executeTakeFirst();
  return row?.version;
}
