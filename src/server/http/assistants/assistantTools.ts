import * as z from 'zod/mini';
import * as assistants from '../../../contract/assistants.ts';
import * as coupons from '../../../contract/coupons.ts';
import * as addresses from '../../../contract/addresses.ts';
import * as help from '../../../contract/help.ts';
import * as history from '../../../contract/history.ts';
import * as orders from '../../../contract/orders.ts';
import type { Endpoint, Input, Reply } from '../../../contract/endpoint.ts';
import * as menu from '../../../contract/menu.ts';
import { DealFoodType, DeliveryType, Id, Size, text } from '../../../contract/names.ts';
import * as places from '../../../contract/places.ts';
import { money } from '../../../contract/price.ts';
import * as stores from '../../../contract/stores.ts';
import type { Country } from '../../../../country/shape.ts';
import { fitsDiet } from '../../../domain/diet.ts';
import { quoted } from '../../../domain/plainText.ts';
import { find, indexOf, type Index } from '../../../domain/search.ts';
import { wordsOf } from '../../../domain/slips.ts';
import type { JsonObject } from '../../call/documents.ts';
import { assistants as says, formatMoney, t } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';

/** Who uses a tool, and with what it works. */
export interface ToolCall {
  readonly country: Country;
  /** Whom the program acts for; null: for nobody who has logged in. */
  readonly userId: string | null;
  /** The server's clock, epoch ms. */
  readonly now: number;
  /** Reads what a platform says of itself (ucpTools.ts). @throws UcpFault */
  readonly readProfile: (address: string) => Promise<JsonObject>;
  /** The whole address of a page of the country's shop. */
  readonly page: (path: string) => string;
  /** Makes a call of the contract for this caller. */
  readonly call: <E extends Endpoint>(endpoint: E, input: Input<E>, idempotencyKey?: string) => Promise<Reply<E>>;
}

/** What a tool answers: one sentence of ours in the caller's language, which holds no text of anybody else, and data. */
export interface ToolAnswer {
  readonly said: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** A page that the customer has to open first; programs that can are asked to open it. */
  readonly opens?: { readonly url: string; readonly said: string } | undefined;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Null: nobody has to log in. */
  readonly scope: assistants.Scope | null;
  /** What a call costs of the caller's budget (assistantDoor.ts). */
  readonly cost: number;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
  readonly input: z.ZodMiniType;
  readonly output: z.ZodMiniType;
  readonly run: (input: never, at: ToolCall) => Promise<ToolAnswer>;
}

type Output<S> = S extends z.ZodMiniType ? z.input<S> : never;
/** A tool whose answer fits its own schema. */
function tool<I extends z.ZodMiniType, O extends z.ZodMiniType>(
  own: Omit<Tool, 'input' | 'output' | 'run'> & {
    readonly input: I;
    readonly output: O;
    readonly run: (
      input: z.output<I>,
      at: ToolCall,
    ) => Promise<Omit<ToolAnswer, 'data'> & { readonly data: Output<O> }>;
  },
): Tool {
  return own as unknown as Tool;
}

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;
const READING = { scope: null, cost: 1, annotations: READS } as const;

/** Dishes, stores or orders on a page. */
const PAGE = 20;
const Cursor = z.optional(
  z.string().check(z.regex(/^\d{1,4}$/), z.describe('`nextCursor` of the page before, for the next one.')),
);

function pageOf<T>(all: readonly T[], cursor: string | undefined) {
  const from = Number(cursor ?? 0);
  const to = from + PAGE;
  return { shown: all.slice(from, to), ...(to < all.length ? { nextCursor: String(to) } : {}) };
}

const Amount = z.int().check(z.describe('Minor units of `currency`.'));
const Currency = z.string().check(z.describe('ISO 4217.'));
const StoreId = Id.check(z.describe('`id` of find_stores.'));
const Latitude = z.number().check(z.gte(-90), z.lte(90));
const Longitude = z.number().check(z.gte(-180), z.lte(180));

