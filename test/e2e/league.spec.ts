import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from '../kit/app.ts';
import { spawnServer } from '../kit/server.ts';
import { PHONE } from './judging.ts';
import { test } from './atNoon.ts';
import { acceptTerms, addFromMenu, bundle, chooseMode, heading, logInAt, look, payButton, settleAt } from './steps.ts';

const HOUR_S = 3_600;
const web = bundle('in', 'browser');
test.use({ viewport: PHONE });

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
