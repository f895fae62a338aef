// What an order takes of bytes and time on a slow line, from the address to "placed": a newcomer's, the next one of a customer, and
// the one after a release.
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { enterHost } from '../e2e/hosts.ts';
import { noon } from '../e2e/steps.ts';
import { builtBundles, type Bundle } from '../kit/app.ts';
import { launchBrowser } from '../kit/browser.ts';
import { temporaryFolder } from '../kit/folder.ts';
import { spawnServer, type SpawnedServer } from '../kit/server.ts';
import { freshMobile } from '../server/people.ts';
import { firstOrder, handOf, nextOrder } from './journeys.ts';
import { metaOf, pad, root } from './numbers.ts';

interface Line {
  readonly latency: number;
  /** Bytes a second. */
  readonly downloadThroughput: number;
  readonly uploadThroughput: number;
}
const LINES: Readonly<Record<string, Line>> = {
  '50 kbit/s': { latency: 600, downloadThroughput: 50_000 / 8, uploadThroughput: 50_000 / 8 },
  '2G': { latency: 300, downloadThroughput: 250_000 / 8, uploadThroughput: 50_000 / 8 },
};
const UNSLOWED: Line = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
const PATIENCE_MS = 240_000;

interface Asked {
  readonly at: number;
  readonly what: string;
  readonly kind: 'script' | 'calls' | 'rest';
  end?: number;
  bytes?: number;
}

/** Puts a page on a line and counts what comes over it from then on. */
async function onLine(page: Page, line: Line) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', { offline: false, ...line });
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  const asked = new Map<string, Asked>();
  devtools.on('Network.requestWillBeSent', ({ requestId, type, request: { method, url } }) => {
    const { pathname } = new URL(url);
    // What a vendor's app asks its own servers is not the page's.
    if (pathname.startsWith('/vendors/')) return;
    const kind = url.endsWith('.js') ? 'script' : type === 'Fetch' ? 'calls' : 'rest';
    asked.set(requestId, { at: seconds(), what: `${method} ${pathname}`, kind });
  });
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const one = asked.get(requestId);
    if (one) Object.assign(one, { end: seconds(), bytes: encodedDataLength });
  });
  return {
    seconds,
    /** What the browser had kept has no bytes. */
    came: () => [...asked.values()].filter(({ bytes = 0 }) => bytes > 0),
    leave: async () => {
      await devtools.send('Network.emulateNetworkConditions', { offline: false, ...UNSLOWED });
      await devtools.detach();
    },
  };
}

const kilobytes = (all: readonly Asked[]) => all.reduce((sum, { bytes = 0 }) => sum + bytes, 0) / 1000;

/** Carries out one order on a line, and tells of each step what has come until then. */
async function measured(
  title: string,
  page: Page,
  line: Line,
  { eachRequest }: { readonly eachRequest: boolean },
  order: (reached: (step: string) => void) => Promise<unknown>,
): Promise<void> {
  const { seconds, came, leave } = await onLine(page, line);
  const marks: string[] = [];
  const reached = (step: string) => marks.push(`${step} ${seconds().toFixed(1)} s ${kilobytes(came()).toFixed(1)} KB`);
  await order(reached);
  await page.getByRole('heading', { name: 'Thank you! Your order is placed.' }).waitFor();
  reached('placed');
  const all = came();
  const [script, calls, rest] = (['script', 'calls', 'rest'] as const).map((kind) =>
    kilobytes(all.filter((one) => one.kind === kind)).toFixed(1),
  );
  await leave();
  console.log(`${pad(title, 40)}${marks.join(', ')}`);
  console.log(
    `${pad('', 40)}script ${script}, calls ${calls}, pages and the rest ${rest} KB in ${all.length} requests`,
  );
  if (eachRequest)
    for (const { at, end = at, bytes = 0, what } of all)
      console.log(
        `${at.toFixed(1).padStart(8)} to ${end.toFixed(1).padStart(5)} s${String(bytes).padStart(8)} B  ${what}`,
      );
}

interface Shop {
  readonly server: SpawnedServer;
  /** Puts the next release into the folder that is served. */
  readonly release?: () => void;
}

