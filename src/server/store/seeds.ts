import { existsSync, readFileSync } from 'node:fs';
import type { Size } from '../../contract/names.ts';
import type { WeekHours } from '../../domain/hours.ts';

type FoodType = 'VEG' | 'NON_VEG';
export type BySize = Partial<Record<Size, number>>;
/**
 * The same in the other languages of the country; test/country/spoken.test.ts asks for each. A language that is not there
 * reads what stands beside it, which is in the country's first.
 */
export type ByLanguage<T> = Readonly<Record<string, T>>;

/** A dish as the seed files have it; amounts in minor units. */
export interface SeedItem {
  id: string;
  kind: 'PIZZA' | 'MINI' | 'SIDE' | 'CHICKEN' | 'RICE_PASTA' | 'DESSERT' | 'BEVERAGE';
  productType: 'PIZZA' | 'SIDES' | 'SIDECOMBOS' | 'PIZZA-MANIA';
  name: string;
  description: string;
  descriptions?: ByLanguage<string>;
  foodType: FoodType;
  kcal: BySize;
  /** An amount and its unit, '475 ml' or '6 pc': PORTION_UNITS are those that are told in every language. */
  serving?: string;
  sauce?: string;
  defaultToppings: string[];
  customisable: boolean;
  crusts: string[];
  allergens: string[];
  spice: number;
  jain: boolean;
  jainOnRequest: boolean;
  tags: string[];
  categoryIds: string[];
  prices: BySize;
  availableFrom?: string;
  availableTo?: string;
}
export interface SeedCrust {
  id: string;
  name: string;
  foodType: FoodType;
  sizes: Size[];
  kcal: BySize;
  allergens: string[];
  surcharge: BySize;
  isDefault: boolean;
  jainFriendly?: boolean;
}
export interface SeedSauce {
  id: string;
  name: string;
  colour: string;
  allergens: string[];
  jain: boolean;
}
export interface SeedTopping {
  id: string;
  name: string;
  foodType: FoodType;
  group: 'cheese' | 'vegetable' | 'protein' | 'herb';
  kcal: BySize;
  allergens: string[];
  jainFriendly: boolean;
  onionGarlic?: boolean;
  spice: number;
  prices: BySize;
  draw: { shape: string; colour: string; countPerSlice: number; sizeMm: number; edge?: string };
}
interface SeedBuilder {
  sizes: { id: Size; name: string; diameterInches: number; slices: number; serves: string }[];
  crusts: SeedCrust[];
  sauces: SeedSauce[];
  maxExtraToppings: BySize;
  halfAndHalfSizes: Size[];
  cookingNotes: string[];
  said?: ByLanguage<{ cookingNotes: string[] }>;
}
interface SeedSlot {
  label: string;
  labels?: ByLanguage<string>;
  quantity: number;
  size?: Size;
  anyOfCategories?: string[];
  anyOfItems?: string[];
  default?: string[];
}
export interface SeedDeal {
  id: string;
  name: string;
  description: string;
  descriptions?: ByLanguage<string>;
  foodType: FoodType | 'MIX';
  productType: SeedItem['productType'];
  slots: SeedSlot[];
  tags: string[];
  edv?: boolean;
  price: number;
  categoryIds: string[];
  availableFrom?: string;
  availableTo?: string;
}
/** What a coupon says; of `messages` and `offerOptions` only their sentences, in their order. */
export interface CouponWords {
  title: string;
  confettiMessage?: string | null;
  confettiSubMessage?: string | null;
  tnc?: string[];
  messages?: string[];
  offerOptions?: string[];
}
/** A time by the country's calendar, as long as `hours`: once, or again every day, week or year. */
export interface SeedWindow {
  /** Local, for example 2026-01-07T12:30. */
  starts: string;
  hours: number;
  every?: 'DAY' | 'WEEK' | 'YEAR';
}
export interface SeedCoupon {
  code: string;
  title: string;
  type: string;
  value: unknown;
  minCart: number | null;
  maxDiscount: number | null;
  deliveryTypes: string[];
  paymentModes: string[] | null;
  partner: string | null;
  appliesTo: { categories: string[] } | null;
  usage: { perUser: number | null; total: number | null; firstOrderOnly: boolean };
  /** Absent: it is always valid. */
  window?: SeedWindow;
  timer: { showTimerBeforeHours: number } | null;
  labelType: string | null;
  stackGroup: string;
  autoApply: boolean;
  excludes: string[];
  confettiMessage: string | null;
  confettiSubMessage: string | null;
  tnc: string[];
  said?: ByLanguage<CouponWords>;
  expected?: 'APPLIED' | 'REJECTED';
  requiresCartVeg?: string;
  daysOfWeek?: number[];
  timeOfDay?: [string, string];
  storeIds?: string[];
  bins?: string[];
  paymentId?: string;
  messages?: { messageType: 'error' | 'nudge' | 'info'; message: string }[];
  /** `itemId`: the item that comes free once the step is reached; once on each way to the reward. */
  offerOptions?: { step: number; label: string; itemId?: string }[];
  /** The customer has to show something for it, so it never goes on a cart by itself. */
  asks?: boolean;
  /** A prize of the wheel: only for the cart that won it, and not shown to anybody else. */
  wheel?: boolean;
}
export interface SeedStore {
  id: string;
  name: string;
  city: string;
  locality: string;
  address: string;
  postcode: string;
  latitude: number;
  longitude: number;
  online: number;
  advanceOrderStoreId: string;
  services: string[];
  hours: WeekHours;
  deliveryRadiusKm: number;
  prepMinutes: number;
  dineInTables: number;
  curbBays: number;
  minutesPerKm: number;
  maxOrdersPer10Min: number;
  /** What it asks for the packaging of one order, in minor units; absent: what the country asks. */
  packaging?: number;
  fixture?: boolean;
  offlineReason?: string;
  stations?: string[];
}
export interface SeedPlace {
  id: string;
  name: string;
  city: string;
  kind: string;
  postcode?: string;
  latitude: number;
  longitude: number;
  aliases: string[];
  population?: number;
  /** Of a city: its state or province. */ region?: string;
}
export interface SeedWidget {
  name: string;
  label: string;
  title: string;
  titles?: ByLanguage<string>;
  subtitle?: string;
  subtitles?: ByLanguage<string>;
  /** `offers`: the coupons that are running, too. */
  pick: { tag?: string; edv?: boolean; category?: string; kind?: string; offers?: boolean };
  /** Pages that show it; absent means all. */
  pages?: string[];
}
interface Asked {
  q: string;
  a: string;
}
export interface SeedAnswer extends Asked {
  said?: ByLanguage<Asked>;
}
export interface SeedWheel {
  slots: {
    label: string;
    labels?: ByLanguage<string>;
    weight: number;
    code?: string;
    points?: number;
  }[];
}
/** What of it stands inside sentences, in their language. */
interface LegalWords {
  licence: string;
  /** Who handles complaints, and where to reach them. */
  officer: string;
  authority: string;
  taxLaw: string;
  dataLaw: string;
  dataAuthority: string;
}
/** Who is responsible for the shop, and under which law: shown in the terms and on the privacy page. */
export interface SeedLegal extends LegalWords {
  /** The day since which the texts are valid, YYYY-MM-DD; when their meaning changes, so does the day. */
  version: string;
  operator: string;
  address: string;
  email: string;
  said?: ByLanguage<Partial<LegalWords>>;
}
interface SeedFact {
  label: string;
  value: string;
}
/** How a country groups what is above a thousand: lakh and crore, or million and billion. */
export type Numerals = 'indian' | 'international';
/** What a country's law has stand on an invoice, and under what numbers the stores are registered. */
export interface SeedInvoice {
  /** Above an invoice, and above a credit note. */
  heading: string[];
  creditHeading: string[];
  title: string;
  creditTitle: string;
  /** The code of a restaurant's service in the country's list; null where it has none. */
  code: SeedFact | null;
  supplyLabel: string;
  /** The month, 1 to 12, with which a financial year begins: numbers begin again with it. */
  yearFromMonth: number;
  numerals: Numerals;
  unit: string;
  subunit: string;
  /** From this amount (minor units) on the law wants the buyer's name for as long as the invoice; null: never. */
  buyerNamedFrom: number | null;
  /** Of a state or the whole country; `name` is the place of supply. */
  registrations: Record<string, { name: string; facts: SeedFact[] }>;
  stores: Record<string, { registration: string; facts: SeedFact[] }>;
  notes: string[];
}
interface SeedAlert {
  id: string;
  /** None means all. */
  storeIds: string[];
  /** Local times of each day, HH:MM, between which it is told; absent means at all hours. */
  from?: string;
  to?: string;
  message: string;
  messages?: ByLanguage<string>;
  active: boolean;
}

