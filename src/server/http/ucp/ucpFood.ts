import * as z from 'zod/mini';
import { NOTE_AT_MOST } from '../../../contract/cart.ts';
import { Id, Position, text } from '../../../contract/names.ts';
import { money } from '../../../contract/price.ts';
import { multiply } from '../../../domain/money.ts';
import { refuse } from '../../call/refusal.ts';
import { assistants as says } from '../../call/language.ts';
import type { ToolCall } from '../assistants/assistantTools.ts';
import {
  addressFrom,
  builderFor,
  dishIdOf,
  Item,
  lineOf,
  Modification,
  modified,
  OptionId,
  optionsOf,
  partsOf,
  Postal,
  postalOf,
  Quantity,
  savedAddress,
  slotAt,
  slotIdOf,
  storeAt,
  type Quote,
  type OrderRequest,
} from './ucpCheckout.ts';
import type { UcpService } from './ucpService.ts';

// dev.ucp.food, a draft: checkout, fulfilment and tip. decisions/2026-11-29-assistants.md says what it leaves open.

/** A draft has no version; the protocol gives it the day on which it was published. This is the day of the one that was read. */
const VERSION = '2026-11-29';
const DOCS = 'https://ucp.dev/draft';

const Method = z.object({
  id: z.optional(Id),
  type: z.optional(z.enum(['delivery', 'pickup'])),
  destination: z.optional(z.object({ id: z.optional(Id), address: z.optional(Postal), geo: z.optional(Position) })),
  requested_fulfillment_time: z.optional(z.iso.datetime({ offset: true })),
  selected_option_id: z.optional(OptionId),
  notes: z.optional(text(160)),
});
const Request = z.object({
  food_establishment: z.optional(z.object({ id: Id })),
  line_items: z
    .array(
      z.object({
        quantity: Quantity,
        dish: z.extend(Item, {
          modifications: z.optional(z.array(Modification).check(z.maxLength(40))),
          note: z.optional(text(NOTE_AT_MOST)),
        }),
      }),
    )
    .check(z.minLength(1), z.maxLength(30)),
  fulfillment: z.optional(z.object({ methods: z.optional(z.array(Method).check(z.maxLength(1))) })),
  tip: z.optional(
    z
      .object({
        selected_option_id: z.optional(z.string().check(z.regex(/^tip_\d{1,7}$/))),
        custom_amount: z.optional(z.int().check(z.gte(0), z.lte(1_000_000))),
      })
      .check(
        z.refine(({ selected_option_id: option, custom_amount: own }) => option === undefined || own === undefined),
      ),
  ),
});
type Request = z.output<typeof Request>;

const tipOf = ({ tip }: Request): number | undefined =>
  tip?.custom_amount ?? (tip?.selected_option_id === undefined ? undefined : Number(tip.selected_option_id.slice(4)));

async function linesOf({ line_items: items }: Request, storeId: string, at: ToolCall): Promise<OrderRequest['lines']> {
  const isBuilt = items.some(({ dish }) => (dish.modifications ?? []).length > 0);
  const builder = await builderFor(at, storeId, isBuilt);
  return items.map(({ quantity, dish: { id, modifications = [], note } }) => {
    const line = lineOf(id, quantity);
    return {
      ...(builder === null || modifications.length === 0 ? line : modified(line, modifications, builder)),
      ...(note === undefined || note === '' ? {} : { note }),
    };
  });
}

async function whereto(method: z.output<typeof Method> | undefined, at: ToolCall): Promise<Partial<OrderRequest>> {
  if ((method?.type ?? method?.id) === 'pickup')
    return { deliveryType: 'PICKUP', ...(method?.notes === undefined ? {} : { note: method.notes }) };
  const { id, address, geo } = method?.destination ?? {};
  const saved = address === undefined ? await savedAddress(at, id) : undefined;
  if (saved !== undefined) return { addressId: saved.address_id };
  const own = address === undefined ? null : await addressFrom(at, address, { geo, notes: method?.notes });
  return own === null ? {} : { address: own };
}

