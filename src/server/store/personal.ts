import { sql, type RawBuilder } from 'kysely';
import type { Tables } from './db.ts';
import type { OrderSnapshot } from './orders.ts';
import { readInvoiceSeed } from './seeds.ts';

// What the database knows of a person, table by table and column by column: what becomes of it when the person deletes
// their account, and what they are told of it when they download their data. Every table and column takes its stand here:
// without it nothing compiles. The tables stand in the order in which they are worked on: whatever is found by another row,
// or points at it, before that row. How a deletion goes on: rules/people/deletion.ts.

/** The person whose rows are looked for. Ids are the account's and those of guests that became it. */
export interface PersonKeys {
  readonly userIds: readonly string[];
  readonly country: string;
  /** The country's own digits; null where the account has no number. */
  readonly mobile: string | null;
  /** The same as '+91...'. */
  readonly international: string | null;
  /** The id of nobody, to whom what stays belongs from now on. While a person is only told of their rows: ''. */
  readonly nobody: string;
}

/** In which part of a download a table's rows are. */
export type Section = 'me' | 'addresses' | 'orders' | 'money' | 'points' | 'devices' | 'consents' | 'help' | 'activity';

export interface Column {
  /** Whether a download has it. Keys of our own, secrets and hashes mean nothing to anybody. */
  readonly isTold: boolean;
  /** In a row that stays: what is written in its place. Without it the column stays as it is. */
  readonly becomes?: (who: PersonKeys) => RawBuilder<unknown>;
  /** In a row that stays: what a text is rewritten to. Such a table needs the column `id`. */
  readonly rewritten?: (text: string) => string;
}
const told: Column = { isTold: true };
const silent: Column = { isTold: false };
const empty: Column['becomes'] = () => sql`''`;
const none: Column['becomes'] = () => sql`null`;
const nobodyInstead: Column = { isTold: false, becomes: ({ nobody }) => sql`${nobody}` };

type Columns<T extends keyof Tables> = { readonly [C in keyof Tables[T]]-?: Column };
/** A person with their orders: found once, as each of some twenty tables is asked for what belongs to them. */
export interface PersonWithOrders extends PersonKeys {
  readonly orderIds: readonly string[];
}
type Rows = (who: PersonWithOrders) => RawBuilder<unknown>;

/** `goes`: its rows of the person are deleted. `stays`: they lose the person. `nobodys`: it has none of any person. */
export type Personal<T extends keyof Tables = keyof Tables> =
  | { readonly fate: 'goes'; readonly section?: Section; readonly rows: Rows; readonly columns: Columns<T> }
  | {
      readonly fate: 'stays';
      readonly section?: Section;
      readonly why: string;
      readonly rows: Rows;
      /** Rows that go all the same, before the others lose the person. */
      readonly spare?: Rows;
      readonly columns: Columns<T>;
    }
  | { readonly fate: 'nobodys'; readonly why: string; readonly columns: readonly (keyof Tables[T])[] };

const ids = ({ userIds }: PersonKeys) => sql.join(userIds.length > 0 ? userIds : ['']);
const own = (who: PersonKeys) => sql`user_id in (${ids(who)})`;
/**
 * Orders of the person: a select of their ids, in which each branch has an index of its own. A guest's with the person's
 * number lose it, too; they are not told, as nobody has proven that the number was not a slip of the stranger whose name
 * and door are in them.
 */
export const ordersOf = (who: PersonKeys) => {
  const ofGuests =
    who.nobody === '' || who.mobile === null
      ? sql``
      : sql` union select o.id from orders o join users u on u.id = o.user_id
          where o.country = ${who.country} and o.mobile = ${who.mobile} and o.mobile <> '' and u.guest = 1`;
  return sql`select id from orders where ${own(who)}${ofGuests}`;
};
const orderIds = ({ orderIds: found }: PersonWithOrders) => sql.join(found.length > 0 ? found : ['']);
const ofOrders: Rows = (who) => sql`order_id in (${orderIds(who)})`;
const cartsOf = (who: PersonKeys) => sql`select id from carts where ${own(who)}`;
const ofCarts: Rows = (who) => sql`cart_id in (${cartsOf(who)})`;
const sessionsOf = (who: PersonKeys) => sql`(select id from sessions where ${own(who)})`;
const accountsOf = (who: PersonKeys) =>
  sql`select id from ledger_accounts where user_id in (${sql.join([...who.userIds, who.nobody])})`;
