import * as z from 'zod/mini';
import * as addresses from '../../../contract/addresses.ts';
import { LONGEST, type AddressInput } from '../../../contract/addresses.ts';
import type * as assistants from '../../../contract/assistants.ts';
import type { Bill, CartLine } from '../../../contract/cart.ts';
import * as menu from '../../../contract/menu.ts';
import { Id, Size, text, type Position } from '../../../contract/names.ts';
import * as places from '../../../contract/places.ts';
import { money, type Money } from '../../../contract/price.ts';
import * as stores from '../../../contract/stores.ts';
import { add, multiply, subtract, ZERO } from '../../../domain/money.ts';
import { HOUR_MS, MINUTE_MS } from '../../../domain/time.ts';
import { assistants as says, formatMoney } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';
import type { ToolCall } from '../assistants/assistantTools.ts';

// What both services of the Universal Commerce Protocol say of a checkout that is a quote of ours: dishes, sums, where it
// goes, what is in the way. No sum is made here that the bill does not have.

export type OrderRequest = z.output<typeof assistants.Wish>;
export type Quote = assistants.Quote;
export type Message = Readonly<Record<string, unknown>> & { readonly type: 'error' | 'warning' | 'info' };

const LONGEST_STREET = 160;
export const Postal = z.object({
  street_address: z.optional(text(LONGEST_STREET)),
  extended_address: z.optional(text(80)),
  address_locality: z.optional(text(80)),
  postal_code: z.optional(text(12)),
});
type Postal = z.output<typeof Postal>;

/** A dish in a size with a crust, as one id: `PZ001`, `PZ001:M`, `PZ001:M:CR02`. */
const DISH = /^([\w-]{1,40})(?::(R|M|L|ONE))?(?::([\w-]{1,40}))?$/;
const DishId = z.string().check(z.regex(DISH));
export const Item = z.object({ id: DishId });
export const Quantity = z.int().check(z.gte(1), z.lte(50));
export const Modification = z.object({ id: text(90), quantity: z.optional(z.int().check(z.gte(1), z.lte(2))) });
export const OptionId = Id;

type Line = OrderRequest['lines'][number];
type Build = NonNullable<Line['build']>;

export function lineOf(dishId: string, quantity: number): Line {
  const [, productId = '', size, crust] = DISH.exec(dishId)!;
  return {
    productId,
    quantity,
    ...(size === undefined ? {} : { size: Size.parse(size) }),
    ...(crust === undefined ? {} : { crust }),
  };
}
export const dishIdOf = ({ product, size, crust }: Pick<CartLine, 'product' | 'size' | 'crust'>, withCrust: boolean) =>
  [product.id, ...(size === undefined ? [] : [size]), ...(withCrust && crust !== undefined ? [crust] : [])].join(':');

const noSuchPart = (): never => refuse(422, 'MODIFICATION_UNKNOWN', says.noDish, { field: 'modifications' });
/** A line with what the customer wants changed: a crust, toppings (two for extra), `no:` a topping, `slot:0:` a dish. */
export function modified(line: Line, list: readonly z.output<typeof Modification>[], builder: menu.Builder): Line {
  if (new Set(list.map(({ id }) => id)).size < list.length) noSuchPart();
  const toppings: NonNullable<Build['toppings']> = [];
  const slots: NonNullable<Line['slots']> = [];
  let { crust } = line;
  for (const { id, quantity } of list) {
    const [, slot, productId] = /^slot:(\d{1,2}):([\w-]{1,40})$/.exec(id) ?? [];
    const [, left] = /^no:([\w-]{1,40})$/.exec(id) ?? [];
    if (productId !== undefined) slots.push({ slot: Number(slot), productId });
    else if (builder.crusts.some((one) => one.id === id)) crust = id;
    else if (builder.toppings.some((one) => one.id === (left ?? id)))
      toppings.push({
        id: left ?? id,
        half: 'WHOLE',
        amount: left !== undefined ? 'none' : quantity === 2 ? 'extra' : 'normal',
      });
    else noSuchPart();
  }
  return {
    ...line,
    ...(crust === undefined ? {} : { crust }),
    ...(toppings.length === 0 ? {} : { build: { toppings } }),
    ...(slots.length === 0 ? {} : { slots }),
  };
}

interface ShownModification {
  readonly id: string;
  readonly title: string;
  readonly price: Money;
  readonly quantity?: number;
}

