import { afterAll, beforeAll, expect, test, vi } from 'vitest';
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

test('what a host and a guest of a group order have typed stays where the server says no, and goes through afterwards [ERR-X02]', async () => {
  const name = () => (document.getElementById('group-name') as HTMLInputElement).value;
  const limit = () => (document.getElementById('group-limit') as HTMLInputElement).value;
  const menu = await openPage(server.url, '/menu/sides');
  await menu.press('button', 'Add Garlic Bread Sticks');
  await menu.find('link', /^Cart, 1 item ?₹/);
  const host = await openPage(server.url, '/group', { keep: true });
  await host.type('Your name', 'Asha');
  await host.type(/^Limit for each guest/, '2x0');
  await host.press('button', '45 min');
  await host.press('button', 'Get the link');
  await vi.waitFor(() => expect(document.getElementById('group-limit-error')?.textContent).toMatch(/./));
  expect([name(), limit()]).toEqual(['Asha', '2x0']);
  await host.type(/^Limit for each guest/, '250');
  await failing(host, '/group', () => host.press('button', 'Get the link'));
  expect([name(), limit(), host.get('button', '45 min')!.getAttribute('aria-pressed')]).toEqual([
    'Asha',
    '250',
    'true',
  ]);
  await host.press('button', 'Get the link');
  await vi.waitFor(() => expect(host.path()).toMatch(/^\/group\/.+/));

  const guest = await openPage(server.url, host.path());
  await guest.type('Your name', 'Ravi');
  await guest.press('button', /^Jain/);
  await failing(guest, '/group', () => guest.press('button', 'Join'));
  expect([name(), guest.get('button', /^Jain/)!.getAttribute('aria-pressed')]).toEqual(['Ravi', 'true']);
  await guest.press('button', 'Join');
  await guest.gone('button', 'Join');
});
