import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { FrameLocator, Locator, Page } from '@playwright/test';
import * as development from '../../src/contract/development.ts';
import { builtBundles, expect, type Bundle } from '../kit/app.ts';
import type { SpawnedServer } from '../kit/server.ts';
import { codeFor } from '../server/people.ts';

const HOUR_S = 3_600;
/** India and Sri Lanka; Bangladesh is half an hour later, which changes nothing at noon. */
const OFFSET_S = 5.5 * HOUR_S;
const NOON_S = 12 * HOUR_S;
const LUNCH_ENDS_S = 13 * HOUR_S;
/** An order waits for those that its store got in so many seconds before it (rules/order/kitchen). */
const QUEUE_S = 600;

/**
 * Moves the server's clock to the next local noon unless it is the hour after noon there: every store is open, and a
 * journey of half a day finds them open too, whatever time it really is. What other journeys ordered keeps no kitchen busy.
 */
export async function noon(server: SpawnedServer): Promise<number> {
  const { body } = await server.call(development.clock, {});
  const ofDay = (body.now / 1000 + OFFSET_S) % (24 * HOUR_S);
  if (ofDay >= NOON_S && ofDay < LUNCH_ENDS_S - QUEUE_S) return server.advance(QUEUE_S);
  return server.advance(Math.ceil((NOON_S - ofDay + 24 * HOUR_S) % (24 * HOUR_S)));
}

/** A built bundle, in the first language of its country unless told. */
export function bundle(country: string, host: string, language?: string): Bundle {
  const found = builtBundles({ all: language !== undefined }).find(
    (one) => one.country === country && one.host === host && (language ?? one.language) === one.language,
  );
  if (!found) throw new Error(`${country}/${host} is not built${language ? ` in ${language}` : ''}.`);
  return found;
}

/** What differs between the countries for somebody who orders. */
const PLACES: Readonly<Record<string, { readonly typed: string; readonly suggestion: string }>> = {
  in: { typed: 'conna', suggestion: 'Connaught Place' },
  lk: { typed: 'kollu', suggestion: 'Kollupitiya' },
  bg: { typed: 'dhan', suggestion: 'Dhanmondi' },
  // test/kit/newcomers.ts
  np: { typed: 'thame', suggestion: 'Thamel' },
};

let looked = 0;
/** Keeps a picture of the whole page where E2E_LOOK says so, for somebody who wants to look at the screens. */
export async function look(page: Page, name: string): Promise<void> {
  const folder = process.env['E2E_LOOK'];
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  looked += 1;
  await page.screenshot({ path: path.join(folder, `${String(looked).padStart(3, '0')}-${name}.png`), fullPage: true });
}

/** The message on screen; the element that announces it has no size of its own. The bar of what is being loaded is none. */
export const toast = (page: Page) => page.locator('[role="status"] > :not([role="progressbar"])');
export const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name });
/** The amount that a bill says is to be paid. */
export const totalOf = (page: Page) => page.locator('dl > div').last().locator('dd');
/** The same once no change of the cart is under way any more: before it the bill is one of the cart that was. */
export async function billedTotal(page: Page): Promise<string> {
  await expect(page.locator('[aria-busy="true"]:has(dl)')).toHaveCount(0);
  return await totalOf(page).innerText();
}

/** A keyboard that has not come to something by then is lost. */
const MOST_STOPS = 40;
/** Tab, and nothing else, until the keyboard is there. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let stops = 0; stops < MOST_STOPS; stops += 1) {
    if (await target.evaluate((one) => one === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The keyboard does not come to ${String(target)} within ${MOST_STOPS} stops.`);
}

/** Home, the way of receiving it, the area, and from the menu that it comes back to, the door's form. */
export async function chooseWhere(page: Page, country: string): Promise<void> {
  const place = PLACES[country]!;
  await page
    .getByRole('navigation', { name: 'How do you want your order?' })
    .getByRole('link', { name: 'Delivery' })
    .click();
  await expect(heading(page, 'Where should we deliver?')).toBeVisible();
  await page.getByRole('combobox', { name: 'Search for your area' }).pressSequentially(place.typed);
  await look(page, 'suggestions');
  await page
    .getByRole('option', { name: new RegExp(`^${place.suggestion}\\b`) })
    .first()
    .click();
  await expect.poll(() => page.url()).toMatch(/\/menu$/);
  await page.getByRole('link', { name: new RegExp(`^Delivery to ?${place.suggestion}`) }).click();
  await page.getByRole('link', { name: 'Add house and street' }).click();
  await expect.poll(() => page.url()).toMatch(/\/address/);
}