const findPlaces = tool({
  ...READING,
  name: 'find_places',
  title: 'Find a place',
  description:
    'Finds the position of an address, an area or a town by its name, as people write it. Use it before find_stores when the person names a place.',
  input: z.object({ query: text(places.LONGEST_PLACE).check(z.minLength(2)) }),
  output: z.object({
    places: z.array(z.object({ name: z.string(), address: z.string(), latitude: z.number(), longitude: z.number() })),
  }),
  async run({ query }, { call }) {
    const { predictions } = await call(places.autocomplete, { query: { input: query } });
    const found = await Promise.all(
      predictions
        .slice(0, 5)
        .map(async ({ place_id }) => (await call(places.details, { query: { place_id } })).results),
    );
    const list = found.flat().map(({ name, formatted_address, geometry: { location } }) => ({
      name,
      address: formatted_address,
      latitude: location.lat,
      longitude: location.lng,
    }));
    return { said: says.places({ count: list.length }), data: { places: list } };
  },
});

const findStores = tool({
  ...READING,
  name: 'find_stores',
  title: 'Find stores',
  description:
    'Stores near a position, the nearest first: which ways to get the food they have, whether they take orders now, and their hours.',
  input: z.object({
    latitude: Latitude,
    longitude: Longitude,
    deliveryType: z.optional(DeliveryType),
  }),
  output: z.object({
    stores: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        address: z.string(),
        city: z.string(),
        distanceKm: z.optional(z.number()),
        isOpen: z.boolean(),
        hours: z.string(),
        services: z.array(DeliveryType),
        takes: z.optional(z.record(z.string(), stores.Takes)),
        deliveryMinutes: z.optional(z.object({ from: z.number(), to: z.number() })),
      }),
    ),
    deliversHere: z
      .nullable(z.string())
      .check(z.describe('Id of the store that delivers to this position; null: none.')),
  }),
  async run({ latitude, longitude, deliveryType }, { call }) {
    const near = await call(stores.nearest, {
      query: {
        latitude: String(latitude),
        longitude: String(longitude),
        ...(deliveryType === undefined ? {} : { orderDeliveryType: deliveryType }),
      },
    });
    const brought = await call(stores.lookup, { body: { latitude, longitude, deliveryType: 'DELIVERY' } }).catch(
      (error: unknown) => {
        if ((error as Error).name !== 'Refusal') throw error;
        return null;
      },
    );
    const own = brought?.storeData ?? null;
    const listed = near.storeStationDetails;
    const all = own === null || listed.some(({ id }) => id === own.id) ? listed : [own, ...listed];
    return {
      said: says.stores({ count: all.length }),
      data: {
        stores: all.map((store) => ({
          id: store.id,
          name: store.name,
          address: store.address,
          city: store.city,
          ...(store.distanceKm === undefined ? {} : { distanceKm: store.distanceKm }),
          isOpen: store.isOpen,
          hours: store.hoursText,
          services: store.services,
          ...(store.takes === undefined ? {} : { takes: store.takes as Record<string, stores.Takes> }),
          ...(store.deliveryMinutes === undefined ? {} : { deliveryMinutes: store.deliveryMinutes }),
        })),
        deliversHere: own?.id ?? null,
      },
    };
  },
});

const Dish = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  foodType: DealFoodType,
  categories: z.array(z.string()),
  prices: z.partialRecord(Size, z.int()).check(z.describe('By size, in minor units. ONE: it has one size.')),
  allergens: z.array(z.string()),
  spice: z.number().check(z.describe('From 0 to 3.')),
  jain: z.enum(['yes', 'onRequest', 'no']),
  noOnionGarlic: z.enum(['always', 'onRequest', 'unstated', 'no']),
  kcal: z.partialRecord(Size, z.number()),
  soldOut: z.boolean(),
  isCombo: z.boolean(),
  customisable: z.boolean(),
});

const dishOf = (item: menu.MenuItem): z.input<typeof Dish> => ({
  id: item.id,
  name: item.name,
  description: item.description,
  foodType: item.foodType,
  categories: item.categoryIds,
  prices: item.prices,
  allergens: item.allergens,
  spice: item.spice,
  jain: item.jain ? 'yes' : item.jainOnRequest ? 'onRequest' : 'no',
  noOnionGarlic: item.noOnionGarlic ?? 'no',
  kcal: item.kcal,
  soldOut: item.soldOut === true,
  isCombo: item.kind === 'DEAL',
  customisable: item.customisable,
});

