import type { Page } from '@playwright/test';
import { expect, test } from '../kit/app.ts';
import { addFromMenu, bundle, sessionOf } from './steps.ts';

const web = bundle('in', 'browser');
const KEY = 'IN/browser:session';
const held = (page: Page) => page.evaluate((key) => localStorage.getItem(key), KEY);

/** What the page logs; what it tells of as a fault is written down, too. */
async function faultsOf(page: Page): Promise<string[]> {
  await page.addInitScript(() => {
    const told: string[] = [];
    Object.assign(window, { told });
    addEventListener('Error FrontEnd', (event) => told.push(String((event as CustomEvent).detail)));
  });
  const logged: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') logged.push(message.text());
  });
  return logged;
}
const toldOn = (page: Page) => page.evaluate(() => (window as unknown as { told: string[] }).told);

test('the session lies sealed with a key that does not leave the device; what cannot be opened is a fault [AUTH-34] [ERR-31]', async ({
  page,
}) => {
  const logged = await faultsOf(page);
  await page.goto(`${web.mount}menu`);
  await addFromMenu(page);
  await expect.poll(() => held(page)).toMatch(/^sealed\.1\./);
  const before = (await sessionOf(page, web))!;
  expect(before.attributes.userId).toMatch(/^anonymous/);
  expect(await held(page)).not.toContain(before.credentials.accessToken);
  expect(await page.evaluate(() => JSON.stringify(Object.values(localStorage)))).not.toContain(
    before.credentials.accessToken,
  );
  const isClosed = await page.evaluate(async () => {
    const db = await new Promise<IDBDatabase>((done) => {
      const opening = indexedDB.open('vault', 1);
      opening.onsuccess = () => done(opening.result);
    });
    const key = await new Promise<CryptoKey>((done) => {
      const asking = db.transaction('keys').objectStore('keys').get('device') as IDBRequest<CryptoKey>;
      asking.onsuccess = () => done(asking.result);
    });
    return await crypto.subtle.exportKey('raw', key).then(
      () => false,
      () => true,
    );
  });
  expect(isClosed).toBe(true);
  await page.reload();
  await expect(page.getByRole('link', { name: /^Cart ?, 1 item/ })).toBeVisible();
  expect((await sessionOf(page, web))!.attributes.userId).toBe(before.attributes.userId);

  await page.evaluate((key) => localStorage.setItem(key, `${localStorage.getItem(key)!.slice(0, -8)}AAAAAAA=`), KEY);
  await page.reload();
  await page.getByRole('button', { name: 'Add Double Cheese Melt' }).first().click();
  // The page goes on, as a new guest.
  await expect
    .poll(async () => (await sessionOf(page, web).catch(() => null))?.attributes.userId ?? before.attributes.userId)
    .not.toBe(before.attributes.userId);
  // What a browser's own decryption throws.
  expect(await toldOn(page)).toEqual([expect.stringMatching(/^OperationError/)]);
  expect(logged.join()).toContain('OperationError');
});

test('what cannot be sealed is not stored at all, is logged and told as a fault, and the page goes on [ERR-31]', async ({
  page,
}) => {
  await page.addInitScript(() => {
    Object.assign(crypto.subtle, { encrypt: () => Promise.reject(new Error('no cipher')) });
  });
  const logged = await faultsOf(page);
  const session = page.waitForResponse(/anonymoususer/);
  await page.goto(`${web.mount}menu`);
  await addFromMenu(page);
  const { credentials } = (await (await session).json()) as { credentials: { accessToken: string } };
  await expect.poll(() => toldOn(page)).toContain('Error: no cipher');
  expect(logged.join()).toContain('no cipher');
  expect(await held(page)).toBeNull();
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain(credentials.accessToken);
  await addFromMenu(page, 'Double Cheese Melt');
  await expect(page.getByRole('link', { name: /^Cart ?, 2 items/ })).toBeVisible();
});
