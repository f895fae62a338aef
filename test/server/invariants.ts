import { sql } from 'kysely';
import type { Country } from '../../country/shape.ts';
import type { Bill } from '../../src/contract/cart.ts';
import { localDay } from '../../src/domain/hours.ts';
import { isHandedOver, TRANSITIONS } from '../../src/domain/orders.ts';
import { countryConfig } from '../../country/index.ts';
import { bringBackOf } from '../../src/server/store/archive.ts';
import { openDb, type Db } from '../../src/server/store/db.ts';
import { readSystem } from '../../src/server/store/system.ts';
import type { OrderSnapshot } from '../../src/server/store/orders.ts';

/** Every column that holds money, and the currency beside it where the row has one of its own. */
const MONEY_COLUMNS: readonly (readonly [table: string, column: string, currency?: string])[] = [
  ['orders', 'total', 'currency'],
  ['payments', 'amount', 'currency'],
  ['captures', 'amount', 'currency'],
  ['refunds', 'amount', 'currency'],
  ['promise_credits', 'amount', 'currency'],
  ['invoices', 'amount', 'currency'],
  ['price_locks', 'total'],
  ['carts', 'tip'],
  ['bank_charges', 'amount', 'currency'],
  ['bank_movements', 'amount'],
  ['ledger_accounts', 'balance'],
  ['ledger_entries', 'balance_after'],
  ['vendor_wallets', 'balance'],
  ['vendor_wallet_debits', 'amount'],
];

const SENT_KEPT_MS = 30 * 86_400_000;

const halfUp = (numerator: bigint, denominator: bigint) => Number((numerator * 2n + denominator) / (denominator * 2n));

/** What a bill must say, worked out anew from its lines and the country alone, in whole numbers. */
function billProblems(country: Country, bill: Bill, deliveryType: string, items: number): string[] {
  const found: string[] = [];
  const of = (id: string) => bill.lines.find((line) => line.id === id)?.amount as number | undefined;
  const deliveryAt = bill.lines.findIndex((line) => line.id === 'delivery');
  const discount = (from: number, to: number) =>
    bill.lines.slice(from, to).reduce((sum, line) => sum + (line.kind === 'discount' ? line.amount : 0), 0);
  const cut = deliveryAt === -1 ? bill.lines.length : deliveryAt;
  const bases = {
    items: items + discount(0, cut),
    packaging: of('packaging') ?? 0,
    carryBag: of('carryBag') ?? 0,
    delivery: (of('delivery') ?? 0) + discount(cut, bill.lines.length),
  };
  const isBrought = deliveryType === 'DELIVERY' || deliveryType === 'IRCTC';
  const fee = isBrought && items < country.fees.freeDeliveryFrom ? country.fees.delivery : 0;
  if ((of('delivery') ?? 0) !== fee) found.push(`a delivery fee of ${of('delivery')} for ${items}`);
  for (const [name, base] of Object.entries(bases)) if (base < 0) found.push(`discounts below nothing on ${name}`);
  const taxed = BigInt(country.tax.base.reduce((sum, name) => sum + bases[name], 0));
  for (const part of country.tax.parts) {
    const tax = country.tax.included
      ? halfUp(taxed * BigInt(part.basisPoints), BigInt(10_000 + country.tax.basisPoints))
      : halfUp(taxed * BigInt(part.basisPoints), 10_000n);
    if (of(`tax:${part.id}`) !== tax) found.push(`${part.id} of ${of(`tax:${part.id}`)}, not ${tax}`);
  }
  const beforeWallet = bill.lines.reduce(
    (sum, line) => sum + (line.included === true || line.kind === 'wallet' ? 0 : line.amount),
    0,
  );
  if (beforeWallet % country.roundTo !== 0 || Math.abs(of('rounding') ?? 0) * 2 > country.roundTo)
    found.push(`a total of ${beforeWallet} that is not rounded`);
  return found;
}

interface Known {
  /** An older release has handed orders over, which get their invoice when it is asked for. */
  readonly hasOlder?: boolean;
  readonly ackedOrders?: readonly string[];
  readonly ackedPaid?: readonly string[];
  readonly settled?: boolean;
}