async function wishOf(request: Request, at: ToolCall): Promise<OrderRequest> {
  const storeId =
    request.food_establishment?.id ?? refuse(422, 'MISSING', says.noStore, { field: 'food_establishment' });
  const [method] = request.fulfillment?.methods ?? [];
  const requested = method?.requested_fulfillment_time;
  const slotId = slotIdOf(method?.selected_option_id);
  const tip = tipOf(request);
  return {
    storeId,
    deliveryType: 'DELIVERY',
    lines: await linesOf(request, storeId, at),
    ...(await whereto(method, at)),
    ...(slotId !== undefined
      ? { slotId }
      : requested === undefined
        ? {}
        : { slotId: await slotAt(at, storeId, requested) }),
    ...(tip === undefined ? {} : { tip }),
  };
}

function tipShown({ country }: ToolCall, { bill, deliveryType }: Quote) {
  const amount = bill.lines.find(({ kind }) => kind === 'tip')?.amount;
  const choices: readonly number[] = deliveryType === 'DELIVERY' ? country.tipChoices : [];
  return {
    options: choices.map((choice) => ({ id: `tip_${choice}`, unit: 'absolute', amount: choice })),
    ...(amount === undefined
      ? {}
      : choices.includes(amount)
        ? { selected_option_id: `tip_${amount}` }
        : { custom_amount: amount }),
  };
}

async function methodShown(at: ToolCall, quote: Quote, now: number) {
  const isPickup = quote.deliveryType === 'PICKUP';
  const { selected, options } = await optionsOf(at, quote, now);
  const { address } = quote;
  const place = isPickup
    ? { type: 'business_location', ...(await storeAt(at, quote.storeId)) }
    : address === null
      ? null
      : {
          id: 'address',
          type: 'delivery_address',
          address: postalOf(at, address),
          geo: { latitude: address.latitude, longitude: address.longitude },
        };
  const type = isPickup ? 'pickup' : 'delivery';
  return {
    id: type,
    type,
    ...(place === null ? {} : { destination: place }),
    selected_option_id: selected,
    options,
    ...(address?.instructions === undefined ? {} : { notes: address.instructions }),
  };
}

export const food: UcpService<Request> = {
  name: 'dev.ucp.food',
  folder: 'food',
  version: VERSION,
  docs: DOCS,
  capabilities: {
    'dev.ucp.food.checkout': { spec: 'specification/food/checkout', schema: 'schemas/food/checkout.json' },
    'dev.ucp.food.fulfillment': {
      spec: 'specification/food/extensions/fulfillment',
      schema: 'schemas/food/fulfillment.json',
      extends: 'dev.ucp.food.checkout',
    },
  },
  request: Request,
  wishOf,
  empty: async (at, quote) => ({ food_establishment: await storeAt(at, quote.storeId), line_items: [] }),
  async shown(at, quote, { active, now }) {
    const isBuilt = quote.lines.some(({ crust, build }) => crust !== undefined || build !== undefined);
    const builder = await builderFor(at, quote.storeId, isBuilt);
    const hasFulfillment = active.includes('dev.ucp.food.fulfillment');
    return {
      food_establishment: await storeAt(at, quote.storeId),
      line_items: quote.lines.map((line, index) => {
        const { modifications, price } = partsOf(line, builder);
        const subtotal = multiply(money(line.product.price), line.quantity);
        return {
          id: `li_${index + 1}`,
          quantity: line.quantity,
          dish: {
            id: dishIdOf(line, false),
            title: line.product.name,
            price,
            ...(modifications.length === 0 ? {} : { modifications }),
            ...(line.note === undefined ? {} : { note: line.note }),
          },
          totals: [
            { type: 'subtotal', amount: subtotal },
            { type: 'total', amount: subtotal },
          ],
        };
      }),
      tip: tipShown(at, quote),
      ...(hasFulfillment
        ? {
            fulfillment: {
              methods: [await methodShown(at, quote, now)],
              available_methods: [
                { type: 'delivery', fulfillable_on: 'now' },
                { type: 'pickup', fulfillable_on: 'now' },
              ],
            },
          }
        : {}),
    };
  },
  confirmation: ({ orderId, orderNumber }, page) => ({ id: orderId, label: orderNumber, tracking_url: page }),
};
