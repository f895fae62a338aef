import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as development from '../../src/contract/development.ts';
import * as league from '../../src/contract/league.ts';
import { seasonAt } from '../../src/domain/league.ts';
import { expect, test as base } from '../kit/app.ts';
import { chromiumOptions } from '../kit/browser.ts';
import { spawnServer, type SpawnedServer } from '../kit/server.ts';
import { logIn, freshMobile } from '../server/people.ts';
import { Customer, DINEIN, pay, PLACES } from '../server/shop.ts';
import { DESK, inspector, PHONE } from './judging.ts';
import { orderingAs } from './ordering.ts';
import {
  acceptTerms,
  addFromMenu,
  bundle,
  chooseMode,
  heading,
  logInAt,
  look,
  noon,
  payButton,
  settleAt,
} from './steps.ts';

const HOUR_S = 3_600;
const web = bundle('in', 'browser');
base.use({ viewport: PHONE, launchOptions: chromiumOptions() });

const test = base.extend<{ mobile: string }>({
  mobile: async ({ phone, server }, use) => {
    await noon(server);
    await use(phone('in'));
  },
});

test('a customer joins the league, predicts, orders and ranks; in an app’s frame our bars are gone [NAV-68] [NAV-69] [MENU-25]', async ({
  page,
  server,
  mobile,
}) => {
  await settleAt(page, server.url, web, mobile);
  await page.goto(`${web.mount}worldPizzaLeague`);
  await expect(heading(page, 'Eight cities. Every order counts.')).toBeVisible();
  await look(page, 'league-guest');
  await page.getByRole('link', { name: 'Log in to play' }).click();
  await logInAt(page, server, mobile, 'worldPizzaLeague');
  await page.getByRole('button', { name: 'Join the league' }).click();
  await page.getByRole('checkbox', { name: /^Show my nickname/ }).check();
  const nickname = page.getByRole('textbox', { name: 'Nickname' });
  await nickname.fill('call 98765 43210');
  await page.getByRole('button', { name: 'Play' }).click();
  await expect(page.getByText('A nickname must not be a number or an address.')).toBeVisible();
  const name = `Asha ${mobile.slice(-5)} of Delhi`;
  await nickname.fill(name);
  await look(page, 'league-nickname');
  await page.getByRole('button', { name: 'Play' }).click();
  await expect(page.getByText(`You play as ${name}.`)).toBeVisible();
  const match = page.getByRole('group', { name: / against / }).first();
  await match.getByText('Draw').click();
  await expect(match.getByRole('radio', { name: 'Draw' })).toBeChecked();
  await expect(page.getByText(/: your guess is saved\.$/)).toBeVisible();
  await look(page, 'league-joined');

  await page.goto(`${web.mount}menu`);
  await addFromMenu(page);
  await page.goto(`${web.mount}payment`);
  await chooseMode(page, 'Cash on delivery');
  await acceptTerms(page);
  await payButton(page).click();
  await expect(page).toHaveURL(/\/order\/ord_/);
  await server.advance(2 * HOUR_S);
  await page.goto(`${web.mount}worldPizzaLeagueApp`);
  const row = page.getByRole('table', { name: /^Leaderboard/ }).getByRole('row', { name: `${name} (you)` });
  await expect(row.getByRole('cell').last()).toHaveText('8');
  await expect(page.getByText('From 1 order and 0 right predictions.')).toBeVisible();
  await expect(match.getByRole('radio', { name: 'Draw' })).toBeChecked();
  await expect(page.getByRole('contentinfo')).toHaveCount(0);
  await expect(page.locator('header img')).toHaveCount(0);
  await look(page, 'league-app');
});

const LONGEST_S = 20 * 24 * HOUR_S;
/** Two days into the next season. */
async function nextSeason(server: SpawnedServer): Promise<void> {
  const clock = async () => (await server.call(development.clock, {})).body.now;
  const ends = seasonAt('IN', await clock(), 'Asia/Kolkata').endsAt + 40 * HOUR_S * 1000;
  for (let left = ends - (await clock()); left > 0; left = ends - (await clock()))
    await server.advance(Math.min(LONGEST_S, Math.ceil(left / 1000)));
}

