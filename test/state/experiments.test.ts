import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import * as contract from '../../src/contract/experiments.ts';
import { launch } from '../../src/domain/experiments/launch.ts';
import { createCampaign, withCampaigns } from '../../src/server/rules/experiments/run.ts';
import { openDb, type Root } from '../../src/server/store/db.ts';
import { abVariantAtom, CARDS } from '../../src/state/telemetry/abVariant.ts';
import { sayAtom } from '../../src/state/consent/consents.ts';
import { deliverAtom } from '../../src/state/telemetry/telemetryOutbox.ts';
import {
  activateAtom,
  areSettingsKeptAtom,
  bucketAtom,
  decidedLookAtom,
  decisionsAtom,
  exposeAtom,
  isDecidedAtom,
  keepVisitorAtom,
  reachGoalAtom,
  takeLookAtom,
  tellVariantsAtom,
} from '../../src/state/telemetry/experiments.ts';
import { safeStorage } from '../../src/state/first/lib/kept.ts';
import { forgetCustomerAtom } from '../../src/state/lib/forget.ts';
import { startServer, type TestServer } from '../kit/server.ts';
import { between, openCustomer, type Customer } from './customer.ts';

const BUTTON = 'big-button';
let server: TestServer;
let db: Root;
/** What the shop's settings are, and a visitor to whom the lot gives variant w of the cards. */
let said: Record<string, unknown> & { campaigns: Campaign[] };
let visitor = '';
interface Campaign {
  readonly id: number;
  readonly key: string;
  readonly variations: readonly { readonly name: string; readonly weight: number }[];
}
const faults: string[] = [];
beforeAll(async () => {
  server = await startServer({ settings: { distDir: null } });
  ({ db } = await openDb(server.database.target));
  await createCampaign(db, 'IN', BUTTON, {
    variations: 'small:50,big:50',
    traffic: undefined,
    base: undefined,
    effect: undefined,
  });
  for (const key of [CARDS, BUTTON]) await withCampaigns(db, ['IN'], key, 'start');
  said = (await server.call(contract.settings, { query: {} })).body;
  const client = launch({ settingsFile: said });
  for (let id = 1; visitor === ''; id += 1)
    if (client.getVariationName(CARDS, String(id)) === 'nextgen variant w') visitor = String(id);
  vi.stubGlobal('document', { visibilityState: 'visible' });
  vi.spyOn(console, 'error').mockImplementation((thrown: unknown) => void faults.push((thrown as Error).message));
});
afterAll(async () => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  await db.destroy();
  await server.stop();
});
beforeEach(() => {
  faults.length = 0;
});

const remember = (key: string, value: unknown) => safeStorage.write(key, JSON.stringify(value));
const remembered = (key: string) => JSON.parse(safeStorage.read(key) ?? 'null') as unknown;
const SETTINGS = 'experiment-settings';
const VISITOR = '~experiment-visitor';
const ROWS = '~experiment-rows';

/** The shop's settings with every visitor in these variations, as a device may know them. */
const givenTo = (names: Readonly<Record<string, string>>) => ({
  ...said,
  campaigns: said.campaigns.map((one) => ({
    ...one,
    variations: one.variations.map((own) => ({ ...own, weight: own.name === names[one.key] ? 100 : 0 })),
  })),
});
/** Somebody whom the lot gives variant w, on a device that remembers this, with or without a yes to being counted. */
async function visit({
  agreed = true,
  kept = {},
  device,
}: { agreed?: boolean; kept?: Readonly<Record<string, unknown>>; device?: string } = {}) {
  const customer = openCustomer(server, device === undefined ? {} : { device });
  if (device === undefined) remember(VISITOR, visitor);
  for (const [key, value] of Object.entries(kept)) remember(key, value);
  if (agreed) await customer.set(sayAtom, 'usage', true);
  return customer;
}
const decided = (customer: Customer) =>
  Object.fromEntries(customer.get(decisionsAtom).map(({ key, value }) => [key, value]));
const settingsAsked = (customer: Customer) => customer.calls.filter((path) => path === contract.settings.path).length;