/** All data of a country that the backend needs; what has no type here stays as it was read. */
export interface Seeds {
  items: SeedItem[];
  deals: SeedDeal[];
  toppings: SeedTopping[];
  builder: SeedBuilder;
  coupons: SeedCoupon[];
  stores: SeedStore[];
  places: SeedPlace[];
  payments: { modes: { id: string; label: string }[] } & Record<string, unknown>;
  content: {
    widgets: SeedWidget[];
    spinWheel: SeedWheel;
    alerts: SeedAlert[];
    loyaltyFaq: SeedAnswer[];
    legal: SeedLegal;
    /** The teams of the league, and the cities whose stores play for each; the order makes the fixtures. */
    worldPizzaLeague?: { teams: { id: string; name: string; cities: string[] }[] };
  } & Record<string, unknown>;
}

/** A country's folder is named after its code, in lower case. */
const seedFile = (code: string, name: string) =>
  new URL(`../../../country/${code.toLowerCase()}/seed/${name}.json`, import.meta.url);

/**
 * Reads a country's seed files from disk.
 * @throws Error if one is missing or broken: a server without its menu must not start
 */
export function readSeeds(code: string): Seeds {
  const read = (name: string) => JSON.parse(readFileSync(seedFile(code, name), 'utf8')) as never;
  return {
    items: (read('menu') as { items: SeedItem[] }).items,
    deals: (read('deals') as { deals: SeedDeal[] }).deals,
    toppings: (read('toppings') as { toppings: SeedTopping[] }).toppings,
    builder: read('builder'),
    coupons: (read('coupons') as { coupons: SeedCoupon[] }).coupons,
    stores: (read('stores') as { stores: SeedStore[] }).stores,
    places: (read('places') as { places: SeedPlace[] }).places,
    payments: read('payments'),
    content: read('content'),
  };
}

