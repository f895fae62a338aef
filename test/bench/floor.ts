/**
 * The least that a submit of this shop can cost: a handler that parses the same request, checks its session with one
 * statement, prices the cart once by the shop's own rules and writes the same rows in one transaction, the answer that is
 * kept for its key among them, with nothing around it but node:http and the engine's own driver. It asks no bank, locks nobody out and refuses nothing. `node test/bench/floor.ts
 * DATABASE`, that of the shop beside it; it prints `READY url`.
 */
import { randomBytes, createHash } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import pg from 'pg';
import { countryConfig } from '../../country/index.ts';
import * as orders from '../../src/contract/orders.ts';
import { localDay } from '../../src/domain/hours.ts';
import { decimal } from '../../src/domain/money.ts';
import { upiLink } from '../../src/domain/upi.ts';
import { EMBEDDED_PAYEE } from '../../src/server/providers/upi.ts';
import { catalogueFromDisk } from '../../src/server/rules/catalogue/catalogue.ts';
import { priceCart, type CartState } from '../../src/server/rules/cart/cart.ts';
import { takenFrom } from '../../src/server/rules/cart/cartReturn.ts';
import { linesFor } from '../../src/server/rules/checkout/orderLines.ts';
import { viewOfNew } from '../../src/server/rules/order/orderView.ts';
import { storeView } from '../../src/server/rules/places/stores.ts';
import type { LineWish } from '../../src/server/store/carts.ts';
import type { EventRow, OrderRow, OrderSnapshot } from '../../src/server/store/orders.ts';
import type { PaymentRow } from '../../src/server/store/payments.ts';

const [target = ''] = process.argv.slice(2);
const CONNECTIONS = 16;
const INT8 = 20;
const CHECK_MS = 2_000;
const SETTLE_MS = 900_000;
const NONE: ReadonlySet<string> = new Set();

type Value = string | number | null;
type Row = Readonly<Record<string, Value>>;
/** A write: its text, with `?` for each value. */
type Write = readonly [sql: string, values: readonly Value[]];

interface Engine {
  read(sql: string, ...values: readonly Value[]): Promise<Row[]>;
  write(...writes: readonly Write[]): Promise<unknown>;
}

function sqlite(file: string): Engine {
  const db = new DatabaseSync(file, { timeout: 5_000 });
  db.exec('pragma synchronous = full; pragma foreign_keys = on; pragma secure_delete = on');
  const kept = new Map<string, StatementSync>();
  const prepared = (sql: string) => {
    const statement = kept.get(sql) ?? db.prepare(sql);
    kept.set(sql, statement);
    return statement;
  };
  return {
    read: async (sql, ...values) => prepared(sql).all(...values) as Row[],
    async write(...writes) {
      prepared('begin immediate').run();
      for (const [sql, values] of writes) prepared(sql).run(...values);
      prepared('commit').run();
    },
  };
}

function postgres(url: string): Engine {
  const address = new URL(url);
  const options = `${address.searchParams.get('options') ?? ''} -c search_path=${address.searchParams.get('schema')}`;
  address.search = '';
  const pool = new pg.Pool({
    connectionString: address.href,
    max: CONNECTIONS,
    options,
    // What does not wait for an answer is sent at once.
    pipeline: true,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === INT8 ? Number : (pg.types.getTypeParser(oid, format) as never),
    },
  });
  const kept = new Map<string, string>();
  const numbered = (sql: string) => {
    let at = 0;
    const text = kept.get(sql) ?? sql.replace(/\?/g, () => `$${(at += 1)}`);
    kept.set(sql, text);
    return text;
  };
  return {
    read: async (sql, ...values) => (await pool.query<Row>(numbered(sql), [...values])).rows,
    async write(...writes) {
      const client = await pool.connect();
      try {
        await Promise.all([
          client.query('begin'),
          ...writes.map(([sql, values]) => client.query(numbered(sql), [...values])),
        ]);
        await client.query('commit');
      } finally {
        client.release();
      }
    },
  };
}

const engine = target.startsWith('postgres') ? postgres(target) : sqlite(target);
const country = countryConfig('india');
const catalogue = catalogueFromDisk(country);
const states = new Map(
  (await engine.read('select code, used from coupon_states where country = ?', country.COUNTRY_CODE)).map(
    ({ code, used }) => [String(code), { used: Number(used) }],
  ),
);
const [{ offset_ms: offsetMs = 0 } = {}] = await engine.read('select offset_ms from system where id = 1');

