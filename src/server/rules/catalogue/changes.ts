import type { Country } from '../../../../country/shape.ts';
import { countries } from '../../../../country/index.ts';
import { jobs } from '../../call/jobs.ts';
import { writeSeeds } from '../../store/catalogue.ts';
import { addChange, changesOf, lockCatalogue, undoChange, type CatalogueChange } from '../../store/catalogueChanges.ts';
import { transact, type Db, type Tx } from '../../store/db.ts';
import { enqueue } from '../../store/jobs.ts';
import { SeedCoupon, type Seeds } from '../../store/seeds.ts';
import { now } from '../../store/system.ts';
import { catalogueFromDisk, catalogueOf } from './catalogue.ts';
import { KEYS, keyOf, problemsIn } from './problems.ts';

// What a shop changes of its menu, offers and words without a release. A change is a JSON merge patch (RFC 7396) of the
// country's seed files, in which an entry of a list is named by its id, code, name or label:
// { "items": { "PZ001": { "prices": { "R": 12900 } }, "PZ028": null }, "content": { "alerts": { "rain": { ... } } } }
// The catalogue that customers have is that of the release with all changes on it that have begun and are not taken back.

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Entries that are named in the change; the others stay where they are, and new ones come last. */
function mergedList(own: readonly unknown[], change: Fields): unknown[] {
  const key = KEYS.find((one) => own.length > 0 && own.every((entry) => isFields(entry) && one in entry)) ?? 'id';
  const left = new Map(Object.entries(change));
  const kept = own.flatMap((entry) => {
    const name = keyOf(entry);
    if (name === undefined || !left.has(name)) return [entry];
    const part = left.get(name);
    left.delete(name);
    return part === null ? [] : [merged(entry, part)];
  });
  const added = [...left].flatMap(([name, part]) => (part === null ? [] : [merged({ [key]: name }, part)]));
  return [...kept, ...added];
}

/** What `change` makes of `own`: fields of objects one by one, null takes away, everything else takes the place. */
export function merged(own: unknown, change: unknown): unknown {
  if (!isFields(change)) return change;
  if (Array.isArray(own)) return mergedList(own, change);
  const result: Record<string, unknown> = isFields(own) ? { ...own } : {};
  for (const [name, part] of Object.entries(change)) {
    if (part === null) delete result[name];
    else result[name] = merged(result[name], part);
  }
  return result;
}

/** Entries that a change takes away and that do not exist: 'items PZ028'. */
function* notThere(own: unknown, change: unknown, path: readonly string[] = []): Generator<string> {
  if (!isFields(change)) return;
  for (const [name, part] of Object.entries(change)) {
    const held: unknown = Array.isArray(own)
      ? own.find((entry) => keyOf(entry) === name)
      : (own as Fields | undefined)?.[name];
    if (part === null && held === undefined) yield [...path, name].join(' ');
    else yield* notThere(held, part, [...path, name]);
  }
}

/** Entries that a change would call otherwise: carts, orders and other entries name them as they were. */
function* renamed(own: unknown, change: unknown, path: readonly string[] = []): Generator<string> {
  if (!isFields(change)) return;
  for (const [name, part] of Object.entries(change)) {
    const held = Array.isArray(own) ? own.find((entry) => keyOf(entry) === name) : (own as Fields | undefined)?.[name];
    const called = Array.isArray(own) && isFields(part) ? keyOf(merged(held ?? {}, part)) : name;
    if (called !== undefined && called !== name && held !== undefined)
      yield `${[...path, name].join(' ')}: it cannot be called ${called}`;
    else yield* renamed(held, part, [...path, name]);
  }
}

const isNullable = (schema: { safeParse(value: unknown): { success: boolean } }) => schema.safeParse(null).success;
/** Fields of a coupon that say "none" by null: what a change takes away, or a new coupon leaves out. */
const NO_TERMS = Object.fromEntries(
  Object.entries(SeedCoupon.shape).flatMap(([name, schema]) =>
    isNullable(schema) && name !== 'value' ? [[name, null]] : [],
  ),
);
const NO_LIMIT = { perUser: null, total: null, firstOrderOnly: false };

