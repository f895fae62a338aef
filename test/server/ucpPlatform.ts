import { randomUUID } from 'node:crypto';
import type { TestServer } from '../kit/server.ts';
import { allowed, begun, exchange, REDIRECT } from './assistantLogin.ts';
import type { shownDocuments } from './shownDocuments.ts';
import { member, PLACES } from './shop.ts';

export const PROTOCOL = '2026-04-08';
const FOOD = '2026-11-29';
/** What a platform says of itself. */
export function platform(version = PROTOCOL, names?: readonly string[]) {
  const known = [
    ['dev.ucp.food.checkout', FOOD],
    ['dev.ucp.food.fulfillment', FOOD],
    ['dev.ucp.shopping.checkout', PROTOCOL],
    ['dev.ucp.shopping.fulfillment', PROTOCOL],
    ['dev.ucp.shopping.discount', PROTOCOL],
  ] as const;
  const capabilities = Object.fromEntries(
    known.filter(([name]) => names?.includes(name) ?? true).map(([name, its]) => [name, [{ version: its }]]),
  );
  return { ucp: { version, services: {}, payment_handlers: {}, capabilities } };
}

export const FOLDERS = { IN: 'in', LK: 'lk', BG: 'bg' } as const;
export type Code = keyof typeof FOLDERS;
export interface Checkout {
  readonly ucp: { readonly status: string; readonly capabilities?: object };
  readonly id: string;
  readonly status: string;
  readonly currency: string;
  readonly line_items: readonly { readonly totals: readonly { readonly type: string; readonly amount: number }[] }[];
  readonly totals: readonly { readonly type: string; readonly amount: number }[];
  readonly messages?: readonly { readonly code: string; readonly severity?: string; readonly path?: string }[];
  readonly continue_url?: string;
  readonly order?: { readonly id: string; readonly tracking_url?: string };
  readonly tip?: object;
  readonly discounts?: {
    readonly codes: readonly string[];
    readonly applied: readonly { readonly code?: string; readonly automatic?: boolean; readonly amount: number }[];
  };
  readonly fulfillment?: {
    readonly methods: readonly { readonly type: string; readonly selected_option_id: string }[];
  };
}

/** A customer, and the platform that they have connected. */
export async function connectedPlatform(
  server: TestServer,
  own: Awaited<ReturnType<typeof shownDocuments>>,
  code: Code = 'IN',
) {
  const profile = own.shows('/profile', () => platform());
  const folder = FOLDERS[code];
  const who = await member(server, code);
  const start = await begun(server, 'dev.ucp.food.checkout:manage', folder);
  const clientId = own.shows(`/client-${folder}`, (id) => ({ client_id: id, redirect_uris: [REDIRECT] }));
  const mine = { ...start, clientId, request: { ...start.request, client_id: clientId } };
  const tokens = (await (await exchange(server, mine, await allowed(who, mine), {}, folder)).json()) as {
    access_token: string;
    scope: string;
  };
  const { access_token: token } = tokens;
  const ask = async (service: string, method: string, path: string, body?: object, headers: object = {}) => {
    const response = await fetch(`${server.url}/ucp/${folder}/${service}/checkout-sessions${path}`, {
      method,
      headers: {
        'ucp-agent': `profile="${profile}"`,
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: JSON.parse(text) as Checkout & { code?: string },
    };
  };
  return { who, token, scope: tokens.scope, ask };
}

export const dishesOf = (code: Code, more: object = {}) => ({
  food_establishment: { id: PLACES[code]!.where.storeId },
  line_items: [{ quantity: 2, dish: { id: `${PLACES[code]!.productId}:M` } }],
  ...more,
});
export const deliveryTo = (code: Code, more: object = {}) => {
  const { houseNo, address, latitude, longitude } = PLACES[code]!.where.address!;
  return {
    fulfillment: {
      methods: [
        {
          type: 'delivery',
          destination: {
            type: 'delivery_address',
            address: { extended_address: houseNo, street_address: address },
            geo: { latitude, longitude },
          },
          ...more,
        },
      ],
    },
  };
};