const texts = new Map<string, string>();
/** The row as an insert; `keys` where a second one is left out. */
function insert(table: string, row: Row, isOnce = false): Write {
  let sql = texts.get(table);
  if (sql === undefined) {
    const names = Object.keys(row);
    sql = `insert into ${table} (${names.join()}) values (${names.map(() => '?').join()})${isOnce ? ' on conflict do nothing' : ''}`;
    texts.set(table, sql);
  }
  return [sql, Object.values(row)];
}

const newId = (prefix: string) => `${prefix}_${randomBytes(16).toString('base64url')}`;
const hashed = (text: string) => createHash('sha256').update(text).digest('base64url');

const SESSION = `select s.id, s.revoked_at, s.ends_at, a.ends_at as access_ends_at, u.id as user_id, u.cart_id
  from access_tokens a join sessions s on s.id = a.session_id join users u on u.id = s.user_id where a.hash = ?`;
const CART = `select c.*, l.line_id, l.quantity, l.wish, l.changed_at from carts c
  left join cart_lines l on l.cart_id = c.id and l.removed = 0 and l.aside = 0 where c.id = ? order by l.position`;

async function submit(request: http.IncomingMessage, text: string): Promise<string> {
  const now = Date.now() + Number(offsetMs);
  const body = orders.submit.body.parse(JSON.parse(text));
  const header = (name: string) => String(request.headers[name] ?? '');
  const [session] = await engine.read(SESSION, hashed(header('authtoken')));
  if (session === undefined || session['user_id'] !== header('userid') || session['revoked_at'] !== null)
    throw new Error('no session');
  const rows = await engine.read(CART, body.cartId);
  const [cart] = rows;
  if (cart === undefined) throw new Error('no cart');
  const userId = String(session['user_id']);
  const state: CartState = {
    cartId: body.cartId,
    userId,
    version: Number(cart['version']),
    storeId: body.storeId,
    deliveryType: body.deliveryType,
    lines: rows.map((row) => ({
      lineId: String(row['line_id']),
      quantity: Number(row['quantity']),
      removed: false,
      wish: JSON.parse(String(row['wish'])) as LineWish,
      changedAt: Number(row['changed_at']),
    })),
    coupons: [],
    declined: [],
    tip: Number(cart['tip']),
    carryBag: cart['carry_bag'] === 1,
    cutlery: cart['cutlery'] === 1,
    paymentMode: body.paymentMode,
  };
  const store = catalogue.stores.get(body.storeId)!;
  const shopper = { partnerOffers: true, hasOrdered: false, used: new Map<string, number>(), steps: () => 0 };
  const priced = priceCart(state, {
    catalogue,
    store,
    now,
    bin: null,
    modes: ['UPI', 'CARD', 'COD'],
    soldOut: NONE,
    offline: NONE,
    shopper,
    states,
  });
  const { bill } = priced.cart;
  if (bill.total !== body.total || state.version !== body.cartVersion) throw new Error('another price');
  return await place(body, { userId, key: header('idempotency-key'), state, priced, now });
}

type Body = ReturnType<typeof orders.submit.body.parse>;

