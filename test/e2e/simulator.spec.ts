import type { Frame, Locator, Page } from '@playwright/test';
import * as development from '../../src/contract/development.ts';
import { sendOtp } from '../../src/contract/login.ts';
import { expect, test, watchTrouble } from '../kit/app.ts';
import { IS_ALL } from '../kit/matrix.ts';
import { guest } from '../server/people.ts';
import { problemsOf } from './judging.ts';
import { look } from './steps.ts';

const DESKTOP = { width: 1440, height: 900 };
const SMALL = { width: 360, height: 740 };

interface Fake {
  sheet(name: string, detail: object): Promise<string>;
  readonly controls: { readonly networkType: string; readonly ready: string; readonly consented: boolean };
}
type FakeWindow = Window & { hostFake?: Fake; answer?: string };

const phone = (page: Page, id: string) => page.locator(`#${id}`);

/** The app inside a phone, once its imitated host stands. */
async function app(page: Page, id: string): Promise<Frame> {
  const frame = async () => (await (await phone(page, id).locator('iframe').elementHandle())?.contentFrame()) ?? null;
  await expect(phone(page, id).getByRole('progressbar')).toHaveCount(0);
  await expect
    .poll(async () => (await frame())?.evaluate(() => Boolean((window as FakeWindow).hostFake)).catch(() => false))
    .toBe(true);
  return (await frame())!;
}

/** Says that the host asks for something, as a call of the app would. */
async function asks(frame: Frame, sheet: string, detail: object = {}): Promise<void> {
  await frame.evaluate(
    ([name, about]) => {
      const win = window as FakeWindow;
      delete win.answer;
      void win.hostFake!.sheet(name, about).then((choice) => {
        win.answer = choice;
      });
    },
    [sheet, detail] as const,
  );
}
const answerIn = (frame: Frame) => () => frame.evaluate(() => (window as FakeWindow).answer);

/** Radio buttons are drawn by the words beside them. */
const choose = (place: Locator, legend: string, option: string) =>
  place.getByRole('group', { name: legend, exact: true }).getByText(option, { exact: true }).click();
const plate = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

const reset = (page: Page) => page.getByRole('button', { name: 'Reset everything' });

test('the network of one phone goes and its scenario is chosen; the others keep theirs, and Reset ends both [NAV-71]', async ({
  page,
}) => {
  await page.setViewportSize(DESKTOP);
  const troubles = watchTrouble(page);
  await page.goto('/');
  const [gpay, paytm] = [await app(page, 'in-gpay'), await app(page, 'in-paytm')];
  const mine = plate(page, 'This phone');
  await choose(mine, 'Network', 'None');
  const filter = (frame: Frame) => () => frame.evaluate(() => getComputedStyle(document.documentElement).filter);
  await expect.poll(filter(gpay)).toBe('grayscale(1)');
  expect(await filter(paytm)()).toBe('none');
  await expect(page.getByText('India in Google Pay: networkType none')).toBeVisible();
  await reset(page).click();
  await expect.poll(filter(gpay)).toBe('none');
  await expect(reset(page)).toHaveCount(0);
  expect(troubles.filter(({ kind }) => kind !== 'console')).toEqual([]);

  const scenario = mine.getByRole('combobox', { name: 'Scenario' });
  await expect(scenario.locator('optgroup')).toHaveCount(7);
  await scenario.selectOption('Declined');
  const controlsOf = async () =>
    (await app(page, 'in-gpay')).evaluate(() => {
      const { payment, storage } = (window as unknown as { hostFake: { controls: Record<string, string> } }).hostFake
        .controls;
      return { payment, storage };
    });
  await expect.poll(controlsOf).toEqual({ payment: 'failure', storage: 'works' });
  await expect(mine.getByRole('combobox', { name: 'Payment' })).toHaveValue('failure');
  await look(page, 'scenario');
  await reset(page).click();
  await expect.poll(controlsOf).toEqual({ payment: 'success', storage: 'works' });
  await expect(scenario).toHaveValue('calm');
});

