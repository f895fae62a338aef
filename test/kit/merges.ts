// Guests' carts that meet an account's at logins, over HTTP, compared with a simple model of what should come out.
import * as cart from '../../src/contract/cart.ts';
import fc from 'fast-check';
import { freshMobile, guest, logIn, type Person } from '../server/people.ts';
import type { TestServer } from './server.ts';

/** What one device did: lines that it added, then quantities that it changed; 0 removes a line for good. */
interface Side {
  readonly puts: readonly Put[];
  readonly changes: readonly { readonly lineId: string; readonly quantity: number }[];
}
interface Put {
  readonly lineId: string;
  readonly productId: string;
  readonly quantity: number;
}

const LINES = ['a', 'b', 'c', 'd', 'e'];
/** Products; one is sold out when the carts are read. */
const DISHES = ['SD001', 'SD005', 'BV001'];
const SOLD_OUT = 'BV001';
/** The largest quantity of a line: all lines of three carts together stay within the limit of one cart, 100 pieces. */
const MOST = 20;

const lineId = fc.constantFrom(...LINES);
const side: fc.Arbitrary<Side> = fc.record({
  puts: fc.uniqueArray(
    fc.record({ lineId, productId: fc.constantFrom(...DISHES), quantity: fc.integer({ min: 1, max: MOST }) }),
    { selector: (put) => put.lineId, minLength: 1, maxLength: 3 },
  ),
  changes: fc.uniqueArray(
    fc.record({ lineId, quantity: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: MOST })) }),
    { selector: (change) => change.lineId, maxLength: 2 },
  ),
});
/** The account's own cart, and two guests' that join it. */
export const meeting = fc.record({ own: side, first: side, second: side });
type Meeting = typeof meeting extends fc.Arbitrary<infer T> ? T : never;

/** The account's line and the second guest's are equal, with the first guest's between them: merging must still know which came last. */
export const SAME_AGAIN: Meeting = {
  own: { puts: [{ lineId: 'a', productId: 'SD005', quantity: 4 }], changes: [] },
  first: { puts: [{ lineId: 'a', productId: 'SD001', quantity: 12 }], changes: [] },
  second: { puts: [{ lineId: 'a', productId: 'SD005', quantity: 4 }], changes: [] },
};

interface Held {
  readonly productId: string;
  readonly quantity: number;
}

/** What one device's cart holds by itself; null for a line that it removed. */
function held({ puts, changes }: Side): Map<string, Held | null> {
  const lines = new Map<string, Held | null>(puts.map(({ lineId: id, ...line }) => [id, line]));
  for (const { lineId: id, quantity } of changes) {
    const line = lines.get(id);
    if (quantity === 0) lines.set(id, null);
    else if (line) lines.set(id, { ...line, quantity });
  }
  return lines;
}

/** What the merged cart must hold, of devices in the order in which they acted: a removal wins, else the last one. */
function expected(sides: readonly Side[]): Record<string, Held> {
  const all = new Map<string, Held | null>();
  for (const one of sides) for (const [id, line] of held(one)) if (all.get(id) !== null) all.set(id, line);
  return Object.fromEntries([...all].filter((entry): entry is [string, Held] => entry[1] !== null));
}

/** The lines that are in the cart after guests have logged in, in this order: the last cart with food in it, alone. */
function inFront(own: Side, order: readonly Side[]): Set<string> {
  const live = (one: Side) => [...held(one)].flatMap(([id, line]) => (line === null ? [] : [id]));
  return new Set(order.reduce((front, one) => (live(one).length > 0 ? live(one) : front), live(own)));
}

let runs = 0;
/** An address gets at most 60 one-time codes an hour, of which a meeting takes six; a number gets its next code after half a minute. */
const MEETINGS_AN_HOUR = 9;
const HOUR_S = 3_601;
const RESEND_S = 31;