const pointsOf = (who: PersonKeys) => sql`select account_id from loyalty_members where ${own(who)}`;
const number = ({ mobile }: PersonKeys) => sql`${mobile}`;
const holders = (who: PersonKeys) => [
  ...who.userIds.map((id) => `user:${id}`),
  ...(who.mobile === null ? [] : [`mobile:${who.mobile}`]),
];
/** Holders that coupons and first orders are counted by: the account, and numbers of earlier orders. */
const ofHolders: Rows = (who) =>
  sql`((country = ${who.country} and holder in (${sql.join(holders(who))})) or ${ofOrders(who)})`;
/**
 * The row of an order that says the same as another of the order: with all names gone, one of them is enough.
 * @param same columns that are no names. Compared as one text, since SQLite would else go by a key that begins with them, and
 * read every use of a coupon for each order.
 */
const twice = (table: string, same: readonly string[], more: readonly string[]) => (who: PersonWithOrders) => {
  const of = (name: string, columns: readonly string[], between: RawBuilder<unknown>) =>
    sql.join(
      columns.map((column) => sql.ref(`${name}.${column}`)),
      between,
    );
  const both = (name: string) => of(name, same, sql` || ' ' || `);
  const tuple = (name: string) => of(name, more, sql`, `);
  const alike = same.length === 0 ? sql`` : sql` and ${both('other')} = ${both(table)}`;
  return sql`${ofHolders(who)} and exists (select 1 from ${sql.table(table)} other
    where other.order_id = ${sql.ref(`${table}.order_id`)}${alike} and (${tuple('other')}) < (${tuple(table)}))`;
};
const chargesOf = (who: PersonWithOrders) => sql`(select p.reference from payments p where p.${ofOrders(who)})`;
const owner = (who: PersonKeys): RawBuilder<unknown> =>
  sql`case when user_id in (${ids(who)}) then ${who.nobody} else user_id end`;
/** Stands for a name on a shared bill. */
export const NAMELESS = '–';

/** A dish of somebody's group order says who put it in: everybody's name goes, or that of one person. */
export const nameless = <L extends OrderSnapshot['lines'][number]>(line: L, personId = line.by?.personId): L =>
  line.by === undefined || line.by.personId !== personId ? line : { ...line, by: { ...line.by, name: NAMELESS } };

/** An order as the books need it: what was sold, where, at which price and with which taxes. */
function withoutPerson(text: string): string {
  const { cart: _cart, ...snapshot } = JSON.parse(text) as OrderSnapshot;
  return JSON.stringify({
    ...snapshot,
    address: null,
    vehicle: null,
    table: null,
    customer: { firstName: '', lastName: '', mobile: '' },
    lines: snapshot.lines.map(({ note: _note, ...line }) => nameless(line)),
    instructions: [],
    note: null,
    ...(snapshot.group === undefined
      ? {}
      : {
          group: { ...snapshot.group, people: snapshot.group.people.map((one) => ({ ...one, name: NAMELESS })) },
        }),
  } satisfies OrderSnapshot);
}

/** The buyer of an invoice stays where the country's law wants the name on it. */
function buyerKept({ country }: PersonKeys): RawBuilder<unknown> {
  const { buyerNamedFrom: from } = readInvoiceSeed(country);
  return from === null ? sql`null` : sql`case when amount >= ${from} then buyer else null end`;
}

/** What a refund of a late payment would need: the payment app it came through. */
function withoutPayer(text: string): string {
  const { host } = JSON.parse(text) as { readonly host?: string };
  return JSON.stringify(host === undefined ? {} : { host });
}

