import type { Country } from '../../../country/shape.ts';
import type { Builder } from '../../contract/menu.ts';
import type { Size } from '../../contract/names.ts';
import type { Db } from '../store/db.ts';
import type {
  ByLanguage,
  SeedCoupon,
  SeedCrust,
  SeedDeal,
  SeedItem,
  SeedPlace,
  SeedSauce,
  SeedStore,
  SeedTopping,
  Seeds,
} from '../store/seeds.ts';
import type { SystemRow } from '../store/system.ts';

/** One slot of a deal, with the products that may go into it, worked out once. */
export interface SlotRule {
  readonly label: string;
  readonly labels: ByLanguage<string> | undefined;
  readonly quantity: number;
  readonly size: Size | undefined;
  readonly choices: readonly string[];
  readonly defaults: readonly string[];
}

/** A cached copy of one country's catalogue, with everything that rules look up, by id. */
export interface CountryCatalogue {
  readonly country: Country;
  /** Hash of the seeds. Two processes with the same version hold the same copy. */
  readonly version: string;
  readonly seeds: Seeds;
  readonly items: ReadonlyMap<string, SeedItem>;
  readonly deals: ReadonlyMap<string, SeedDeal>;
  readonly slots: ReadonlyMap<string, readonly SlotRule[]>;
  readonly toppings: ReadonlyMap<string, SeedTopping>;
  readonly crusts: ReadonlyMap<string, SeedCrust>;
  readonly sauces: ReadonlyMap<string, SeedSauce>;
  readonly coupons: ReadonlyMap<string, SeedCoupon>;
  readonly stores: ReadonlyMap<string, SeedStore>;
  readonly places: readonly SeedPlace[];
  /** The price list in the language of the request; names above are read in it, too, except those of dishes. */
  readonly builder: Builder;
}

/**
 * Cached copies of the catalogues. Data that changes often (stores offline, products sold out) is not part of them and
 * is read again after every change.
 */
export interface Catalogue {
  /**
   * Returns the copy of a country; reads it again when another process has loaded another version.
   * @throws Error for a country that was never loaded
   */
  of(db: Db, country: string, seen?: SystemRow): Promise<CountryCatalogue>;
}