/** The menu of a store. The call is asked for no older version, so the menu is always in its reply. */
async function menuAt({ call }: ToolCall, storeId: string): Promise<menu.Menu> {
  const reply = await call(menu.byStore, { storeId, query: {} });
  return reply.menu ?? refuse(404, 'NOT_FOUND', t.storeTrouble, { field: 'storeId' });
}

const untold = (field: string): never => refuse(422, 'FOOD_UNKNOWN', says.untold, { field });
/**
 * Which dishes somebody may eat who must not eat any of these, by the words that the search knows for them: "peanuts" and
 * "dairy" are nuts and milk. @throws Refusal 422 FOOD_UNKNOWN for a word of which the menu says nothing
 */
function safeFor(index: Index<menu.MenuItem>, words: readonly string[]): (item: menu.MenuItem) => boolean {
  const fits = words.map((word) => {
    const said = wordsOf(word).join(' ');
    const { hits, unknown } = find(index, `allergic to ${said}`);
    const isTold = said !== '' && unknown.length === 0 && hits.length < index.rows.length;
    return isTold ? new Set(hits) : untold('withoutAllergens');
  });
  return (item) => fits.every((one) => one.has(item));
}

const Allergen = text(30).check(z.minLength(1));

const readMenu = tool({
  ...READING,
  name: 'read_menu',
  title: 'Read the menu',
  description:
    'Dishes and combos of a store with prices, allergens and diets, page by page; searched in everyday words of any of the shop’s languages ("spicy veg pizza under 300"), by category, diet, or without allergens. Allergens are those of the usual recipe.',
  input: z.object({
    storeId: StoreId,
    search: z.optional(text(80)),
    category: z.optional(Id.check(z.describe('An id of `categories`.'))),
    diet: z.optional(z.enum(['vegetarian', 'jain', 'noOnionGarlic'])),
    withoutAllergens: z.optional(
      z
        .array(Allergen)
        .check(
          z.maxLength(15),
          z.describe(
            'In everyday words of any of the shop’s languages: nuts, dairy, wheat. Combos have choices, and are left out.',
          ),
        ),
    ),
    cursor: Cursor,
  }),
  output: z.object({
    currency: Currency,
    categories: z.array(z.object({ id: z.string(), label: z.string() })),
    dishes: z.array(Dish),
    isNear: z.boolean().check(z.describe('Nothing fits the search: these come near it.')),
    total: z.number(),
    nextCursor: z.optional(z.string()),
  }),
  async run({ storeId, search = '', category, diet, withoutAllergens = [], cursor }, at) {
    const { items, categories, currencyCode } = await menuAt(at, storeId);
    const labels = new Map(categories.map(({ id, label }) => [id, label]));
    const indexed = (some: readonly menu.MenuItem[]) => indexOf(some, (id) => labels.get(id) ?? '');
    const isSafe = safeFor(indexed(items), withoutAllergens);
    const allowed = items.filter(
      (item) =>
        (category === undefined || item.categoryIds.includes(category)) &&
        (diet === undefined ||
          (diet === 'vegetarian' ? item.foodType === 'VEG' : fitsDiet(item, diet === 'jain' ? 'jain' : 'onion'))) &&
        isSafe(item),
    );
    const found = search === '' ? null : find(indexed(allowed), search);
    // What must not be in a dish may be known of those alone that are left out already.
    if (found !== null && found.unknown.length > 0) untold('search');
    const isNear = found !== null && found.hits.length === 0;
    const dishes = found === null ? allowed : isNear ? found.near : found.hits;
    const { shown, ...next } = pageOf(dishes, cursor);
    return {
      said: isNear ? says.near({ count: dishes.length }) : says.dishes({ count: dishes.length }),
      data: {
        currency: currencyCode,
        categories: categories.map(({ id, label }) => ({ id, label })),
        dishes: shown.map(dishOf),
        isNear,
        total: dishes.length,
        ...next,
      },
    };
  },
});

const Part = z.object({
  id: z.string(),
  name: z.string(),
  prices: z.partialRecord(Size, z.int()),
  allergens: z.array(z.string()),
});

