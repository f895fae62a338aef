import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { ProductType, Size } from '../../contract/names.ts';
import { WEEKDAYS } from '../../domain/hours.ts';

const FoodType = z.enum(['VEG', 'NON_VEG']);
/** An amount in minor units: whole ones, and none below zero. */
const Amount = z.int().check(z.gte(0));
/** How many there are. */
const Count = z.int().check(z.gte(0));
const Words = z.string().check(z.minLength(1));
const positive = z.number().check(z.gt(0));
const Calories = z.number().check(z.gte(0));
const sizes = <T extends z.core.$ZodType>(value: T) => z.partialRecord(Size, value);
const BySize = sizes(Amount);
export type BySize = z.output<typeof BySize>;
/**
 * The same in the other languages of the country; test/country/spoken.test.ts asks for each. A language that is not there
 * reads what stands beside it, which is in the country's first.
 */
const byLanguage = <T extends z.core.$ZodType>(value: T) => z.record(z.string(), value);
export type ByLanguage<T> = Readonly<Record<string, T>>;
const Spoken = z.exactOptional(byLanguage(z.string()));
/** HH:MM of a store's day. */
const ClockTime = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/));
/** Between which it is sold each day; absent means at all hours. */
const hoursOfSale = { availableFrom: z.exactOptional(ClockTime), availableTo: z.exactOptional(ClockTime) };

