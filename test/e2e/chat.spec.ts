import { expect, test } from '../kit/app.ts';
import { pay } from '../server/shop.ts';
import { DESK, inspector, PHONE } from './judging.ts';
import { orderingAs } from './ordering.ts';
import { bundle, heading, logInAt, noon, tabTo } from './steps.ts';

const web = bundle('in', 'browser');
test.use({ viewport: PHONE });

test('the assistant answers by keyboard alone, after a reload and offline; its field stays in view [NAV-61] [QUAL-X01]', async ({
  page,
  server,
  phone,
}) => {
  await noon(server);
  const mobile = phone('in');
  await logInAt(page, server, mobile, 'chatbot');
  const who = await orderingAs(page, server, web, mobile);
  const { order, next } = await who.order();
  await pay(server, next);
  await who.confirm(order);
  await page.goto(`${web.mount}chatbot?orderId=${order.orderId}`);
  await expect(heading(page, 'Ask us')).toBeVisible();
  const { found, inspect } = inspector(page, [PHONE, DESK]);
  await inspect('greeting');
  const field = page.getByRole('textbox', { name: 'Your question' });
  const log = page.getByRole('log', { name: 'The chat' });
  const ask = async (text: string, answer: string | RegExp) => {
    await tabTo(page, field);
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
    await expect(log.locator('[data-by=assistant]').last()).toContainText(answer);
    await expect(field).toBeFocused();
    await expect(field).toHaveValue('');
  };
  await ask('wher is my ordr', `Order ${order.orderNumber}: `);
  await tabTo(page, page.getByRole('button', { name: 'Cancel it' }));
  await page.keyboard.press('Enter');
  await expect(log).toContainText(`Shall I cancel order ${order.orderNumber}?`);
  await expect(field).toBeFocused();
  await ask('no', 'Fine, nothing was changed.');
  await ask('book a flight', 'A person can help you at 6888 6888.');
  // The newest answer is in view, above the field.
  await expect(log.locator('[data-by=assistant]').last()).toBeInViewport({ ratio: 0.9 });
  await inspect('handed over');
  expect(found).toEqual([]);

  const KEYBOARD_PX = 300;
  const lowerEdge = async () => field.evaluate((one) => one.getBoundingClientRect().bottom);
  await page.evaluate((covered) => {
    Object.defineProperty(visualViewport, 'height', { configurable: true, value: innerHeight - covered });
    visualViewport!.dispatchEvent(new Event('resize'));
  }, KEYBOARD_PX);
  expect(await lowerEdge()).toBeLessThan(PHONE.height - KEYBOARD_PX);

  await tabTo(page, field);
  await page.keyboard.type('wher is it');
  const said = await log.innerText();
  await page.reload();
  await expect(log).toHaveText(said, { useInnerText: true });
  await expect(field).toHaveValue('wher is it');
  await page.context().setOffline(true);
  await tabTo(page, field);
  await page.keyboard.press('Enter');
  await expect(log).toContainText('You are offline, so I could not look that up. Your question stays here.');
  await page.context().setOffline(false);
  await tabTo(page, page.getByRole('button', { name: 'Try again' }));
  await page.keyboard.press('Enter');
  await expect(log.locator('[data-by=assistant]').last()).toContainText(`Order ${order.orderNumber}: `);
});