const isExtra = (amount: string) => amount === 'extra';
/** What was chosen of a dish, and its price without that, so that both together are what one piece costs. */
export function partsOf(line: CartLine, builder: menu.Builder | null) {
  const { size = 'ONE', crust, build, slots = [], choices } = line;
  const own = builder?.crusts.find(({ id }) => id === crust);
  const crusts: ShownModification[] =
    own === undefined ? [] : [{ id: own.id, title: own.name, price: money(own.surcharge[size] ?? 0) }];
  const toppings = (build?.toppings ?? []).flatMap(({ id, amount }): ShownModification[] => {
    const known = builder?.toppings.find((one) => one.id === id);
    if (known === undefined) return [];
    const said = choices.find((choice) => choice.includes(known.name)) ?? known.name;
    if (amount === 'none') return [{ id: `no:${id}`, title: said, price: ZERO }];
    const price = money(known.prices[size] ?? 0);
    return [{ id, title: known.name, price, ...(isExtra(amount) ? { quantity: 2 } : {}) }];
  });
  const chosen = slots.map(({ slot, productId, name, surcharge }): ShownModification => ({
    id: `slot:${slot}:${productId}`,
    title: name,
    price: money(surcharge),
  }));
  const modifications = [...crusts, ...toppings, ...chosen];
  const more = add(...modifications.map(({ price, quantity = 1 }) => multiply(price, quantity)));
  return { modifications, price: subtract(money(line.product.price), more) };
}

const KINDS = { discount: 'discount', tax: 'tax', tip: 'tip', rounding: 'rounding', wallet: 'account_credit' } as const;
/** The lines of a bill, which together are its total. What is contained in the prices already is said beside them. */
export function totalsOf({ lines, total }: Bill): object[] {
  const [items, others] = [lines.filter(({ kind }) => kind === 'items'), lines.filter(({ kind }) => kind !== 'items')];
  return [
    {
      type: 'subtotal',
      ...(items[0] === undefined ? {} : { display_text: items[0].label }),
      amount: add(...items.map(({ amount }) => money(amount))),
    },
    ...others
      .filter(({ included, amount }) => included !== true && amount !== 0)
      .map(({ id, kind, label, amount }) => ({
        type: kind === 'charge' ? (id === 'delivery' ? 'fulfillment' : 'fee') : KINDS[kind as keyof typeof KINDS],
        display_text: label,
        amount,
      })),
    { type: 'total', amount: total },
  ];
}

export const NO_TOTALS = [
  { type: 'subtotal', amount: 0 },
  { type: 'total', amount: 0 },
];
const deliveryCharge = ({ lines }: Bill): number => lines.find(({ id }) => id === 'delivery')?.amount ?? 0;

/** Our refusals by the names that the protocol has for them; any other goes by its own. */
const CODES: Readonly<Record<string, string>> = {
  ADDRESS_MISSING: 'missing',
  ITEM_UNAVAILABLE: 'item_unavailable',
  MINIMUM_ORDER: 'minimum_order_unmet',
  OUT_OF_RANGE: 'address_undeliverable',
  STORE_CLOSED: 'location_closed',
  STORE_OFFLINE: 'location_closed',
};
export const ucpCode = (code: string): string => CODES[code] ?? code.toLowerCase();
const PATHS: Readonly<Record<string, string>> = {
  missing: '$.fulfillment.methods[0]',
  item_unavailable: '$.line_items',
  minimum_order_unmet: '$.totals',
  address_undeliverable: '$.fulfillment.methods[0]',
};

/** What is in the way of an order, and what has to be said beside its sum. */
export function messagesOf({ problems, bill }: Quote, { country }: ToolCall): Message[] {
  return [
    ...problems.map(({ code, displayMsg }): Message => {
      const own = ucpCode(code ?? 'invalid');
      const path = PATHS[own];
      return {
        type: 'error',
        code: own,
        ...(path === undefined ? {} : { path }),
        content: displayMsg,
        severity: 'recoverable',
      };
    }),
    ...bill.lines
      .filter(({ included }) => included === true)
      .map(({ label, amount }): Message => ({
        type: 'info',
        code: 'included',
        path: '$.totals',
        content: `${label}: ${formatMoney(money(amount), country)}`,
      })),
  ];
}

/** The house is told from the street by its own field, by a comma, or because it begins with a number. */
function doorOf({ street_address: street = '', extended_address: house = '' }: Postal): readonly [string, string] {
  if (house !== '') return [house, street];
  const comma = street.indexOf(',');
  const end = comma === -1 && /^\d/.test(street) ? street.indexOf(' ') : comma;
  return end === -1 || end > LONGEST.houseNo
    ? ['', street]
    : [street.slice(0, end).trim(), street.slice(end + 1).trim()];
}

