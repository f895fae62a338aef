import type { Page } from '@playwright/test';
import { expect, test } from '../kit/app.ts';
import { addFromMenu, bundle, sessionOf } from './steps.ts';

const web = bundle('in', 'browser');
const KEY = 'IN/browser:session';
const held = (page: Page) => page.evaluate((key) => localStorage.getItem(key), KEY);

test('the session lies sealed on the device, with a key that does not leave it; a reload opens it [AUTH-34]', async ({
  page,
}) => {
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
});

test('what was written plainly by an older page is taken over and sealed [AUTH-34] @all', async ({ page, server }) => {
  const reply = (await (
    await fetch(`${server.url}/loginhandler/anonymoususer`, { method: 'POST', headers: { api_key: web.apiKey } })
  ).json()) as { attributes: { userId: string } };
  await page.goto(`${web.mount}manifest.webmanifest`);
  await page.evaluate(([key, text]) => localStorage.setItem(key!, text!), [KEY, JSON.stringify(reply)]);
  await page.goto(web.mount);
  await expect.poll(() => held(page)).toMatch(/^sealed\.1\./);
  expect((await sessionOf(page, web))!.attributes.userId).toBe(reply.attributes.userId);
});

test('stored data that cannot be decrypted is logged as a fault, and the page goes on as a new guest [AUTH-34] [ERR-31] @all', async ({
  page,
}) => {
  await page.addInitScript(() => {
    const told: string[] = [];
    Object.assign(window, { told });
    addEventListener('Error FrontEnd', (event) => told.push(String((event as CustomEvent).detail)));
  });
  const logged: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') logged.push(message.text());
  });
  await page.goto(`${web.mount}menu`);
  await addFromMenu(page);
  await expect.poll(() => held(page)).toMatch(/^sealed\.1\./);
  const before = (await sessionOf(page, web))!;
  await page.evaluate((key) => localStorage.setItem(key, `${localStorage.getItem(key)!.slice(0, -8)}AAAAAAA=`), KEY);
  await page.reload();
  await page.getByRole('button', { name: 'Add Double Cheese Melt' }).first().click();
  await expect
    .poll(async () => (await sessionOf(page, web).catch(() => null))?.attributes.userId ?? before.attributes.userId)
    .not.toBe(before.attributes.userId);
  // What a browser's own decryption throws.
  expect(await page.evaluate(() => (window as unknown as { told: string[] }).told)).toEqual([
    expect.stringMatching(/^OperationError/),
  ]);
  expect(logged.join()).toContain('OperationError');
});

const BREAKS = {
  'the cipher fails': () => {
    Object.assign(crypto.subtle, { encrypt: () => Promise.reject(new Error('no cipher')) });
  },
  'its key cannot be made': () => {
    Object.assign(crypto.subtle, { generateKey: () => Promise.reject(new Error('no cipher')) });
  },
};
for (const [why, breakIt] of Object.entries(BREAKS))
  test(`what cannot be sealed is not stored at all, is logged and told as a fault, and the page goes on: ${why} [ERR-31]`, async ({
    page,
  }) => {
    await page.addInitScript(breakIt);
    await page.addInitScript(() => {
      const told: string[] = [];
      Object.assign(window, { told });
      addEventListener('Error FrontEnd', (event) => told.push(String((event as CustomEvent).detail)));
    });
    const logged: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') logged.push(message.text());
    });
    const session = page.waitForResponse(/anonymoususer/);
    await page.goto(`${web.mount}menu`);
    await addFromMenu(page);
    const { credentials } = (await (await session).json()) as { credentials: { accessToken: string } };
    await expect
      .poll(() => page.evaluate(() => (window as unknown as { told: string[] }).told))
      .toContain('Error: no cipher');
    expect(logged.join()).toContain('no cipher');
    expect(await held(page)).toBeNull();
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain(credentials.accessToken);
    await addFromMenu(page, 'Double Cheese Melt');
    await expect(page.getByRole('link', { name: /^Cart ?, 2 items/ })).toBeVisible();
  });

test('a login in one tab is known in the other', async ({ page, context }) => {
  await page.goto(`${web.mount}menu`);
  await addFromMenu(page);
  await expect.poll(() => held(page)).toMatch(/^sealed\.1\./);
  const other = await context.newPage();
  await other.goto(`${web.mount}menu`);
  await expect(other.getByRole('link', { name: /^Cart ?, 1 item/ })).toBeVisible();
  await addFromMenu(other, 'Double Cheese Melt');
  await expect(page.getByRole('link', { name: /^Cart ?, 2 items/ })).toBeVisible();
  expect((await sessionOf(other, web))!.attributes.userId).toBe((await sessionOf(page, web))!.attributes.userId);
});

test('a device that keeps nothing more is a fault that is told, and the page goes on [ERR-30] @all', async ({
  page,
}) => {
  await page.addInitScript(() => {
    const told: { type: string; name: string }[] = [];
    Object.assign(window, { told });
    addEventListener('Error FrontEnd', (event) =>
      told.push({ type: event.type, name: ((event as CustomEvent).detail as Error).name }),
    );
    Storage.prototype.setItem = () => {
      throw new DOMException('Full', 'QuotaExceededError');
    };
  });
  await page.goto(`${web.mount}menu`);
  await addFromMenu(page);
  await expect(page.getByRole('link', { name: /^Cart ?, 1 item ?₹/ })).toBeVisible();
  expect(await page.evaluate(() => (window as unknown as { told: unknown[] }).told)).toContainEqual({
    type: 'Error FrontEnd',
    name: 'QuotaExceededError',
  });
});
