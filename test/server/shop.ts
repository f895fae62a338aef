import { randomUUID } from 'node:crypto';
import type * as z from 'zod/mini';
import * as cart from '../../src/contract/cart.ts';
import * as coupons from '../../src/contract/coupons.ts';
import * as development from '../../src/contract/development.ts';
import type { Endpoint, Input } from '../../src/contract/endpoint.ts';
import * as orders from '../../src/contract/orders.ts';
import type { OrderView } from '../../src/contract/orders.ts';
import * as payments from '../../src/contract/payments.ts';
import type { PaymentStep } from '../../src/contract/payments.ts';
import * as session from '../../src/contract/session.ts';
import { openDb, type Root } from '../../src/server/store/db.ts';
import { startServer, type Answer, type TestServer, type TestServerOptions } from '../kit/server.ts';
import { violations } from './invariants.ts';
import { freshMobile, guest, logIn, person, type Person } from './people.ts';

type Submission = z.input<typeof orders.submit.body>;
export type Where = Pick<Submission, 'storeId' | 'deliveryType' | 'address' | 'vehicle' | 'table' | 'slotId'>;

/** A place near the first store of each country, and one item of its menu. */
export const PLACES: Readonly<Record<string, { apiKey: string; where: Where; productId: string }>> = {
  IN: {
    apiKey: 'in-web',
    productId: 'PZ001',
    where: {
      storeId: '10101',
      deliveryType: 'DELIVERY',
      address: { latitude: 28.64, longitude: 77.22, houseNo: '12', address: 'Barakhamba Road', type: 'home' },
    },
  },
  LK: {
    apiKey: 'lk-web',
    productId: 'PZ001',
    where: {
      storeId: '20101',
      deliveryType: 'DELIVERY',
      address: { latitude: 6.915, longitude: 79.855, houseNo: '4', address: 'Galle Road', type: 'home' },
    },
  },
  BG: {
    apiKey: 'bg-web',
    productId: 'PZ001',
    where: {
      storeId: '30101',
      deliveryType: 'DELIVERY',
      address: { latitude: 23.75, longitude: 90.38, houseNo: '7', address: 'Satmasjid Road', type: 'home' },
    },
  },
};
export const PICKUP: Where = { storeId: '10101', deliveryType: 'PICKUP' };
export const CURB: Where = {
  storeId: '10102',
  deliveryType: 'CURB',
  vehicle: { colour: 'Red', model: 'Swift', lastFourDigits: '4821' },
};
export const DINEIN: Where = { storeId: '10101', deliveryType: 'DINEIN', table: '7' };

const HOUR_MS = 3_600_000;
/**
 * Moves the clock to the next 13:00 of India, when all three countries' stores are open and it is not night.
 * @param until an hour of the day up to which a shop that is open stays as it is
 */
export async function openShop(server: TestServer, until = 0): Promise<void> {
  const { body } = await server.call(development.clock, {});
  const local = (body.now + 5.5 * HOUR_MS) % (24 * HOUR_MS);
  if (local >= 13 * HOUR_MS && local < until * HOUR_MS) return;
  await server.advance(Math.ceil(((13 * HOUR_MS - local + 24 * HOUR_MS) % (24 * HOUR_MS)) / 1000));
}

export interface Shop {
  readonly server: TestServer;
  /** The server's database, from outside. */
  readonly db: Root;
  /** Lets what falls due until then happen, and ends it all. @throws when anything about any money is wrong */
  close(afterSeconds?: number, acked?: readonly string[]): Promise<void>;
  /** Ends it as it is: for tests that write into its books themselves. */
  stop(): Promise<void>;
}

/** An open shop of its own, for the tests of one block. */
export async function openedShop(options: TestServerOptions = {}): Promise<Shop> {
  const server = await startServer(options);
  const { db } = await openDb(server.database.target);
  await openShop(server);
  const stop = async () => {
    await db.destroy();
    await server.stop();
  };
  return {
    server,
    db,
    stop,
    async close(afterSeconds = 1, acked = []) {
      try {
        await server.advance(afterSeconds);
        const wrong = await violations(db, { settled: true, ackedOrders: acked });
        if (wrong.length > 0) throw new Error(wrong.join('\n'));
      } finally {
        await stop();
      }
    },
  };
}

