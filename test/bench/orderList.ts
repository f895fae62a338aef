// How long a tap waits for its next paint in an order history of 300 orders that were all unfolded.
import type { Browser } from '@playwright/test';
import { openDb } from '../../src/server/store/db.ts';
import type { SpawnedServer } from '../kit/server.ts';
import { openShop } from '../server/shop.ts';
import { customerWith } from './pastOrders.ts';
import { PHONE, slow, tapped, watchTaps } from './taps.ts';

export const ORDERS = 300;

export type OrderMarks = Record<'heart' | 'to favourites' | 'back to all', number[]>;

/** @returns of each tap, in ms, how long it waited */
export async function tapOrders(browser: Browser, server: SpawnedServer, taps: number): Promise<OrderMarks> {
  const { db } = await openDb(server.database.target);
  const context = await browser.newContext({ ...PHONE, serviceWorkers: 'block' });
  try {
    await openShop(server);
    const { credentials, attributes } = (await customerWith(server, db, ORDERS)).person.reply;
    const page = await context.newPage();
    await page.addInitScript(watchTaps);
    await page.addInitScript((session) => {
      if (localStorage.getItem('IN/browser:session') === null) localStorage.setItem('IN/browser:session', session);
    }, JSON.stringify({ credentials, attributes }));
    await page.goto(`${server.url}/in/postorder-ui/orderHistory`);
    const older = page.getByRole('button', { name: 'Show older orders' });
    const stands = () => page.locator('[role=tabpanel] > [aria-busy=false]').waitFor();
    const unfold = async () => {
      await slow(page, 1);
      await stands();
      while (await older.isVisible()) {
        await older.click();
        await stands();
      }
      await slow(page);
    };
    const marks: OrderMarks = { heart: [], 'to favourites': [], 'back to all': [] };
    const hearts = page.getByRole('button', { name: /^Keep order/ });
    const tab = (name: string) => page.getByRole('tab', { name });
    for (let round = 0; round < taps; round += 1) {
      await unfold();
      // What is in the page now, at the end of them all.
      marks.heart.push(await tapped(page, hearts.nth(1)));
      marks['to favourites'].push(await tapped(page, tab('Favourites')));
      await stands();
      marks['back to all'].push(await tapped(page, tab('All orders')));
    }
    return marks;
  } finally {
    await context.close();
    await db.destroy();
  }
}
