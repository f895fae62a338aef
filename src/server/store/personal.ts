import { sql, type RawBuilder } from 'kysely';
import { wordsIn, type Words } from '../../domain/wordList.ts';
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
  readonly becomes?: ((who: PersonKeys) => RawBuilder<unknown>) | undefined;
  /** In a row that stays: what a text is rewritten to. Such a table needs the column `id`. */
  readonly rewritten?: ((text: string) => string) | undefined;
}
const empty: Column['becomes'] = () => sql`''`;
const none: Column['becomes'] = () => sql`null`;
const nobody: Column['becomes'] = (who) => sql`${who.nobody}`;

/** A person with their orders: found once, as each of some twenty tables is asked for what belongs to them. */
export interface PersonWithOrders extends PersonKeys {
  readonly orderIds: readonly string[];
}
type Rows = (who: PersonWithOrders) => RawBuilder<unknown>;

interface PersonalRows {
  readonly section?: Section | undefined;
  readonly rows: Rows;
  /** Rows that go all the same, before the others lose the person. */
  readonly spare?: Rows | undefined;
  readonly columns: Readonly<Record<string, Column>>;
}
/** `goes`: its rows of the person are deleted. `stays`: they lose the person. `nobodys`: it has none of any person. */
export type Personal =
  | ({ readonly fate: 'goes' } & PersonalRows)
  | ({ readonly fate: 'stays'; readonly why: string } & PersonalRows)
  | { readonly fate: 'nobodys'; readonly why: string; readonly columns: readonly string[] };
/** What becomes of a table with just these columns: the compiler lets none be missing and none be too many. */
type Of<Name extends string> = Personal & { readonly names?: (name: Name) => Name };
/** Two lists of columns, none of which stands in both. */
type Both<T extends string, S extends string> = [Words<T> & Words<S>] extends [never] ? Words<T> | Words<S> : never;

/** The columns of a table by their names, with blanks between. */
interface ColumnList<T extends string, S extends string> {
  readonly section?: Section;
  readonly told?: T;
  readonly silent?: S;
  readonly becomes?: { readonly [C in Words<T | S>]?: Column['becomes'] };
  readonly rewritten?: { readonly [C in Words<T | S>]?: Column['rewritten'] };
  readonly spare?: Rows;
}

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

function found<T extends string, S extends string>(rows: Rows, list: ColumnList<T, S>): PersonalRows {
  const { section, told = '', silent = '', becomes, rewritten, spare } = list;
  const columns = (text: T | S | '', isTold: boolean) =>
    wordsIn(text).map((name) => [name, { isTold, becomes: becomes?.[name], rewritten: rewritten?.[name] }] as const);
  return { section, rows, spare, columns: Object.fromEntries([...columns(told, true), ...columns(silent, false)]) };
}
const goes = <const T extends string = '', const S extends string = ''>(
  rows: Rows,
  list: ColumnList<T, S>,
): Of<NoInfer<Both<T, S>>> => ({ fate: 'goes', ...found(rows, list) });
const stays = <const T extends string = '', const S extends string = ''>(
  why: string,
  rows: Rows,
  list: ColumnList<T, S>,
): Of<NoInfer<Both<T, S>>> => ({ fate: 'stays', why, ...found(rows, list) });
const nobodys = <const S extends string>(why: string, columns: S): Of<NoInfer<Words<S>>> => ({
  fate: 'nobodys',
  why,
  columns: wordsIn(columns),
});