/** @throws Error if the file is missing or broken */
export const readInvoiceSeed = (code: string): SeedInvoice =>
  JSON.parse(readFileSync(seedFile(code, 'invoice'), 'utf8')) as SeedInvoice;

/** A station as the seed has it; `servedByStoreId` null: no store of ours brings there. */
export interface SeedStation {
  code: string;
  name: string;
  city: string;
  latitude: number;
  longitude: number;
  platforms: number;
  servedByStoreId: string | null;
  serviceable: boolean;
  cutoffMinutes: number;
}
interface SeedTrain {
  number: string;
  name: string;
  /** Minutes after the train has left its first station. */
  stops: { station: string; minute: number }[];
}
/** A ticket of the imitated railway; times are from when it was first asked. `train` null: there is none. */
export interface SeedTicket {
  pnr: string;
  train: string | null;
  status: 'CNF' | 'RAC' | 'WL' | 'CAN' | 'INVALID';
  from?: string;
  to?: string;
  coach?: string;
  berth?: string;
  departsInHours?: number;
  passengers?: number;
}
export interface SeedTrains {
  trains: SeedTrain[];
  pnrFixtures: SeedTicket[];
  /** Names of stations that are not in the list of stations. */
  places: Record<string, string>;
  /** Ids of the dishes that are still good after an hour in a box. */
  travelsWell: string[];
  stations: SeedStation[];
}
const trainSeeds = new Map<string, SeedTrains | null>();
/** Trains and stations of a country; null where food is not brought to trains. */
export function readTrainSeed(code: string): SeedTrains | null {
  let seed = trainSeeds.get(code);
  if (seed === undefined) {
    const read = (name: string) => JSON.parse(readFileSync(seedFile(code, name), 'utf8')) as object;
    seed = existsSync(seedFile(code, 'trains'))
      ? ({ ...read('trains'), ...read('stations') } as unknown as SeedTrains)
      : null;
    trainSeeds.set(code, seed);
  }
  return seed;
}

type Row = [
  id: string,
  name: string,
  around: string,
  latitude: number,
  longitude: number,
  ...rest: (string | number)[],
];

/**
 * The long part of a country's gazetteer: every town of GeoNames (kind `town`; its `city` is district and state) and,
 * in big cities, the areas of the post offices (kind `area`, at the position of their postcode).
 */
export function readTowns(code: string): SeedPlace[] {
  const { towns, areas } = JSON.parse(readFileSync(seedFile(code, 'towns'), 'utf8')) as { towns: Row[]; areas: Row[] };
  const place = (
    kind: string,
    [id, name, city, latitude, longitude]: Row,
    postcode: string,
    aliases: string[],
    population: number,
  ): SeedPlace => ({
    id,
    name,
    city: city || name,
    kind,
    latitude,
    longitude,
    aliases,
    population,
    ...(postcode === '' ? {} : { postcode }),
  });
  return [
    ...towns.map((row) => place('town', row, String(row[6] ?? ''), row.slice(7).map(String), Number(row[5]))),
    ...areas.map((row) => place('area', row, String(row[5] ?? ''), [], 0)),
  ];
}