async function positionOf(query: string, { call }: ToolCall): Promise<Position | null> {
  const { predictions } = await call(places.autocomplete, { query: { input: query.slice(0, places.LONGEST_PLACE) } });
  const [first] = predictions;
  if (first === undefined) return null;
  const { results } = await call(places.details, { query: { place_id: first.place_id } });
  const found = results[0]?.geometry.location;
  return found === undefined ? null : { latitude: found.lat, longitude: found.lng };
}

/** An address of ours; null where it lacks its door, or nobody knows where it is. */
export async function addressFrom(
  at: ToolCall,
  postal: Postal,
  { geo, notes }: { readonly geo?: Position | undefined; readonly notes?: string | undefined } = {},
): Promise<AddressInput | null> {
  const [houseNo, street] = doorOf(postal);
  const area = [postal.address_locality, postal.postal_code].filter((part) => part !== undefined && part !== '');
  if (houseNo === '' || street === '') return null;
  const position =
    geo ?? (await positionOf([street, ...area].join(', '), at)) ?? (await positionOf(area.join(' '), at));
  if (position === null) return null;
  return {
    ...position,
    houseNo,
    address: [street, ...area].join(', '),
    type: 'other',
    ...(notes === undefined ? {} : { instructions: notes.slice(0, 160) }),
  };
}

export const postalOf = (at: ToolCall, { houseNo, address }: AddressInput) => ({
  extended_address: houseNo,
  street_address: address,
  address_country: at.country.iso,
});

/** A saved address of the customer by its id; undefined: it is none. */
export async function savedAddress(at: ToolCall, id: string | undefined) {
  if (id === undefined || at.userId === null) return undefined;
  const { addresses: list } = await at.call(addresses.list, { userId: at.userId });
  return list.find(({ address_id }) => address_id === id);
}

export async function storeAt(at: ToolCall, storeId: string) {
  const { store } = await at.call(stores.byId, { storeId, query: { locality: 'false' } });
  return {
    id: store.id,
    name: store.name,
    address: {
      street_address: store.address,
      address_locality: store.city,
      postal_code: store.postcode,
      address_country: at.country.iso,
    },
  };
}

/** As soon as possible: what the protocol calls an option, and we the absence of a time slot. */
const SOON = 'soon';
export const slotIdOf = (optionId: string | null | undefined): string | undefined =>
  optionId === undefined || optionId === null || optionId === SOON ? undefined : optionId;

async function slotsOf(at: ToolCall, storeId: string): Promise<readonly stores.TimeSlot[]> {
  const { timeSlots = [] } = await at.call(stores.byId, { storeId, query: { timeSlots: 'true', locality: 'false' } });
  return timeSlots;
}
const endOf = (slots: readonly stores.TimeSlot[], index: number): number =>
  Math.min(slots[index + 1]?.startsAt ?? Infinity, slots[index]!.startsAt + HOUR_MS);

/** The time slot that a moment is in; one that does not exist where none is, so that the quote says so. */
export async function slotAt(at: ToolCall, storeId: string, moment: string): Promise<string> {
  const [ms, slots] = [Date.parse(moment), await slotsOf(at, storeId)];
  const index = slots.findIndex(({ startsAt }, one) => startsAt <= ms && ms < endOf(slots, one));
  return slots[index]?.id ?? 'none';
}

const at3339 = (ms: number) => new Date(ms).toISOString();
/** Slots that are offered beside the soonest, the nearest first. */
const SLOTS_SHOWN = 12;
/** Ways to get an order at a time, and the one that is chosen. */
export async function optionsOf(at: ToolCall, { storeId, slotId, bill, deliveryMinutes }: Quote, now: number) {
  const totals = [{ type: 'total', amount: deliveryCharge(bill) }];
  const slots = await slotsOf(at, storeId);
  return {
    selected: slotId ?? SOON,
    options: [
      {
        id: SOON,
        title: says.soonest,
        earliest_fulfillment_time: at3339(now + deliveryMinutes.from * MINUTE_MS),
        latest_fulfillment_time: at3339(now + deliveryMinutes.to * MINUTE_MS),
        totals,
      },
      ...slots.slice(0, SLOTS_SHOWN).map(({ id, label, startsAt }, index) => ({
        id,
        title: label,
        earliest_fulfillment_time: at3339(startsAt),
        latest_fulfillment_time: at3339(endOf(slots, index)),
        totals,
      })),
    ],
  };
}

/** How pizzas are built at a store; null where nothing that was ordered can be. */
export async function builderFor(at: ToolCall, storeId: string, isNeeded: boolean): Promise<menu.Builder | null> {
  return isNeeded ? (await at.call(menu.toppings, { storeId })).builder : null;
}