test('without points, without a nickname, in a tie and after its season the league is told truly and by itself [NAV-68] @all', async ({
  page,
  server,
  mobile,
}) => {
  test.setTimeout(240_000);
  const { found, inspect } = inspector(page, [PHONE, DESK]);
  const table = page.getByRole('table', { name: /^Leaderboard/ });
  // A season of its own, in which nobody has anything yet.
  await nextSeason(server);
  await noon(server);

  await settleAt(page, server.url, web, mobile);
  await page.goto(`${web.mount}worldPizzaLeague`);
  await expect(page.getByText(/^Nobody has a slice yet/)).toBeVisible();
  await inspect('league without points');
  await page.getByRole('link', { name: 'Log in to play' }).click();
  await logInAt(page, server, mobile, 'worldPizzaLeague');
  await page.getByRole('button', { name: 'Join the league' }).click();
  await inspect('league joining');
  // Whoever joins is in the league before the leaderboard is asked for anew; the sheet stays the one that was opened.
  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(/\/leaderboard/, async (route) => {
    asked.resolve();
    await answered.promise;
    await route.fallback();
  });
  await page.getByRole('button', { name: 'Play' }).click();
  await asked.promise;
  await expect(page.getByText('Others see you as a player without a name.')).toHaveCount(2);
  await expect(page.getByRole('dialog', { name: 'Join the league' })).toBeVisible();
  answered.resolve();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByText('Others see you as a player without a name.')).toBeVisible();
  await inspect('league without a nickname');

  const me = await orderingAs(page, server, web, mobile);
  const rivals: Customer[] = [];
  for (let at = 0; at < 2; at += 1) {
    const number = freshMobile('in-web');
    const rival = new Customer(server, await logIn(server, number, 'in-web'), DINEIN, PLACES['IN']!.productId, number);
    expect((await rival.call(league.play, { body: { nickname: null } })).status).toBe(200);
    rivals.push(rival);
  }
  for (const who of [me, ...rivals]) {
    const { order, next } = await who.order();
    await pay(server, next);
    await who.confirm(order);
  }
  await server.advance(3 * HOUR_S);
  await page.reload();
  const rows = table.getByRole('row');
  await expect(rows).toHaveCount(4);
  // Equal slices share a place, and nobody's name is read who did not allow it.
  for (let at = 1; at <= 3; at += 1) await expect(rows.nth(at).getByRole('cell').first()).toHaveText('1');
  await expect(rows.getByText('You', { exact: true })).toHaveCount(1);
  await inspect('league in a tie');

  await nextSeason(server);
  await page.goto(`${web.mount}worldPizzaLeague`);
  await expect(page.getByText(/^Nobody has a slice yet/)).toBeVisible();
  await page.getByRole('button', { name: 'Last season' }).click();
  await expect(rows).toHaveCount(4);
  await inspect('league season over');
  await page.getByRole('button', { name: 'This season' }).click();
  await expect(table).toHaveCount(0);
  expect(found).toEqual([]);
});

test('the league page for apps is shown only in frames of listed apps, and its login happens outside the frame [NAV-69]', async ({
  page,
}) => {
  const site = createServer((request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(
      `<!doctype html><title>App</title><iframe title="League" width="380" height="700" src="${new URL(request.url!, 'http://site').searchParams.get('show')}"></iframe>`,
    );
  });
  await new Promise<void>((done) => {
    site.listen(0, '127.0.0.1', () => done());
  });
  const { port } = site.address() as AddressInfo;
  const [named, other] = [`http://127.0.0.1:${port}`, `http://localhost:${port}`];
  const shop = await spawnServer({ settings: { environment: { LEAGUE_FRAMES: named } } });
  try {
    const frame = page.frameLocator('iframe[title=League]');
    const show = async (origin: string, path: string) => {
      await page.goto(`${origin}/?show=${encodeURIComponent(`${shop.url}${web.mount}${path}`)}`);
    };
    await show(named, 'worldPizzaLeagueApp');
    await expect(frame.getByRole('heading', { name: 'Eight cities. Every order counts.' })).toBeVisible();
    await look(page, 'league-framed');
    const login = frame.getByRole('link', { name: 'Log in to play' });
    await expect(login).toHaveAttribute('target', '_blank');
    const opened = page.waitForEvent('popup');
    await login.click();
    await expect(await opened).toHaveURL(/\/postorder-ui\/login\?redirectUrl=%2FworldPizzaLeague$/);
    for (const [origin, path] of [
      [named, ''],
      [named, 'cart'],
      [other, 'worldPizzaLeagueApp'],
    ] as const) {
      await show(origin, path);
      // The browser's own page about the refusal stands there instead.
      await expect
        .poll(
          () =>
            page
              .frames()
              .find((one) => one !== page.mainFrame())
              ?.url(),
          path,
        )
        .toMatch(/^chrome-error:/);
      await expect(frame.locator('#app')).toHaveCount(0);
    }
  } finally {
    site.closeAllConnections();
    site.close();
    await shop.stop();
  }
});
