import { expect, test } from '../kit/app.ts';
import { checkNow, payAtBank } from './hosts.ts';
import {
  acceptTerms,
  addFromMenu,
  bundle,
  chooseMode,
  heading,
  look,
  noon,
  payButton,
  settleAt,
  tabTo,
} from './steps.ts';

const web = bundle('in', 'browser');

test.beforeEach(async ({ page, server, phone }) => {
  await noon(server);
  const mobile = phone('in');
  await settleAt(page, server.url, web, mobile);
  await addFromMenu(page);
  await page.goto(`${web.mount}payment`);
  await chooseMode(page, 'UPI');
  await acceptTerms(page);
  await payButton(page).click();
  await expect(page.getByRole('link', { name: 'Open your UPI app' })).toBeVisible();
  await payAtBank(page, 'approve');
  await checkNow(page);
  await expect(heading(page, /^Thank you/)).toBeVisible();
  await server.advance(3000);
});

test('from a cold pizza to money back by the keyboard alone, and it stands with the order [HIST-25] [QUAL-X01]', async ({
  page,
}) => {
  const press = async (name: string | RegExp, role: 'link' | 'button' = 'button') => {
    const target = page.getByRole(role, { name });
    await tabTo(page, target);
    await page.keyboard.press('Enter');
  };
  await page.reload();
  await expect(heading(page, 'Enjoy your meal!')).toBeVisible();
  await expect(heading(page, 'How was it?')).toBeVisible();
  await look(page, 'delivered');
  await press(/^Get help/, 'link');
  await expect(heading(page, 'What went wrong?')).toBeVisible();
  await look(page, 'help-issues');
  await press('It came cold');
  await expect(page.getByRole('status').filter({ hasText: /You get ₹\d+ of it back/ })).toBeVisible();
  await expect(heading(page, 'Which dishes?')).toBeFocused();
  // The only dish of the order is chosen already.
  await expect(page.getByRole('checkbox')).toBeChecked();
  await expect(page.getByRole('radio', { name: /^UPI/ })).toBeChecked();
  await look(page, 'help-dishes');
  await press(/^Get ₹\d+ back$/);
  await expect(page.getByRole('heading', { level: 1, name: /₹\d+ for you/ })).toBeFocused();
  await expect(page.getByText(/^₹\d+ back to your UPI by /)).toBeVisible();
  await look(page, 'help-ticket');
  await press('See the order', 'link');
  await expect(page.getByRole('link', { name: /It came cold/ })).toBeVisible();
  await look(page, 'help-details');
  await page.goto(`${web.mount}help`);
  await expect(page.getByRole('link', { name: /It came cold/ })).toBeVisible();
  await look(page, 'help-tickets');
  await page.goto(`${web.mount}ticket/tsg_nobody`);
  await expect(heading(page, 'We could not find that.')).toBeVisible();
});
