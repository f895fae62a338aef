import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame, Locator, Page } from '@playwright/test';
import * as development from '../../src/contract/development.ts';
import { sendOtp } from '../../src/contract/login.ts';
import { expect, test, watchTrouble } from '../kit/app.ts';
import { IS_ALL } from '../kit/matrix.ts';
import { guest } from '../server/people.ts';
import { pay, visitor } from '../server/shop.ts';
import { look, noon } from './steps.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
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

async function problems(page: Page): Promise<string[]> {
  await page.evaluate(`${AXE};0`);
  return page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run(where: Document, how: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    // What is inside the frames is the apps' own, and checked with them.
    const { violations } = await axe.run(document, {
      iframes: false,
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      resultTypes: ['violations'],
      selectors: false,
    });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`));
  });
}

test.describe('on a desk', () => {
  test.use({ viewport: DESKTOP });

  test('a newcomer reads what this is, and sees the apps running side by side @all', async ({ page }) => {
    const troubles = watchTrouble(page);
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('One pizza shop, all its apps on this page');
    await expect(page.getByRole('article')).toHaveCount(5);
    for (const [id, mount] of [
      ['in-gpay', '/in/gpay/'],
      ['in-paytm', '/in/paytm/'],
    ] as const) {
      const frame = await app(page, id);
      expect(new URL(frame.url()).pathname).toBe(mount);
      await expect(frame.locator('h1').first()).toBeAttached();
    }
    expect(troubles).toEqual([]);
  });

  test('on a laptop a whole phone is in view, and the simulator’s switches scroll beside it @all', async ({ page }) => {
    await page.setViewportSize({ width: 1366, height: 657 });
    await page.goto('/');
    await app(page, 'in-gpay');
    const whole = phone(page, 'in-gpay');
    await expect(whole.getByRole('button', { name: 'Kill' })).toBeInViewport({ ratio: 1 });
    await expect(whole).toBeInViewport({ ratio: 1 });
    await plate(page, 'The bank').getByRole('heading').scrollIntoViewIfNeeded();
    await expect(plate(page, 'The bank').getByRole('heading')).toBeInViewport({ ratio: 1 });
    await expect(whole).toBeInViewport({ ratio: 1 });
    const [high, foot] = await page.evaluate(() => [
      document.documentElement.scrollHeight,
      document.querySelector('footer')!.getBoundingClientRect().bottom + scrollY,
    ]);
    expect(Math.abs(high - foot)).toBeLessThan(2);
  });

  test('a phone out of sight is opened only when it comes into sight @all', async ({ page }) => {
    await page.goto('/');
    await app(page, 'in-gpay');
    await expect(phone(page, 'bg-browser').locator('iframe')).toHaveCount(0);
    // One that had been asked for would say that it is opening.
    await expect(phone(page, 'bg-browser').getByRole('button', { name: 'Golden Oven Pizza' })).toContainText(
      'Tap to open',
    );
    await page.getByRole('navigation', { name: 'Choose a phone' }).getByRole('button', { name: 'Bangladesh' }).click();
    expect(new URL((await app(page, 'bg-browser')).url()).pathname).toBe('/bg/');
    await expect(page.getByRole('combobox', { name: 'Phone', exact: true })).toHaveValue('bg-browser');
  });

  test('the network of one phone goes, the others keep theirs, and Reset brings it back [NAV-71]', async ({ page }) => {
    await page.goto('/');
    const [gpay, paytm] = [await app(page, 'in-gpay'), await app(page, 'in-paytm')];
    await choose(plate(page, 'This phone'), 'Network', 'None');
    const look = (frame: Frame) => () => frame.evaluate(() => getComputedStyle(document.documentElement).filter);
    await expect.poll(look(gpay)).toBe('grayscale(1)');
    expect(await look(paytm)()).toBe('none');
    await expect(phone(page, 'in-gpay')).toContainText('No network');
    await expect(page.getByText('India in Google Pay: networkType none')).toBeVisible();
    await page.getByRole('button', { name: 'Reset everything' }).click();
    await expect.poll(look(gpay)).toBe('none');
    await expect(page.getByRole('button', { name: 'Reset everything' })).toHaveCount(0);
  });
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
      ['Decline', 'failure'],
      ['Leave pending', 'pending'],
      ['Pay, no reply', 'no-reply'],
      ['Pay twice', 'duplicate'],
      ['Close without paying', 'cancel'],
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

  test('every other sheet of a host can be answered too @all', async ({ page }) => {
    await page.goto('/');
    await page.getByRole('navigation', { name: 'Choose a phone' }).getByRole('button', { name: 'Paytm' }).click();
    const frame = await app(page, 'in-paytm');
    for (const [sheet, button, answer] of [
      ['login', 'Share and continue', 'grant'],
      ['login', 'Not now', 'deny'],
      ['phone', 'Share number', 'grant'],
      ['location', 'Do not allow', 'deny'],
      ['location', 'Stay without an answer', 'timeout'],
      ['address', 'Use my home address', 'pick'],
      ['share', 'Share', 'share'],
      ['shortcut', 'Cancel', 'dismiss'],
    ] as const) {
      await asks(frame, sheet);
      await phone(page, 'in-paytm').getByRole('dialog').getByRole('button', { name: button, exact: true }).click();
      await expect.poll(answerIn(frame)).toBe(answer);
    }
  });

  test('told to answer by itself, a phone opens no sheet @all', async ({ page }) => {
    await page.goto('/');
    const frame = await app(page, 'in-gpay');
    await choose(plate(page, 'This phone'), 'When the phone asks for something', 'By itself');
    await choose(plate(page, 'This phone'), 'Login', 'Refuses');
    await expect
      .poll(() =>
        frame.evaluate(
          () => (window as unknown as { hostFake: { controls: { login: string } } }).hostFake.controls.login,
        ),
      )
      .toBe('deny');
    await asks(frame, 'login');
    await expect.poll(answerIn(frame)).toBe('deny');
    await expect(phone(page, 'in-gpay').getByRole('dialog')).toHaveCount(0);
  });

  for (const { id, name, legend, control, usual, option, value } of [
    {
      id: 'in-gpay',
      name: 'Google Pay',
      legend: 'Its proof of who you are',
      control: 'token',
      usual: 'good',
      option: 'Forged',
      value: 'wrong-keys',
    },
    {
      id: 'in-paytm',
      name: 'Paytm',
      legend: 'Its login code',
      control: 'authCode',
      usual: 'fresh',
      option: 'Used before',
      value: 'reused',
    },
  ])
    test(`what can be wrong with ${name} alone is its own switch: ${legend} @all`, async ({ page }) => {
      await page.goto('/');
      const own = plate(page, 'This phone');
      await own.getByRole('combobox', { name: 'Phone', exact: true }).selectOption(id);
      await own.getByText(`When ${name} misbehaves`).click();
      await expect(own.getByRole('group', { name: /^Its (proof|login)/ })).toHaveCount(1);
      await choose(own, legend, option);
      const said = (frame: Frame) =>
        frame.evaluate((of) => Reflect.get((window as FakeWindow).hostFake!.controls, of) as string, control);
      const frame = await app(page, id);
      await expect.poll(() => said(frame)).toBe(value);
      await expect(page.getByText(`India in ${name}: ${control} ${value}`)).toBeVisible();
      // Killed and opened again, it is still so.
      await phone(page, id).getByRole('button', { name: 'Kill' }).click();
      await phone(page, id).getByRole('button', { name: 'Reopen' }).click();
      const again = await app(page, id);
      expect(await said(again)).toBe(value);
      await page.getByRole('button', { name: 'Reset everything' }).click();
      await expect.poll(() => said(again)).toBe(usual);
      await expect(page.getByRole('button', { name: 'Reset everything' })).toHaveCount(0);
    });

  test('a scenario is chosen by its name: the app opens again in it, the switches say so, and Reset ends it', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 1366, height: 657 });
    await page.goto('/');
    await app(page, 'in-gpay');
    const mine = plate(page, 'This phone');
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
    await scenario.selectOption('Storage full');
    await expect.poll(controlsOf).toEqual({ payment: 'success', storage: 'full' });
    await page.getByRole('button', { name: 'Reset everything' }).click();
    await expect.poll(controlsOf).toEqual({ payment: 'success', storage: 'works' });
    await expect(scenario).toHaveValue('calm');
  });

  test('a killed app is gone, opened again it has its storage and its switches; erased, it has not @all', async ({
    page,
  }) => {
    await page.goto('/');
    const first = await app(page, 'in-gpay');
    await first.evaluate(() => {
      localStorage.setItem('IN/gpay:kept-by-test', '1');
      localStorage.setItem('IN/paytm:kept-by-test', '1');
    });
    await choose(plate(page, 'This phone'), 'Network', '3G');
    await phone(page, 'in-gpay').getByRole('button', { name: 'Kill' }).click();
    await expect(phone(page, 'in-gpay').locator('iframe')).toHaveCount(0);
    await phone(page, 'in-gpay').getByRole('button', { name: 'Reopen' }).click();
    const second = await app(page, 'in-gpay');
    expect(
      await second.evaluate(() => [
        localStorage.getItem('IN/gpay:kept-by-test'),
        (window as FakeWindow).hostFake!.controls.networkType,
      ]),
    ).toEqual(['1', '3g']);
    await plate(page, 'This phone').getByText('Place and memory').click();
    await page.getByRole('button', { name: 'Erase the app’s data on this phone' }).click();
    const third = await app(page, 'in-gpay');
    expect(
      await third.evaluate(() => [
        localStorage.getItem('IN/gpay:kept-by-test'),
        localStorage.getItem('IN/paytm:kept-by-test'),
      ]),
    ).toEqual([null, '1']);
  });

  test('reloaded, an app shows the same page again with its host around it; opened again it begins at the start @all', async ({
    page,
  }) => {
    await page.goto('/');
    const first = await app(page, 'in-gpay');
    await first.evaluate(() => {
      (document.querySelector('a[href="menu"]') as HTMLElement).click();
    });
    await expect.poll(() => new URL(first.url()).pathname).toBe('/in/gpay/menu');
    await asks(first, 'phone');
    await expect(phone(page, 'in-gpay').getByRole('dialog')).toBeVisible();
    await first.evaluate(() => {
      (window as unknown as { isOld: boolean }).isOld = true;
    });
    await phone(page, 'in-gpay').getByRole('button', { name: 'Reload' }).click();
    // A sheet that nobody waits for any more is gone.
    await expect(phone(page, 'in-gpay').getByRole('dialog')).toHaveCount(0);
    await expect.poll(async () => (await app(page, 'in-gpay')).evaluate(() => 'isOld' in window)).toBe(false);
    expect(new URL((await app(page, 'in-gpay')).url()).pathname).toBe('/in/gpay/menu');
    await phone(page, 'in-gpay').getByRole('button', { name: 'Kill' }).click();
    await phone(page, 'in-gpay').getByRole('button', { name: 'Reopen' }).click();
    expect(new URL((await app(page, 'in-gpay')).url()).pathname).toBe('/in/gpay/');
  });

  test('home hides the app without ending it, and the bridge can be late @all', async ({ page }) => {
    await page.goto('/');
    await page.getByRole('navigation', { name: 'Choose a phone' }).getByRole('button', { name: 'Paytm' }).click();
    const frame = await app(page, 'in-paytm');
    await page.getByRole('button', { name: 'Home screen of India in Paytm' }).click();
    await expect.poll(() => frame.evaluate(() => document.visibilityState)).toBe('hidden');
    await phone(page, 'in-paytm')
      .getByRole('button', { name: /Still running/ })
      .click();
    await expect.poll(() => frame.evaluate(() => document.visibilityState)).toBe('visible');
    await choose(plate(page, 'This phone'), 'Bridge of the payment app', 'Never');
    await expect
      .poll(async () =>
        (await app(page, 'in-paytm')).evaluate(() => [
          (window as FakeWindow).hostFake!.controls.ready,
          'JSBridge' in window,
        ]),
      )
      .toEqual(['never', false]);
  });

  test('an SMS comes in under Messages, and its code is copied with one tap @all', async ({
    page,
    server,
    context,
    phone: number,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/');
    await app(page, 'in-gpay');
    await expect(plate(page, 'Messages')).toBeVisible();
    const mobile = number('in');
    const who = await guest(server);
    expect((await server.call(sendOtp, { body: { mobile } }, who.as)).status).toBe(200);
    const message = plate(page, 'Messages').getByRole('listitem').filter({ hasText: mobile });
    await expect(message).toBeVisible();
    const code = /\d{6}/.exec((await server.inbox(`+91${mobile}`))[0] ?? '')?.[0];
    await message.getByRole('button', { name: 'Copy' }).click();
    await expect(message.getByRole('button', { name: 'Copied' })).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code);
  });

  test('the bank, the line, the shops and the clock of the server follow the switches @all', async ({
    page,
    server,
  }) => {
    await page.goto('/');
    await app(page, 'in-gpay');
    const inForce = async () => (await server.call(development.switches, {})).body.switches;
    await choose(plate(page, 'The bank'), 'The bank', 'Declines');
    await expect.poll(async () => (await inForce()).bankOutcome).toBe('failure');
    await choose(plate(page, 'The line to the server'), 'The line to the server', 'Slow');
    await expect.poll(async () => (await inForce()).faults).toEqual([{ match: '/', delayMs: 3000 }]);
    await choose(plate(page, 'The line to the server'), 'The line to the server', 'All well');
    await plate(page, 'Shops in India').getByRole('group', { name: 'Sold out' }).getByRole('checkbox').first().check();
    await plate(page, 'Shops in India').getByRole('group', { name: 'Offline' }).getByRole('checkbox').first().check();
    await expect
      .poll(async () => {
        const { soldOut, offlineStores } = await inForce();
        return [soldOut.length, offlineStores.length];
      })
      .toEqual([1, 1]);
    await expect(page.getByText('3 not as usual')).toBeVisible();
    await page.getByRole('button', { name: 'Reset everything' }).click();
    await expect.poll(inForce).toMatchObject({ bankOutcome: null, faults: [], soldOut: [], offlineStores: [] });

    const before = (await server.call(development.clock, {})).body.offsetMs;
    await plate(page, 'The shop’s clock').getByRole('button', { name: '+15 min' }).click();
    await expect.poll(async () => (await server.call(development.clock, {})).body.offsetMs).toBe(before + 900_000);
    await expect(plate(page, 'The shop’s clock')).toContainText('ahead of real life');
  });

  test('whoever shows the shop moves an order along by the clock, without any role of their own [AUTH-37] [API-X04] @all', async ({
    page,
    server,
  }) => {
    await noon(server);
    const customer = await visitor(server);
    const { order, next } = await customer.order();
    await pay(server, next);
    await customer.confirm(order);
    const stands = async () => {
      const { orderStatus, stage } = await customer.read(order.orderId);
      return `${orderStatus} ${stage ?? ''}`;
    };
    const before = await stands();
    await page.goto('/');
    const sooner = plate(page, 'The shop’s clock').getByRole('button', { name: '+15 min' });
    await sooner.click();
    await expect.poll(stands).not.toBe(before);
    await sooner.click();
    await sooner.click();
    await sooner.click();
    await expect.poll(stands).toMatch(/^DELIVERED/);
  });

  test('when the server is gone the page says so, and when it is back it goes on @all', async ({ page }) => {
    await page.clock.install();
    let isGone = false;
    let underway = 0;
    await page.route('**/development/**', async (route) => {
      underway += 1;
      await (isGone ? route.abort() : route.continue());
      underway -= 1;
    });
    await page.goto('/');
    await app(page, 'in-gpay');
    isGone = true;
    await expect(page.getByText('The server does not answer.')).toBeVisible();
    // The page looks again by itself every few seconds: its timers stand still from now on, so that only the button can.
    await page.clock.pauseAt(new Date(Date.now() + 600_000));
    await expect.poll(() => underway).toBe(0);
    await expect(page.getByText('The server does not answer.')).toBeVisible();
    isGone = false;
    await page.getByRole('button', { name: 'Look now' }).click();
    await expect(page.getByText('The server does not answer.')).toHaveCount(0);
  });

  test('on a server in production the phones stay and the server’s switches are gone @all', async ({ page }) => {
    await page.route('**/development/**', (route) =>
      route.fulfill({ status: 404, json: { status: 'FAILED', errors: [{ code: 'NOT_FOUND', displayMsg: 'No.' }] } }),
    );
    await page.goto('/');
    await expect(page.getByText('This server runs in production')).toBeVisible();
    await expect(plate(page, 'This phone')).toBeVisible();
    for (const name of ['Messages', 'The shop’s clock', 'The bank', 'The line to the server'])
      await expect(plate(page, name)).toHaveCount(0);
    await app(page, 'in-gpay');
  });

  test('a bundle that is not there says so and can be tried again @all', async ({ page }) => {
    await page.route('**/in/gpay/**', (route) =>
      route.fulfill({ status: 503, contentType: 'text/plain', body: 'Not built.' }),
    );
    await page.goto('/');
    await expect(phone(page, 'in-gpay').getByRole('alert')).toContainText('The app is not here');
    await page.unroute('**/in/gpay/**');
    await phone(page, 'in-gpay').getByRole('button', { name: 'Try again' }).click();
    await app(page, 'in-gpay');
    await expect(phone(page, 'in-gpay').getByRole('alert')).toHaveCount(0);
  });

  test('links lead to each app alone and to the interface @all', async ({ page }) => {
    await page.goto('/');
    const links = await page
      .getByRole('contentinfo')
      .getByRole('link')
      .evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).href));
    expect(links.map((link) => link.slice(new URL(link).origin.length))).toEqual([
      '/in/gpay/?simulator',
      '/in/paytm/?simulator',
      '/in/',
      '/lk/',
      '/bg/',
      '/simulator/partner.html',
      '/openapi.json',
    ]);
    for (const link of links) expect((await page.request.get(link)).status(), link).toBe(200);
  });
});

test('on a small screen there is one phone at a time, chosen by its tab @all', async ({ page }) => {
  await page.setViewportSize(SMALL);
  await page.goto('/');
  await app(page, 'in-gpay');
  await expect(page.locator('iframe')).toHaveCount(1);
  await page.getByRole('navigation', { name: 'Choose a phone' }).getByRole('button', { name: 'Paytm' }).click();
  await app(page, 'in-paytm');
  await expect(phone(page, 'in-gpay')).toBeHidden();
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
      found.push(...(await problems(page)).map((one) => `${name}: ${one}`));
    }
    expect(found).toEqual([]);
  });
}