/** A dish as the seed files have it; amounts in minor units. */
export const SeedItem = z.strictObject({
  id: z.string(),
  kind: z.enum(['PIZZA', 'MINI', 'SIDE', 'CHICKEN', 'RICE_PASTA', 'DESSERT', 'BEVERAGE']),
  productType: ProductType,
  name: Words,
  /** How the name sounds, in the script of another language; the name itself is the same in all of them. */
  spoken: Spoken,
  description: z.string(),
  descriptions: Spoken,
  foodType: FoodType,
  kcal: sizes(Calories),
  /** An amount and its unit, '475 ml' or '6 pc': PORTION_UNITS are those that are told in every language. */
  serving: z.exactOptional(z.string()),
  sauce: z.exactOptional(z.string()),
  defaultToppings: z.array(z.string()),
  customisable: z.boolean(),
  crusts: z.array(z.string()),
  allergens: z.array(z.string()),
  spice: z.number(),
  jain: z.boolean(),
  jainOnRequest: z.boolean(),
  tags: z.array(z.string()),
  categoryIds: z.array(z.string()),
  prices: BySize,
  ...hoursOfSale,
});
export type SeedItem = z.output<typeof SeedItem>;
/** Parts of a pizza. In a catalogue their names are in the language of the request (rules/catalogue/catalogue.ts). */
const part = { id: z.string(), name: Words, names: Spoken };
const SeedCrust = z.strictObject({
  ...part,
  foodType: FoodType,
  sizes: z.array(Size),
  kcal: sizes(z.number()),
  allergens: z.array(z.string()),
  surcharge: BySize,
  isDefault: z.boolean(),
  jainFriendly: z.exactOptional(z.boolean()),
});
export type SeedCrust = z.output<typeof SeedCrust>;
const SeedSauce = z.strictObject({
  ...part,
  colour: z.string(),
  allergens: z.array(z.string()),
  jain: z.boolean(),
});
export type SeedSauce = z.output<typeof SeedSauce>;
export const SeedTopping = z.strictObject({
  ...part,
  foodType: FoodType,
  group: z.enum(['cheese', 'vegetable', 'protein', 'herb']),
  kcal: sizes(z.number()),
  allergens: z.array(z.string()),
  jainFriendly: z.boolean(),
  onionGarlic: z.exactOptional(z.boolean()),
  spice: z.number(),
  prices: BySize,
  draw: z.strictObject({
    shape: z.string(),
    colour: z.string(),
    countPerSlice: z.number(),
    sizeMm: z.number(),
    edge: z.exactOptional(z.string()),
  }),
});
export type SeedTopping = z.output<typeof SeedTopping>;
const SeedSize = z.strictObject({
  ...part,
  id: Size,
  diameterInches: z.number(),
  slices: z.number(),
  serves: z.string(),
});
const CookingNotes = z.array(z.string());
export const SeedBuilder = z.strictObject({
  sizes: z.array(SeedSize),
  crusts: z.array(SeedCrust),
  sauces: z.array(SeedSauce),
  maxExtraToppings: sizes(z.number()),
  halfAndHalfSizes: z.array(Size),
  cookingNotes: CookingNotes,
  said: z.exactOptional(byLanguage(z.strictObject({ cookingNotes: CookingNotes }))),
});
const SeedSlot = z.strictObject({
  label: z.string(),
  labels: Spoken,
  quantity: z.int().check(z.gte(1)),
  size: z.exactOptional(Size),
  anyOfCategories: z.exactOptional(z.array(z.string())),
  anyOfItems: z.exactOptional(z.array(z.string())),
  default: z.exactOptional(z.array(z.string())),
});
export const SeedDeal = z.strictObject({
  id: z.string(),
  name: Words,
  spoken: Spoken,
  description: z.string(),
  descriptions: Spoken,
  foodType: z.enum(['VEG', 'NON_VEG', 'MIX']),
  productType: ProductType,
  slots: z.array(SeedSlot),
  tags: z.array(z.string()),
  edv: z.exactOptional(z.boolean()),
  price: Amount,
  categoryIds: z.array(z.string()),
  ...hoursOfSale,
});
export type SeedDeal = z.output<typeof SeedDeal>;
/** What a coupon says; of `messages` and `offerOptions` only their sentences, in their order. */
const CouponWords = z.strictObject({
  title: Words,
  confettiMessage: z.exactOptional(z.nullable(z.string())),
  confettiSubMessage: z.exactOptional(z.nullable(z.string())),
  tnc: z.exactOptional(z.array(z.string())),
  messages: z.exactOptional(z.array(z.string())),
  offerOptions: z.exactOptional(z.array(z.string())),
});
export type CouponWords = z.output<typeof CouponWords>;
/** A time by the country's calendar, as long as `hours`: once, or again every day, week or year. */
const SeedWindow = z.strictObject({
  /** Local, for example 2026-01-07T12:30. */
  starts: z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/)),
  hours: z.number(),
  every: z.exactOptional(z.enum(['DAY', 'WEEK', 'YEAR'])),
});
export type SeedWindow = z.output<typeof SeedWindow>;
export const SeedCoupon = z.strictObject({
  /** As customers type it, in whatever case. */
  code: z.string().check(z.regex(/^[A-Z0-9]+$/)),
  title: Words,
  type: z.string(),
  value: z.unknown(),
  minCart: z.nullable(Amount),
  maxDiscount: z.nullable(Amount),
  deliveryTypes: z.array(z.string()),
  paymentModes: z.nullable(z.array(z.string())),
  partner: z.nullable(z.string()),
  appliesTo: z.nullable(z.strictObject({ categories: z.array(z.string()) })),
  usage: z.strictObject({
    perUser: z.nullable(z.int().check(z.gte(1))),
    /** 0: used up. */
    total: z.nullable(Count),
    firstOrderOnly: z.boolean(),
  }),
  /** Absent: it is always valid. */
  window: z.exactOptional(SeedWindow),
  timer: z.nullable(z.strictObject({ showTimerBeforeHours: z.number() })),
  labelType: z.nullable(z.string()),
  stackGroup: z.string(),
  autoApply: z.boolean(),
  excludes: z.array(z.string()),
  confettiMessage: z.nullable(z.string()),
  confettiSubMessage: z.nullable(z.string()),
  tnc: z.array(z.string()),
  said: z.exactOptional(byLanguage(CouponWords)),
  expected: z.exactOptional(z.enum(['APPLIED', 'REJECTED'])),
  requiresCartVeg: z.exactOptional(z.string()),
  daysOfWeek: z.exactOptional(z.array(z.int())),
  timeOfDay: z.exactOptional(z.tuple([ClockTime, ClockTime])),
  storeIds: z.exactOptional(z.array(z.string())),
  bins: z.exactOptional(z.array(z.string())),
  paymentId: z.exactOptional(z.string()),
  messages: z.exactOptional(
    z.array(z.strictObject({ messageType: z.enum(['error', 'nudge', 'info']), message: z.string() })),
  ),
  /** `itemId`: the item that comes free once the step is reached; once on each way to the reward. */
  offerOptions: z.exactOptional(
    z.array(z.strictObject({ step: z.int(), label: z.string(), itemId: z.exactOptional(z.string()) })),
  ),
  /** The customer has to show something for it, so it never goes on a cart by itself. */
  asks: z.exactOptional(z.boolean()),
  /** A prize of the wheel: only for the cart that won it, and not shown to anybody else. */
  wheel: z.exactOptional(z.boolean()),
});
export type SeedCoupon = z.output<typeof SeedCoupon>;
const DayHours = z.strictObject({
  open: ClockTime,
  close: ClockTime,
  closesNextDay: z.boolean(),
  allNight: z.exactOptional(z.boolean()),
});
export const SeedStore = z.strictObject({
  id: z.string(),
  name: Words,
  city: z.string(),
  locality: z.string(),
  address: z.string(),
  postcode: z.string(),
  latitude: z.number().check(z.gte(-90), z.lte(90)),
  longitude: z.number().check(z.gte(-180), z.lte(180)),
  online: z.int().check(z.gte(0), z.lte(1)),
  advanceOrderStoreId: z.string(),
  services: z.array(z.string()),
  hours: z.partialRecord(z.enum(WEEKDAYS), DayHours),
  deliveryRadiusKm: positive,
  prepMinutes: positive,
  dineInTables: Count,
  curbBays: Count,
  minutesPerKm: positive,
  maxOrdersPer10Min: z.int().check(z.gte(1)),
  /** Charge for the packaging of one order, in minor units; absent: the country's. */
  packaging: z.exactOptional(Amount),
  fixture: z.exactOptional(z.boolean()),
  offlineReason: z.exactOptional(z.string()),
  stations: z.exactOptional(z.array(z.string())),
});
export type SeedStore = z.output<typeof SeedStore>;
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
const SeedWidget = z.strictObject({
  name: z.string(),
  label: z.string(),
  title: z.string(),
  titles: Spoken,
  subtitle: z.exactOptional(z.string()),
  subtitles: Spoken,
  /** `offers`: the coupons that are running, too. */
  pick: z.strictObject({
    tag: z.exactOptional(z.string()),
    edv: z.exactOptional(z.boolean()),
    category: z.exactOptional(z.string()),
    kind: z.exactOptional(z.string()),
    offers: z.exactOptional(z.boolean()),
  }),
  /** Pages that show it; absent means all. */
  pages: z.exactOptional(z.array(z.string())),
});
export type SeedWidget = z.output<typeof SeedWidget>;
const questionText = { q: z.string(), a: z.string() };
const SeedAnswer = z.strictObject({ ...questionText, said: z.exactOptional(byLanguage(z.strictObject(questionText))) });
export type SeedAnswer = z.output<typeof SeedAnswer>;
const SeedWheel = z.strictObject({
  slots: z
    .array(
      z.strictObject({
        label: z.string(),
        labels: Spoken,
        weight: positive,
        code: z.exactOptional(z.string()),
        points: z.exactOptional(z.int()),
      }),
    )
    .check(z.minLength(1)),
});
export type SeedWheel = z.output<typeof SeedWheel>;
/** What of it stands inside sentences, in their language. */
const legalWords = {
  licence: z.string(),
  /** The officer for complaints, and where to reach them. */
  officer: z.string(),
  authority: z.string(),
  taxLaw: z.string(),
  dataLaw: z.string(),
  dataAuthority: z.string(),
};
/** The company that is responsible for the shop, and its law: shown in the terms and on the privacy page. */
const SeedLegal = z.strictObject({
  ...legalWords,
  /** The day since which the texts are valid, YYYY-MM-DD; when their meaning changes, so does the day. */
  version: z.string(),
  operator: z.string(),
  address: z.string(),
  email: z.string(),
  said: z.exactOptional(byLanguage(z.partial(z.strictObject(legalWords)))),
});
export type SeedLegal = z.output<typeof SeedLegal>;
interface SeedFact {
  label: string;
  value: string;
}
/** How a country groups what is above a thousand: lakh and crore, or million and billion. */
export type Numerals = 'indian' | 'international';
/** Texts that a country's law demands on an invoice, and the tax registrations of the stores. */
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
  /**
   * How many months after the month of an order its books are kept: the law's years, and at the longest what lies between
   * an order and the day from which they count.
   */
  booksMonths: number;
  /** Of a state or the whole country; `name` is the place of supply. */
  registrations: Record<string, { name: string; facts: SeedFact[] }>;
  stores: Record<string, { registration: string; facts: SeedFact[] }>;
  notes: string[];
}
const SeedAlert = z.strictObject({
  id: z.string(),
  /** None means all. */
  storeIds: z.array(z.string()),
  /** Local times of each day between which it is told; absent means at all hours. */
  from: z.exactOptional(ClockTime),
  to: z.exactOptional(ClockTime),
  message: z.string(),
  messages: Spoken,
  active: z.boolean(),
});
export const SeedPayments = z.looseObject({
  /** Days on which the country's banks rest: a refund takes so many others. */
  bankWeekend: z.array(z.enum(WEEKDAYS)),
  modes: z.array(z.looseObject({ id: z.string(), label: z.string() })).check(z.minLength(1)),
});
export const SeedContent = z.looseObject({
  widgets: z.array(SeedWidget),
  spinWheel: SeedWheel,
  alerts: z.array(SeedAlert),
  loyaltyFaq: z.array(SeedAnswer),
  legal: SeedLegal,
  /** The teams of the league, and the cities whose stores play for each; the order makes the fixtures. */
  worldPizzaLeague: z.exactOptional(
    z.looseObject({
      teams: z.array(z.looseObject({ id: z.string(), name: z.string(), cities: z.array(z.string()) })),
    }),
  ),
});

/** All data of a country that the backend needs; what has no type here stays as it was read. */
export interface Seeds {
  items: SeedItem[];
  deals: SeedDeal[];
  toppings: SeedTopping[];
  builder: z.output<typeof SeedBuilder>;
  coupons: SeedCoupon[];
  stores: SeedStore[];
  places: SeedPlace[];
  payments: z.output<typeof SeedPayments>;
  content: z.output<typeof SeedContent>;
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
export const readBankWeekend = (code: string): z.output<typeof SeedPayments>['bankWeekend'] =>
  (JSON.parse(readFileSync(seedFile(code, 'payments'), 'utf8')) as z.output<typeof SeedPayments>).bankWeekend;

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
