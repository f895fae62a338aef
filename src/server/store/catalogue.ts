import { countries } from '../../../country/index.ts';
import type { Country } from '../../../country/shape.ts';
import { checkCoupons } from '../rules/coupons.ts';
import { catalogueFromDisk, catalogueOf, type CountryCatalogue } from '../rules/menu.ts';
import type { SeedStore, Seeds } from '../rules/seeds.ts';
import type { CouponTables } from './coupons.ts';
import { transact, type Db, type Tx } from './db.ts';
import { copied, noteChange, now, readSystem, type SystemRow } from './system.ts';

export interface CatalogueTables extends CouponTables {
  catalogue_versions: { country: string; version: string; loaded_at: number };
  catalogue_entries: { country: string; kind: string; id: string; position: number; body: string };
  stores: { id: string; country: string; position: number; online: number; body: string };
  sold_out: { store_id: string; product_id: string; since: number };
}

/** Read copies of the catalogues. What changes by the minute (online, sold out) is read anew as soon as anybody changed it. */
export interface Catalogue {
  /** The copy of a country; read anew when another process loaded another version. Throws for a country that was never loaded. */
  of(db: Db, country: string, seen?: SystemRow): Promise<CountryCatalogue>;
}

const LISTS = { item: 'items', deal: 'deals', topping: 'toppings', coupon: 'coupons', place: 'places' } as const;
const DOCUMENTS = ['builder', 'payments', 'content'] as const;
const ROWS_AT_ONCE = 100;

function entriesOf(code: string, seeds: Seeds): CatalogueTables['catalogue_entries'][] {
  const rows: CatalogueTables['catalogue_entries'][] = [];
  for (const [kind, list] of Object.entries(LISTS)) {
    for (const [position, entry] of (seeds[list] as readonly ({ id: string } | { code: string })[]).entries()) {
      rows.push({ country: code, kind, id: 'code' in entry ? entry.code : entry.id, position, body: JSON.stringify(entry) });
    }
  }
  for (const [position, name] of DOCUMENTS.entries()) rows.push({ country: code, kind: 'document', id: name, position, body: JSON.stringify(seeds[name]) });
  return rows;
}

async function write(tx: Tx, disk: CountryCatalogue, at: number): Promise<void> {
  const code = disk.country.COUNTRY_CODE;
  await tx.insertInto('catalogue_versions').values({ country: code, version: '', loaded_at: at }).onConflict((c) => c.doNothing()).execute();
  // Whoever comes second waits here for the first, and then finds nothing to do.
  const mine = await tx.updateTable('catalogue_versions').set({ version: disk.version, loaded_at: at })
    .where('country', '=', code).where('version', '!=', disk.version).executeTakeFirst();
  if (mine.numUpdatedRows === 0n) return;
  await tx.deleteFrom('catalogue_entries').where('country', '=', code).execute();
  await tx.deleteFrom('stores').where('country', '=', code).execute();
  const rows = entriesOf(code, disk.seeds);
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) await tx.insertInto('catalogue_entries').values(rows.slice(start, start + ROWS_AT_ONCE)).execute();
  await tx.insertInto('stores').values(disk.seeds.stores.map((store, position) => ({ id: store.id, country: code, position, online: store.online, body: JSON.stringify(store) }))).execute();
  await tx.insertInto('coupon_states').values(disk.seeds.coupons.map(({ code: coupon }) => ({ country: code, code: coupon, loaded_at: at, used: 0 })))
    .onConflict((c) => c.doNothing()).execute();
  await noteChange(tx);
}

async function readCopy(db: Db, country: Country): Promise<CountryCatalogue> {
  const code = country.COUNTRY_CODE;
  const rows = await db.selectFrom('catalogue_entries').select(['kind', 'id', 'body']).where('country', '=', code).orderBy('kind').orderBy('position').execute();
  const stores = await db.selectFrom('stores').select('body').where('country', '=', code).orderBy('position').execute();
  const of = (kind: string) => rows.filter((row) => row.kind === kind).map((row) => JSON.parse(row.body) as never);
  const document = (id: string) => JSON.parse(rows.find((row) => row.kind === 'document' && row.id === id)?.body ?? 'null') as never;
  return catalogueOf(country, {
    items: of('item'), deals: of('deal'), toppings: of('topping'), builder: document('builder'), coupons: of('coupon'),
    stores: stores.map((row) => JSON.parse(row.body) as SeedStore), places: of('place'), payments: document('payments'), content: document('content'),
  });
}

/**
 * Brings the seeds into the database and hands out read copies. May run in several processes at once and again and again:
 * only seeds of another version write anything. Coupon hours count from the first load.
 */
export async function loadCatalogue(db: Db): Promise<Catalogue> {
  const copies = new Map<string, CountryCatalogue>();
  for (const country of countries) {
    const disk = catalogueFromDisk(country);
    checkCoupons(disk.coupons.values());
    const at = await now(db);
    await transact(db, (tx) => write(tx, disk, at));
    copies.set(country.COUNTRY_CODE, disk);
  }
  return {
    async of(from, code, seen) {
      return await copied(from, `catalogue ${code}`, seen ?? await readSystem(from), async () => {
        const row = await from.selectFrom('catalogue_versions').select('version').where('country', '=', code).executeTakeFirst();
        const known = copies.get(code);
        if (!known) throw new Error(`No catalogue for country ${code}`);
        if (row === undefined || row.version === known.version) return known;
        const fresh = await readCopy(from, known.country);
        copies.set(code, fresh);
        return fresh;
      });
    },
  };
}