/** Plays a meeting twice, with the guests joining in either order. @throws when a line is lost or revived, or depends on the order */
export async function playMeeting(server: TestServer, { own, first, second }: Meeting): Promise<void> {
  runs += 1;
  const run = runs;
  if (run % MEETINGS_AN_HOUR === 0) await server.advance(HOUR_S);
  const operations = (one: Side, name: string) => ({
    puts: one.puts.map((line, at) => ({ operationId: `${run}-${name}-p${at}`, line })),
    changes: one.changes.map((change, at) => ({ operationId: `${run}-${name}-c${at}`, ...change })),
  });
  const act = async (who: Person, one: Side, name: string) => {
    const { puts, changes } = operations(one, name);
    const put = await server.call(cart.add, { cartId: who.cartId, body: { items: puts } }, who.as);
    const changed =
      changes.length === 0
        ? put
        : await server.call(cart.change, { cartId: who.cartId, body: { items: changes } }, who.as);
    if (put.status !== 200 || changed.status !== 200)
      throw new Error(`a cart was refused: ${JSON.stringify([put.body, changed.body])}`);
    return changed.body.cart;
  };
  const read = async (who: Person) =>
    (await server.call(cart.byId, { cartId: who.cartId, query: {} }, who.as)).body.cart;
  const linesOf = (body: cart.Cart): Record<string, Held> =>
    Object.fromEntries([
      ...body.validItems
        .filter((line) => !line.free)
        .map((line) => [line.lineId, { productId: line.product.id, quantity: line.quantity }] as const),
      // Flagged, not dropped.
      ...body.invalidItems.map(
        (line) => [line.lineId, { productId: line.productId, quantity: line.quantity }] as const,
      ),
    ]);
  const ask = (what: string, got: unknown, wanted: unknown) => {
    const [left, right] = [got, wanted].map((value) =>
      JSON.stringify(value, (_, inner: unknown) =>
        inner && typeof inner === 'object' && !Array.isArray(inner)
          ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
          : inner,
      ),
    );
    if (left !== right) throw new Error(`${what}: ${left} instead of ${right}`);
  };

  const wanted = expected([own, first, second]);
  const worlds = [];
  for (const [world, order] of [
    [first, second],
    [second, first],
  ].entries()) {
    const name = (one: Side) => `${world}${one === first ? 'first' : 'second'}`;
    const mobile = freshMobile();
    const account = await logIn(server, mobile);
    const guests = new Map<Side, Person>();
    await act(account, own, `${world}own`);
    // The clock decides who came last, so no two may act in the same millisecond.
    for (const one of [first, second]) {
      await server.advance(1);
      const who = await guest(server);
      await act(who, one, name(one));
      guests.set(one, who);
    }
    let person = account;
    for (const one of order) {
      await server.advance(RESEND_S);
      person = await logIn(server, mobile, 'in-web', guests.get(one));
      if (person.cartId !== account.cartId) throw new Error('the account has another cart now');
    }
    const front = inFront(own, order);
    const alone = Object.fromEntries(Object.entries(wanted).filter(([id]) => front.has(id)));
    ask('in front', linesOf(await read(person)), alone);
    // The older dishes were never lost: they all come when the customer asks for them.
    const decided = await server.call(
      cart.decide,
      { cartId: person.cartId, body: { choice: 'ADD', lineIds: LINES } },
      person.as,
    );
    if (decided.status !== 200) throw new Error(JSON.stringify(decided.body));
    const joined = await read(person);
    ask('joined', linesOf(joined), wanted);
    const apart = joined.invalidItems.map((line) => line.productId);
    ask(
      'sold out',
      apart,
      Object.values(wanted)
        .filter((line) => line.productId === SOLD_OUT)
        .map(() => SOLD_OUT),
    );
    // What the guests' phones send again was done already: it changes nothing, not even the version.
    for (const one of order) await act(person, one, name(one));
    const again = await read(person);
    ask('sent again', { ...linesOf(again), version: again.version }, { ...wanted, version: joined.version });
    worlds.push(linesOf(again));
  }
  ask('the other order', worlds[1], worlds[0]);
}

/** Opens the shop with one of the dishes sold out. */
export async function openMeetings(server: TestServer): Promise<void> {
  await server.switches({ soldOut: [SOLD_OUT] });
}