/**
 * What must be true of the money and the orders at any moment between two transactions (reliability, section 2). `settled`
 * adds what is true once all jobs have run: the bank's books and ours agree. Every sentence is a violation.
 */
export async function violations(db: Db, more: Known = {}): Promise<string[]> {
  if (db.isTransaction) return await violationsOf(db, more);
  // The books hold with what was put away, which comes back for it.
  const away = await db.selectFrom('old_customers').select('user_id').where('orders', '>', 0).execute();
  for (const { user_id: userId } of away) await bringBackOf(db, userId);
  // All tables as of one moment: jobs of a running server write between two reads.
  return await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((moment) => violationsOf(moment, more));
}

async function violationsOf(db: Db, more: Known): Promise<string[]> {
  const found: string[] = [];
  const must = (holds: boolean, sentence: string) => {
    if (!holds) found.push(sentence);
  };
  const orders = await db.selectFrom('orders').selectAll().execute();
  const events = await db.selectFrom('order_events').selectAll().orderBy('order_id').orderBy('seq').execute();
  const payments = await db.selectFrom('payments').selectAll().execute();
  const captures = await db.selectFrom('captures').selectAll().execute();
  const refunds = await db.selectFrom('refunds').selectAll().execute();
  const credits = new Map(
    (await db.selectFrom('promise_credits').selectAll().execute()).map((credit) => [credit.order_id, credit]),
  );
  const outbox = await db.selectFrom('outbox').selectAll().execute();
  /** What is still to be told: an order's process may have ended right after its commit. */
  const untold = (
    await db
      .selectFrom('jobs')
      .select('payload')
      .where('kind', '=', 'outbox.tell')
      .where('state', '!=', 'DEAD')
      .execute()
  ).map(({ payload }) => JSON.parse(payload) as { readonly orderId: string; readonly kind: string });
  const users = new Map(
    (await db.selectFrom('users').select(['id', 'country', 'cart_id']).execute()).map((user) => [user.id, user]),
  );
  const byId = new Map(orders.map((order) => [order.id, order]));
  const { now: shopNow } = await readSystem(db);
  const accounts = await db.selectFrom('ledger_accounts').selectAll().execute();
  const tickets = await db.selectFrom('help_tickets').selectAll().execute();
  const entries = await db.selectFrom('ledger_entries').selectAll().orderBy('account_id').orderBy('seq').execute();
  /**
   * What balances paid of an order, and what they got back of it, as positive amounts; a reason is the end of its key.
   * What they had paid beyond what leaves a sum for cash counts as never paid.
   */
  const moved = (orderId: string, kind: 'SPEND' | 'RETURN', reason = '') =>
    entries
      .filter((entry) => entry.order_id === orderId && entry.kind !== 'CREDIT' && entry.unique_key.endsWith(reason))
      .map(({ amount, ...entry }) => ({ amount, kind: entry.unique_key.includes(':CASH:') ? 'SPEND' : entry.kind }))
      .reduce((sum, entry) => (entry.kind !== kind ? sum : sum + (kind === 'SPEND' ? -entry.amount : entry.amount)), 0);

  /** What could not go back to a wallet, as its account is deleted or will be. */
  const owed = (orderId: string) =>
    tickets
      .filter((ticket) => ticket.order_id === orderId && ticket.reason === 'DELETED')
      .reduce((sum, ticket) => sum + (ticket.state === 'PERSON' ? ticket.worth : ticket.amount), 0);

  for (const account of accounts) {
    const own = entries.filter((entry) => entry.account_id === account.id);
    must(account.balance >= 0, `I3 ${account.kind} ${account.id} holds ${account.balance}`);
    must(
      own.reduce((sum, entry) => sum + entry.amount, 0) === account.balance,
      `I3 ${account.kind} ${account.id} holds ${account.balance}, its movements come to another sum`,
    );
    let balance = 0;
    own.forEach((entry, index) => {
      balance += entry.amount;
      must(entry.seq === index + 1, `I3 movement ${index + 1} of ${account.id} has the number ${entry.seq}`);
      must(
        entry.balance_after === balance && balance >= 0,
        `I3 movement ${entry.seq} of ${account.id} left ${entry.balance_after}, not ${balance}`,
      );
      must(
        entry.kind === 'SPEND'
          ? entry.amount < 0 && (entry.order_id !== null || account.kind === 'POINTS')
          : entry.amount > 0,
        `I3 movement ${entry.seq} of ${account.id} is a ${entry.kind} of ${entry.amount}`,
      );
      const order = entry.order_id === null ? undefined : byId.get(entry.order_id);
      must(
        entry.order_id === null || (order !== undefined && order.currency === account.currency),
        `I3 movement ${entry.seq} of ${account.id} is of an order that is not there, or in another currency`,
      );
      must(
        order === undefined || account.kind !== 'WALLET' || order.user_id === account.user_id,
        `I10 wallet ${account.id} paid somebody else's order`,
      );
    });
    must(
      account.user_id === null || users.get(account.user_id)?.country === account.country,
      `I10 wallet ${account.id} belongs to nobody of its country`,
    );
  }

  const invoices = await db
    .selectFrom('invoices')
    .selectAll()
    .orderBy('store_id')
    .orderBy('kind')
    .orderBy('year')
    .orderBy('serial')
    .execute();
  invoices.forEach((paper, index) => {
    const before = invoices[index - 1];
    const isNext = before?.store_id === paper.store_id && before.kind === paper.kind && before.year === paper.year;
    must(paper.serial === (isNext ? before.serial + 1 : 1), `I13 ${paper.number} comes after ${before?.number}`);
    must(!isNext || paper.issued_at >= before.issued_at, `I13 ${paper.number} is older than ${before?.number}`);
    const order = byId.get(paper.order_id);
    must(
      order !== undefined && isHandedOver(order.status) && order.store_id === paper.store_id,
      `I13 ${paper.number} is of an order that was not handed over, or of another store`,
    );
  });
  for (const series of await db.selectFrom('invoice_series').selectAll().execute()) {
    const own = invoices.filter(
      ({ store_id, kind, year }) => store_id === series.store_id && kind === series.kind && year === series.year,
    );
    must(own.length === series.last, `I13 ${own.length} papers for ${series.last} numbers of ${series.store_id}`);
  }
  for (const order of orders) {
    const own = invoices.filter((paper) => paper.order_id === order.id);
    const [invoice] = own.filter(({ kind }) => kind === 'INVOICE');
    const notes = own.filter(({ kind }) => kind === 'CREDIT');
    must(
      (more.hasOlder
        ? invoice === undefined || isHandedOver(order.status)
        : isHandedOver(order.status) === (invoice !== undefined)) && own.length === notes.length + (invoice ? 1 : 0),
      `I13 order ${order.id} (${order.status}) has ${own.length - notes.length} invoices`,
    );
    must(invoice === undefined || invoice.amount === order.total, `I13 ${invoice?.number} is of another amount`);
    const back =
      refunds
        .filter(
          ({ order_id, reason }) =>
            order_id === order.id &&
            !['PAID_TWICE', 'PAID_LATE', 'AMOUNT', 'PAYMENT_FAILED', 'PROMISE', 'HELP'].includes(reason),
        )
        .reduce((sum, { amount }) => sum + amount, 0) +
      (credits.get(order.id)?.amount ?? 0) +
      tickets
        .filter((ticket) => ticket.order_id === order.id && ticket.money_by !== null)
        .reduce((sum, { amount }) => sum + amount, 0);
    must(
      invoice === undefined || notes.reduce((sum, { amount }) => sum + amount, 0) === Math.min(back, invoice.amount),
      `I13 what went back of order ${order.id} is not what its credit notes say`,
    );
  }

  for (const id of more.ackedOrders ?? []) must(byId.has(id), `I1 order ${id} was acknowledged and is not there`);

  for (const id of more.ackedPaid ?? []) {
    must(
      captures.some((capture) => capture.order_id === id && capture.pays === 1) &&
        !['PENDING', 'FAILED'].includes(byId.get(id)?.status ?? 'PENDING'),
      `I1 order ${id} was acknowledged as paid and is not`,
    );
  }

  const keys = new Set<string>();
  const carts = new Set<string>();
  for (const order of orders) {
    const own = payments.filter((payment) => payment.order_id === order.id);
    const paying = captures.filter((capture) => capture.order_id === order.id && capture.pays === 1);
    const at = `order ${order.id} (${order.status})`;
    const isLive = !['PENDING', 'FAILED', 'CANCELLED'].includes(order.status);

    must(paying.length <= 1, `I2 ${at} is paid ${paying.length} times`);
    if (isLive) {
      const due = own.find((payment) => payment.state === 'DUE_AT_DOOR');
      must(paying.length === 1 || due !== undefined, `I2 ${at} is under way and neither paid nor due at the door`);
      if (['DELIVERED', 'PICKED'].includes(order.status)) must(paying.length === 1, `I2 ${at} was handed over unpaid`);
    }
    for (const capture of paying) {
      // A missed promise is paid as that much less at the door.
      const credit = credits.get(order.id);
      const due =
        order.total -
        moved(order.id, 'SPEND') -
        (credit?.way === 'DOOR' ? credit.amount - moved(order.id, 'RETURN', ':PROMISE') : 0);
      must(
        capture.amount === due && capture.currency === order.currency,
        `I2 ${at}: captured ${capture.amount} of ${due}`,
      );
      must(
        own.some((payment) => payment.id === capture.payment_id && ['CAPTURED', 'REFUNDED'].includes(payment.state)),
        `I2 ${at}: its capture belongs to no captured payment`,
      );
    }

    must(!keys.has(`${order.user_id} ${order.idempotency_key}`), `I5 ${at}: its key made two orders`);
    keys.add(`${order.user_id} ${order.idempotency_key}`);
    must(!carts.has(`${order.cart_id} ${order.cart_version}`), `I5 ${at}: its cart made two orders`);
    carts.add(`${order.cart_id} ${order.cart_version}`);

    const steps = events.filter((event) => event.order_id === order.id);
    steps.forEach((step, index) => {
      const before = steps[index - 1];
      must(step.seq === index + 1, `I6 ${at}: event ${index + 1} has the number ${step.seq}`);
      must(
        (before?.status ?? null) === step.from_status,
        `I6 ${at}: ${step.status} says it came from ${step.from_status}`,
      );
      must(
        step.from_status === step.status ||
          TRANSITIONS.some((move) => move.from === step.from_status && move.to === step.status),
        `I6 ${at}: ${step.from_status} to ${step.status}`,
      );
      must(before === undefined || before.at <= step.at, `I6 ${at}: ${step.status} is older than what came before`);
      must(
        before === undefined || before.status !== step.status || before.stage !== step.stage,
        `I6 ${at}: ${step.status} ${step.stage} twice`,
      );
    });
    must(steps.at(-1)?.status === order.status, `I6 ${at}: its last event says ${steps.at(-1)?.status}`);

    if (order.status === 'FAILED') {
      must(paying.length === 0, `I7 ${at} failed with its money kept`);
      must(
        own.every((payment) => ['FAILED', 'REFUNDED'].includes(payment.state)),
        `I7 ${at} failed with an open payment`,
      );
    }
    if (order.status === 'CANCELLED') {
      for (const capture of paying)
        must(
          refunds.filter((refund) => refund.capture_id === capture.id).length === (capture.amount > 0 ? 1 : 0),
          `I7 ${at}: its money does not come back`,
        );
    }

    const [spent, back] = [moved(order.id, 'SPEND'), moved(order.id, 'RETURN')];
    must(spent <= order.total, `I3 ${at}: balances paid ${spent} of ${order.total}`);
    must(back <= spent, `I3 ${at}: balances paid ${spent} and got ${back} back`);
    if (['FAILED', 'CANCELLED'].includes(order.status))
      must(
        back + owed(order.id) === spent,
        `I7 ${at}: ${spent - back} of its balances is kept, of which ${owed(order.id)} waits for a person or at a counter`,
      );
    else {
      const ofHelp = entries
        .filter(
          (entry) => entry.order_id === order.id && entry.kind === 'RETURN' && entry.unique_key.includes(':HELP:'),
        )
        .reduce((sum, entry) => sum + entry.amount, 0);
      must(
        moved(order.id, 'RETURN', ':PROMISE') + ofHelp === back,
        `I7 ${at}: balances got money back while it stands`,
      );
    }
    for (const problem of helpProblems(order.id, { tickets, captures, refunds, entries, spent, back }))
      must(false, `I7 ${at}: ${problem}`);

    const snapshot = JSON.parse(order.snapshot) as OrderSnapshot;
    const sum = snapshot.bill.lines
      .filter((line) => line.included !== true)
      .reduce((total, line) => total + line.amount, 0);
    must(
      sum === order.total && snapshot.bill.total === order.total,
      `I8 ${at}: its bill comes to ${sum}, its total is ${order.total}`,
    );
    const items = snapshot.lines.reduce((total, line) => total + line.lineTotal, 0);
    must(
      items === snapshot.bill.lines.find((line) => line.id === 'items')?.amount,
      `I8 ${at}: its lines come to ${items}`,
    );

    const country = countryConfig(order.country);
    for (const line of snapshot.lines) {
      must(
        line.lineTotal === (line.free === true ? 0 : line.product.price * line.quantity),
        `I8 ${at}: ${line.quantity} of ${line.product.id} come to ${line.lineTotal}`,
      );
    }
    for (const problem of billProblems(country, snapshot.bill, order.delivery_type, items))
      must(false, `I8 ${at}: ${problem}`);

    const owner = users.get(order.user_id);
    must(owner !== undefined && owner.country === order.country, `I10 ${at}: belongs to nobody of its country`);
    must(
      own.length > 0 && own.every((payment) => payment.user_id === order.user_id),
      `I10 ${at}: a payment belongs to somebody else`,
    );
    const told =
      outbox.filter((entry) => entry.order_id === order.id && entry.kind === 'order.submitted').length +
      untold.filter((one) => one.orderId === order.id && one.kind === 'order.submitted').length;
    // What was sent is swept by its age.
    must(told === 1 || (told === 0 && order.submitted_at < shopNow - SENT_KEPT_MS), `I11 ${at}: not told exactly once`);
    must(
      order.currency === country.CURRENCY_CODE && own.every((payment) => payment.currency === order.currency),
      `I12 ${at}: its currency is ${order.currency}`,
    );
    must(
      [order.total, ...own.map((payment) => payment.amount)].every(Number.isSafeInteger),
      `I12 ${at}: an amount is no integer`,
    );
    // An attempt that came to nothing asked for what was left before an offer or an e-voucher changed it.
    must(
      own.every((payment) => payment.amount === order.total - spent || payment.state === 'FAILED'),
      `I2 ${at}: an attempt asks for another amount`,
    );
  }
  must(
    outbox.every((entry) => byId.has(entry.order_id)),
    'I11 the outbox speaks of an order that is not there',
  );

  for (const capture of captures) {
    const back = refunds.filter((refund) => refund.capture_id === capture.id);
    const isCancelled = byId.get(capture.order_id)?.status === 'CANCELLED';
    const credit = capture.pays === 1 ? credits.get(capture.order_id) : undefined;
    const promised = credit?.way === 'REFUND' ? credit.amount - moved(capture.order_id, 'RETURN', ':PROMISE') : null;
    must(
      back.length === (capture.amount > 0 && (capture.pays === 0 || isCancelled || promised !== null) ? 1 : 0),
      `I7 capture ${capture.id} (pays ${capture.pays}) has ${back.length} refunds`,
    );
    for (const refund of back)
      must(
        refund.amount === (promised ?? capture.amount),
        `I7 capture ${capture.id} of ${capture.amount} is refunded with ${refund.amount}`,
      );
  }
  for (const refund of refunds) {
    const payment = payments.find((own) => own.id === refund.payment_id);
    must(
      refund.by_provider === 1
        ? payment?.state === 'FAILED'
        : captures.some((capture) => capture.id === (refund.part_of ?? refund.capture_id)),
      `I7 refund ${refund.id} is of nothing`,
    );
  }

  for (const row of await db.selectFrom('idempotency').selectAll().where('state', '=', 'DONE').execute()) {
    const { orderId, paymentId } = (JSON.parse(row.ref) ?? {}) as { orderId?: string; paymentId?: string };
    must(row.body !== null, `I5 key ${row.idempotency_key} is done and has no reply`);
    if (orderId === undefined) continue;
    const said = (JSON.parse(row.body ?? '{}') as { order?: { orderId?: string; transactionId?: string } }).order;
    must(byId.has(orderId), `I5 key ${row.idempotency_key} speaks of an order that is not there`);
    must(
      said?.orderId === orderId && (paymentId === undefined || said.transactionId === paymentId),
      `I5 key ${row.idempotency_key} answers another order than it made`,
    );
  }

  // I9, as far as days and steps go: an order counts once for each holder, on its own day, and only while it stands.
  const counted = await db.selectFrom('counted_orders').selectAll().execute();
  for (const row of counted) {
    const order = byId.get(row.order_id);
    must(
      order !== undefined && !['FAILED', 'CANCELLED'].includes(order.status),
      `I9 order ${row.order_id} counts for ${row.holder} and came to nothing`,
    );
    must(
      order === undefined || row.day === localDay(order.submitted_at, countryConfig(order.country).timeZone),
      `I9 order ${row.order_id} counts on ${row.day}`,
    );
  }
  for (const order of orders) {
    const isStanding = !['FAILED', 'CANCELLED'].includes(order.status);
    must(
      !isStanding || counted.some((row) => row.order_id === order.id && row.holder === `user:${order.user_id}`),
      `I9 order ${order.id} does not count for its customer`,
    );
  }

  const owned = await db.selectFrom('carts').select(['id', 'user_id']).execute();
  /** A customer has a cart of their own, and one that their assistants fill. */
  const isOwnCart = (userId: string, cartId: string) =>
    users.get(userId)?.cart_id === cartId || (users.has(userId) && cartId === `for_${userId}`);
  for (const cart of owned) must(isOwnCart(cart.user_id, cart.id), `I10 cart ${cart.id} belongs to somebody else`);
  for (const lock of await db.selectFrom('price_locks').select(['cart_id', 'user_id']).execute()) {
    must(isOwnCart(lock.user_id, lock.cart_id), `I10 the price of cart ${lock.cart_id} is held for somebody else`);
  }
  for (const address of await db.selectFrom('addresses').select(['id', 'user_id']).execute())
    must(users.has(address.user_id), `I10 address ${address.id} belongs to nobody`);

  const currencyOf = new Map(orders.map((order) => [order.id, order.currency]));
  for (const [table, column, currency] of MONEY_COLUMNS) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(db);
    for (const row of rows) {
      must(
        Number.isSafeInteger(row[column]) && (row[column] as number) >= 0,
        `I12 ${table}.${column} is ${String(row[column])}`,
      );
      const orderId = (row['order_id'] ?? '') as string;
      if (currency !== undefined && currencyOf.has(orderId))
        must(
          row[currency] === currencyOf.get(orderId),
          `I12 ${table} of order ${orderId} is in ${String(row[currency])}`,
        );
    }
  }

  const states = await db.selectFrom('coupon_states').selectAll().execute();
  const uses = await db.selectFrom('coupon_redemptions').selectAll().execute();
  const catalogue = await db
    .selectFrom('catalogue_entries')
    .select(['country', 'id', 'body'])
    .where('kind', '=', 'coupon')
    .execute();
  for (const state of states) {
    const own = new Set(
      uses.filter((use) => use.country === state.country && use.code === state.code).map((use) => use.order_id),
    );
    const coupon = JSON.parse(
      catalogue.find((entry) => entry.country === state.country && entry.id === state.code)?.body ?? '{}',
    ) as { usage?: { total: number | null; perUser: number | null } };
    const limit = coupon.usage?.total ?? null;
    must(limit === null || state.used <= limit, `I4 ${state.code} was used ${state.used} of ${limit} times`);
    must(state.used === own.size, `I4 ${state.code} counts ${state.used} uses and has ${own.size}`);
    for (const id of own)
      must(
        byId.has(id) && !['FAILED', 'CANCELLED'].includes(byId.get(id)!.status),
        `I4 ${state.code} is held by order ${id}, which holds nothing`,
      );
    const perUser = coupon.usage?.perUser ?? null;
    const holders = new Map<string, number>();
    for (const use of uses)
      if (use.country === state.country && use.code === state.code)
        holders.set(use.holder, (holders.get(use.holder) ?? 0) + 1);
    for (const [holder, n] of holders)
      must(perUser === null || n <= perUser, `I4 ${state.code} was used ${n} times by ${holder}`);
  }

  if (more.settled === true) {
    must(untold.length === 0 && outbox.every((entry) => entry.sent_at !== null), 'I11 an order was never told of');
    const { now } = await readSystem(db);
    must(
      orders.every((order) => order.status !== 'PENDING' || order.settle_by > now),
      'I7 an order is open that nobody looks after',
    );
    const charges = await db.selectFrom('bank_charges').selectAll().execute();
    const movements = await db.selectFrom('bank_movements').selectAll().execute();
    for (const movement of movements) {
      const charge = charges.find((own) => own.id === movement.charge_id)!;
      const name = charge.channel === 'PAYTM' ? `paytm:${movement.id}` : movement.id;
      if (movement.kind === 'in')
        must(
          captures.some((capture) => capture.id === name && capture.amount === movement.amount),
          `I2 the bank has ${movement.id}, we do not`,
        );
      // Paytm's gateway returns a debit without a word.
      if (movement.kind === 'back' && charge.channel !== 'PAYTM')
        must(
          refunds.some((refund) => refund.capture_id === name && refund.by_provider === 1),
          `I7 the bank returns ${movement.id}, we do not know`,
        );
      if (movement.kind === 'refund')
        must(
          refunds.some((refund) => refund.id === movement.id),
          `I7 the bank refunds ${movement.id}, which we never asked for`,
        );
    }
    const asked = new Set(movements.filter((movement) => movement.kind === 'refund').map((movement) => movement.id));
    for (const refund of refunds)
      must(refund.by_provider === 1 || asked.has(refund.id), `I7 refund ${refund.id} never reached the bank`);
  }
  return found;
}