const readDish = tool({
  ...READING,
  name: 'read_dish',
  title: 'Read a dish',
  description:
    'One dish or combo: its sizes, and for a pizza its crusts and toppings with prices, for a combo what may be chosen in each slot. What it names goes into `lines` of price_order.',
  input: z.object({ storeId: StoreId, dishId: Id }),
  output: z.object({
    currency: Currency,
    dish: Dish,
    sizes: z.array(z.object({ id: Size, name: z.string(), serves: z.string() })),
    crusts: z.array(Part),
    toppings: z.array(Part),
    defaultToppings: z.array(z.string()),
    slots: z.array(
      z.object({
        slot: z.number(),
        label: z.string(),
        quantity: z.number(),
        choices: z.array(z.object({ dishId: z.string(), surcharge: Amount })),
        defaults: z.array(z.string()),
      }),
    ),
  }),
  async run({ storeId, dishId }, at) {
    const { items, currencyCode } = await menuAt(at, storeId);
    const item = items.find(({ id }) => id === dishId) ?? refuse(404, 'NOT_FOUND', says.noDish, { field: 'dishId' });
    const isPizza = item.kind === 'PIZZA' && item.customisable;
    const { builder } = await at.call(menu.toppings, { storeId });
    const slots = item.kind === 'DEAL' ? (await at.call(menu.deal, { storeId, dealId: dishId })).deal.slots : [];
    return {
      said: says.dish({ name: quoted(item.name) }),
      data: {
        currency: currencyCode,
        dish: dishOf(item),
        sizes: builder.sizes
          .filter(({ id }) => item.prices[id] !== undefined)
          .map(({ id, name, serves }) => ({ id, name, serves })),
        crusts: builder.crusts
          .filter(({ id }) => item.crusts.includes(id))
          .map(({ id, name, surcharge, allergens }) => ({ id, name, prices: surcharge, allergens })),
        toppings: isPizza
          ? builder.toppings.map(({ id, name, prices, allergens }) => ({ id, name, prices, allergens }))
          : [],
        defaultToppings: item.defaultToppings,
        slots: slots.map(({ label, quantity, choices, defaults }, slot) => ({
          slot,
          label,
          quantity,
          choices: choices.map(({ productId, surcharge }) => ({ dishId: productId, surcharge })),
          defaults,
        })),
      },
    };
  },
});

const findOffers = tool({
  ...READING,
  name: 'find_offers',
  title: 'Find offers',
  description:
    'Coupons that run at a store now, with their conditions in words. The best of them goes on by itself when an order is priced.',
  input: z.object({ storeId: StoreId }),
  output: z.object({
    offers: z.array(z.object({ code: z.string(), title: z.string(), details: z.array(z.string()) })),
  }),
  async run({ storeId }, { call }) {
    const { coupons: list } = await call(coupons.list, { query: { storeId } });
    return {
      said: says.offers({ count: list.length }),
      data: { offers: list.map(({ code, title, details }) => ({ code, title, details })) },
    };
  },
});

const BillLine = z.object({ id: z.string(), label: z.string(), amount: Amount, included: z.optional(z.boolean()) });
const OrderedLine = z.object({
  dishId: z.string(),
  name: z.string(),
  quantity: z.number(),
  choices: z.array(z.string()),
  allergens: z.array(z.string()),
  total: Amount,
});

const billOf = ({ lines }: { lines: readonly Output<typeof BillLine>[] }) =>
  lines.map(({ id, label, amount, included }) => ({
    id,
    label,
    amount,
    ...(included === undefined ? {} : { included }),
  }));

const priceOrder = tool({
  ...READING,
  cost: 5,
  name: 'price_order',
  title: 'Price an order',
  description:
    'What dishes would cost at a store, line by line, with taxes, fees and the best offer for somebody who orders here first. It keeps nothing and holds no price; nothing is ordered by it.',
  input: z.object({
    storeId: StoreId,
    deliveryType: DeliveryType,
    lines: assistants.Lines,
    coupons: z.optional(z.array(Id).check(z.maxLength(5))),
  }),
  output: z.object({
    currency: Currency,
    lines: z.array(OrderedLine),
    unavailable: z.array(z.object({ dishId: z.string(), name: z.string(), reason: z.string() })),
    bill: z.array(BillLine),
    total: Amount,
    savings: Amount,
    offers: z.array(z.object({ code: z.string(), title: z.string(), isApplied: z.boolean(), reason: z.string() })),
    missingToMinimum: Amount,
  }),
  async run(body, { call, country }) {
    const { lines, unavailable, bill, offers, minimum } = await call(assistants.estimate, { body });
    return {
      said: unavailable.length > 0 ? says.notYet : says.price({ total: formatMoney(money(bill.total), country) }),
      data: {
        currency: bill.currencyCode,
        lines: lines.map(lineOf),
        unavailable: unavailable.map(({ productId, name, reason }) => ({ dishId: productId, name, reason })),
        bill: billOf(bill),
        total: bill.total,
        savings: bill.savings,
        offers: offers.map(({ code, title, status, messages }) => ({
          code,
          title,
          isApplied: status === 'APPLIED',
          reason: messages[0]?.message ?? '',
        })),
        missingToMinimum: minimum.missing,
      },
    };
  },
});