async function place(
  body: Body,
  {
    userId,
    key,
    state,
    priced,
    now,
  }: { userId: string; key: string; state: CartState; priced: ReturnType<typeof priceCart>; now: number },
): Promise<string> {
  const { bill } = priced.cart;
  const [orderId, paymentId] = [newId('ord'), newId('txn')];
  const day = localDay(now, country.timeZone);
  const number = String(1_000 + (randomBytes(4).readUInt32LE() % 9_000));
  const reference = `GO${number}${randomBytes(10).toString('hex')}A1`;
  const trace = randomBytes(16).toString('hex');
  const store = catalogue.stores.get(state.storeId)!;
  const { maxOrdersPer10Min, prepMinutes, minutesPerKm } = store;
  const note = `Order ${number}`;
  const snapshot: OrderSnapshot = {
    store: storeView(catalogue, store, NONE, now),
    address: null,
    vehicle: null,
    table: null,
    customer: body.customer,
    ...linesFor({ lines: priced.cart.validItems, costs: priced.costs }),
    bill,
    coupons: priced.applied,
    pizzas: priced.pizzas,
    instructions: [],
    note: null,
    termsVersion: catalogue.seeds.content.legal.version,
    kitchen: { maxOrdersPer10Min, prepMinutes, minutesPerKm },
    cart: takenFrom(state),
  };
  const order: OrderRow = {
    id: orderId,
    number,
    idempotency_key: key,
    country: 'IN',
    host: 'web',
    user_id: userId,
    mobile: body.customer.mobile,
    cart_id: state.cartId,
    cart_version: state.version,
    store_id: state.storeId,
    delivery_type: body.deliveryType,
    status: 'PENDING',
    stage: null,
    total: bill.total,
    currency: bill.currencyCode,
    snapshot: JSON.stringify(snapshot),
    submitted_at: now,
    scheduled_for: null,
    starts_at: null,
    confirmed_at: null,
    finished_at: null,
    life: null,
    settle_by: now + SETTLE_MS,
    hand_over_code: '1234',
    arrived_at: null,
    bay: null,
    promise_deadline: null,
    promise_state: null,
    trace,
    cutlery: 0,
  };
  const event: EventRow = {
    order_id: orderId,
    seq: 1,
    from_status: null,
    status: 'PENDING',
    stage: null,
    actor: 'system',
    at: now,
  };
  const url = `http://127.0.0.1:9999/in/payment-gateway/v1/payments/return?transactionId=${paymentId}`;
  const link = upiLink({ ...EMBEDDED_PAYEE, vpa: 'shop@bench', reference, amount: decimal(bill.total), note, url });
  const step = {
    kind: 'upi',
    transactionId: paymentId,
    link,
    expiresAt: now + SETTLE_MS,
    payerUrl: '/pay',
  };
  const payment: PaymentRow = {
    id: paymentId,
    order_id: orderId,
    attempt: 1,
    reference,
    user_id: userId,
    mode: 'UPI',
    label: 'UPI',
    amount: bill.total,
    currency: bill.currencyCode,
    state: 'SENT',
    step: JSON.stringify(step),
    details: JSON.stringify({ cardToken: null, host: 'web', mobile: body.customer.mobile, note }),
    return_path: '/in/',
    created_at: now,
    settle_by: now + SETTLE_MS,
    settled_at: null,
    code: null,
    link: null,
    holder: null,
  };
  // What the customer is answered is written, too.
  const view = viewOfNew({ order, snapshot, events: [event], payment }, now);
  const answer = JSON.stringify({ status: 'SUCCESS', order: view, next: step });
  const job = (kind: string, runAt: number, payload: object, unique: string): readonly Value[] => [
    newId('job'),
    kind,
    'payment:UPI',
    unique,
    runAt,
    JSON.stringify(payload),
    'DUE',
    0,
    0,
    null,
    `${trace} ${orderId}`,
  ];
  await engine.write(
    insert('counted_orders', { order_id: orderId, country: 'IN', holder: `user:${userId}`, day }, true),
    insert('order_numbers', { store_id: state.storeId, day, number }, true),
    insert('orders', { ...order }),
    insert('order_events', { ...event }),
    insert('payments', { ...payment }),
    [
      `insert into jobs (id, kind, lane, unique_key, run_at, payload, state, attempts, lease_until, error, trace)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?), (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        ...job('payment.check', now + CHECK_MS, { paymentId, n: 0 }, `payment.check:${paymentId}:0`),
        ...job('payment.expire', now + SETTLE_MS, { paymentId }, `payment.expire:${paymentId}`),
      ],
    ],
    insert('outbox', {
      order_id: orderId,
      kind: 'order.submitted',
      payload: JSON.stringify({ number, storeId: state.storeId, total: bill.total, currency: bill.currencyCode }),
      created_at: now,
      sent_at: now,
    }),
    [
      'update cart_lines set removed = 1, quantity = 0, changed_at = ? where cart_id = ? and removed = 0 and aside = 0',
      [now, state.cartId],
    ],
    [
      'update carts set version = version + 1, tip = 0, carry_bag = 0, cutlery = 0, payment_mode = null where id = ?',
      [state.cartId],
    ],
    insert('idempotency', {
      user_id: userId,
      idempotency_key: key,
      fingerprint: hashed(JSON.stringify(body)),
      state: 'DONE',
      ref: JSON.stringify({ orderId, paymentId }),
      body: answer,
      lease_until: 0,
      created_at: now,
    }),
  );
  return answer;
}

const server = http.createServer((request, response) => {
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (part: string) => (text += part));
  request.on('end', () => {
    const answer = (status: number, body: string) =>
      response
        .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
        .end(body);
    submit(request, text).then(
      (body) => answer(200, body),
      (error: unknown) => answer(500, JSON.stringify(String(error))),
    );
  });
});
server.listen(0, '127.0.0.1', () => console.log(`READY http://127.0.0.1:${(server.address() as AddressInfo).port}`));
