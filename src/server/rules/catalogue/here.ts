import { catalogueHere, type Call } from '../../call/call.ts';
import type { CountryCatalogue } from '../../call/catalogue.ts';
import { errors } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';
import type { SeedStore } from '../../store/seeds.ts';
import { offlineStores } from '../../store/stores.ts';

/** The caller's country as it sells now. */
export interface Here {
  readonly catalogue: CountryCatalogue;
  /** Ids of the stores that take no orders now. */
  readonly offline: ReadonlySet<string>;
  readonly now: number;
}
export async function hereOf(call: Call): Promise<Here> {
  const catalogue = await catalogueHere(call);
  return { catalogue, offline: await offlineStores(call.db, call.caller.country, call.seen), now: call.now };
}

/** A store that a path names, without test fixtures. @throws Refusal 404 NOT_FOUND */
export function storeOr404({ stores }: CountryCatalogue, storeId: string): SeedStore {
  const store = stores.get(storeId);
  return store === undefined || store.fixture === true
    ? refuse(404, 'NOT_FOUND', errors.notFound, { field: 'storeId' })
    : store;
}