const OrderId = Id.check(z.describe('`orderId` of list_orders or place_order.'));

const quotePage = ({ page }: ToolCall, quoteId: string) => page(`assistant/${quoteId}`);

const QuoteData = z.object({
  quoteId: z.string(),
  state: z.enum(['waiting', 'notPossible', 'ordered', 'over']),
  confirmUrl: z
    .string()
    .check(z.describe('The page on which the person looks at the order and confirms it. Show it to them as it is.')),
  currency: Currency,
  store: z.string(),
  deliveryType: DeliveryType,
  address: z.nullable(z.string()),
  lines: z.array(OrderedLine),
  bill: z.array(BillLine),
  total: Amount,
  problems: z.array(z.object({ code: z.string(), message: z.string(), field: z.optional(z.string()) })),
  minutes: z.object({ from: z.number(), to: z.number() }),
  holdsUntil: z.string().check(z.describe('ISO 8601. Until then the price holds and the person can confirm.')),
  cancelRule: z.string(),
  orderId: z.nullable(z.string()),
});

const STATES = { OPEN: 'waiting', ORDERED: 'ordered', OVER: 'over' } as const;

const lineOf = ({ product, quantity, choices, allergens, lineTotal }: orders.OrderView['lines'][number]) => ({
  dishId: product.id,
  name: product.name,
  quantity,
  choices,
  allergens,
  total: lineTotal,
});

const quoteData = (at: ToolCall, quote: assistants.Quote): z.input<typeof QuoteData> => ({
  quoteId: quote.quoteId,
  state: quote.state !== 'ORDERED' && quote.problems.length > 0 ? 'notPossible' : STATES[quote.state],
  confirmUrl: quotePage(at, quote.quoteId),
  currency: quote.bill.currencyCode,
  store: quote.storeName,
  deliveryType: quote.deliveryType,
  address: quote.address === null ? null : `${quote.address.houseNo}, ${quote.address.address}`,
  lines: quote.lines.map(lineOf),
  bill: billOf(quote.bill),
  total: quote.bill.total,
  problems: quote.problems.map(({ code, displayMsg, field }) => ({
    code,
    message: displayMsg,
    ...(field === undefined ? {} : { field }),
  })),
  minutes: quote.deliveryMinutes,
  holdsUntil: new Date(quote.endsAt).toISOString(),
  cancelRule: quote.cancelRule,
  orderId: quote.orderId,
});

const quoteOrder = tool({
  name: 'quote_order',
  title: 'Prepare an order',
  description:
    'Prepares an order for the person who has logged in, at a price that holds for some minutes. It orders nothing: the person confirms it on a page of the shop and pays in their own app. The next quote takes the place of the one before. Never add a tip, a dish or a service that the person has not asked for.',
  scope: 'order',
  cost: 10,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  input: assistants.Wish,
  output: QuoteData,
  async run(body, at) {
    const { quote } = await at.call(assistants.quote, { body });
    const total = formatMoney(money(quote.bill.total), at.country);
    return { said: quote.problems.length > 0 ? says.notYet : says.quoted({ total }), data: quoteData(at, quote) };
  },
});