export interface Extras {
  cartVersion?: number;
  total?: number;
  paymentMode?: Submission['paymentMode'];
  headers?: Record<string, string>;
  key?: string;
  /** Another path of the same call. */
  path?: string;
  body?: Partial<Submission>;
}
export type Placed = Answer<{
  status: string;
  order: OrderView;
  next: PaymentStep;
  errors?: { code: string; displayMsg: string; field?: string }[];
}>;

/** Somebody who orders: keeps the session alive as the client does, however far the clock jumps. */
export class Customer {
  readonly server: TestServer;
  #who: Person;
  readonly where: Where;
  readonly productId: string;
  readonly mobile: string;
  constructor(server: TestServer, who: Person, where: Where, productId: string, mobile: string) {
    this.server = server;
    this.#who = who;
    this.where = where;
    this.productId = productId;
    this.mobile = mobile;
  }
  get cartId(): string {
    return this.#who.cartId;
  }
  get userId(): string {
    return this.#who.userId;
  }
  get person(): Person {
    return this.#who;
  }

  async call<E extends Endpoint>(endpoint: E, input: Input<E>, headers: Record<string, string> = {}) {
    const answer = await this.server.call(endpoint, input, { ...this.#who.as, headers });
    if (answer.status !== 401) return answer;
    const { refreshToken, sessionToken } = this.#who.reply.credentials;
    const { apiKey } = this.#who.as;
    const again =
      refreshToken === undefined
        ? await this.server.call(
            session.refreshAnonymous,
            { body: { userId: this.userId, sessionToken } },
            apiKey === undefined ? {} : { apiKey },
          )
        : await this.server.call(
            session.refresh,
            { body: { userId: this.userId, refreshToken } },
            apiKey === undefined ? {} : { apiKey },
          );
    if (again.status !== 200) throw new Error(`no new session: ${again.status} ${JSON.stringify(again.body)}`);
    this.#who = person(again.body, apiKey);
    return await this.server.call(endpoint, input, { ...this.#who.as, headers });
  }

  /** Puts pizzas into the cart. */
  async fill(quantity = 1, size?: 'R' | 'M' | 'L') {
    const { storeId, deliveryType } = this.where;
    const { body, status } = await this.call(cart.add, {
      cartId: this.cartId,
      body: {
        items: [
          {
            operationId: randomUUID(),
            line: {
              lineId: randomUUID(),
              productId: this.productId,
              quantity,
              ...(size === undefined ? {} : { size }),
            },
          },
        ],
        options: { storeId, deliveryType },
      },
    });
    if (status !== 200) throw new Error(`not in the cart: ${status} ${JSON.stringify(body)}`);
    return body.cart;
  }
  async coupon(code: string) {
    const { body } = await this.call(coupons.apply, {
      cartId: this.cartId,
      code,
      query: { includePartnerOffer: 'true' },
    });
    return body;
  }
  async cart() {
    return (
      await this.call(cart.byId, {
        cartId: this.cartId,
        query: { storeId: this.where.storeId, deliveryType: this.where.deliveryType },
      })
    ).body.cart;
  }
  async validate(extra: Partial<z.input<typeof orders.validations.body>> = {}) {
    return await this.call(orders.validations, { body: { cartId: this.cartId, ...this.where, ...extra } });
  }

  /** Submits the cart as it is now, or as `extras` says it was. */
  async submit(extras: Extras = {}): Promise<Placed> {
    const paymentMode = extras.paymentMode ?? 'UPI';
    let { cartVersion, total } = extras;
    if (cartVersion === undefined || total === undefined) {
      const { quote } = (await this.validate({ paymentMode })).body;
      cartVersion ??= quote.cartVersion;
      total ??= quote.bill.total;
    }
    return (await this.call(
      extras.path === undefined ? orders.submit : { ...orders.submit, path: extras.path },
      {
        body: {
          cartId: this.cartId,
          ...this.where,
          customer: { firstName: 'Asha', lastName: 'Rao', mobile: this.mobile },
          paymentMode,
          cartVersion,
          total,
          termsAccepted: true,
          allowDuplicate: true,
          ...extras.body,
        },
      },
      { 'idempotency-key': extras.key ?? randomUUID(), ...extras.headers },
    )) as Placed;
  }
  /** A pizza, ordered. */
  async order(extras: Extras = {}): Promise<{ order: OrderView; next: PaymentStep }> {
    await this.fill();
    const { status, body } = await this.submit(extras);
    if (status !== 200) throw new Error(`not ordered: ${status} ${JSON.stringify(body)}`);
    return body;
  }
  /** A pizza, ordered and paid: as it was ordered. */
  async paid(extras: Extras = {}): Promise<OrderView> {
    const { order, next } = await this.order(extras);
    await pay(this.server, next);
    await this.confirm(order);
    return order;
  }
  /** Another attempt to pay an order. */
  async retry(body: Input<typeof payments.retry>['body'], key: string = randomUUID()) {
    return await this.call(payments.retry, { body }, { 'idempotency-key': key });
  }
  async read(orderId: string): Promise<OrderView> {
    const { status, body } = await this.call(orders.byId, { orderId });
    if (status !== 200) throw new Error(`no order: ${status} ${JSON.stringify(body)}`);
    return body.order;
  }
  async confirm(order: OrderView, transactionId = order.transactionId) {
    return (await this.call(orders.confirm, { body: { orderId: order.orderId, transactionId } })).body;
  }
  async cancel(orderId: string, key: string = randomUUID()) {
    return await this.call(orders.cancel, { orderId }, { 'idempotency-key': key });
  }
}

export async function visitor(server: TestServer, country = 'IN', where?: Where, apiKey?: string): Promise<Customer> {
  const place = PLACES[country]!;
  const key = apiKey ?? place.apiKey;
  return new Customer(server, await guest(server, key), where ?? place.where, place.productId, freshMobile(key));
}

export async function member(server: TestServer, country = 'IN', where?: Where): Promise<Customer> {
  const place = PLACES[country]!;
  const mobile = freshMobile(place.apiKey);
  return new Customer(server, await logIn(server, mobile, place.apiKey), where ?? place.where, place.productId, mobile);
}

/** Presses a button of a bank's page; answers where it leads. */
export async function press(
  server: TestServer,
  pageUrl: string,
  answer: 'approve' | 'decline' | 'pending',
): Promise<string> {
  const page = await fetch(server.url + pageUrl);
  const html = await page.text();
  const action = /action="([^"]+)"/.exec(html)?.[1];
  if (page.status !== 200 || action === undefined)
    throw new Error(`no form at ${pageUrl}: ${page.status} ${html.slice(0, 200)}`);
  const value = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';
  const done = await fetch(server.url + action, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ reference: value('reference'), key: value('key'), answer }).toString(),
  });
  if (done.status !== 303) throw new Error(`the bank's page answered ${done.status}`);
  return done.headers.get('location') ?? '';
}

