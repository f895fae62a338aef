import { afterAll, beforeAll, expect, test } from 'vitest';
import { spawnServer, type SpawnedServer } from '../kit/server.ts';
import { codeFor, freshMobile } from '../server/people.ts';
import { openShop } from '../server/shop.ts';
import { openPage, type AppPage } from './page.ts';

let server: SpawnedServer;
beforeAll(async () => {
  server = await spawnServer();
  await openShop(server);
});
afterAll(() => server.stop());

const box = (label: string) =>
  [...document.querySelectorAll<HTMLLabelElement>('label')].find((one) => one.textContent === label)!
    .control as HTMLInputElement;
/** The server fails once at such a call; the alert is closed. */
async function failing(page: AppPage, match: string, act: () => Promise<void>): Promise<void> {
  await server.switches({ faults: [{ match, status: 500 }] });
  try {
    await act();
    await page.find('heading', 'Oops');
    await page.press('button', 'OK');
    await page.gone('heading', 'Oops');
  } finally {
    await server.switches({ faults: [] });
  }
}

test('a nickname that is refused, or that does not arrive, stays to be corrected and sent again [ERR-X02]', async () => {
  const mobile = freshMobile();
  const page = await openPage(server.url, '/login?redirectUrl=%2FworldPizzaLeague');
  await page.type('Mobile number', mobile);
  await page.press('button', 'Send me a code');
  await page.find('heading', 'Enter the code');
  await page.type('Code', await codeFor(server, mobile));
  await page.press('button', 'Join the league');
  await page.press('checkbox', /^Show my nickname/);
  await page.type('Nickname', 'call 98765 43210');
  await page.press('button', 'Play');
  await page.sees('A nickname must not be a number or an address.');
  const kept = () => [box('Nickname').value, (page.get('checkbox', /^Show my nickname/) as HTMLInputElement).checked];
  expect(kept()).toEqual(['call 98765 43210', true]);
  const name = `Asha ${mobile.slice(-5)}`;
  await page.type('Nickname', name);
  await failing(page, 'user/worldPizzaLeague', () => page.press('button', 'Play'));
  expect(kept()).toEqual([name, true]);
  await page.press('button', 'Play');
  await page.sees(`You play as ${name}.`);
});