export const PERSONAL: { readonly [T in keyof Tables]: Of<keyof Tables[T] & string> } = {
  payments: stays('the books: what was paid, when and in which way', (who) => sql`(${own(who)} or ${ofOrders(who)})`, {
    section: 'money',
    told: 'id order_id reference mode label amount currency state details created_at settled_at',
    silent: 'attempt user_id step return_path settle_by code link holder',
    becomes: { user_id: owner, step: none, return_path: empty, link: none, holder: none },
    rewritten: { details: withoutPayer },
  }),
  promise_credits: stays('the books: what a missed promise paid', own, {
    section: 'money',
    told: 'order_id amount currency at way',
    silent: 'user_id',
    becomes: { user_id: nobody },
  }),
  ledger_accounts: stays('the books: the sums of all movements must hold', own, {
    section: 'money',
    told: 'id kind country currency balance created_at',
    silent: 'user_id',
    becomes: { user_id: nobody },
  }),
  ledger_entries: stays(
    'the books: a movement is never changed, and says nothing of a person',
    (who) => sql`account_id in (${accountsOf(who)} union ${pointsOf(who)})`,
    { section: 'money', told: 'account_id seq kind amount balance_after order_id at', silent: 'id unique_key' },
  ),
  captures: stays('the books: money that arrived', ofOrders, {
    section: 'money',
    told: 'payment_id order_id amount currency at',
    silent: 'id pays',
  }),
  refunds: stays('the books: money that went back', ofOrders, {
    section: 'money',
    told: 'payment_id order_id amount currency reason state created_at expected_from expected_to paid_at',
    silent: 'id capture_id part_of by_provider',
  }),
  invoices: stays('the books: invoices and credit notes as tax law asks for them, without gaps', ofOrders, {
    section: 'money',
    told: 'order_id kind store_id year serial number amount currency issued_at paper buyer',
    silent: 'id cause',
    becomes: { buyer: buyerKept },
  }),
  invoice_files: goes(ofOrders, { silent: 'order_id papers content made_at' }),
  invoice_series: nobodys('the last number of each store, kind and year', 'store_id kind year last last_at'),
  order_events: stays('the books: when an order was placed, made and handed over', ofOrders, {
    section: 'orders',
    told: 'order_id status stage at',
    silent: 'seq from_status actor',
  }),
  outbox: stays('what the store was told of an order: number, store and total; swept by age', ofOrders, {
    silent: 'order_id kind payload created_at sent_at',
  }),
  coupon_redemptions: stays('the books: a coupon counts its uses, each of which is an order', ofHolders, {
    section: 'orders',
    told: 'code order_id redeemed_at',
    silent: 'country holder slot',
    becomes: { holder: () => sql`'order:' || order_id` },
    spare: twice('coupon_redemptions', ['country', 'code'], ['holder', 'slot']),
  }),
  counted_orders: stays('the books: an order counts on its day', ofHolders, {
    silent: 'order_id country holder day',
    becomes: { holder: ({ nobody }) => sql`${`user:${nobody}`}` },
    spare: twice('counted_orders', [], ['holder']),
  }),
  vouchers: stays(
    'an e-voucher belongs to whoever has its number and pin, who may be somebody else',
    (who) => sql`(country = ${who.country} and mobile = ${number(who)})`,
    {
      told: 'last_four mobile expires_at',
      silent: 'id country number_hash salt pin_hash tries_left locked_until is_given',
      becomes: { mobile: none },
    },
  ),
  bank_charges: stays(
    'the books of the imitated bank, which in production is a company of its own',
    (who) => sql`reference in ${chargesOf(who)}`,
    {
      silent: `id reference channel amount currency description payee_vpa return_url notify_url page_key state outcome
      debited bin last_four collect_vpa token token_used code created_at expires_at changed_at`,
      becomes: { description: empty, bin: none, last_four: none, collect_vpa: none, token: none },
    },
  ),
  vendor_wallets: stays(
    'the books of the imitated wallet, which in production is a company of its own',
    (who) => sql`mobile = ${number(who)}`,
    { silent: 'mobile balance', becomes: { mobile: nobody } },
  ),
  vendor_wallet_debits: stays(
    'the books of the imitated wallet, which in production is a company of its own',
    (who) => sql`mobile = ${number(who)}`,
    { silent: 'charge_id mobile amount returned', becomes: { mobile: nobody } },
  ),
  // A reply is kept for whoever asked, here a guest who gave the person's number.
  idempotency: goes(
    (who) => sql`(${own(who)} or user_id in (select user_id from orders where id in (${orderIds(who)})))`,
    { silent: 'user_id idempotency_key fingerprint state ref body lease_until created_at' },
  ),
  first_orders: goes(ofOrders, { silent: 'country holder slot order_id ends_at' }),
  order_shares: goes(ofOrders, { silent: 'token order_id created_at' }),
  // A shorter word for what stays in the orders themselves.
  order_dishes: goes(ofOrders, { silent: 'order_id dishes' }),
  train_news: goes((who) => sql`train_id in (select id from train_orders where ${own(who)})`, {
    silent: 'train_id seq kind details at',
  }),
  train_orders: goes(own, {
    section: 'orders',
    told: `order_id store_id station train_number train_name pnr_end coach berth passenger_name passenger_mobile
      mobile scheduled_at arrives_at halted_at created_at`,
    silent: `id user_id country run pnr language checked_at stops agreed_at departs_at platform cutoff_minutes
      question answer_by code_tries seen_at forget_at`,
  }),
  railway_events: nobodys('trains of the embedded railway', 'id run kind station minutes platform at'),
  pay_links: goes(ofOrders, { silent: 'order_id token created_at' }),
  help_tickets: stays('the books: for what money went back', own, {
    section: 'help',
    told: 'id order_id issue state pieces comment worth amount way answer money_by created_at answer_by answered_at',
    silent: 'user_id reason language',
    becomes: { user_id: nobody, comment: none, answer: none },
  }),
  help_parts: goes(ofOrders, { silent: 'order_id line_id part taken' }),
  help_customers: goes((who) => sql`who in (${sql.join([...who.userIds, `${who.country}:${who.mobile ?? ''}`])})`, {
    told: 'since claims given',
    silent: 'who',
  }),
  feedbacks: goes((who) => sql`(${own(who)} or ${ofOrders(who)})`, {
    section: 'help',
    told: 'order_id overall nps aspects comment additional created_at changed_at',
    silent: 'id user_id',
  }),
  feedback_asks: goes(ofOrders, { silent: 'order_id token created_at sent_at dismissed_at' }),
  offline_feedbacks: goes((who) => sql`(${own(who)} or (country = ${who.country} and mobile = ${number(who)}))`, {
    section: 'help',
    told: 'mobile experience rating created_at',
    silent: 'id user_id country',
  }),
  rider_notes: goes(ofOrders, { section: 'orders', told: 'order_id text at', silent: 'seq' }),
  orders: stays(
    'the books: number, store, dishes, amounts, taxes and dates, as long as tax law asks for them',
    (who) => sql`id in (${orderIds(who)})`,
    {
      section: 'orders',
      told: `id number country host mobile store_id delivery_type status total currency snapshot submitted_at
      scheduled_for confirmed_at finished_at arrived_at bay promise_deadline promise_state cutlery`,
      silent: 'user_id idempotency_key cart_id cart_version stage starts_at life settle_by hand_over_code trace',
      becomes: {
        user_id: owner,
        mobile: empty,
        idempotency_key: () => sql`id`,
        cart_id: () => sql`'order:' || id`,
        hand_over_code: none,
        bay: none,
        trace: none,
        cutlery: none,
      },
      rewritten: { snapshot: withoutPerson },
    },
  ),
  old_customers: goes(own, { silent: 'user_id orders standing opened_at' }),
  addresses: goes(own, { section: 'addresses', told: 'id address created_at changed_at', silent: 'user_id' }),
  favourite_orders: goes(own, { section: 'me', told: 'order_id saved_at', silent: 'user_id' }),
  favourite_products: goes(own, { section: 'me', told: 'product_id added_at', silent: 'user_id' }),
  saved_cards: goes(own, {
    section: 'money',
    told: 'id brand last_four expires_at created_at',
    silent: 'user_id token',
  }),
  card_offers: goes(own, { silent: 'token_hash user_id codes card ends_at' }),
  bank_cards: goes((who) => sql`token in (select token from saved_cards where ${own(who)})`, {
    silent: 'token bin last_four brand fingerprint expires_at created_at',
  }),
  voucher_links: goes(own, { section: 'money', told: 'voucher_id linked_at', silent: 'user_id' }),
  linked_wallets: goes(own, { section: 'money', told: 'provider mobile linked_at', silent: 'user_id token' }),
  vendor_wallet_grants: goes((who) => sql`mobile = ${number(who)}`, {
    silent: 'hash kind mobile code_hash tries_left ends_at',
  }),
  loyalty_orders: goes((who) => sql`account_id in (${pointsOf(who)})`, {
    section: 'points',
    told: 'order_id day points delivered_at due_at state',
    silent: 'account_id',
  }),
  league_entries: goes(own, { section: 'points', told: 'unique_key season amount at', silent: 'user_id' }),
  league_predictions: goes(own, { section: 'points', told: 'match_id pick at', silent: 'user_id' }),
  league_scores: goes(own, { section: 'points', told: 'season slices reached_at', silent: 'user_id' }),
  league_players: goes(own, { section: 'points', told: 'nickname joined_at', silent: 'user_id country nickname_key' }),
  league_results: nobodys(
    'how many orders the stores of two cities delivered on a weekend',
    'match_id home away decided_at',
  ),
  loyalty_members: goes(own, {
    section: 'points',
    told: 'card_code status since',
    silent: 'account_id user_id country',
  }),
  loyalty_campaigns: nobodys('what the shop gives points for', 'id country reason points starts_at ends_at'),
  // By their carts, which are turned by their owners alone: neither engine has one index for both ways.
  cart_spins: goes((who) => sql`cart_id in (select cart_id from cart_spins where ${own(who)} union ${cartsOf(who)})`, {
    section: 'points',
    told: 'label code points spun_at order_id',
    silent: 'cart_id round user_id country slot',
  }),
  price_locks: goes(own, { silent: 'cart_id cart_version context user_id total quote priced_at locked_until' }),
  bill_people: goes(own, { silent: 'person_id order_id user_id' }),
  group_people: goes((who) => sql`(${own(who)} or group_id in (select id from group_orders where ${ofCarts(who)}))`, {
    section: 'orders',
    told: 'is_host name diet state joined_at',
    silent: 'id group_id user_id done',
  }),
  group_orders: goes((who) => sql`(host_user_id in (${ids(who)}) or ${ofCarts(who)})`, {
    section: 'orders',
    told: 'state closes_at limit_each people order_id created_at',
    silent: 'id code country host cart_id host_user_id changes',
  }),
  cart_lines: goes(ofCarts, {
    section: 'orders',
    told: 'quantity removed wish changed_at aside',
    silent: 'cart_id line_id position person_id',
  }),
  cart_coupons: goes(ofCarts, { section: 'orders', told: 'code declined', silent: 'cart_id position' }),
  cart_operations: goes(ofCarts, { silent: 'cart_id operation_id done_at' }),
  carts: goes(own, {
    section: 'orders',
    told: 'store_id delivery_type tip carry_bag cutlery payment_mode touched_at',
    silent: 'id user_id country version group_id best_offer reward train_order',
  }),
  memories: goes(own, { section: 'activity', told: 'memory ends_at', silent: 'id country user_id' }),
  activity: goes(own, { section: 'activity', told: 'kind country name data at', silent: 'id user_id' }),
  vitals: nobodys('how fast pages were; no row says whose', 'id country host network page metric value at'),
  experiment_campaigns: nobodys(
    'which experiments there are',
    'country id key status body created_at started_at stopped_at',
  ),
  experiment_visitors: goes(own, {
    section: 'activity',
    told: 'campaign_id visitor variation at',
    silent: 'country mixed user_id',
  }),
  experiment_elsewhere: goes(own, {
    section: 'activity',
    told: 'campaign_id visitor variation at',
    silent: 'country user_id',
  }),
  experiment_events: goes(own, {
    section: 'activity',
    told: 'campaign_id goal_id visitor revenue order_id tag at',
    silent: 'id country user_id',
  }),
  fingerprints: goes(own, { section: 'devices', told: 'data at signs', silent: 'id user_id value' }),
  push_subscriptions: goes(own, {
    section: 'devices',
    told: 'endpoint language created_at',
    silent: 'user_id session_id p256dh auth mount',
  }),
  known_devices: goes((who) => sql`(country = ${who.country} and mobile = ${number(who)})`, {
    section: 'devices',
    told: 'mobile seen_at',
    silent: 'device country',
  }),
  counters: goes(
    (who) =>
      sql`(${sql.join(
        [...who.userIds, ...(who.mobile === null ? [] : [who.mobile])].map((one) => sql`id like ${`%${one}%`}`),
        sql` or `,
      )})`,
    { silent: 'id used ends_at' },
  ),
  codes: goes(
    (who) =>
      sql`(${sql.join(
        [
          ...who.userIds.map((id) => `%|${id}`),
          ...(who.mobile === null ? [] : [`%|${who.country}|${who.mobile}|%`]),
        ].map((one) => sql`id like ${one}`),
        sql` or `,
      )})`,
    { silent: 'id salt hash sent_at ends_at tries_left used_at details' },
  ),
  code_numbers: goes(({ international }) => sql`mobile = ${international}`, { silent: 'mobile turn' }),
  code_sends: goes(({ international }) => sql`mobile = ${international}`, {
    section: 'activity',
    told: 'mobile sent_at',
    silent: 'id lane',
  }),
  inbox: goes(({ international }) => sql`mobile = ${international}`, { silent: 'id mobile message sent_at' }),
  // A job that runs is this one, and goes with its end.
  jobs: goes(
    (who) =>
      sql`state <> 'RUN' and (${sql.join(
        [...who.userIds, ...(who.mobile === null ? [] : [who.mobile])].map((one) => sql`payload like ${`%"${one}"%`}`),
        sql` or `,
      )})`,
    { silent: 'id kind lane unique_key run_at payload state attempts lease_until error trace' },
  ),
  nonces: goes(own, { silent: 'nonce vendor user_id ends_at used_at' }),
  passwords: goes(own, { section: 'me', told: 'set_at', silent: 'user_id hash' }),
  social_logins: goes(own, {
    silent: `id country source user_id nonce verifier redirect_uri back answer ends_at used_at token_hash person
      done_at`,
  }),
  vendor_grants: goes(
    (who) =>
      sql`(${who.mobile === null ? sql`1 = 0` : sql`person like ${`%${who.mobile}%`}`} or exists (select 1 from identities i where i.${own(who)} and vendor_grants.person like '%"' || i.subject || '"%'))`,
    { silent: 'id kind client_id person ends_at used_at' },
  ),
  identities: goes(own, { section: 'me', told: 'vendor subject created_at', silent: 'country user_id' }),
  assistant_clients: nobodys('programs, and what they call themselves', 'id name redirects used_at'),
  assistant_codes: goes(own, { silent: 'hash client_id user_id redirect challenge scopes session_id ends_at' }),
  assistant_quotes: goes(own, {
    silent: 'id checkout_id made_at user_id name wish cart_version total ends_at order_id',
  }),
  assistant_grants: goes((who) => sql`session_id in ${sessionsOf(who)}`, {
    section: 'devices',
    told: 'name scopes',
    silent: 'session_id client_id',
  }),
  assistant_tokens: goes((who) => sql`session_id in ${sessionsOf(who)}`, {
    silent: 'hash session_id kind used_at ends_at',
  }),
  access_tokens: goes((who) => sql`session_id in ${sessionsOf(who)}`, { silent: 'hash session_id ends_at answers' }),
  used_refreshes: goes((who) => sql`session_id in ${sessionsOf(who)}`, { silent: 'hash session_id used_at unheard' }),
  sessions: goes(own, {
    section: 'devices',
    told: 'host login_type subject created_at ends_at revoked_at revoked_for device place used_at',
    silent: 'id user_id guest_hash refresh_hash family_key',
  }),
  consents: goes(own, { section: 'consents', told: 'purpose given version at', silent: 'id user_id' }),
  account_deletions: goes(own, { section: 'me', told: 'asked_at due_at', silent: 'user_id nobody' }),
  users: goes((who) => sql`id in (${ids(who)})`, {
    section: 'me',
    told: 'id country mobile mobile_verified first_name last_name email email_verified orders created_at',
    silent: 'guest cart_id became',
  }),
  // What is nobody's.

  system: nobodys('the clock', 'id offset_ms switches changes'),
  secrets: nobodys("the server's own keys", 'name value'),
  probes: nobodys('whether there is room', 'id at filler'),
  catalogue_versions: nobodys('the menu', 'country version loaded_at'),
  catalogue_entries: nobodys('the menu', 'country kind id position body'),
  catalogue_changes: nobodys(
    'what the shop has changed of its menu, and which of its own people did',
    'country number made_at made_by starts_at body undone_at undone_by',
  ),
  stores: nobodys('the stores', 'id country position online body'),
  sold_out: nobodys('the menu', 'store_id product_id since'),
  told_alerts: nobodys('what a store tells everybody', 'store_id alert_id since'),
  coupon_states: nobodys('the offers', 'country code loaded_at used'),
  order_numbers: nobodys('which numbers a store has given', 'store_id day number'),
  old_orders: nobodys(
    'orders that name nobody; they are back in their own tables before anybody is told or forgotten (withOrders)',
    'id user_id country submitted_at body',
  ),
  notices: nobodys('which words of a bank were heard, by its own reference', 'reference status received_at times'),
  bank_movements: nobodys('the books of the imitated bank', 'id charge_id kind of_id amount at done_at'),
  wheel_draws: nobodys(
    'what an address and a browser drew on a day, as a digest; gone after two days',
    'device day slot',
  ),
};
