// What each call of an order costs the server, from the session to the bill: CPU and statements. What follows is the submit.
import { countryConfig } from '../../country/index.ts';
import * as cart from '../../src/contract/cart.ts';
import * as coupons from '../../src/contract/coupons.ts';
import * as menu from '../../src/contract/menu.ts';
import * as orders from '../../src/contract/orders.ts';
import * as session from '../../src/contract/session.ts';
import type { Answer, CallOptions } from '../kit/server.ts';
import { median, pad } from './numbers.ts';
import { CONNECTIONS, type Shop } from './shop.ts';

const GUESTS = 80;

interface Guest {
  readonly number: number;
  auth: CallOptions;
  cartId: string;
}
type Spent = { readonly statements: number; readonly cpuMs: number };

/** @param spent what the server has used since it began */
export async function benchCalls(
  { server, fresh }: Shop,
  { rounds, spent }: { readonly rounds: number; readonly spent: () => Promise<Spent> },
): Promise<void> {
  const storeId = countryConfig('india').DEFAULT_STORE;
  const where = { storeId, deliveryType: 'PICKUP' } as const;
  const { items } = (await server.call(menu.byStore, { storeId, query: {} })).body.menu!;
  const [pizza, side] = [true, false].map((is) => items.find((one) => (one.kind === 'PIZZA') === is && !one.soldOut)!);
  const customer = { firstName: 'Asha', lastName: 'Rao', mobile: '9810000000' };
  const line = (guest: Guest, name: string) => `${name}-${guest.number}`;
  const add = (guest: Guest, name: string, productId: string) =>
    server.call(
      cart.add,
      {
        cartId: guest.cartId,
        body: {
          items: [{ operationId: line(guest, name), line: { lineId: line(guest, name), productId, quantity: 1 } }],
          options: where,
        },
      },
      guest.auth,
    );
  const calls: Readonly<Record<string, (guest: Guest) => Promise<Answer<unknown>>>> = {
    async session(guest) {
      const answer = await server.call(session.anonymous, {});
      const { attributes, credentials } = answer.body;
      guest.cartId = attributes.cartId;
      guest.auth = { authToken: credentials.accessToken, userId: attributes.userId };
      return answer;
    },
    'first dish': (guest) => add(guest, 'pizza', pizza!.id),
    'another dish': (guest) => add(guest, 'side', side!.id),
    'one more of it': (guest) =>
      server.call(
        cart.change,
        {
          cartId: guest.cartId,
          body: { items: [{ operationId: line(guest, 'more'), lineId: line(guest, 'side'), quantity: 2 }] },
        },
        guest.auth,
      ),
    cart: ({ cartId, auth }) => server.call(cart.byId, { cartId, query: {} }, auth),
    offers: ({ cartId, auth }) => server.call(coupons.combined, { cartId, query: {} }, auth),
    quote: ({ cartId, auth }) => server.call(orders.validations, { body: { cartId, ...where } }, auth),
    validations: ({ cartId, auth }) =>
      server.call(orders.validations, { body: { cartId, ...where, customer, paymentMode: 'UPI' } }, auth),
  };
  const costs = new Map(Object.keys(calls).map((name) => [name, [] as Spent[]]));
  let number = 0;
  // Node compiles in the first.
  for (let round = 0; round <= rounds; round += 1) {
    const guests = Array.from({ length: GUESTS }, (): Guest => ({ number: (number += 1), auth: {}, cartId: '' }));
    for (const [name, call] of Object.entries(calls)) {
      await fresh();
      const before = await spent();
      const left = [...guests];
      await Promise.all(
        Array.from({ length: CONNECTIONS }, async () => {
          for (let guest = left.pop(); guest !== undefined; guest = left.pop()) {
            const { status, body } = await call(guest);
            if (status !== 200) throw new Error(`${name}: refused with ${status}: ${JSON.stringify(body)}`);
          }
        }),
      );
      const after = await spent();
      if (round > 0)
        costs.get(name)!.push({
          statements: (after.statements - before.statements) / GUESTS,
          cpuMs: (after.cpuMs - before.cpuMs) / GUESTS,
        });
    }
  }
  const of = (name: string, key: keyof Spent) => median(costs.get(name)!.map((one) => one[key]));
  for (const name of Object.keys(calls))
    console.log(
      `${pad(name, 34)}${of(name, 'cpuMs').toFixed(2)} ms of CPU, ${of(name, 'statements').toFixed(1)} statements`,
    );
}