// Each phone in sight is an app that starts: these need one.
test.describe('with one phone', () => {
  test.use({ viewport: SMALL });

  test('a payment sheet is drawn over the app, takes the keyboard, and its answer reaches the app', async ({
    page,
  }) => {
    await page.goto('/');
    const frame = await app(page, 'in-gpay');
    const sheet = phone(page, 'in-gpay').getByRole('dialog', { name: 'Confirm your payment' });
    for (const [name, answer] of [
      ['Pay ₹449.00', 'success'],
      ['Pay, no reply', 'no-reply'],
    ] as const) {
      await asks(frame, 'payment', { amount: '449.00', payee: 'Golden Oven Pizza', reference: 'T1' });
      await expect(sheet).toContainText('₹449.00');
      await expect(sheet.getByRole('heading')).toBeFocused();
      await expect(phone(page, 'in-gpay').locator('iframe')).toHaveAttribute('inert', '');
      await sheet.getByRole('button', { name, exact: true }).press('Enter');
      await expect.poll(answerIn(frame)).toBe(answer);
      await expect(sheet).toHaveCount(0);
    }
    await asks(frame, 'payment', { amount: '449.00' });
    await expect(sheet.getByRole('heading')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect.poll(answerIn(frame)).toBe('cancel');
    await expect(phone(page, 'in-gpay').locator('iframe')).toBeFocused();
  });

  test('a phone is killed, opened, reloaded, erased and left for its home screen, with its storage and switches @all', async ({
    page,
  }) => {
    await page.goto('/');
    const one = phone(page, 'in-gpay');
    const press = (name: string) => one.getByRole('button', { name }).click();
    const stored = async () =>
      (await app(page, 'in-gpay')).evaluate(() => [
        localStorage.getItem('IN/gpay:kept-by-test'),
        localStorage.getItem('IN/paytm:kept-by-test'),
      ]);
    const first = await app(page, 'in-gpay');
    await first.evaluate(() => {
      for (const host of ['gpay', 'paytm']) localStorage.setItem(`IN/${host}:kept-by-test`, '1');
      (document.querySelector('a[href="menu"]') as HTMLElement).click();
    });
    const path = async () => new URL((await app(page, 'in-gpay')).url()).pathname;
    await expect.poll(path).toBe('/in/gpay/menu');
    await page.getByRole('button', { name: 'Home screen of India in Google Pay' }).click();
    await expect.poll(() => first.evaluate(() => document.visibilityState)).toBe('hidden');
    await one.getByRole('button', { name: /Still running/ }).click();
    await expect.poll(() => first.evaluate(() => document.visibilityState)).toBe('visible');
    await asks(first, 'phone');
    await expect(one.getByRole('dialog')).toBeVisible();
    await press('Reload');
    // A sheet that nobody waits for any more is gone.
    await expect(one.getByRole('dialog')).toHaveCount(0);
    await expect.poll(path).toBe('/in/gpay/menu');
    await choose(plate(page, 'This phone'), 'Network', '3G');
    await press('Kill');
    await expect(one.locator('iframe')).toHaveCount(0);
    await press('Reopen');
    await expect.poll(path).toBe('/in/gpay/');
    expect(await stored()).toEqual(['1', '1']);
    const again = await app(page, 'in-gpay');
    expect(await again.evaluate(() => (window as FakeWindow).hostFake!.controls.networkType)).toBe('3g');
    await plate(page, 'This phone').getByText('Place and memory').click();
    await page.getByRole('button', { name: 'Erase the app’s data on this phone' }).click();
    await expect.poll(stored).toEqual([null, '1']);
  });

  test('an SMS comes in; bank, line, shops and clock of the server follow the switches; one in production has none @all', async ({
    page,
    server,
    phone: number,
  }) => {
    await page.goto('/');
    await app(page, 'in-gpay');
    const mobile = number('in');
    const who = await guest(server);
    expect((await server.call(sendOtp, { body: { mobile } }, who.as)).status).toBe(200);
    await expect(plate(page, 'Messages').getByRole('listitem').filter({ hasText: mobile })).toBeVisible();
    const inForce = async () => (await server.call(development.switches, {})).body.switches;
    await choose(plate(page, 'The bank'), 'The bank', 'Declines');
    await expect.poll(async () => (await inForce()).bankOutcome).toBe('failure');
    await choose(plate(page, 'The line to the server'), 'The line to the server', 'Slow');
    await expect.poll(async () => (await inForce()).faults).toEqual([{ match: '/', delayMs: 3000 }]);
    await choose(plate(page, 'The line to the server'), 'The line to the server', 'All well');
    for (const name of ['Sold out', 'Offline'])
      await plate(page, 'Shops in India').getByRole('group', { name }).getByRole('checkbox').first().check();
    await expect
      .poll(async () => {
        const { soldOut, offlineStores } = await inForce();
        return [soldOut.length, offlineStores.length];
      })
      .toEqual([1, 1]);
    await reset(page).click();
    await expect.poll(inForce).toMatchObject({ bankOutcome: null, faults: [], soldOut: [], offlineStores: [] });
    const before = (await server.call(development.clock, {})).body.offsetMs;
    await plate(page, 'The shop’s clock').getByRole('button', { name: '+15 min' }).click();
    await expect.poll(async () => (await server.call(development.clock, {})).body.offsetMs).toBe(before + 900_000);
    await page.route('**/development/**', (route) =>
      route.fulfill({ status: 404, json: { status: 'FAILED', errors: [{ code: 'NOT_FOUND', displayMsg: 'No.' }] } }),
    );
    await page.reload();
    await expect(page.getByText('This server runs in production')).toBeVisible();
    for (const name of ['Messages', 'The shop’s clock', 'The bank']) await expect(plate(page, name)).toHaveCount(0);
    await app(page, 'in-gpay');
  });
});

/** `from` opens the page; it is then resized, as a window is. */
for (const { from, sizes } of [
  {
    from: 'a phone',
    sizes: [
      { width: 360, height: 740, dark: false },
      { width: 412, height: 915, dark: true },
    ],
  },
  {
    from: 'a desk',
    sizes: [
      { width: 1600, height: 900, dark: false },
      { width: 1280, height: 800, dark: true },
      { width: 834, height: 1112, dark: false },
    ],
  },
].slice(0, IS_ALL ? 2 : 1)) {
  test(`nothing sticks out and axe finds nothing in the sizes of ${from}, in the light and in the dark [QUAL-X01, QUAL-X08]`, async ({
    page,
    server,
    phone: number,
  }) => {
    await page.setViewportSize(sizes[0]!);
    const who = await guest(server);
    await server.call(sendOtp, { body: { mobile: number('in') } }, who.as);
    await server.switches({ bankOutcome: 'failure' });
    await page.goto('/');
    const frame = await app(page, 'in-gpay');
    await expect(page.getByRole('button', { name: 'Reset everything' })).toBeAttached();
    await plate(page, 'This phone').getByText('What the phone was asked').click();
    await asks(frame, 'payment', { amount: '449.00', payee: 'Golden Oven Pizza', reference: 'T1' });
    await expect(phone(page, 'in-gpay').getByRole('dialog')).toBeVisible();
    const found: string[] = [];
    for (const { dark, ...size } of sizes) {
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce' });
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      const name = `${size.width} × ${size.height}${dark ? ', dark' : ''}`;
      if (wider > 0) found.push(`${name}: ${wider} px stick out`);
      found.push(...(await problemsOf(page, { iframes: false })).map((one) => `${name}: ${one}`));
    }
    expect(found).toEqual([]);
  });
}