const placeOrder = tool({
  name: 'place_order',
  title: 'Place the order',
  description:
    'Asks the person to confirm a quote on a page of the shop, and tells whether they have. Only they can confirm it. Calling it again changes nothing: one quote makes one order.',
  scope: 'order',
  cost: 5,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: z.object({ quoteId: Id }),
  output: QuoteData,
  async run({ quoteId }, at) {
    const { quote } = await at.call(assistants.quoteById, { quoteId });
    if (quote.state === 'OVER') refuse(409, 'QUOTE_OVER', says.quoteOver);
    const data = quoteData(at, quote);
    if (quote.orderId !== null) {
      const { order } = await at.call(orders.byId, { orderId: quote.orderId });
      return { said: says.ordered({ number: order.orderNumber }), data };
    }
    if (data.state !== 'waiting') return { said: says.notYet, data };
    const total = formatMoney(money(quote.bill.total), at.country);
    return { said: says.waiting, data, opens: { url: data.confirmUrl, said: says.confirm({ total }) } };
  },
});

const OrderData = z.object({
  orderId: z.string(),
  orderNumber: z.string(),
  status: z.string(),
  placedAt: z.string(),
  store: z.string(),
  currency: Currency,
  total: Amount,
  payment: z.string().check(z.describe('State of the payment; CREATED or SENT: the person still has to pay.')),
  page: z.string(),
});
const Followed = z.object({
  ...OrderData.shape,
  lines: z.array(OrderedLine),
  steps: z.array(
    z.object({ label: z.string(), at: z.nullable(z.string()), state: z.enum(['done', 'current', 'next']) }),
  ),
  expected: z.nullable(z.object({ from: z.string(), to: z.string() })),
  cancel: z.object({ possible: z.boolean(), rule: z.string() }),
});
const at8601 = (ms: number) => new Date(ms).toISOString();

const followedOf = (at: ToolCall, order: orders.OrderView): z.input<typeof Followed> => ({
  orderId: order.orderId,
  orderNumber: order.orderNumber,
  status: order.orderStatus,
  placedAt: at8601(order.placedAt),
  store: order.store.name,
  currency: order.bill.currencyCode,
  total: order.bill.total,
  payment: order.payment.state,
  page: at.page(`order/${order.orderId}`),
  lines: order.lines.map(lineOf),
  steps: order.steps.map(({ label, at: done, state }) => ({ label, at: done === null ? null : at8601(done), state })),
  expected: order.eta === null ? null : { from: at8601(order.eta.from), to: at8601(order.eta.to) },
  cancel: { possible: order.cancel.possible, rule: order.cancel.rule },
});

const current = ({ steps }: Pick<orders.OrderView, 'steps'>) =>
  (steps.find(({ state }) => state === 'current') ?? steps.at(-1))?.label ?? '';

const followOrder = tool({
  name: 'follow_order',
  title: 'Follow an order',
  description:
    'How far an order of the person is, when it is expected, whether it is paid and whether it can be cancelled.',
  scope: 'order',
  cost: 1,
  annotations: READS,
  input: z.object({ orderId: OrderId }),
  output: Followed,
  async run({ orderId }, at) {
    const { order } = await at.call(orders.byId, { orderId });
    return { said: current(order), data: followedOf(at, order) };
  },
});

const cancelOrder = tool({
  name: 'cancel_order',
  title: 'Cancel an order',
  description:
    'Cancels an order of the person within the rule that follow_order tells; what was paid goes back the way it came. Only when the person has asked for it.',
  scope: 'order',
  cost: 10,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: z.object({ orderId: OrderId }),
  output: Followed,
  async run({ orderId }, at) {
    const { order } = await at.call(orders.cancel, { orderId }, `assistant-cancel:${orderId}`);
    return { said: says.cancelled, data: followedOf(at, order) };
  },
});

const listOrders = tool({
  name: 'list_orders',
  title: 'List orders',
  description: 'What the person has ordered before, the newest first, page by page; searched by dish.',
  scope: 'account',
  cost: 2,
  annotations: READS,
  input: z.object({
    search: z.optional(text(60)),
    cursor: z.optional(z.string().check(z.regex(/^\d{1,15}\.[\w:-]{1,80}$/))),
  }),
  output: z.object({
    orders: z.array(z.object({ ...OrderData.shape, dishes: z.array(z.string()) })),
    nextCursor: z.optional(z.string()),
  }),
  async run({ search, cursor }, at) {
    const page = await at.call(history.list, {
      query: { ...(search === undefined ? {} : { search }), ...(cursor === undefined ? {} : { after: cursor }) },
    });
    return {
      said: says.orders({ count: page.orders.length }),
      data: {
        orders: page.orders.map((order) => ({
          orderId: order.orderId,
          orderNumber: order.orderNumber,
          status: order.orderStatus,
          placedAt: at8601(order.placedAt),
          store: order.store.name,
          currency: order.currencyCode,
          total: order.total,
          payment: order.payment.state,
          page: at.page(`order/${order.orderId}`),
          dishes: order.lines.map(({ product, quantity }) => `${quantity} × ${product.name}`),
        })),
        ...(page.paging.next === null ? {} : { nextCursor: page.paging.next }),
      },
    };
  },
});