/** A coupon as the seed files have it; what is none is left for the schemas to refuse. */
function wholeCoupon(coupon: unknown): unknown {
  if (!isFields(coupon)) return coupon;
  const { usage = {} } = coupon;
  return { ...NO_TERMS, ...coupon, usage: isFields(usage) ? { ...NO_LIMIT, ...usage } : usage };
}

function changed(seeds: Seeds, change: unknown): Seeds {
  const result = merged(seeds, change) as Fields;
  const { coupons } = result;
  return { ...result, coupons: Array.isArray(coupons) ? coupons.map(wholeCoupon) : coupons } as unknown as Seeds;
}

/** Told where somebody who watches the shop reads it: the shop goes on without the change. */
export const DOES_NOT_FIT = 'a change of the catalogue does not fit this release, and is left out';

/** A change that a later release no longer fits, and why. */
interface LeftOut {
  readonly number: number;
  readonly problems: readonly string[];
}

/** The release's catalogue with these changes on it, in the order in which they begin; those that do not fit are left out. */
function withChanges(
  country: Country,
  base: Seeds,
  changes: readonly CatalogueChange[],
): { seeds: Seeds; left: readonly LeftOut[] } {
  const left: LeftOut[] = [];
  let seeds = base;
  for (const { number, body } of changes.toSorted((a, b) => a.startsAt - b.startsAt || a.number - b.number)) {
    const next = changed(seeds, body);
    const problems = problemsIn(country, next);
    if (problems.length > 0) left.push({ number, problems });
    else seeds = next;
  }
  return { seeds, left };
}
const begun = (changes: readonly CatalogueChange[], at: number) =>
  changes.filter(({ undone, startsAt }) => undone === null && startsAt <= at);

/**
 * Writes the catalogue of this release as the shop has changed it until now; writes nothing where it stands already.
 * @returns it, and the changes that do not fit this release
 */
export async function renewCatalogue(db: Db, country: Country) {
  const code = country.COUNTRY_CODE;
  const disk = catalogueFromDisk(country);
  return await transact(db, async (tx) => {
    await lockCatalogue(tx, code);
    const at = await now(tx);
    const changes = begun(await changesOf(tx, code), at);
    const { seeds, left } = withChanges(country, disk.seeds, changes);
    const catalogue = seeds === disk.seeds ? disk : catalogueOf(country, seeds);
    await writeSeeds(tx, { code, version: catalogue.version, seeds }, at);
    return { catalogue, left };
  });
}

jobs.on<{ country: string }>('catalogue.begin', async ({ country: code }, { db, services }) => {
  const country = countries.find(({ COUNTRY_CODE }) => COUNTRY_CODE === code);
  if (country === undefined) return;
  const { left } = await renewCatalogue(db, country);
  if (left.length > 0) services.log.error({ country: code, left }, DOES_NOT_FIT);
});

/** The catalogue at a moment, as far as it is known now, and what is wrong with a further change then. */
async function tried(db: Db, country: Country, body: unknown, at: number) {
  const base = catalogueFromDisk(country).seeds;
  const before = withChanges(country, base, begun(await changesOf(db, country.COUNTRY_CODE), at)).seeds;
  const after = isFields(body) ? changed(before, body) : before;
  const names = isFields(body)
    ? Object.keys(body).filter((name) => !Object.hasOwn(base, name) || name === 'places')
    : [];
  const problems = isFields(body)
    ? [
        ...names.map((name) => `${name}: a catalogue has no such part`),
        ...[...notThere(before, body)].map((what) => `${what}: it is not there`),
        ...renamed(before, body),
        ...problemsIn(country, after),
      ]
    : ['a change is an object with items, deals, toppings, builder, coupons, stores, payments or content'];
  return { before, after, problems };
}