export async function fillDoor(page: Page, house = '12 B'): Promise<void> {
  await page.getByLabel('House, flat or floor number').fill(house);
  await page.getByLabel('Street', { exact: true }).fill('Temple Road');
  await look(page, 'address');
  await page.getByRole('button', { name: /^Save/ }).click();
}

/** A medium Garden Four with olives on the left half, thin where that exists. */
export async function customise(page: Page): Promise<void> {
  await expect(heading(page, 'Garden Four')).toBeVisible();
  await page.getByRole('group', { name: 'Size' }).getByText('Medium').click();
  await expect(page.getByRole('radio', { name: /Medium/ })).toBeChecked();
  const group = page.locator('details').filter({ has: page.locator('summary', { hasText: 'Vegetables' }) });
  const box = group.getByRole('checkbox').first();
  await box.check();
  await look(page, 'customise');
}

/** Puts a regular Garden Four into the cart from the menu page. */
export async function addFromMenu(page: Page, dish = 'Garden Four', times = 1): Promise<void> {
  await page
    .getByRole('button', { name: `Add ${dish}` })
    .first()
    .click();
  for (let at = 1; at < times; at += 1)
    await page
      .getByRole('button', { name: `One more ${dish}` })
      .first()
      .click();
  await expect(page.getByRole('group', { name: `Quantity of ${dish}` }).first()).toContainText(String(times));
}

/** Unfolds the line of the page that something lies in. */
async function unfold(page: Page, inside: Locator): Promise<void> {
  await inside.first().waitFor({ state: 'attached' });
  if (await inside.first().isVisible()) return;
  await page.locator('details').filter({ has: inside }).locator('summary').click();
}

/** Unfolds the bill of the payment page: what is folded away has no text for the eye. */
export const unfoldBill = (page: Page) => unfold(page, page.locator('dl'));

/** Who it is for, on the payment page. */
export async function fillWho(page: Page, mobile: string, name = 'Asha'): Promise<void> {
  await unfold(page, page.getByLabel('First name'));
  await page.getByLabel('First name').fill(name);
  await page.getByLabel('Mobile number').fill(mobile);
}

/** The bank's fields for a card, in the frame of its origin. */
export const cardFields = (page: Page): FrameLocator =>
  page.frameLocator('iframe[title="Your card, on a form of the bank"]');

/** Chooses a way to pay; somebody who has paid before sees the last ones first. */
export async function chooseMode(page: Page, label: string): Promise<void> {
  const modes = page.getByRole('group', { name: 'Payment mode' });
  const mode = modes.getByText(label, { exact: true });
  const all = page.getByRole('button', { name: /^All \d+ ways to pay$/ });
  await expect(mode.or(all).first()).toBeVisible();
  if (!(await mode.isVisible())) await all.click();
  await mode.click();
}
/** Ticks the terms; for somebody who has accepted them before they are ticked once the page knows that they are the same. */
export async function acceptTerms(page: Page): Promise<void> {
  const terms = page.getByRole('checkbox', { name: /terms and conditions/ });
  await expect(terms).toBeEnabled();
  await terms.check();
}
/** The one button at the foot of the payment page. */
export const payButton = (page: Page) => page.getByRole('region', { name: 'Pay', exact: true }).getByRole('button');

/** What a device keeps of a customer who has chosen where to eat before; without the session and the cart. */
const KEPT = /:(delivery-type|store|place|addresses|takeaway-store|recent-locations)$/;
const keptBy = new Map<string, readonly (readonly [string, string])[]>();

/** A customer who comes back: the place is known, and who it is for; the session and the cart are new. Ends on the menu. */
export async function settleAt(page: Page, origin: string, own: Bundle, mobile: string): Promise<void> {
  const detail = [':checkout-detail', JSON.stringify({ fName: 'Asha', lName: '', mobNo: mobile, email: '' })] as const;
  let kept = keptBy.get(own.country);
  if (!kept) {
    // Chosen once in the browser's own way, then remembered for the other tests of this worker.
    const first = await page.context().browser()!.newContext({ viewport: page.viewportSize() });
    const guide = await first.newPage();
    await guide.goto(`${origin}/${own.country}/`);
    await chooseWhere(guide, own.country);
    await fillDoor(guide);
    await expect(guide).toHaveURL(/\/menu$/);
    kept = await guide.evaluate(
      (keys) => Object.entries(localStorage).filter(([key]) => new RegExp(keys).test(key)),
      KEPT.source,
    );
    kept = kept.map(([key, value]) => [`:${key.split(':')[1]}`, value] as const);
    keptBy.set(own.country, kept);
    await first.close();
  }
  await page.context().addInitScript(
    ([origin, prefix, entries]) => {
      // A bank's frame may not keep anything.
      if (self.origin !== origin) return;
      for (const [key, value] of entries)
        if (localStorage.getItem(prefix + key) === null) localStorage.setItem(prefix + key, value);
    },
    [origin, `${own.country.toUpperCase()}/${own.host}`, [...kept, detail]] as const,
  );
  await page.goto(`${own.mount}menu`);
  await stands(page, 'menu');
}