/** The same over a database's address, with a connection of its own. */
export async function violationsAt(target: string, more: Known = {}): Promise<string[]> {
  const { db } = await openDb(target);
  try {
    return await violations(db, more);
  } finally {
    await db.destroy();
  }
}

/** What the help gave back of one order: each ticket exactly once, and in sum with all else never more than was paid. */
function helpProblems(
  orderId: string,
  books: {
    tickets: readonly { id: string; order_id: string; state: string; way: string; amount: number }[];
    captures: readonly { id: string; order_id: string; amount: number; pays: number }[];
    refunds: readonly { order_id: string; capture_id: string; part_of: string | null; amount: number }[];
    entries: readonly { order_id: string | null; unique_key: string; amount: number }[];
    /** By balances, and back to them. */
    spent: number;
    back: number;
  },
): string[] {
  const sum = (rows: readonly { amount: number }[]) => rows.reduce((total, row) => total + row.amount, 0);
  const tickets = books.tickets.filter((ticket) => ticket.order_id === orderId);
  const paying = books.captures.find((capture) => capture.order_id === orderId && capture.pays === 1);
  const refunds = books.refunds.filter((refund) => paying && (refund.part_of ?? refund.capture_id) === paying.id);
  const elsewhere = sum(tickets.filter((ticket) => ticket.way !== 'SOURCE'));
  const paid = (paying?.amount ?? 0) + books.spent;
  const gone = sum(refunds) + books.back + elsewhere;
  const problems = gone > paid ? [`${gone} went back of ${paid}`] : [];
  if (paying && sum(refunds) > paying.amount) problems.push(`${sum(refunds)} of a capture of ${paying.amount}`);
  for (const { id, state, way, amount } of tickets) {
    const moves =
      sum(refunds.filter((refund) => refund.capture_id.endsWith(`:HELP:${id}`))) +
      sum(
        books.entries.filter((entry) => entry.unique_key.endsWith(`HELP:${id}`) || entry.unique_key === `help:${id}`),
      );
    if (state === 'PERSON' && amount > 0) problems.push(`ticket ${id} waits and has paid`);
    if ((way === 'SOURCE' || way === 'WALLET') && moves !== amount)
      problems.push(`ticket ${id} says ${amount} and moved ${moves}`);
  }
  return problems;
}
