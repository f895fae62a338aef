import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { countries } from '../../country/index.ts';
import { ALLERGENS } from '../../src/server/rules/catalogue/menu.ts';
import { PORTION_UNITS } from '../../src/server/rules/catalogue/servings.ts';

// Of each text in a country's data: is it a name, which stands in one language, or words, which stand in all of them? A dish's
// name stays, and all of them say how it sounds (src/decisions/2026-11-28-names-of-dishes.md).

/** Sentences, by file and place, with where the same is in the other languages: `*` stands for the language. */
const SENTENCES: Readonly<Record<string, string>> = {
  'menu items[].name': 'items[].spoken.*',
  'menu items[].description': 'items[].descriptions.*',
  'deals deals[].name': 'deals[].spoken.*',
  'deals deals[].description': 'deals[].descriptions.*',
  'deals deals[].slots[].label': 'deals[].slots[].labels.*',
  'coupons coupons[].title': 'coupons[].said.*.title',
  'coupons coupons[].confettiMessage': 'coupons[].said.*.confettiMessage',
  'coupons coupons[].confettiSubMessage': 'coupons[].said.*.confettiSubMessage',
  'coupons coupons[].tnc[]': 'coupons[].said.*.tnc[]',
  'coupons coupons[].messages[].message': 'coupons[].said.*.messages[]',
  'coupons coupons[].offerOptions[].label': 'coupons[].said.*.offerOptions[]',
  'builder sizes[].name': 'sizes[].names.*',
  'builder crusts[].name': 'crusts[].names.*',
  'builder sauces[].name': 'sauces[].names.*',
  'toppings toppings[].name': 'toppings[].names.*',
  'builder cookingNotes[]': 'said.*.cookingNotes[]',
  'content deliveryInstructions[].label': 'deliveryInstructions[].labels.*',
  'content loyaltyFaq[].q': 'loyaltyFaq[].said.*.q',
  'content loyaltyFaq[].a': 'loyaltyFaq[].said.*.a',
  'content spinWheel.slots[].label': 'spinWheel.slots[].labels.*',
  'content alerts[].message': 'alerts[].messages.*',
  'content widgets[].title': 'widgets[].titles.*',
  'content widgets[].subtitle': 'widgets[].subtitles.*',
  'content legal.licence': 'legal.said.*.licence',
  'content legal.officer': 'legal.said.*.officer',
  'content legal.authority': 'legal.said.*.authority',
  'content legal.taxLaw': 'legal.said.*.taxLaw',
  'content legal.dataLaw': 'legal.said.*.dataLaw',
  'content legal.dataAuthority': 'legal.said.*.dataAuthority',
};

/** What is no sentence, and why. */
const OTHERS: readonly (readonly [why: string, places: RegExp])[] = [
  [
    'names of stores, teams, riders, trains and stations',
    /^(st|trains)\S* .*name$|^content (riders|worldPizza|widgets\[\]\.name)/,
  ],
  ['ids, codes, colours and times', /(^|[ .])(id|code|pnr|colour|edge|shape|number|bin|egv|pin|number|email|version)$/],
  [
    'words of the data itself',
    /\.(starts|every|kind|type|productType|foodType|group|flow|feature|link|result|amountEndsWith)$/,
  ],
  ['words of the data itself', /\.(state|stage|services\[\]|partner|labelType|stackGroup|expected|excludes\[\])$/],
  ['words of the data itself', /\.(tags|allergens|categoryIds|crusts|defaultToppings|deliveryTypes|paymentModes)\[\]$/],
  [
    'words of the data itself',
    /\.(sauce|size|sizes\[\]|category\[\]|categories\[\]|anyOf\w+\[\]|default\[\]|cards\[\])$/,
  ],
  ['words of the data itself', /\.(itemId|timeOfDay\[\]|storeIds\[\]|bins\[\]|paymentId|requiresCartVeg|messageType)$/],
  [
    'words of the data itself',
    /^content (cancelPolicy|feedbackTemplate)|^builder halfAndHalfSizes|\.combinesWith|\.notWith/,
  ],
  ['hours and days', /\.(availableFrom|availableTo|from|to|serves)$|^payments bankWeekend/],
  ['what picks a shelf, and which pages show it', /^content widgets\[\]\.(label|pick\.\w+|pages\[\])$/],
  ['the kitchen’s steps, which src/text says', /^content orderTimeline\[\]\.label$/],
  ['ways to pay, which src/text says in other languages', /^payments modes\[\]\.label$/],
  ['names of banks and apps', /^payments modes\[\]\.choices\[\]\.label$/],
  ['who runs the shop, and where: a name', /^content legal\.(operator|address)$/],
  [
    'names and places of stores and stations',
    /^st(ores|ations) st(ores|ations)\[\]\.(city|locality|address|postcode)$/,
  ],
  ['their ids and hours', /^st\w+ st\w+\[\]\.(\w+StoreId|hours\.\w+\.(open|close)|stations\[\])$/],
  [
    'trains, their stations and their tickets',
    /^trains (trains\[\]\.stops|places\.|travelsWell)|\.(train|coach|berth|status)$/,
  ],
  ['notes for who keeps the data: no customer is told', /\.(offlineReason|haltHint|expect)$/],
  ['amounts, in units that the server says', /^menu items\[\]\.serving$/],
];

