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
const COMMENT = 'Crisp, hot and just as we like it at home.';

test.beforeEach(async ({ page, server, phone }) => {
  await noon(server);
  const mobile = phone('in');
  test.info().annotations.push({ type: 'mobile', description: mobile });
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
const mobileOf = () => test.info().annotations.find(({ type }) => type === 'mobile')!.description!;

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

test('the link sent opens on another phone, through the login, its order; few stars lead to help [AUTH-15] [HIST-23] [HIST-24] @all', async ({
  page,
  server,
  browser,
}) => {
  const mobile = mobileOf();
  await server.advance(6000);
  const sms = (await server.inbox(`+91${mobile}`)).find((text) => text.includes('/uf?')) ?? '';
  const link = new URL(/https?:\S+/.exec(sms)![0]);
  const context = await browser.newContext({ viewport: page.viewportSize(), locale: 'en-IN' });
  const other = await context.newPage();
  await other.goto(`${server.url}${link.pathname}${link.search}&rating=2`);
  await expect(heading(other, 'Log in')).toBeVisible();
  await other.getByLabel('Mobile number').fill(mobile);
  await other.getByRole('button', { name: 'Send me a code' }).click();
  const codeIn = async () =>
    (await server.inbox(`+91${mobile}`)).map((text) => /^(\d{6}) is your /.exec(text)?.[1]).find((code) => code) ?? '';
  await expect.poll(codeIn).not.toBe('');
  await other.getByLabel('Code').fill(await codeIn());
  await expect(heading(other, 'Rate your order')).toBeVisible();
  await expect(other.getByRole('radio', { name: '2 stars of 5' })).toBeChecked();
  await look(other, 'feedback');
  await other.getByLabel('Tell us more').fill('Cold');
  await other.getByRole('button', { name: 'Send' }).click();
  await expect(other.getByText('Your feedback should have at least 30 characters')).toBeVisible();
  await expect(other.getByLabel('Tell us more')).toBeFocused();
  await look(other, 'feedback-refused');
  await other.getByLabel('Tell us more').fill('x'.repeat(251));
  await expect(other.getByText('You have reached maximum character limit of 250')).toBeVisible();
  await other.getByLabel('Tell us more').fill(COMMENT);
  await expect(other.getByText(`${COMMENT.length} of 250`)).toBeVisible();
  await other.getByRole('button', { name: 'Temperature' }).click();
  await other.getByText('7', { exact: true }).click();
  await other.getByRole('button', { name: 'Send' }).click();
  await expect(heading(other, 'Thank you!')).toBeVisible();
  await look(other, 'feedback-thanks');
  await expect(other.getByText(/Need help with this order\?/)).toBeVisible();
  await other.goto(`${server.url}${link.pathname}${link.search}`);
  await expect(heading(other, 'You have already rated this order')).toBeVisible();
  await look(other, 'feedback-rated');
  await other.goto(`${web.mount}uf?orderId=ord_guessed`);
  await expect(heading(other, "We're sorry. The link you clicked is not a working one!")).toBeVisible();
  await look(other, 'feedback-broken');
  await other.goto(`${web.mount}feedback`);
  await expect(heading(other, 'Tell us about your visit')).toBeVisible();
  await look(other, 'visit');
  await context.close();

  // On the phone that ordered, what was said leads to help.
  await page.goto(`${server.url}${link.pathname}${link.search}`);
  await page.getByRole('link', { name: 'It came cold' }).click();
  await expect(heading(page, 'Which dishes?')).toBeVisible();
});