/** A line for each value that differs: 'items PZ001 prices R: 11900 → 12900', 'items PZ028: gone'. */
export function differencesIn(before: unknown, after: unknown, path = ''): string[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const below = (name: string) => (path === '' ? name : `${path} ${name}`);
  if (before === undefined) return [`${path}: new`];
  if (after === undefined) return [`${path}: gone`];
  const named = (value: unknown): ReadonlyMap<string, unknown> | null => {
    if (isFields(value)) return new Map(Object.entries(value));
    if (!Array.isArray(value) || !value.every((entry) => isFields(entry) && keyOf(entry) !== undefined)) return null;
    return new Map(value.map((entry) => [keyOf(entry)!, entry as unknown]));
  };
  const [old, fresh] = [named(before), named(after)];
  if (old === null || fresh === null) return [`${path}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`];
  return [...new Set([...old.keys(), ...fresh.keys()])].flatMap((name) =>
    differencesIn(old.get(name), fresh.get(name), below(name)),
  );
}

/**
 * What a change would change at a moment.
 * @param from as of `ChangeTerms`
 * @throws Error that says what is wrong with it, a line each, or that the moment is over
 */
export async function previewChange(
  db: Db,
  country: Country,
  body: unknown,
  from: ChangeTerms['from'],
): Promise<string[]> {
  const at = await now(db);
  if (from !== null && from < at) throw new Error('nothing is changed: that moment is over');
  const { before, after, problems } = await tried(db, country, body, from ?? at);
  if (problems.length > 0) throw new Error(`nothing is changed:\n${problems.join('\n')}`);
  return differencesIn(before, after);
}

/** The author of a change, and the moment from which it holds. */
export interface ChangeTerms {
  readonly by: string;
  /** Epoch ms of the shop's clock; null: from now on. */
  readonly from: number | null;
}

/**
 * Makes a change from its moment on; every process knows it at its next call.
 * @returns its number, and a line for each value that differs then
 * @throws Error as `previewChange`, and for a change that changes nothing or would have begun already
 */
export async function makeChange(db: Db, country: Country, body: unknown, { by, from }: ChangeTerms) {
  const code = country.COUNTRY_CODE;
  return await transact(db, async (tx) => {
    await lockCatalogue(tx, code);
    const at = await now(tx);
    const startsAt = from ?? at;
    const lines = await previewChange(tx, country, body, from);
    if (lines.length === 0) throw new Error('nothing is changed: all of it is so already');
    const number = (await changesOf(tx, code)).length + 1;
    await addChange(tx, code, { number, madeAt: at, madeBy: by, startsAt, body });
    await begin(tx, country, startsAt, at);
    return { number, startsAt, lines };
  });
}

async function begin(tx: Tx, country: Country, startsAt: number, at: number): Promise<void> {
  if (startsAt <= at) await renewCatalogue(tx, country);
  else await enqueue(tx, { kind: 'catalogue.begin', runAt: startsAt, payload: { country: country.COUNTRY_CODE } });
}

/**
 * Takes a change back, at once: what it changed is again as it would be without it.
 * @param which its number, or the last one that stands
 * @returns its number, and changes that stood on it and are left out now
 * @throws Error where there is none
 */
export async function takeBack(db: Db, country: Country, which: number | 'last', by: string) {
  const code = country.COUNTRY_CODE;
  return await transact(db, async (tx) => {
    await lockCatalogue(tx, code);
    const at = await now(tx);
    const number = which === 'last' ? (await changesOf(tx, code)).findLast(({ undone }) => !undone)?.number : which;
    if (number === undefined || !(await undoChange(tx, code, number, { at, by })))
      throw new Error(`there is no change ${which} that stands; npm run catalogue names them all`);
    const { left } = await renewCatalogue(tx, country);
    return { number, left };
  });
}

/** A line for each change of a country, in words for operators. */
export async function changeLines(db: Db, country: Country): Promise<string[]> {
  const at = await now(db);
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
  return (await changesOf(db, country.COUNTRY_CODE)).map(({ number, madeAt, madeBy, startsAt, body, undone }) => {
    const parts = Object.entries(body as Fields).map(([name, part]) =>
      [name, ...(isFields(part) ? Object.keys(part) : [])].join(' '),
    );
    const state =
      undone !== null
        ? `taken back ${day(undone.at)} by ${undone.by}`
        : startsAt > at
          ? `begins ${day(startsAt)} UTC`
          : `since ${day(startsAt)} UTC`;
    return `${country.COUNTRY_CODE} ${number}  ${state}; made ${day(madeAt)} by ${madeBy}: ${parts.join('; ')}`;
  });
}
