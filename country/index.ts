import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { apiPaths } from './paths.ts';
import { COUNTRY_NAME_MISSING, COUNTRY_UNKNOWN, type ApiPaths, type Country, type CountryData } from './shape.ts';

/**
 * A country with its full list of API calls. Only the server, the build and tests use it; pages do not need the list.
 */
export interface KnownCountry extends Country {
  readonly api: Country['api'] & { readonly paths: ApiPaths };
}

/** In English: pages say it in their own language (src/state/base/country.ts). */
const { terms: TNC } = JSON.parse(readFileSync(path.join(import.meta.dirname, '../src/text/en/shop.json'), 'utf8')) as {
  terms: string;
};

async function inFolder(name: string): Promise<KnownCountry> {
  const { country } = (await import(`./${name}/index.ts`)) as { country?: CountryData };
  if (!country) throw new Error(`country/${name}/index.ts has to export 'country'.`);
  if (country.COUNTRY_CODE.toLowerCase() !== name)
    throw new Error(
      `country/${name}: COUNTRY_CODE in first.ts is '${country.COUNTRY_CODE}', and has to be '${name.toUpperCase()}' like its folder.`,
    );
  const off = [...country.DISABLED_FEATURES, ...(country.IS_WALLET_BLOCKED ? ['wallet'] : [])];
  return { ...country, TNC, api: { ...country.api, paths: apiPaths(off) } };
}

const folderOf = ({ COUNTRY_CODE }: KnownCountry) => `country/${COUNTRY_CODE.toLowerCase()}`;

function storeIds(country: KnownCountry): readonly string[] {
  const file = path.join(import.meta.dirname, '..', folderOf(country), 'seed/stores.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { stores: { id: string }[] }).stores.map(({ id }) => id);
}

/** Values that must differ from country to country, each with the place where it is set. */
const CLAIMS: readonly (readonly [field: string, of: (country: KnownCountry) => readonly string[]])[] = [
  ['names in config.ts', (one) => one.names],
  ['api.keys in config.ts', (one) => Object.values(one.api.keys)],
  ['store ids in seed/stores.json (also in seed/coupons.json, DEFAULT_STORE and DEFAULT_MENU)', storeIds],
];

/**
 * Checks that no two countries claim the same value: a look-up by that value would find only the first of them.
 * @throws Error that lists every clash
 */
function distinct(list: readonly KnownCountry[]): readonly KnownCountry[] {
  const clashes: string[] = [];
  for (const [field, claimsOf] of CLAIMS) {
    const owners = new Map<string, KnownCountry>();
    for (const one of list) {
      const claims = claimsOf(one);
      for (const owner of new Set(claims.flatMap((claim) => owners.get(claim) ?? []))) {
        const both = claims.filter((claim) => owners.get(claim) === owner).map((claim) => `'${claim}'`);
        clashes.push(`${folderOf(one)} and ${folderOf(owner)} both have ${both.join(', ')}: ${field}.`);
      }
      for (const claim of claims) owners.set(claim, one);
    }
  }
  if (clashes.length > 0) throw new Error(clashes.join('\n'));
  return list;
}

const dialNumber = ({ dialPrefix }: Country) => Number(dialPrefix.slice(1));

/**
 * Every folder beside this file is a country; they are sorted by dialling prefix. For the server, the build and tests
 * only: a client bundle contains just its own country.
 */
export const countries: readonly KnownCountry[] = distinct(
  (
    await Promise.all(
      readdirSync(import.meta.dirname, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => inFolder(name)),
    )
  ).sort((a, b) => dialNumber(a) - dialNumber(b)),
);

/**
 * Finds a country by any of its names, ignoring case and surrounding spaces (specification sections 1 and 5).
 * @throws Error with the specification's message when the name is empty, not a string, or unknown
 */
export function countryConfig(name: unknown): KnownCountry {
  if (typeof name !== 'string' || name.trim() === '') throw new Error(COUNTRY_NAME_MISSING);
  const wanted = name.trim().toLowerCase();
  const found = countries.find((country) => country.names.includes(wanted));
  if (!found) throw new Error(COUNTRY_UNKNOWN);
  return found;
}
