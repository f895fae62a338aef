import type { BrowserContext, Page, Request } from '@playwright/test';
import type { Root } from '../../src/server/store/db.ts';
import { expect } from '../kit/app.ts';
import { hurry, test } from './measuring.ts';
import { bundle } from './steps.ts';

const web = bundle('in', 'browser');
const COLLECTOR = '**/analytics-service/ve1/events';

const waiting = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('~waiting-usage-')).length);
/** Something is told, this many times, each with a word of its own. */
const tell = (page: Page, word: string, times: number) =>
  page.evaluate(
    ([text, count]) => {
      for (let at = 0; at < count; at += 1)
        dispatchEvent(new CustomEvent('Error FrontEnd', { detail: `${text} ${String(at).padStart(3, '0')}.` }));
    },
    [word, times] as const,
  );
/** What of it the server has, each as often as it has it. */
async function had(db: Root, word: string): Promise<string[]> {
  const rows = await db.selectFrom('activity').select('data').where('kind', '=', 'event').execute();
  return rows.flatMap(({ data }) => new RegExp(`${word} \\d{3}\\.`).exec(data) ?? []).sort();
}
const all = (word: string, times: number) =>
  Array.from({ length: times }, (_, at) => `${word} ${String(at).padStart(3, '0')}.`);

/** A customer who agreed, and whose page has nothing left to tell. */
async function agreed(context: BrowserContext): Promise<Page> {
  await hurry(context);
  const page = await context.newPage();
  await page.goto(`${web.mount}menu`);
  const told = page.waitForResponse((reply) => reply.url().endsWith('/analytics-service/ve1/events'));
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click();
  await told;
  await expect.poll(() => waiting(page)).toBe(0);
  return page;
}

test('400 messages waiting offline outlive a reload, and two tabs sending them at once lose none and repeat none', async ({
  context,
  books,
}) => {
  const page = await agreed(context);
  await context.route(COLLECTOR, (route) => route.abort('internetdisconnected'));
  await tell(page, 'tunnel', 400);
  await expect.poll(() => waiting(page)).toBeGreaterThanOrEqual(400);
  await page.reload();
  // A page that is left sends what it may; no answer of that is heard.
  await expect.poll(() => waiting(page)).toBeGreaterThanOrEqual(400);
  expect((await had(books, 'tunnel')).length).toBeLessThan(200);

  const other = await context.newPage();
  await other.goto(`${web.mount}cart`);
  const sent: Request[] = [];
  await context.unroute(COLLECTOR);
  context.on('request', (request) => {
    if (request.url().endsWith('/analytics-service/ve1/events')) sent.push(request);
  });
  await Promise.all([page.reload(), other.reload()]);
  await expect.poll(() => waiting(page), { timeout: 30_000 }).toBe(0);
  await expect.poll(() => had(books, 'tunnel')).toEqual(all('tunnel', 400));
  // Both did send.
  expect(new Set(sent.map((request) => request.frame().page())).size).toBe(2);
});

test('a page that is killed while it sends, before or after the server had it, has told each thing once on the next visit', async ({
  context,
  books,
}) => {
  for (const [word, reaches] of [
    ['before', false],
    ['after', true],
  ] as const) {
    const page = word === 'before' ? await agreed(context) : await context.newPage();
    if (word === 'after') {
      await page.goto(`${web.mount}menu`);
      await expect.poll(() => waiting(page)).toBe(0);
    }
    const line = { isCut: true };
    const begun = new Promise<void>((arrived) => {
      void context.route(COLLECTOR, async (route) => {
        // Another message may be on its way before these, such as what the page measured of itself.
        if (!line.isCut || !route.request().postData()?.includes(word)) return await route.fallback();
        if (reaches) await route.fetch();
        // Nobody answers the page.
        arrived();
      });
    });
    await tell(page, word, 90);
    await begun;
    await expect.poll(() => had(books, word)).toHaveLength(reaches ? 30 : 0);
    const crash = await context.newCDPSession(page);
    const gone = page.waitForEvent('crash');
    void crash.send('Page.crash').catch(() => undefined);
    await gone;
    line.isCut = false;
    const next = await context.newPage();
    await next.goto(`${web.mount}cart`);
    await expect.poll(() => had(books, word)).toEqual(all(word, 90));
    await expect.poll(() => waiting(next)).toBe(0);
    await next.close();
  }
});
