import { countries } from '../../../../country/index.ts';
import type { Catalogue, CountryCatalogue } from '../../call/catalogue.ts';
import { seedsIn, seedVersion, writeSeeds } from '../../store/catalogue.ts';
import type { Db } from '../../store/db.ts';
import { copied, now, readSystem } from '../../store/system.ts';
import { catalogueFromDisk, catalogueOf } from './catalogue.ts';
import { checkCoupons } from '../offers/coupons.ts';

/**
 * Writes the seeds into the database of their country and returns access to the catalogues in memory. Safe to run in several processes
 * at once and again: only a new version of the seeds writes anything. Coupon hours count from the first load.
 */
export async function loadCatalogue(dbOf: (country: string) => Db): Promise<Catalogue> {
  const copies = new Map<string, CountryCatalogue>();
  for (const country of countries) {
    const disk = catalogueFromDisk(country);
    checkCoupons(disk.coupons.values());
    const { version, seeds } = disk;
    const db = dbOf(country.COUNTRY_CODE);
    await writeSeeds(db, { code: country.COUNTRY_CODE, version, seeds }, await now(db));
    copies.set(country.COUNTRY_CODE, disk);
  }
  return {
    async of(from, code, seen) {
      return await copied(from, `catalogue ${code}`, seen ?? (await readSystem(from)), async () => {
        const version = await seedVersion(from, code);
        const known = copies.get(code);
        if (!known) throw new Error(`No catalogue for country ${code}`);
        if (version === undefined || version === known.version) return known;
        const fresh = catalogueOf(known.country, await seedsIn(from, code));
        copies.set(code, fresh);
        return fresh;
      });
    },
  };
}
