import { expect, test } from '../kit/app.ts';
import { codeFor } from '../server/people.ts';
import { orderingAs } from './ordering.ts';
import { addFromMenu, bundle, heading, isLoggedIn, look, noon, billedTotal, totalOf } from './steps.ts';

test.describe('in the dark, where the screen is no paper', () => {
  test.use({ colorScheme: 'dark' });

  test('an order is printed on one sheet: what it was, the bill and where it went, black on white, without bars and buttons', async ({
    page,
    server,
    phone,
  }) => {
    await noon(server);
    const own = bundle('in', 'browser');
    const mobile = phone('in');
    await page.goto(`${own.mount}postorder-ui/login?redirectUrl=%2Fpostorder-ui%2Fprofile`);
    await page.getByLabel('Mobile number').fill(mobile);
    await page.getByRole('button', { name: 'Send me a code' }).click();
    await expect(page.getByLabel('Code')).toBeVisible();
    await page.getByLabel('Code').fill(await codeFor(server, mobile, own.apiKey));
    await expect.poll(() => isLoggedIn(page, own)).toBe(true);
    const { order } = await (await orderingAs(page, server, own, mobile)).order({ paymentMode: 'COD' });
    for (const path of [`order/${order.orderId}`, `postorder-ui/orderdetails?orderId=${order.orderId}`]) {
      await page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
      await page.goto(own.mount + path);
      await expect(heading(page, new RegExp(order.orderNumber))).toBeVisible();
      const dish = order.lines[0]!.product.name;
      await expect(page.getByRole('main').getByText(dish).first()).toBeVisible();
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      const paper = page.locator('body');
      await expect(paper.getByRole('button')).toHaveCount(0);
      await expect(paper.getByRole('link')).toHaveCount(0);
      await expect(paper.getByRole('navigation')).toHaveCount(0);
      await expect(heading(page, new RegExp(order.orderNumber))).toBeVisible();
      for (const text of [dish, order.store.address]) await expect(paper.getByText(text).first()).toBeVisible();
      const top = async (text: string) => (await paper.getByText(text).first().boundingBox())!.y;
      expect(await top(order.orderNumber)).toBeLessThan(await top(order.store.address));
      expect(await top(order.store.address)).toBeLessThan(await top(dish));
      await expect(totalOf(page)).toHaveText(`₹${order.bill.total / 100}`);
      await expect(totalOf(page)).toBeVisible();
      // Whatever stands on the sheet is black, or nearly.
      const inks = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('[data-printed] *, #main')]
          .filter((one) => one.checkVisibility() && one.textContent !== '' && !one.closest('svg'))
          .map((one) => getComputedStyle(one).color),
      );
      expect([...new Set(inks)]).toEqual(['rgb(0, 0, 0)']);
      await look(page, `print-${path.split('/')[0]}`);
      const pdf = await page.pdf({ preferCSSPageSize: true });
      expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
    }
  });

  test('a cart is printed on one sheet: how many of what, and the whole bill, black on white, without bars and buttons @all', async ({
    page,
    server,
  }) => {
    await noon(server);
    const own = bundle('in', 'browser');
    await page.goto(`${own.mount}menu`);
    await addFromMenu(page, 'Garden Four', 2);
    await page.goto(`${own.mount}cart`);
    await expect(totalOf(page)).toContainText('₹');
    await expect(page.locator('[data-old=true]')).toHaveCount(0);
    const total = await billedTotal(page);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const paper = page.locator('body');
    for (const role of ['button', 'link', 'navigation', 'textbox', 'checkbox'] as const)
      await expect(paper.getByRole(role)).toHaveCount(0);
    await expect(heading(page, 'Your cart')).toBeVisible();
    await look(page, 'print-cart');
    const dish = page.getByRole('main').getByText('Garden Four').filter({ visible: true }).first();
    const [many, what, sum] = await Promise.all(
      [page.locator('output').filter({ hasText: 'Garden Four' }), dish, totalOf(page)].map((one) => one.boundingBox()),
    );
    expect(many!.x + many!.width).toBeLessThanOrEqual(what!.x);
    expect(sum!.y).toBeGreaterThan(what!.y);
    await expect(totalOf(page)).toHaveText(total);
    const inks = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('[data-printed] *, #main')]
        .filter((one) => one.checkVisibility() && one.textContent !== '' && !one.closest('svg'))
        .map((one) => getComputedStyle(one).color),
    );
    expect([...new Set(inks)]).toEqual(['rgb(0, 0, 0)']);
    const pdf = await page.pdf({ preferCSSPageSize: true });
    expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  });
});