const orderAgain = tool({
  name: 'order_again',
  title: 'Order again',
  description:
    'The dishes of an earlier order of the person as they were built, as `lines` for quote_order, with the store and address of then. It orders nothing.',
  scope: 'account',
  cost: 2,
  annotations: READS,
  input: z.object({ orderId: OrderId }),
  output: z.object({
    storeId: z.string(),
    deliveryType: DeliveryType,
    lines: assistants.Lines,
    address: z.nullable(addresses.AddressInput),
  }),
  async run({ orderId }, { call }) {
    const { order } = await call(orders.byId, { orderId });
    const bought = order.lines.filter(({ free, by }) => free !== true && by === undefined);
    return {
      said: says.again,
      data: {
        storeId: order.store.id,
        deliveryType: order.orderType,
        lines: bought.map(({ product, quantity, size, crust, build, slots }) => ({
          productId: product.id,
          quantity,
          ...(size === undefined ? {} : { size }),
          ...(crust === undefined ? {} : { crust }),
          ...(build === undefined ? {} : { build }),
          ...(slots === undefined
            ? {}
            : {
                slots: slots.map((one) => ({
                  slot: one.slot,
                  productId: one.productId,
                  ...(one.size === undefined ? {} : { size: one.size }),
                  ...(one.crust === undefined ? {} : { crust: one.crust }),
                  ...(one.build === undefined ? {} : { build: one.build }),
                })),
              }),
        })),
        address: order.address,
      },
    };
  },
});

const listAddresses = tool({
  name: 'list_addresses',
  title: 'List addresses',
  description: 'Addresses that the person has saved; `addressId` goes into quote_order.',
  scope: 'account',
  cost: 1,
  annotations: READS,
  input: z.object({}),
  output: z.object({
    addresses: z.array(
      z.object({
        addressId: z.string(),
        type: z.string(),
        label: z.optional(z.string()),
        text: z.string(),
        latitude: z.number(),
        longitude: z.number(),
      }),
    ),
  }),
  async run(_input, { call, userId }) {
    const { addresses: list } = await call(addresses.list, { userId: userId ?? '' });
    return {
      said: says.addresses({ count: list.length }),
      data: {
        addresses: list.map(({ address_id, type, label, houseNo, address, latitude, longitude }) => ({
          addressId: address_id,
          type,
          ...(label === undefined ? {} : { label }),
          text: `${houseNo}, ${address}`,
          latitude,
          longitude,
        })),
      },
    };
  },
});

const getHelp = tool({
  name: 'get_help',
  title: 'Get help',
  description:
    'What can be said to be wrong with an order of the person, and the page of the shop on which they ask for help with it. It asks for nothing by itself.',
  scope: 'order',
  cost: 1,
  annotations: READS,
  input: z.object({ orderId: OrderId }),
  output: z.object({
    kinds: z.array(
      z.object({ id: help.Issue, label: z.string(), isOpen: z.boolean(), reason: z.optional(z.string()) }),
    ),
    page: z.string(),
  }),
  async run({ orderId }, at) {
    const { categories } = await at.call(help.orderCategories, { query: { orderId } });
    return {
      said: says.help,
      data: {
        kinds: categories.map(({ id, label, isOpen, reason }) => ({
          id,
          label,
          isOpen,
          ...(reason === undefined ? {} : { reason }),
        })),
        page: at.page(`help/${orderId}`),
      },
    };
  },
});

/** All tools, in the order in which an order is made. */
export const TOOLS: readonly Tool[] = [
  findPlaces,
  findStores,
  readMenu,
  readDish,
  findOffers,
  priceOrder,
  listAddresses,
  quoteOrder,
  placeOrder,
  followOrder,
  cancelOrder,
  listOrders,
  orderAgain,
  getHelp,
];
