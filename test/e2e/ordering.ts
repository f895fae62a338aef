import type { Page } from '@playwright/test';
import type { Bundle } from '../kit/app.ts';
import type { SpawnedServer } from '../kit/server.ts';
import type { Person } from '../server/people.ts';
import { Customer, DINEIN, PLACES } from '../server/shop.ts';
import { sessionOf } from './steps.ts';

/** Whoever the page is, ordering past it. */
export async function orderingAs(page: Page, server: SpawnedServer, own: Bundle, mobile: string): Promise<Customer> {
  const { credentials, attributes } = (await sessionOf(page, own))!;
  const { userId, cartId } = attributes as typeof attributes & { cartId: string };
  const { where, productId } = PLACES[own.country.toUpperCase()]!;
  const as = { apiKey: own.apiKey, authToken: credentials.accessToken, userId };
  const there = own.country === 'in' ? DINEIN : { storeId: where.storeId, deliveryType: 'PICKUP' as const };
  return new Customer(server, { as, userId, cartId } as Person, there, productId, mobile);
}