/** What the customer's page tells the service from now on. */
function listen(customer: Customer) {
  const heard: contract.BatchEvent[] = [];
  between(customer, (next, endpoint, input) => {
    if (endpoint === contract.batch) heard.push(...(input as { body: { ev: contract.BatchEvent[] } }).body.ev);
    return next();
  });
  return async () => {
    await customer.set(deliverAtom);
    return heard.splice(0).map(({ eT, e, c, g, u }) => ({ eT, e, c, g, u }));
  };
}
const idOf = (key: string) => said.campaigns.find((one) => one.key === key)!.id;
const W = 3;

test('a first visit decides by what the shop says, once however many ask; the next one by that at once, and looks for newer', async () => {
  const customer = await visit();
  expect([customer.get(isDecidedAtom), customer.get(decisionsAtom), customer.get(decidedLookAtom)]).toEqual([
    false,
    [],
    null,
  ]);
  await Promise.all([customer.set(activateAtom), customer.set(activateAtom)]);
  await customer.set(activateAtom);
  expect(settingsAsked(customer)).toBe(1);
  expect([customer.get(isDecidedAtom), customer.get(areSettingsKeptAtom)]).toEqual([true, false]);
  expect(decided(customer)[CARDS]).toBe('nextgen variant w');
  expect(customer.get(decidedLookAtom)).toBe('w');
  expect(remembered(SETTINGS)).toEqual(said);

  const next = await visit({ device: customer.device });
  const activated = next.set(activateAtom);
  expect([next.get(isDecidedAtom), next.get(areSettingsKeptAtom)]).toEqual([true, true]);
  await activated;
  expect(settingsAsked(next)).toBe(1);
  expect(next.get(areSettingsKeptAtom)).toBe(true);
});

/** The service answers with this from now on. */
const answers = (customer: Customer, reply: unknown) =>
  between(customer, (next, endpoint) => (endpoint === contract.settings ? reply : next()));

test('of settings with a fault the last good ones stay, and the shop hears of it; without any nobody is in any experiment', async () => {
  const before = givenTo({ [CARDS]: 'nextgen variant y', [BUTTON]: 'small' });
  const customer = await visit({ kept: { [SETTINGS]: before } });
  answers(customer, { ...said, campaigns: [{ key: CARDS }] });
  await customer.set(activateAtom);
  expect([customer.get(decidedLookAtom), remembered(SETTINGS)]).toEqual(['y', before]);
  expect(faults).toEqual(['The settings of experiments did not come, or are none.']);

  const first = await visit();
  answers(first, { ...said, campaigns: [{ key: CARDS }] });
  await first.set(activateAtom);
  expect([first.get(isDecidedAtom), first.get(decisionsAtom), remembered(SETTINGS)]).toEqual([true, [], null]);
  // Then the cards look as they always do.
  expect(first.get(decidedLookAtom)).toBe('s');
});

test('what a device was shown stays, unless the campaign was begun anew', async () => {
  const row = (version: string) => ({ [CARDS]: { variationName: 'nextgen variant y', version, at: 1 } });
  const looks = async (version: string) => {
    const customer = await visit({ kept: { [ROWS]: row(version) } });
    await customer.set(activateAtom);
    const { value, reason } = customer.get(decisionsAtom).find(({ key }) => key === CARDS)!;
    return [value, reason];
  };
  expect(await looks(String(idOf(CARDS)))).toEqual(['nextgen variant y', 'STATIC']);
  expect(await looks('another')).toEqual(['nextgen variant w', 'SPLIT']);
});

