import * as z from 'zod/mini';
import { Id } from '../../../contract/names.ts';
import { money } from '../../../contract/price.ts';
import * as stores from '../../../contract/stores.ts';
import { multiply } from '../../../domain/money.ts';
import { typedCode } from '../../../domain/typedText.ts';
import { assistants as says } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';
import type { ToolCall } from '../assistants/assistantTools.ts';
import {
  addressFrom,
  dishIdOf,
  Item,
  lineOf,
  OptionId,
  optionsOf,
  Postal,
  postalOf,
  Quantity,
  savedAddress,
  slotIdOf,
  storeAt,
  type Quote,
  type OrderRequest,
} from './ucpCheckout.ts';
import { PROTOCOL, type UcpService } from './ucpService.ts';

// dev.ucp.shopping in the version that stands: checkout, fulfilment and discount codes. It knows no kitchen, so the store
// is the one that delivers to the address, or the one where it is collected.

const Method = z.object({
  id: z.optional(Id),
  type: z.optional(z.enum(['shipping', 'pickup'])),
  destinations: z.optional(z.array(z.extend(Postal, { id: z.optional(Id) })).check(z.maxLength(10))),
  selected_destination_id: z.nullish(Id),
  groups: z.optional(z.array(z.object({ selected_option_id: z.nullish(OptionId) })).check(z.maxLength(1))),
});
type Method = z.output<typeof Method>;
const Request = z.object({
  line_items: z.array(z.object({ quantity: Quantity, item: Item })).check(z.minLength(1), z.maxLength(30)),
  fulfillment: z.optional(z.object({ methods: z.optional(z.array(Method).check(z.maxLength(1))) })),
  discounts: z.optional(z.object({ codes: z.optional(z.array(Id).check(z.maxLength(5))) })),
});
type Request = z.output<typeof Request>;

const noPlace = (): never => refuse(422, 'MISSING', says.noStore, { field: 'fulfillment.methods[0]' });
const undeliverable = (): never =>
  refuse(422, 'OUT_OF_RANGE', says.noDelivery, { field: 'fulfillment.methods[0].destinations' });

/** The store that brings it there. @throws Refusal 422 OUT_OF_RANGE */
async function storeFor({ call }: ToolCall, { latitude, longitude }: { latitude: number; longitude: number }) {
  const { storeData } = await call(stores.lookup, { body: { latitude, longitude, deliveryType: 'DELIVERY' } });
  return storeData?.id ?? undeliverable();
}

async function whereto(method: Method | undefined, at: ToolCall) {
  const chosen = method?.selected_destination_id ?? method?.destinations?.[0]?.id ?? undefined;
  if ((method?.type ?? method?.id) === 'pickup')
    return { deliveryType: 'PICKUP' as const, storeId: chosen ?? noPlace() };
  const destinations = method?.destinations ?? [];
  const own = destinations.find(({ id }) => id === chosen) ?? destinations[0];
  const saved = own?.street_address === undefined ? await savedAddress(at, chosen) : undefined;
  const deliveryType = 'DELIVERY' as const;
  if (saved !== undefined) return { deliveryType, storeId: await storeFor(at, saved), addressId: saved.address_id };
  if (own === undefined) return noPlace();
  const address = (await addressFrom(at, own)) ?? undeliverable();
  return { deliveryType, storeId: await storeFor(at, address), address };
}

async function wishOf({ line_items: items, fulfillment, discounts }: Request, at: ToolCall): Promise<OrderRequest> {
  const [method] = fulfillment?.methods ?? [];
  const slotId = slotIdOf(method?.groups?.[0]?.selected_option_id);
  const codes = discounts?.codes ?? [];
  return {
    ...(await whereto(method, at)),
    lines: items.map(({ quantity, item }) => lineOf(item.id, quantity)),
    ...(slotId === undefined ? {} : { slotId }),
    ...(codes.length === 0 ? {} : { coupons: codes }),
  };
}

async function methodShown(at: ToolCall, quote: Quote, lineIds: readonly string[], now: number) {
  const isPickup = quote.deliveryType === 'PICKUP';
  const { selected, options } = await optionsOf(at, quote, now);
  // A place to collect from with its name would fit two of the published schemas, of which it has to fit one.
  const { id: storeId, address: storeAddress } = await storeAt(at, quote.storeId);
  const place = isPickup
    ? { id: storeId, ...storeAddress }
    : quote.address === null
      ? null
      : { id: 'address', ...postalOf(at, quote.address) };
  const type = isPickup ? 'pickup' : 'shipping';
  return {
    id: type,
    type,
    line_item_ids: lineIds,
    ...(place === null ? {} : { destinations: [place], selected_destination_id: place.id }),
    groups: [
      {
        id: 'order',
        line_item_ids: lineIds,
        selected_option_id: selected,
        options: options.map((option) => ({ ...option, description: quote.storeName })),
      },
    ],
  };
}

/** Discounts of codes that were sent, and those that come by themselves. */
function discountsShown({ bill }: Quote, codes: readonly string[]) {
  const sent = new Set(codes.map((code) => typedCode(code)));
  return {
    codes,
    applied: bill.lines
      .filter(({ kind, amount }) => kind === 'discount' && amount < 0)
      .map(({ id, label, amount }) => {
        const code = id.replace('discount:', '');
        return { ...(sent.has(code) ? { code } : { automatic: true }), title: label, amount: -amount };
      }),
  };
}

export const shopping: UcpService<Request> = {
  name: 'dev.ucp.shopping',
  folder: 'shopping',
  version: PROTOCOL,
  docs: `https://ucp.dev/${PROTOCOL}`,
  capabilities: {
    'dev.ucp.shopping.checkout': { spec: 'specification/checkout', schema: 'schemas/shopping/checkout.json' },
    'dev.ucp.shopping.fulfillment': {
      spec: 'specification/fulfillment',
      schema: 'schemas/shopping/fulfillment.json',
      extends: 'dev.ucp.shopping.checkout',
    },
    'dev.ucp.shopping.discount': {
      spec: 'specification/discount',
      schema: 'schemas/shopping/discount.json',
      extends: 'dev.ucp.shopping.checkout',
    },
  },
  request: Request,
  wishOf,
  empty: () => Promise.resolve({ line_items: [] }),
  async shown(at, quote, { active, codes, now }) {
    const items = quote.lines.map((line, index) => {
      const subtotal = multiply(money(line.product.price), line.quantity);
      return {
        id: `li_${index + 1}`,
        quantity: line.quantity,
        item: {
          id: dishIdOf(line, true),
          title: [line.product.name, line.sizeName].filter((part) => part !== undefined).join(', '),
          price: line.product.price,
        },
        totals: [
          { type: 'subtotal', amount: subtotal },
          { type: 'total', amount: subtotal },
        ],
      };
    });
    const ids = items.map(({ id }) => id);
    return {
      line_items: items,
      ...(active.includes('dev.ucp.shopping.discount') ? { discounts: discountsShown(quote, codes) } : {}),
      ...(active.includes('dev.ucp.shopping.fulfillment')
        ? { fulfillment: { methods: [await methodShown(at, quote, ids, now)] } }
        : {}),
    };
  },
  confirmation: ({ orderId, orderNumber }, page) => ({ id: orderId, label: orderNumber, permalink_url: page }),
};
