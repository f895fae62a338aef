import { countries } from '../../../../country/index.ts';
import type { Catalogue, CountryCatalogue } from '../../call/catalogue.ts';
import type { Log } from '../../call/services.ts';
import { seedsIn, seedVersion } from '../../store/catalogue.ts';
import type { Db } from '../../store/db.ts';
import { copied, readSystem } from '../../store/system.ts';
import { catalogueFromDisk, catalogueOf } from './catalogue.ts';
import { unreadable } from '../offers/coupons.ts';
import { DOES_NOT_FIT, renewCatalogue } from './changes.ts';

/**
 * Writes the seeds, as the shop has changed them, into the database of their country and returns access to the catalogues in memory. Safe to run in several processes
 * at once and again: only a new version of the seeds writes anything.
 */
export async function loadCatalogue(dbOf: (country: string) => Db, log: Log): Promise<Catalogue> {
  const copies = new Map<string, CountryCatalogue>();
  for (const country of countries) {
    const [wrong] = unreadable(catalogueFromDisk(country).coupons.values());
    if (wrong !== undefined) throw new Error(`Coupon ${wrong}: its terms cannot be read.`);
    const { catalogue, left } = await renewCatalogue(dbOf(country.COUNTRY_CODE), country);
    for (const one of left) log.error({ country: country.COUNTRY_CODE, ...one }, DOES_NOT_FIT);
    copies.set(country.COUNTRY_CODE, catalogue);
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