/** Orders as a newcomer, some hours later once more and, where there is a release, after that too. */
async function orders(browser: Browser, { server, release }: Shop, own: Bundle, at: string, eachRequest: boolean) {
  const context = await browser.newContext({
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
    deviceScaleFactor: 2,
    // On such a line a page has none for minutes (hosts/browser/keepOffline.ts).
    serviceWorkers: 'block',
    baseURL: server.url,
  });
  try {
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    // The browser's own word for such a line; a phone says it by itself.
    await page.addInitScript(() => {
      const one = Object.assign(new EventTarget(), { saveData: true, effectiveType: 'slow-2g' });
      Object.defineProperty(navigator, 'connection', { configurable: true, get: () => one });
    });
    const mobile = freshMobile(`${own.country}-web`);
    await enterHost(page, own, { user: `customer-${mobile}` });
    // An imitated host is a script of the page; a real one is on the phone already.
    const { fake } = metaOf(`${own.country}/${own.host}`);
    if (own.host !== 'browser') await page.goto(`${own.mount}${fake}`);
    const hand = handOf(page);
    const name = (who: string) => `${own.country}/${own.host}, ${at}, ${who}`;
    const measure = (who: string, order: (reached: (step: string) => void) => Promise<unknown>) =>
      measured(name(who), page, LINES[at]!, { eachRequest }, order);
    await noon(server);
    if (release === undefined) await measure('newcomer', (reached) => firstOrder(hand, server, own, mobile, reached));
    else await firstOrder(hand, server, own, mobile);
    await server.advance(2 * 3_600);
    release?.();
    await page.goto('about:blank');
    await measure(release ? 'after a release' : 'returning', (reached) => nextOrder(hand, own, reached));
  } finally {
    await context.close();
  }
}

/** Changes of a release: one screen, one rule, and one call. */
const EDITS: readonly (readonly [file: string, from: RegExp | string, to: string])[] = [
  ['src/screens/first/HomeScreen.tsx', /<main|<div|<section|<Page/, '$& data-release="next"'],
  ['src/domain/countdown.ts', '% 60', '% 61'],
];

/** A copy of the project, whose bundle is built, and built again at its release. */
function copyOf({ country, host }: Bundle): { readonly dist: string; readonly release: () => void } {
  const copy = temporaryFolder('release');
  for (const name of ['src', 'hosts', 'country', 'build.mjs', 'package.json', 'package-lock.json', 'tsconfig.json'])
    cpSync(path.join(root, name), path.join(copy, name), { recursive: true });
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  const build = () =>
    execFileSync(process.execPath, ['build.mjs', '--country', country, '--host', host], { cwd: copy, stdio: 'pipe' });
  build();
  return {
    dist: path.join(copy, 'dist'),
    release: () => {
      for (const [file, from, to] of EDITS) {
        const text = readFileSync(path.join(copy, file), 'utf8');
        writeFileSync(path.join(copy, file), text.replace(from, to));
      }
      build();
    },
  };
}

interface Wanted {
  /** Whether every request is told as well. */
  readonly eachRequest: boolean;
  /** Folders in dist: 'in/gpay'. */
  readonly bundles: readonly string[];
  readonly lines?: readonly string[];
}

export async function benchOrder({ eachRequest, bundles, lines = Object.keys(LINES) }: Wanted): Promise<void> {
  const browser = await launchBrowser();
  let server = await spawnServer();
  try {
    console.log(
      'Cash orders at the door on a slow line, with all that comes over it (at 50 kbit/s and 600 ms: newcomer 190 KB and 45 s, returning 25 KB and 12 s, after a release 35 KB)',
    );
    const own = builtBundles().filter(({ country, host }) => bundles.includes(`${country}/${host}`));
    for (const at of lines) for (const one of own) await orders(browser, { server }, one, at, eachRequest);
    // Hosts differ little in what a release changes.
    const [page] = own;
    if (!page) throw new Error(`None of ${bundles.join(', ')} is built.`);
    const { dist, release } = copyOf(page);
    await server.stop();
    server = await spawnServer({ settings: { distDir: dist } });
    await orders(browser, { server, release }, page, lines[0]!, eachRequest);
  } finally {
    await browser.close();
    await server.stop();
  }
}