interface Session {
  readonly credentials: { readonly accessToken: string; readonly refreshToken: string | null };
  readonly attributes: { readonly userId: string; readonly mobile: string | null };
}

/** Who the page says the customer is: the device's own key opens what lies sealed in its storage. */
export async function sessionOf(page: Page, own: Bundle): Promise<Session | null> {
  return page.evaluate(async (place) => {
    const text = localStorage.getItem(place);
    if (!text?.startsWith('sealed.1.')) return JSON.parse(text ?? 'null') as Session | null;
    const db = await new Promise<IDBDatabase>((done, fail) => {
      const opening = indexedDB.open('vault', 1);
      opening.onsuccess = () => done(opening.result);
      opening.onerror = () => fail(opening.error);
    });
    const key = await new Promise<CryptoKey>((done) => {
      const asking = db.transaction('keys').objectStore('keys').get('device') as IDBRequest<CryptoKey>;
      asking.onsuccess = () => done(asking.result);
    });
    db.close();
    const [iv, sealed] = text
      .slice('sealed.1.'.length)
      .split('.')
      .map((part) => Uint8Array.from(atob(part), (sign) => sign.charCodeAt(0)));
    const opened = await crypto.subtle.decrypt(
      { name: 'AES-GCM', iv: iv!, additionalData: new TextEncoder().encode(place.split(':')[1]) },
      key,
      sealed!,
    );
    return JSON.parse(new TextDecoder().decode(opened)) as Session;
  }, `${own.country.toUpperCase()}/${own.host}:session`);
}

/** Logs in with the code of the message, on the way to a page of the first country's website. */
export async function logInAt(page: Page, server: SpawnedServer, mobile: string, route: string): Promise<void> {
  const own = bundle('in', 'browser');
  await page.goto(`${own.mount}login?redirectUrl=%2F${route}`);
  await page.getByLabel('Mobile number').fill(mobile);
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await expect(page.getByLabel('Code')).toBeVisible();
  await page.getByLabel('Code').fill(await codeFor(server, mobile));
  await expect.poll(() => isLoggedIn(page, own)).toBe(true);
  await expect(page).toHaveURL(new RegExp(`/${route}$`));
}

/** Logged in exactly when a refresh token is there. */
export const isLoggedIn = async (page: Page, own: Bundle) =>
  Boolean((await sessionOf(page, own))?.credentials.refreshToken);

/** Where the page is, below its mount point. */
export function below(page: Page, { mount }: Bundle): string {
  const { pathname, search } = new URL(page.url());
  return pathname.slice(mount.length - 1) + search;
}

/** Follows a link inside the page as it stands, as a tap would: a page that is opened anew costs three times as much. */
export async function follow(page: Page, own: Bundle, route: string): Promise<void> {
  await page.evaluate(
    (address) => {
      const link = Object.assign(document.createElement('a'), { href: address });
      document.body.append(link);
      link.click();
      link.remove();
    },
    own.mount + route.slice(1),
  );
}

/** Waits until a screen is drawn and waits for nothing. */
export async function stands(page: Page, route: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 }), route).toHaveCount(1);
  await expect(page.locator('main [aria-busy="true"]'), route).toHaveCount(0);
}

/** One of each script that a screen comes with; that each address opens its screen is shown in screens/routes. */
export const REOPENED: ReadonlySet<string> = new Set([
  '/menu',
  '/cart',
  '/customise/PZ004',
  '/login',
  '/postorder-ui/mapScreen',
]);

/** Opens the screen that stands once more, at its address: it is the same. */
export async function reloaded(page: Page, own: Bundle, route: string): Promise<void> {
  expect(below(page, own)).toBe(route);
  const title = await page.getByRole('heading', { level: 1 }).innerText();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 }), route).toHaveText(title, { useInnerText: true });
  await stands(page, route);
  expect(below(page, own)).toBe(route);
}