/** The customer pays, as this step allows. */
export async function pay(
  server: TestServer,
  step: PaymentStep,
  answer: 'approve' | 'decline' | 'pending' = 'approve',
): Promise<string> {
  if (step.kind === 'upi') return await press(server, step.payerUrl!, answer);
  if (step.kind === 'redirect') return await press(server, step.paymentUrl, answer);
  const outcome = answer === 'approve' ? undefined : answer === 'decline' ? 'failure' : 'pending';
  if (step.kind !== 'host') throw new Error(`nothing to pay at ${step.kind}`);
  // What the app does on the customer's yes; each knows the reference by its own name.
  const { transactionReferenceId, details } = step;
  const [app, reference] =
    'txnToken' in details ? ['paytm', { orderId: transactionReferenceId }] : ['google', { transactionReferenceId }];
  const reply = await fetch(`${server.url}/vendors/${app}/pay`, {
    method: 'POST',
    body: JSON.stringify({ ...details, ...reference, amount: (step.amount / 100).toFixed(2), outcome }),
  });
  return await reply.text();
}

/** A kitchen so full that this order misses its promise. */
export async function late(server: TestServer, db: Root, orderId: string): Promise<OrderView['orderId']> {
  const row = await db.selectFrom('orders').select(['life']).where('id', '=', orderId).executeTakeFirstOrThrow();
  const life = JSON.parse(row.life!) as { steps: { status: string; at: number }[] };
  for (const step of life.steps) if (step.status === 'DELIVERED') step.at += 20 * 60_000;
  await db
    .updateTable('orders')
    .set({ life: JSON.stringify(life) })
    .where('id', '=', orderId)
    .execute();
  await server.advance(45 * 60);
  return orderId;
}
