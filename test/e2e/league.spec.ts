import { expect, test as base } from '../kit/app.ts';
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

const test = base.extend<{ mobile: string }>({
  mobile: async ({ phone, server }, use) => {
    await noon(server);
    await server.switches({ faults: [], bankOutcome: null });
    await use(phone('in'));
  },
});

test('join the league with a nickname, foresee a match, order, and stand in the table; inside an app’s frame nothing of ours is around it [NAV-68] [NAV-69] [MENU-25]', async ({
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
  await expect(page.getByText(/: noted\.$/)).toBeVisible();
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
