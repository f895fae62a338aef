import type { KnownCountry } from '../../../../country/index.ts';
import type { JudgedOffer } from '../../../contract/coupons.ts';
import type { Builder, Menu } from '../../../contract/menu.ts';
import type { Catalogue } from '../../call/catalogue.ts';
import { languageAsked } from '../../call/language.ts';
import { couponStates } from '../../store/coupons.ts';
import type { Db } from '../../store/db.ts';
import type { SeedStore } from '../../store/seeds.ts';
import { soldOutAt } from '../../store/stores.ts';
import { readSystem, type SystemRow } from '../../store/system.ts';
import { runningOffers } from '../cart/advice.ts';
import { visibleStores } from '../places/stores.ts';
import { menuOf } from '../catalogue/menu.ts';

/** What a country's shop shows to somebody who has not chosen a store, as of now. */
export interface Shopfront {
  readonly country: KnownCountry;
  /** A dish is sold out if no store has it. */
  menu(): Promise<Menu>;
  builder(): Promise<Builder>;
  stores(): Promise<readonly SeedStore[]>;
  offers(): Promise<readonly JudgedOffer[]>;
}

/** Menus that were already built, the newest of each country and language: by its catalogue and what is sold out. */
const made = new Map<string, { readonly key: string; readonly menu: Menu }>();

/** Ids of the products that none of the stores can sell now. */
async function soldOutAtAll(db: Db, stores: readonly SeedStore[], seen: SystemRow): Promise<ReadonlySet<string>> {
  const [first = new Set<string>(), ...others] = await Promise.all(stores.map(({ id }) => soldOutAt(db, id, seen)));
  return new Set([...first].filter((id) => others.every((other) => other.has(id))));
}

export function shopfront(
  country: KnownCountry,
  { db, catalogue }: { readonly db: Db; readonly catalogue: Catalogue },
): Shopfront {
  const code = country.COUNTRY_CODE;
  const read = async () => {
    const seen = await readSystem(db);
    return { seen, all: await catalogue.of(db, code, seen) };
  };
  return {
    country,
    async menu() {
      const { seen, all } = await read();
      const soldOut = await soldOutAtAll(db, visibleStores(all), seen);
      const key = [all.version, ...[...soldOut].sort()].join(' ');
      const place = `${code} ${languageAsked()}`;
      const known = made.get(place);
      if (known?.key === key) return known.menu;
      const menu = menuOf(all, country.DEFAULT_STORE, soldOut);
      made.set(place, { key, menu });
      return menu;
    },
    builder: async () => (await read()).all.builder,
    stores: async () => visibleStores((await read()).all),
    async offers() {
      const { seen, all } = await read();
      return runningOffers(all, await couponStates(db, code), seen.now, { partnerOffers: true });
    },
  };
}