export const PERSONAL: { readonly [T in keyof Tables]: Personal<T> } = {
  payments: {
    fate: 'stays',
    section: 'money',
    why: 'the books: what was paid, when and in which way',
    rows: (who) => sql`(${own(who)} or ${ofOrders(who)})`,
    columns: {
      id: told,
      order_id: told,
      attempt: silent,
      reference: told,
      user_id: { ...silent, becomes: owner },
      mode: told,
      label: told,
      amount: told,
      currency: told,
      state: told,
      step: { ...silent, becomes: none },
      details: { ...told, rewritten: withoutPayer },
      return_path: { ...silent, becomes: empty },
      created_at: told,
      settle_by: silent,
      settled_at: told,
      code: silent,
      link: { ...silent, becomes: none },
      holder: { ...silent, becomes: none },
    },
  },
  promise_credits: {
    fate: 'stays',
    section: 'money',
    why: 'the books: what a missed promise paid',
    rows: own,
    columns: { order_id: told, user_id: nobodyInstead, amount: told, currency: told, at: told, way: told },
  },
  ledger_accounts: {
    fate: 'stays',
    section: 'money',
    why: 'the books: the sums of all movements must hold',
    rows: own,
    columns: {
      id: told,
      kind: told,
      country: told,
      currency: told,
      user_id: nobodyInstead,
      balance: told,
      created_at: told,
    },
  },
  ledger_entries: {
    fate: 'stays',
    section: 'money',
    why: 'the books: a movement is never changed, and says nothing of a person',
    rows: (who) => sql`account_id in (${accountsOf(who)} union ${pointsOf(who)})`,
    columns: {
      id: silent,
      unique_key: silent,
      account_id: told,
      seq: told,
      kind: told,
      amount: told,
      balance_after: told,
      order_id: told,
      at: told,
    },
  },
  captures: {
    fate: 'stays',
    section: 'money',
    why: 'the books: money that arrived',
    rows: ofOrders,
    columns: {
      id: silent,
      payment_id: told,
      order_id: told,
      amount: told,
      currency: told,
      at: told,
      pays: silent,
    },
  },
  refunds: {
    fate: 'stays',
    section: 'money',
    why: 'the books: money that went back',
    rows: ofOrders,
    columns: {
      id: silent,
      capture_id: silent,
      part_of: silent,
      payment_id: told,
      order_id: told,
      amount: told,
      currency: told,
      reason: told,
      state: told,
      by_provider: silent,
      created_at: told,
      expected_from: told,
      expected_to: told,
      paid_at: told,
    },
  },
  invoices: {
    fate: 'stays',
    section: 'money',
    why: 'the books: invoices and credit notes as tax law asks for them, without gaps',
    rows: ofOrders,
    columns: {
      id: silent,
      order_id: told,
      kind: told,
      cause: silent,
      store_id: told,
      year: told,
      serial: told,
      number: told,
      amount: told,
      currency: told,
      issued_at: told,
      paper: told,
      buyer: { ...told, becomes: buyerKept },
    },
  },
  invoice_files: {
    fate: 'goes',
    rows: ofOrders,
    columns: { order_id: silent, papers: silent, content: silent, made_at: silent },
  },
  invoice_series: {
    fate: 'nobodys',
    why: 'the last number of each store, kind and year',
    columns: ['store_id', 'kind', 'year', 'last', 'last_at'],
  },
  order_events: {
    fate: 'stays',
    section: 'orders',
    why: 'the books: when an order was placed, made and handed over',
    rows: ofOrders,
    columns: { order_id: told, seq: silent, from_status: silent, status: told, stage: told, actor: silent, at: told },
  },
  outbox: {
    fate: 'stays',
    why: 'what the store was told of an order: number, store and total; swept by age',
    rows: ofOrders,
    columns: { order_id: silent, kind: silent, payload: silent, created_at: silent, sent_at: silent },
  },
  coupon_redemptions: {
    fate: 'stays',
    section: 'orders',
    why: 'the books: a coupon counts its uses, each of which is an order',
    rows: ofHolders,
    spare: twice('coupon_redemptions', ['country', 'code'], ['holder', 'slot']),
    columns: {
      country: silent,
      code: told,
      holder: { ...silent, becomes: () => sql`'order:' || order_id` },
      slot: silent,
      order_id: told,
      redeemed_at: told,
    },
  },
  counted_orders: {
    fate: 'stays',
    why: 'the books: an order counts on its day',
    rows: ofHolders,
    spare: twice('counted_orders', [], ['holder']),
    columns: {
      order_id: silent,
      country: silent,
      holder: { ...silent, becomes: ({ nobody }) => sql`${`user:${nobody}`}` },
      day: silent,
    },
  },
  vouchers: {
    fate: 'stays',
    why: 'an e-voucher belongs to whoever has its number and pin, who may be somebody else',
    rows: (who) => sql`(country = ${who.country} and mobile = ${number(who)})`,
    columns: {
      id: silent,
      country: silent,
      number_hash: silent,
      last_four: told,
      salt: silent,
      pin_hash: silent,
      tries_left: silent,
      locked_until: silent,
      mobile: { ...told, becomes: none },
      expires_at: told,
      is_given: silent,
    },
  },
  bank_charges: {
    fate: 'stays',
    why: 'the books of the imitated bank, which in production is a company of its own',
    rows: (who) => sql`reference in ${chargesOf(who)}`,
    columns: {
      id: silent,
      reference: silent,
      channel: silent,
      amount: silent,
      currency: silent,
      description: { ...silent, becomes: empty },
      payee_vpa: silent,
      return_url: silent,
      notify_url: silent,
      page_key: silent,
      state: silent,
      outcome: silent,
      debited: silent,
      bin: { ...silent, becomes: none },
      last_four: { ...silent, becomes: none },
      collect_vpa: { ...silent, becomes: none },
      token: { ...silent, becomes: none },
      token_used: silent,
      code: silent,
      created_at: silent,
      expires_at: silent,
      changed_at: silent,
    },
  },
  vendor_wallets: {
    fate: 'stays',
    why: 'the books of the imitated wallet, which in production is a company of its own',
    rows: (who) => sql`mobile = ${number(who)}`,
    columns: { mobile: nobodyInstead, balance: silent },
  },
  vendor_wallet_debits: {
    fate: 'stays',
    why: 'the books of the imitated wallet, which in production is a company of its own',
    rows: (who) => sql`mobile = ${number(who)}`,
    columns: { charge_id: silent, mobile: nobodyInstead, amount: silent, returned: silent },
  },
  idempotency: {
    fate: 'goes',
    // A reply is kept for whoever asked, here a guest who gave the person's number.
    rows: (who) => sql`(${own(who)} or user_id in (select user_id from orders where id in (${orderIds(who)})))`,
    columns: {
      user_id: silent,
      idempotency_key: silent,
      fingerprint: silent,
      state: silent,
      ref: silent,
      body: silent,
      lease_until: silent,
      created_at: silent,
    },
  },
  first_orders: {
    fate: 'goes',
    rows: ofOrders,
    columns: { country: silent, holder: silent, slot: silent, order_id: silent, ends_at: silent },
  },
  order_shares: {
    fate: 'goes',
    rows: ofOrders,
    columns: { token: silent, order_id: silent, created_at: silent },
  },
  // A shorter word for what stays in the orders themselves.
  order_dishes: { fate: 'goes', rows: ofOrders, columns: { order_id: silent, dishes: silent } },
  train_news: {
    fate: 'goes',
    rows: (who) => sql`train_id in (select id from train_orders where ${own(who)})`,
    columns: { train_id: silent, seq: silent, kind: silent, details: silent, at: silent },
  },
  train_orders: {
    fate: 'goes',
    section: 'orders',
    rows: own,
    columns: {
      id: silent,
      user_id: silent,
      country: silent,
      order_id: told,
      store_id: told,
      station: told,
      run: silent,
      train_number: told,
      train_name: told,
      pnr: silent,
      pnr_end: told,
      coach: told,
      berth: told,
      passenger_name: told,
      passenger_mobile: told,
      mobile: told,
      language: silent,
      checked_at: silent,
      stops: silent,
      scheduled_at: told,
      agreed_at: silent,
      arrives_at: told,
      departs_at: silent,
      platform: silent,
      cutoff_minutes: silent,
      halted_at: told,
      question: silent,
      answer_by: silent,
      code_tries: silent,
      seen_at: silent,
      forget_at: silent,
      created_at: told,
    },
  },
  railway_events: {
    fate: 'nobodys',
    why: 'trains of the embedded railway',
    columns: ['id', 'run', 'kind', 'station', 'minutes', 'platform', 'at'],
  },
  pay_links: { fate: 'goes', rows: ofOrders, columns: { order_id: silent, token: silent, created_at: silent } },
  help_tickets: {
    fate: 'stays',
    section: 'help',
    why: 'the books: for what money went back',
    rows: own,
    columns: {
      id: told,
      order_id: told,
      user_id: nobodyInstead,
      issue: told,
      state: told,
      reason: silent,
      pieces: told,
      comment: { ...told, becomes: none },
      worth: told,
      amount: told,
      way: told,
      answer: { ...told, becomes: none },
      language: silent,
      money_by: told,
      created_at: told,
      answer_by: told,
      answered_at: told,
    },
  },
  help_parts: {
    fate: 'goes',
    rows: ofOrders,
    columns: { order_id: silent, line_id: silent, part: silent, taken: silent },
  },
  help_customers: {
    fate: 'goes',
    rows: (who) => sql`who in (${sql.join([...who.userIds, `${who.country}:${who.mobile ?? ''}`])})`,
    columns: { who: silent, since: told, claims: told, given: told },
  },
  feedbacks: {
    fate: 'goes',
    section: 'help',
    rows: (who) => sql`(${own(who)} or ${ofOrders(who)})`,
    columns: {
      id: silent,
      order_id: told,
      user_id: silent,
      overall: told,
      nps: told,
      aspects: told,
      comment: told,
      additional: told,
      created_at: told,
      changed_at: told,
    },
  },
  feedback_asks: {
    fate: 'goes',
    rows: ofOrders,
    columns: { order_id: silent, token: silent, created_at: silent, sent_at: silent, dismissed_at: silent },
  },
  offline_feedbacks: {
    fate: 'goes',
    section: 'help',
    rows: (who) => sql`(${own(who)} or (country = ${who.country} and mobile = ${number(who)}))`,
    columns: {
      id: silent,
      user_id: silent,
      country: silent,
      mobile: told,
      experience: told,
      rating: told,
      created_at: told,
    },
  },
  rider_notes: {
    fate: 'goes',
    section: 'orders',
    rows: ofOrders,
    columns: { order_id: told, seq: silent, text: told, at: told },
  },
  orders: {
    fate: 'stays',
    section: 'orders',
    why: 'the books: number, store, dishes, amounts, taxes and dates, as long as tax law asks for them',
    rows: (who) => sql`id in (${orderIds(who)})`,
    columns: {
      id: told,
      number: told,
      country: told,
      host: told,
      user_id: { ...silent, becomes: owner },
      mobile: { ...told, becomes: empty },
      idempotency_key: { ...silent, becomes: () => sql`id` },
      cart_id: { ...silent, becomes: () => sql`'order:' || id` },
      cart_version: silent,
      store_id: told,
      delivery_type: told,
      status: told,
      stage: silent,
      total: told,
      currency: told,
      snapshot: { ...told, rewritten: withoutPerson },
      submitted_at: told,
      scheduled_for: told,
      starts_at: silent,
      confirmed_at: told,
      finished_at: told,
      life: silent,
      settle_by: silent,
      hand_over_code: { ...silent, becomes: none },
      arrived_at: told,
      bay: { ...told, becomes: none },
      promise_deadline: told,
      promise_state: told,
      trace: { ...silent, becomes: none },
      cutlery: { ...told, becomes: none },
    },
  },
  old_customers: {
    fate: 'goes',
    rows: own,
    columns: { user_id: silent, orders: silent, standing: silent, opened_at: silent },
  },
  addresses: {
    fate: 'goes',
    section: 'addresses',
    rows: own,
    columns: { id: told, user_id: silent, address: told, created_at: told, changed_at: told },
  },
  favourite_orders: {
    fate: 'goes',
    section: 'me',
    rows: own,
    columns: { user_id: silent, order_id: told, saved_at: told },
  },
  favourite_products: {
    fate: 'goes',
    section: 'me',
    rows: own,
    columns: { user_id: silent, product_id: told, added_at: told },
  },
  saved_cards: {
    fate: 'goes',
    section: 'money',
    rows: own,
    columns: {
      id: told,
      user_id: silent,
      token: silent,
      brand: told,
      last_four: told,
      expires_at: told,
      created_at: told,
    },
  },
  card_offers: {
    fate: 'goes',
    rows: own,
    columns: { token_hash: silent, user_id: silent, codes: silent, card: silent, ends_at: silent },
  },
  bank_cards: {
    fate: 'goes',
    rows: (who) => sql`token in (select token from saved_cards where ${own(who)})`,
    columns: {
      token: silent,
      bin: silent,
      last_four: silent,
      brand: silent,
      fingerprint: silent,
      expires_at: silent,
      created_at: silent,
    },
  },
  voucher_links: {
    fate: 'goes',
    section: 'money',
    rows: own,
    columns: { user_id: silent, voucher_id: told, linked_at: told },
  },
  linked_wallets: {
    fate: 'goes',
    section: 'money',
    rows: own,
    columns: { user_id: silent, provider: told, mobile: told, token: silent, linked_at: told },
  },
  vendor_wallet_grants: {
    fate: 'goes',
    rows: (who) => sql`mobile = ${number(who)}`,
    columns: { hash: silent, kind: silent, mobile: silent, code_hash: silent, tries_left: silent, ends_at: silent },
  },
  loyalty_orders: {
    fate: 'goes',
    section: 'points',
    rows: (who) => sql`account_id in (${pointsOf(who)})`,
    columns: {
      order_id: told,
      account_id: silent,
      day: told,
      points: told,
      delivered_at: told,
      due_at: told,
      state: told,
    },
  },
  league_entries: {
    fate: 'goes',
    section: 'points',
    rows: own,
    columns: { unique_key: told, season: told, user_id: silent, amount: told, at: told },
  },
  league_predictions: {
    fate: 'goes',
    section: 'points',
    rows: own,
    columns: { match_id: told, user_id: silent, pick: told, at: told },
  },
  league_scores: {
    fate: 'goes',
    section: 'points',
    rows: own,
    columns: { season: told, user_id: silent, slices: told, reached_at: told },
  },
  league_players: {
    fate: 'goes',
    section: 'points',
    rows: own,
    columns: { user_id: silent, country: silent, nickname: told, nickname_key: silent, joined_at: told },
  },
  league_results: {
    fate: 'nobodys',
    why: 'how many orders the stores of two cities delivered on a weekend',
    columns: ['match_id', 'home', 'away', 'decided_at'],
  },
  loyalty_members: {
    fate: 'goes',
    section: 'points',
    rows: own,
    columns: { account_id: silent, user_id: silent, country: silent, card_code: told, status: told, since: told },
  },
  loyalty_campaigns: {
    fate: 'nobodys',
    why: 'what the shop gives points for',
    columns: ['id', 'country', 'reason', 'points', 'starts_at', 'ends_at'],
  },
  cart_spins: {
    fate: 'goes',
    section: 'points',
    // By their carts, which are turned by their owners alone: neither engine has one index for both ways.
    rows: (who) => sql`cart_id in (select cart_id from cart_spins where ${own(who)} union ${cartsOf(who)})`,
    columns: {
      cart_id: silent,
      round: silent,
      user_id: silent,
      country: silent,
      slot: silent,
      label: told,
      code: told,
      points: told,
      spun_at: told,
      order_id: told,
    },
  },
  price_locks: {
    fate: 'goes',
    rows: own,
    columns: {
      cart_id: silent,
      cart_version: silent,
      context: silent,
      user_id: silent,
      total: silent,
      quote: silent,
      priced_at: silent,
      locked_until: silent,
    },
  },
  bill_people: { fate: 'goes', rows: own, columns: { person_id: silent, order_id: silent, user_id: silent } },
  group_people: {
    fate: 'goes',
    section: 'orders',
    rows: (who) => sql`(${own(who)} or group_id in (select id from group_orders where ${ofCarts(who)}))`,
    columns: {
      id: silent,
      group_id: silent,
      user_id: silent,
      is_host: told,
      name: told,
      diet: told,
      done: silent,
      state: told,
      joined_at: told,
    },
  },
  group_orders: {
    fate: 'goes',
    section: 'orders',
    rows: (who) => sql`(host_user_id in (${ids(who)}) or ${ofCarts(who)})`,
    columns: {
      id: silent,
      code: silent,
      country: silent,
      host: silent,
      cart_id: silent,
      host_user_id: silent,
      state: told,
      closes_at: told,
      limit_each: told,
      people: told,
      changes: silent,
      order_id: told,
      created_at: told,
    },
  },
  cart_lines: {
    fate: 'goes',
    section: 'orders',
    rows: ofCarts,
    columns: {
      cart_id: silent,
      line_id: silent,
      position: silent,
      quantity: told,
      removed: told,
      wish: told,
      changed_at: told,
      person_id: silent,
      aside: told,
    },
  },
  cart_coupons: {
    fate: 'goes',
    section: 'orders',
    rows: ofCarts,
    columns: { cart_id: silent, code: told, position: silent, declined: told },
  },
  cart_operations: {
    fate: 'goes',
    rows: ofCarts,
    columns: { cart_id: silent, operation_id: silent, done_at: silent },
  },
  carts: {
    fate: 'goes',
    section: 'orders',
    rows: own,
    columns: {
      id: silent,
      user_id: silent,
      country: silent,
      version: silent,
      store_id: told,
      delivery_type: told,
      tip: told,
      carry_bag: told,
      cutlery: told,
      payment_mode: told,
      touched_at: told,
      group_id: silent,
      best_offer: silent,
      reward: silent,
      train_order: silent,
    },
  },
  memories: {
    fate: 'goes',
    section: 'activity',
    rows: own,
    columns: { id: silent, country: silent, user_id: silent, memory: told, ends_at: told },
  },
  activity: {
    fate: 'goes',
    section: 'activity',
    rows: own,
    columns: { id: silent, kind: told, user_id: silent, country: told, name: told, data: told, at: told },
  },
  vitals: {
    fate: 'nobodys',
    why: 'how fast pages were; no row says whose',
    columns: ['id', 'country', 'host', 'network', 'page', 'metric', 'value', 'at'],
  },
  experiment_campaigns: {
    fate: 'nobodys',
    why: 'which experiments there are',
    columns: ['country', 'id', 'key', 'status', 'body', 'created_at', 'started_at', 'stopped_at'],
  },
  experiment_visitors: {
    fate: 'goes',
    section: 'activity',
    rows: own,
    columns: {
      country: silent,
      campaign_id: told,
      visitor: told,
      variation: told,
      mixed: silent,
      user_id: silent,
      at: told,
    },
  },
  experiment_elsewhere: {
    fate: 'goes',
    section: 'activity',
    rows: own,
    columns: { country: silent, campaign_id: told, visitor: told, variation: told, user_id: silent, at: told },
  },
  experiment_events: {
    fate: 'goes',
    section: 'activity',
    rows: own,
    columns: {
      id: silent,
      country: silent,
      campaign_id: told,
      goal_id: told,
      visitor: told,
      user_id: silent,
      revenue: told,
      order_id: told,
      tag: told,
      at: told,
    },
  },
  fingerprints: {
    fate: 'goes',
    section: 'devices',
    rows: own,
    columns: { id: silent, user_id: silent, data: told, value: silent, at: told, signs: told },
  },
  push_subscriptions: {
    fate: 'goes',
    section: 'devices',
    rows: own,
    columns: {
      endpoint: told,
      user_id: silent,
      session_id: silent,
      p256dh: silent,
      auth: silent,
      mount: silent,
      language: told,
      created_at: told,
    },
  },
  known_devices: {
    fate: 'goes',
    section: 'devices',
    rows: (who) => sql`(country = ${who.country} and mobile = ${number(who)})`,
    columns: { device: silent, country: silent, mobile: told, seen_at: told },
  },
  counters: {
    fate: 'goes',
    rows: (who) =>
      sql`(${sql.join(
        [...who.userIds, ...(who.mobile === null ? [] : [who.mobile])].map((one) => sql`id like ${`%${one}%`}`),
        sql` or `,
      )})`,
    columns: { id: silent, used: silent, ends_at: silent },
  },
  codes: {
    fate: 'goes',
    rows: (who) =>
      sql`(${sql.join(
        [
          ...who.userIds.map((id) => `%|${id}`),
          ...(who.mobile === null ? [] : [`%|${who.country}|${who.mobile}|%`]),
        ].map((one) => sql`id like ${one}`),
        sql` or `,
      )})`,
    columns: {
      id: silent,
      salt: silent,
      hash: silent,
      sent_at: silent,
      ends_at: silent,
      tries_left: silent,
      used_at: silent,
      details: silent,
    },
  },
  code_numbers: {
    fate: 'goes',
    rows: ({ international }) => sql`mobile = ${international}`,
    columns: { mobile: silent, turn: silent },
  },
  code_sends: {
    fate: 'goes',
    section: 'activity',
    rows: ({ international }) => sql`mobile = ${international}`,
    columns: { id: silent, mobile: told, lane: silent, sent_at: told },
  },
  inbox: {
    fate: 'goes',
    rows: ({ international }) => sql`mobile = ${international}`,
    columns: { id: silent, mobile: silent, message: silent, sent_at: silent },
  },
  jobs: {
    fate: 'goes',
    // A job that runs is this one, and goes with its end.
    rows: (who) =>
      sql`state <> 'RUN' and (${sql.join(
        [...who.userIds, ...(who.mobile === null ? [] : [who.mobile])].map((one) => sql`payload like ${`%"${one}"%`}`),
        sql` or `,
      )})`,
    columns: {
      id: silent,
      kind: silent,
      lane: silent,
      unique_key: silent,
      run_at: silent,
      payload: silent,
      state: silent,
      attempts: silent,
      lease_until: silent,
      error: silent,
      trace: silent,
    },
  },
  nonces: {
    fate: 'goes',
    rows: own,
    columns: { nonce: silent, vendor: silent, user_id: silent, ends_at: silent, used_at: silent },
  },
  passwords: { fate: 'goes', section: 'me', rows: own, columns: { user_id: silent, hash: silent, set_at: told } },
  social_logins: {
    fate: 'goes',
    rows: own,
    columns: {
      id: silent,
      country: silent,
      source: silent,
      user_id: silent,
      nonce: silent,
      verifier: silent,
      redirect_uri: silent,
      back: silent,
      answer: silent,
      ends_at: silent,
      used_at: silent,
      token_hash: silent,
      person: silent,
      done_at: silent,
    },
  },
  vendor_grants: {
    fate: 'goes',
    rows: (who) =>
      sql`(${who.mobile === null ? sql`1 = 0` : sql`person like ${`%${who.mobile}%`}`} or exists (select 1 from identities i where i.${own(who)} and vendor_grants.person like '%"' || i.subject || '"%'))`,
    columns: { id: silent, kind: silent, client_id: silent, person: silent, ends_at: silent, used_at: silent },
  },
  identities: {
    fate: 'goes',
    section: 'me',
    rows: own,
    columns: { vendor: told, country: silent, subject: told, user_id: silent, created_at: told },
  },
  assistant_clients: {
    fate: 'nobodys',
    why: 'programs, and what they call themselves',
    columns: ['id', 'name', 'redirects', 'used_at'],
  },
  assistant_codes: {
    fate: 'goes',
    rows: own,
    columns: {
      hash: silent,
      client_id: silent,
      user_id: silent,
      redirect: silent,
      challenge: silent,
      scopes: silent,
      session_id: silent,
      ends_at: silent,
    },
  },
  assistant_quotes: {
    fate: 'goes',
    rows: own,
    columns: {
      id: silent,
      checkout_id: silent,
      made_at: silent,
      user_id: silent,
      name: silent,
      wish: silent,
      cart_version: silent,
      total: silent,
      ends_at: silent,
      order_id: silent,
    },
  },
  assistant_grants: {
    fate: 'goes',
    section: 'devices',
    rows: (who) => sql`session_id in ${sessionsOf(who)}`,
    columns: { session_id: silent, client_id: silent, name: told, scopes: told },
  },
  assistant_tokens: {
    fate: 'goes',
    rows: (who) => sql`session_id in ${sessionsOf(who)}`,
    columns: { hash: silent, session_id: silent, kind: silent, used_at: silent, ends_at: silent },
  },
  access_tokens: {
    fate: 'goes',
    rows: (who) => sql`session_id in ${sessionsOf(who)}`,
    columns: { hash: silent, session_id: silent, ends_at: silent, answers: silent },
  },
  used_refreshes: {
    fate: 'goes',
    rows: (who) => sql`session_id in ${sessionsOf(who)}`,
    columns: { hash: silent, session_id: silent, used_at: silent, unheard: silent },
  },
  sessions: {
    fate: 'goes',
    section: 'devices',
    rows: own,
    columns: {
      id: silent,
      user_id: silent,
      host: told,
      login_type: told,
      subject: told,
      guest_hash: silent,
      refresh_hash: silent,
      family_key: silent,
      created_at: told,
      ends_at: told,
      revoked_at: told,
      revoked_for: told,
      device: told,
      place: told,
      used_at: told,
    },
  },
  consents: {
    fate: 'goes',
    section: 'consents',
    rows: own,
    columns: { id: silent, user_id: silent, purpose: told, given: told, version: told, at: told },
  },
  account_deletions: {
    fate: 'goes',
    section: 'me',
    rows: own,
    columns: { user_id: silent, asked_at: told, due_at: told, nobody: silent },
  },
  users: {
    fate: 'goes',
    section: 'me',
    rows: (who) => sql`id in (${ids(who)})`,
    columns: {
      id: told,
      country: told,
      guest: silent,
      cart_id: silent,
      mobile: told,
      mobile_verified: told,
      first_name: told,
      last_name: told,
      email: told,
      email_verified: told,
      orders: told,
      became: silent,
      created_at: told,
    },
  },

  // What is nobody's.

  system: { fate: 'nobodys', why: 'the clock', columns: ['id', 'offset_ms', 'switches', 'changes'] },
  secrets: { fate: 'nobodys', why: "the server's own keys", columns: ['name', 'value'] },
  probes: { fate: 'nobodys', why: 'whether there is room', columns: ['id', 'at', 'filler'] },
  catalogue_versions: { fate: 'nobodys', why: 'the menu', columns: ['country', 'version', 'loaded_at'] },
  catalogue_entries: { fate: 'nobodys', why: 'the menu', columns: ['country', 'kind', 'id', 'position', 'body'] },
  catalogue_changes: {
    fate: 'nobodys',
    why: 'what the shop has changed of its menu, and which of its own people did',
    columns: ['country', 'number', 'made_at', 'made_by', 'starts_at', 'body', 'undone_at', 'undone_by'],
  },
  stores: { fate: 'nobodys', why: 'the stores', columns: ['id', 'country', 'position', 'online', 'body'] },
  sold_out: { fate: 'nobodys', why: 'the menu', columns: ['store_id', 'product_id', 'since'] },
  told_alerts: { fate: 'nobodys', why: 'what a store tells everybody', columns: ['store_id', 'alert_id', 'since'] },
  coupon_states: { fate: 'nobodys', why: 'the offers', columns: ['country', 'code', 'loaded_at', 'used'] },
  order_numbers: { fate: 'nobodys', why: 'which numbers a store has given', columns: ['store_id', 'day', 'number'] },
  old_orders: {
    fate: 'nobodys',
    why: 'orders that name nobody; they are back in their own tables before anybody is told or forgotten (withOrders)',
    columns: ['id', 'user_id', 'country', 'submitted_at', 'body'],
  },
  notices: {
    fate: 'nobodys',
    why: 'which words of a bank were heard, by its own reference',
    columns: ['reference', 'status', 'received_at', 'times'],
  },
  bank_movements: {
    fate: 'nobodys',
    why: 'the books of the imitated bank',
    columns: ['id', 'charge_id', 'kind', 'of_id', 'amount', 'at', 'done_at'],
  },
  wheel_draws: {
    fate: 'nobodys',
    why: 'what an address and a browser drew on a day, as a digest; gone after two days',
    columns: ['device', 'day', 'slot'],
  },
};
