// A new customer's first order on the worst line of all: what it takes of bytes and time, from the address to "placed" (product.md 3.7).
import type { Browser } from '@playwright/test';
import { launchBrowser } from '../kit/browser.ts';
import { freshMobile } from '../server/people.ts';
import { spawnServer, type SpawnedServer } from '../kit/server.ts';
import { acceptTerms, chooseMode, fillDoor, fillWho, noon, payButton } from '../e2e/steps.ts';
import { pad } from './numbers.ts';

const LINES = {
  '50 kbit/s, 600 ms': { offline: false, latency: 600, downloadThroughput: 50_000 / 8, uploadThroughput: 50_000 / 8 },
  '2G (250 kbit/s, 300 ms)': {
    offline: false,
    latency: 300,
    downloadThroughput: 250_000 / 8,
    uploadThroughput: 50_000 / 8,
  },
};
type Line = (typeof LINES)[keyof typeof LINES];
const PATIENT = { timeout: 240_000 };

async function order(browser: Browser, server: SpawnedServer, line: Line) {
  const context = await browser.newContext({
    viewport: { width: 360, height: 740 },
    deviceScaleFactor: 2,
    serviceWorkers: 'block',
  });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENT.timeout);
    // The browser's own word for such a line; a phone says it by itself.
    await page.addInitScript(() => {
      const one = Object.assign(new EventTarget(), { saveData: true, effectiveType: 'slow-2g' });
      Object.defineProperty(navigator, 'connection', { configurable: true, get: () => one });
    });
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', line);
    const kinds = new Map<string, 'script' | 'calls' | 'rest'>();
    const bytes = { script: 0, calls: 0, rest: 0, requests: 0 };
    devtools.on('Network.responseReceived', ({ requestId, type, response }) =>
      kinds.set(requestId, response.url.endsWith('.js') ? 'script' : type === 'Fetch' ? 'calls' : 'rest'),
    );
    devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      bytes[kinds.get(requestId) ?? 'rest'] += encodedDataLength;
      bytes.requests += 1;
    });
    const started = performance.now();
    const marks: [step: string, seconds: number, kilobytes: number][] = [];
    const mark = (step: string) => {
      marks.push([step, (performance.now() - started) / 1000, (bytes.script + bytes.calls + bytes.rest) / 1000]);
    };
    await page.goto(`${server.url}/bg/menu`, { ...PATIENT, waitUntil: 'commit' });
    await page.getByRole('button', { name: 'Add Garden Four' }).first().waitFor();
    mark('menu read');
    await page.getByRole('button', { name: 'Add Garden Four' }).first().click();
    await page.getByRole('link', { name: /^Cart/ }).first().click();
    await page.getByRole('heading', { name: 'Your cart', exact: true }).waitFor();
    mark('cart');
    await page.locator('main a[href*="searchAddress"]').first().click();
    await page.getByRole('combobox', { name: 'Search for your area' }).pressSequentially('dhan');
    await page
      .getByRole('option', { name: /^Dhanmondi\b/ })
      .first()
      .click();
    mark('place');
    for (;;) {
      const door = page.getByLabel('House, flat or floor number');
      const add = page.getByRole('link', { name: 'Add your address' });
      await door.or(add).first().waitFor();
      if (await door.isVisible()) break;
      await add.first().click();
    }
    await fillDoor(page);
    await page.getByRole('group', { name: 'Payment mode' }).waitFor();
    mark('payment page');
    const mobile = freshMobile('bg-web');
    await fillWho(page, mobile);
    await chooseMode(page, 'Cash on delivery');
    await acceptTerms(page);
    await payButton(page).click();
    await page.getByLabel('6-digit code').waitFor();
    mark('code asked for');
    const [sms = ''] = await server.inbox(`+880${mobile}`);
    await page.getByLabel('6-digit code').fill(/\d{6}/.exec(sms)?.[0] ?? '');
    await page.getByRole('heading', { name: 'Thank you! Your order is placed.' }).waitFor();
    mark('placed');
    return { marks, bytes };
  } finally {
    await context.close();
  }
}

export async function benchOrder(): Promise<void> {
  const server = await spawnServer();
  const browser = await launchBrowser();
  try {
    await noon(server);
    console.log(
      "\nA new customer's first order on a slow line (seconds and KB over the wire so far; limit 60 s and 150 KB)",
    );
    for (const [name, line] of Object.entries(LINES)) {
      const { marks, bytes } = await order(browser, server, line);
      console.log(name);
      for (const [step, seconds, kilobytes] of marks)
        console.log(`  ${pad(step, 16)}${seconds.toFixed(1).padStart(7)} s${kilobytes.toFixed(1).padStart(8)} KB`);
      console.log(
        `  script ${(bytes.script / 1000).toFixed(1)}, calls ${(bytes.calls / 1000).toFixed(1)}, pages, styles and the rest ${(bytes.rest / 1000).toFixed(1)} KB in ${bytes.requests} requests`,
      );
    }
  } finally {
    await browser.close();
    await server.stop();
  }
}