interface Text {
  readonly place: string;
  readonly text: string;
  /** Of the entry that holds it: which item, which coupon. */
  readonly at: string;
}
const BY_LANGUAGE = /^(spoken|names|descriptions|labels|titles|subtitles|messages|said)$/;

/** Every text in a file with its place, and with its place among its own: 'items[].description' at 'items[3].description'. */
function textsOf(value: unknown, place = '', at = ''): Text[] {
  if (typeof value === 'string') return [{ place, text: value, at }];
  if (Array.isArray(value)) return value.flatMap((one, index) => textsOf(one, `${place}[]`, `${at}[${index}]`));
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, one]) => {
    const next = (before: string) => (before === '' ? key : `${before}.${key}`);
    return textsOf(one, next(place), next(at));
  });
}

const read = (code: string, name: string) =>
  JSON.parse(
    readFileSync(new URL(`../../country/${code.toLowerCase()}/seed/${name}.json`, import.meta.url), 'utf8'),
  ) as unknown;

/** Papers for tax offices, which are in one language, and lists of places. */
const UNREAD = new Set(['invoice', 'places', 'towns']);
const filesOf = (code: string) =>
  readdirSync(new URL(`../../country/${code.toLowerCase()}/seed/`, import.meta.url))
    .map((file) => file.replace('.json', ''))
    .filter((name) => !UNREAD.has(name));

describe.each(countries.map((country) => [country.COUNTRY_CODE, country.languages] as const))(
  'the data of %s',
  (code, languages) => {
    const others = languages.slice(1);
    const isTold = (place: string) =>
      place
        .split('.')
        .some((part, index, parts) => BY_LANGUAGE.test(part) && languages.includes(parts[index + 1] ?? ''));
    const texts = filesOf(code).flatMap((name) => textsOf(read(code, name)).map((text) => ({ name, ...text })));

    it('is of each text whether it is a name or a sentence', () => {
      const unknown = texts
        .filter(({ place }) => !isTold(place))
        .map(({ name, place }) => `${name} ${place}`)
        .filter((place) => SENTENCES[place] === undefined && !OTHERS.some(([, places]) => places.test(place)));
      expect([...new Set(unknown)]).toEqual([]);
    });

    it.each(others)('says in %s every sentence that a customer reads [QUAL-X03]', (language) => {
      const script = new RegExp(`\\p{Script=${new Intl.Locale(language).maximize().script}}`, 'u');
      const told = new Map(texts.map(({ name, at, text }) => [`${name} ${at}`, text]));
      const missing = texts.flatMap(({ name, place, at, text }) => {
        const where = SENTENCES[`${name} ${place}`];
        if (where === undefined || /^[^a-z]*$/i.test(text)) return [];
        // The same entries, in the same order: 'coupons[3].tnc[0]' is told in 'coupons[3].said.hi.tnc[0]'.
        const indices = at.match(/\[\d+\]/g) ?? [];
        const own = where.replace('*', language).replace(/\[\]/g, () => indices.shift() ?? '[]');
        const said = told.get(`${name} ${own}`) ?? '';
        return script.test(said) ? [] : [`${name} ${own}: ${text}`];
      });
      expect(missing.filter((one) => !/legal\.said\.\w+\.licence: FSSAI \d+$/.test(one))).toEqual([]);
    });

    it('says nothing in a language that the country does not have, nor what it no longer says at all', () => {
      const sentences = new Map(
        Object.entries(SENTENCES).map(([place, where]) => [`${place.split(' ')[0]} ${where}`, place]),
      );
      const all = new Set(texts.map(({ name, at }) => `${name} ${at}`));
      const odd = texts.flatMap(({ name, place, at }) => {
        const parts = place.split('.');
        const from = parts.findIndex((part) => BY_LANGUAGE.test(part));
        if (from === -1 || (parts[from] === 'messages' && name !== 'content')) return [];
        const language = parts[from + 1]!;
        const general = `${name} ${parts.map((part, index) => (index === from + 1 ? '*' : part)).join('.')}`;
        const source = sentences.get(general);
        if (source === undefined || !others.includes(language)) return [`${name} ${at}`];
        const indices = at.match(/\[\d+\]/g) ?? [];
        const own = source.split(' ')[1]!.replace(/\[\]/g, () => indices.shift() ?? '[]');
        return all.has(`${name} ${own}`) ? [] : [`${name} ${at}`];
      });
      expect(odd).toEqual([]);
    });

    it('has servings in units that every language writes, and allergens that every language names', () => {
      const allergens = texts.filter(({ place }) => place.endsWith('.allergens[]')).map(({ text }) => text);
      expect([...new Set(allergens)].filter((id) => !ALLERGENS.some((one) => one === id))).toEqual([]);
      const units = texts.filter(({ place }) => place.endsWith('.serving')).map(({ text }) => text.split(' ')[1]);
      expect([...new Set(units)].filter((unit) => !PORTION_UNITS.some((one) => one === unit))).toEqual([]);
      expect(units.length).toBeGreaterThan(20);
    });
  },
);
