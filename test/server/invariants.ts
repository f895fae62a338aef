import { TRANSITIONS } from '../../src/domain/orders.ts';
import { countryConfig } from '../../country/index.ts';
import { openDb, type Root } from '../../src/server/store/db.ts';
import type { OrderSnapshot } from '../../src/server/rules/orderView.ts';

/**
 * What must be true of the money and the orders at any moment between two transactions (reliability, section 2). `settled`
 * adds what is true once all jobs have run: the bank's books and ours agree. Every sentence is a violation.
 */
export async function violations(db: Root, more: { ackedOrders?: readonly string[]; settled?: boolean } = {}): Promise<string[]> {
  const found: string[] = [];
  const must = (holds: boolean, sentence: string) => { if (!holds) found.push(sentence); };
  const orders = await db.selectFrom('orders').selectAll().execute();
  const events = await db.selectFrom('order_events').selectAll().orderBy('order_id').orderBy('seq').execute();
  const payments = await db.selectFrom('payments').selectAll().execute();
  const captures = await db.selectFrom('captures').selectAll().execute();
  const refunds = await db.selectFrom('refunds').selectAll().execute();
  const outbox = await db.selectFrom('outbox').selectAll().execute();
  const byId = new Map(orders.map((order) => [order.id, order]));

  for (const id of more.ackedOrders ?? []) must(byId.has(id), `I1 order ${id} was acknowledged and is not there`);

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
      must(capture.amount === order.total && capture.currency === order.currency, `I2 ${at}: captured ${capture.amount} of ${order.total}`);
      must(own.some((payment) => payment.id === capture.payment_id && ['CAPTURED', 'REFUNDED'].includes(payment.state)), `I2 ${at}: its capture belongs to no captured payment`);
    }

    must(!keys.has(`${order.user_id} ${order.idempotency_key}`), `I5 ${at}: its key made two orders`);
    keys.add(`${order.user_id} ${order.idempotency_key}`);
    must(!carts.has(`${order.cart_id} ${order.cart_version}`), `I5 ${at}: its cart made two orders`);
    carts.add(`${order.cart_id} ${order.cart_version}`);

    const steps = events.filter((event) => event.order_id === order.id);
    steps.forEach((step, index) => {
      const before = steps[index - 1];
      must(step.seq === index + 1, `I6 ${at}: event ${index + 1} has the number ${step.seq}`);
      must((before?.status ?? null) === step.from_status, `I6 ${at}: ${step.status} says it came from ${step.from_status}`);
      must(step.from_status === step.status || TRANSITIONS.some((move) => move.from === step.from_status && move.to === step.status), `I6 ${at}: ${step.from_status} to ${step.status}`);
      must(before === undefined || before.at <= step.at, `I6 ${at}: ${step.status} is older than what came before`);
      must(before === undefined || before.status !== step.status || before.stage !== step.stage, `I6 ${at}: ${step.status} ${step.stage} twice`);
    });
    must(steps.at(-1)?.status === order.status, `I6 ${at}: its last event says ${steps.at(-1)?.status}`);

    if (order.status === 'FAILED') {
      must(paying.length === 0, `I7 ${at} failed with its money kept`);
      must(own.every((payment) => ['FAILED', 'REFUNDED'].includes(payment.state)), `I7 ${at} failed with an open payment`);
    }
    if (order.status === 'CANCELLED') {
      for (const capture of paying) must(refunds.filter((refund) => refund.capture_id === capture.id).length === 1, `I7 ${at}: its money does not come back`);
    }

    const snapshot = JSON.parse(order.snapshot) as OrderSnapshot;
    const sum = snapshot.bill.lines.filter((line) => line.included !== true).reduce((total, line) => total + line.amount, 0);
    must(sum === order.total && snapshot.bill.total === order.total, `I8 ${at}: its bill comes to ${sum}, its total is ${order.total}`);
    const items = snapshot.lines.reduce((total, line) => total + line.lineTotal, 0);
    must(items === snapshot.bill.lines.find((line) => line.id === 'items')?.amount, `I8 ${at}: its lines come to ${items}`);

    must(own.length > 0 && own.every((payment) => payment.user_id === order.user_id), `I10 ${at}: a payment belongs to somebody else`);
    must(outbox.filter((entry) => entry.order_id === order.id && entry.kind === 'order.submitted').length === 1, `I11 ${at}: not told exactly once`);
    must(order.currency === countryConfig(order.country).CURRENCY_CODE && own.every((payment) => payment.currency === order.currency), `I12 ${at}: its currency is ${order.currency}`);
    must([order.total, ...own.map((payment) => payment.amount)].every(Number.isSafeInteger), `I12 ${at}: an amount is no integer`);
    must(own.every((payment) => payment.amount === order.total), `I2 ${at}: an attempt asks for another amount`);
  }
  must(outbox.every((entry) => byId.has(entry.order_id)), 'I11 the outbox speaks of an order that is not there');

  for (const capture of captures) {
    const back = refunds.filter((refund) => refund.capture_id === capture.id);
    const isCancelled = byId.get(capture.order_id)?.status === 'CANCELLED';
    must(back.length === (capture.pays === 0 || isCancelled ? 1 : 0), `I7 capture ${capture.id} (pays ${capture.pays}) has ${back.length} refunds`);
    for (const refund of back) must(refund.amount === capture.amount, `I7 capture ${capture.id} of ${capture.amount} is refunded with ${refund.amount}`);
  }
  for (const refund of refunds) {
    const payment = payments.find((own) => own.id === refund.payment_id);
    must(refund.by_provider === 1 ? payment?.state === 'FAILED' : captures.some((capture) => capture.id === refund.capture_id), `I7 refund ${refund.id} is of nothing`);
  }

  const states = await db.selectFrom('coupon_states').selectAll().execute();
  const uses = await db.selectFrom('coupon_redemptions').selectAll().execute();
  const entries = await db.selectFrom('catalogue_entries').select(['country', 'id', 'body']).where('kind', '=', 'coupon').execute();
  for (const state of states) {
    const own = new Set(uses.filter((use) => use.country === state.country && use.code === state.code).map((use) => use.order_id));
    const coupon = JSON.parse(entries.find((entry) => entry.country === state.country && entry.id === state.code)?.body ?? '{}') as { usage?: { total: number | null; perUser: number | null } };
    const limit = coupon.usage?.total ?? null;
    must(limit === null || state.used <= limit, `I4 ${state.code} was used ${state.used} of ${limit} times`);
    must(state.used === own.size, `I4 ${state.code} counts ${state.used} uses and has ${own.size}`);
    for (const id of own) must(byId.has(id) && !['FAILED', 'CANCELLED'].includes(byId.get(id)!.status), `I4 ${state.code} is held by order ${id}, which holds nothing`);
    const perUser = coupon.usage?.perUser ?? null;
    const holders = new Map<string, number>();
    for (const use of uses) if (use.country === state.country && use.code === state.code) holders.set(use.holder, (holders.get(use.holder) ?? 0) + 1);
    for (const [holder, n] of holders) must(perUser === null || n <= perUser, `I4 ${state.code} was used ${n} times by ${holder}`);
  }

  if (more.settled === true) {
    const charges = await db.selectFrom('bank_charges').selectAll().execute();
    const movements = await db.selectFrom('bank_movements').selectAll().execute();
    for (const movement of movements) {
      const charge = charges.find((own) => own.id === movement.charge_id)!;
      const name = charge.channel === 'PAYTM' ? `paytm:${movement.id}` : movement.id;
      if (movement.kind === 'in') must(captures.some((capture) => capture.id === name && capture.amount === movement.amount), `I2 the bank has ${movement.id}, we do not`);
      if (movement.kind === 'back') must(refunds.some((refund) => refund.capture_id === name && refund.by_provider === 1), `I7 the bank returns ${movement.id}, we do not know`);
      if (movement.kind === 'refund') must(refunds.some((refund) => refund.id === movement.id), `I7 the bank refunds ${movement.id}, which we never asked for`);
    }
    const asked = new Set(movements.filter((movement) => movement.kind === 'refund').map((movement) => movement.id));
    for (const refund of refunds) must(refund.by_provider === 1 || asked.has(refund.id), `I7 refund ${refund.id} never reached the bank`);
  }
  return found;
}

/** The same over a database's address, with a connection of its own. */
export async function violationsAt(target: string, more: Parameters<typeof violations>[1] = {}): Promise<string[]> {
  const { db } = await openDb(target);
  try { return await violations(db, more); } finally { await db.destroy(); }
}