test('a variation counts once a visit when it is on the screen, and then stays; reading a decision changes nothing', async () => {
  const customer = await visit();
  const told = listen(customer);
  await customer.set(activateAtom);
  expect(decided(customer)[CARDS]).toBe('nextgen variant w');
  expect([await told(), remembered(ROWS)]).toEqual([[], null]);
  customer.set(exposeAtom, CARDS);
  customer.set(exposeAtom, CARDS);
  expect(await told()).toEqual([{ eT: 1, e: idOf(CARDS), c: W, u: expect.any(String) }]);
  expect(remembered(ROWS)).toEqual({
    [CARDS]: { variationName: 'nextgen variant w', version: String(idOf(CARDS)), at: expect.any(Number) },
  });
  // One of them says nothing of another.
  customer.set(exposeAtom, BUTTON);
  expect((await told()).map(({ e }) => e)).toEqual([idOf(BUTTON)]);
  expect(Object.keys(remembered(ROWS) as object)).toEqual([CARDS, BUTTON]);
  customer.set(exposeAtom, 'nothing of this name');
  expect(await told()).toEqual([]);

  // The next visit tells of it again.
  const next = await visit({ device: customer.device });
  const toldNext = listen(next);
  await next.set(activateAtom);
  next.set(exposeAtom, CARDS);
  expect((await toldNext()).map(({ e, c }) => [e, c])).toEqual([[idOf(CARDS), W]]);
  expect(faults).toEqual([]);
});

test('a goal counts for what was shown, once, and not for what nobody has seen', async () => {
  const customer = await visit();
  const told = listen(customer);
  await customer.set(activateAtom);
  customer.set(reachGoalAtom, 'added_to_cart');
  expect(await told()).toEqual([]);
  customer.set(exposeAtom, CARDS);
  await told();
  customer.set(reachGoalAtom, 'added_to_cart');
  customer.set(reachGoalAtom, 'added_to_cart');
  expect((await told()).map(({ eT, e, c }) => [eT, e, c])).toEqual([[2, idOf(CARDS), W]]);
  // Also on the next visit of this device.
  const next = await visit({ device: customer.device });
  const toldNext = listen(next);
  await next.set(activateAtom);
  next.set(reachGoalAtom, 'added_to_cart');
  next.set(reachGoalAtom, 'nothing of this name');
  expect(await toldNext()).toEqual([]);
});

test('every call says what was decided; the lot, which leads to a visitor, only after a yes', async () => {
  const customer = await visit({
    agreed: false,
    kept: { [SETTINGS]: givenTo({ [CARDS]: 'nextgen variant w', [BUTTON]: 'big' }) },
  });
  await customer.set(activateAtom);
  customer.set(takeLookAtom);
  customer.set(tellVariantsAtom);
  expect(customer.get(abVariantAtom)).toBe(`${CARDS}:w,${BUTTON}:big`);
  await customer.set(sayAtom, 'usage', true);
  customer.set(tellVariantsAtom);
  expect(customer.get(abVariantAtom)).toBe(`${CARDS}:w,${BUTTON}:big,bucket:${Number(visitor) % 100}`);
  expect(customer.get(bucketAtom)).toBe(Number(visitor) % 100);

  // Who is in none of its variations has nothing to say of it.
  const other = await visit({ agreed: false, kept: { [SETTINGS]: givenTo({ [CARDS]: 'nextgen variant w' }) } });
  await other.set(activateAtom);
  other.set(tellVariantsAtom);
  expect(decided(other)[BUTTON]).toBeNull();
  expect(other.get(abVariantAtom)).toMatch(/^[^,]+$/);
});

test("a visitor's number is kept after a yes, is the one drawn before, goes with a no, and is new after a logout", async () => {
  const customer = openCustomer(server);
  customer.set(keepVisitorAtom);
  expect(remembered(VISITOR)).toBeNull();
  const lot = customer.get(bucketAtom);
  await customer.set(sayAtom, 'usage', true);
  customer.set(keepVisitorAtom);
  const first = remembered(VISITOR);
  expect(first).toMatch(/^\d+$/);
  expect(Number(first) % 100).toBe(lot);
  const again = openCustomer(server, { device: customer.device });
  again.set(keepVisitorAtom);
  expect([remembered(VISITOR), again.get(bucketAtom)]).toEqual([first, lot]);
  await again.set(sayAtom, 'usage', false);
  again.set(keepVisitorAtom);
  expect(remembered(VISITOR)).toBeNull();

  await again.set(sayAtom, 'usage', true);
  again.set(keepVisitorAtom);
  const own = remembered(VISITOR);
  again.set(forgetCustomerAtom);
  await again.set(sayAtom, 'usage', true);
  again.set(keepVisitorAtom);
  expect(remembered(VISITOR)).toMatch(/^\d+$/);
  expect(remembered(VISITOR)).not.toBe(own);
});
