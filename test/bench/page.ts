// How soon the menu is seen and the first tap answered, inside the imitated host, beside the same page written by hand without any
// library and beside what the line alone costs.
import http from 'node:http';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { AddressInfo } from 'node:net';
import type { Browser } from '@playwright/test';
import type { Meta } from '../../src/build/meta.ts';
import type { Menu } from '../../src/contract/menu.ts';
import { launchBrowser } from '../kit/browser.ts';
import { spawnServer } from '../kit/server.ts';
import { median, metaOf, pad, root } from './numbers.ts';

const CPU_SLOWDOWN = 4;
interface Link {
  /** ms, one way. */
  readonly latency: number;
  /** Bytes a second. */
  readonly downloadThroughput: number;
  readonly uploadThroughput: number;
}
const LINKS: Readonly<Record<string, Link>> = {
  'slow 4G': { latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 },
  '2G': { latency: 300, downloadThroughput: 250_000 / 8, uploadThroughput: 50_000 / 8 },
};
/** A first visit of each, which nobody counts: the server and the browser are warm afterwards. */
const UNSLOWED: Link = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
const GIVE_UP_MS = 60_000;
const MARKS = ['painted', 'seen', 'answered', 'pressed', 'alive'] as const;
type Mark = (typeof MARKS)[number];
const COMPARED = ['seen', 'answered', 'pressed'] as const;

/** By mark, ms since the page was asked for; null where it was not reached. */
type Marks = Record<Exclude<Mark, 'painted'>, number | null>;
declare global {
  var benchMarks: Marks | undefined;
}

/** All a page without a library needs to answer a tap on a dish or on a filter: the limit of what script can cost. */
const LIMIT_SCRIPT = `let pieces = 0;
addEventListener('click', (event) => {
  const chip = event.target.closest('[aria-pressed]');
  if (chip) {
    chip.setAttribute('aria-pressed', String(chip.getAttribute('aria-pressed') !== 'true'));
    const veg = document.querySelector('[aria-pressed=true]') !== null;
    for (const card of document.querySelectorAll('article, li')) card.hidden = veg && !/veg/i.test(card.textContent);
    return;
  }
  const add = event.target.closest('[data-dish] button');
  if (!add) return;
  pieces += 1;
  const count = add.parentElement.querySelector('output') || document.createElement('output');
  count.textContent = Number(count.textContent) + 1;
  add.before(count);
  document.querySelector('nav a[href=cart]').append(pieces);
});`;

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

/** The prerendered menu of a bundle with its stylesheet and a few lines of script, served as well as ours is. */
async function serveLimit(bundle: string): Promise<{ url: string; close: () => void }> {
  const folder = path.join(root, 'dist', bundle);
  const meta = metaOf(bundle);
  const html = readFileSync(path.join(folder, 'menu.html'), 'utf8')
    .replaceAll('/-base-/', '/')
    .replace(/<(script|template)[\s\S]*?<\/\1>\n?/g, '')
    .replace(/<link rel="(?:modulepreload|preload|manifest|apple-touch-icon)"[^>]*>\n?/g, '')
    .replace('</body>', '<script type="module" src="limit.js"></script>\n</body>');
  const files = new Map<string, [type: string, body: string | Buffer]>([
    ['/', ['text/html; charset=utf-8', html]],
    ['/limit.js', ['text/javascript', LIMIT_SCRIPT]],
  ]);
  for (const name of Object.keys(meta.files).filter((one) => /\.(css|svg|png)$/.test(one))) {
    files.set(`/${name}`, [TYPES[path.extname(name)] ?? '', readFileSync(path.join(folder, name))]);
  }
  const squeezed = new Map(
    [...files].map(([name, [type, body]]) => [name, { type, body: brotliCompressSync(body) }] as const),
  );
  const server = http.createServer((request, response) => {
    const file = squeezed.get(new URL(request.url ?? '/', 'http://x').pathname);
    if (!file) {
      response.writeHead(404).end();
      return;
    }
    response
      .writeHead(200, {
        'content-type': file.type,
        'content-encoding': 'br',
        'content-length': file.body.length,
        'cache-control': 'no-cache',
      })
      .end(file.body);
  });
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/**
 * Runs in the page before anything else. Seen: an item's name lies in the view of a painted frame. Answered: a tap on the first dish
 * shows its count. Pressed: a tap on the filter shows it as pressed. Alive: the page's own script has taken it over.
 */
function watchPage(itemName: string): void {
  const marks: Marks = { seen: null, answered: null, pressed: null, alive: null };
  globalThis.benchMarks = marks;
  addEventListener(
    'alive',
    () => {
      marks.alive = performance.now();
    },
    true,
  );
  const visible = () => {
    const walk = document.createTreeWalker(document.body ?? document, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
      if (walk.currentNode.nodeValue?.trim() !== itemName) continue;
      const box = walk.currentNode.parentElement?.getBoundingClientRect();
      if (box && box.height > 0 && box.top < innerHeight * 2) return true;
    }
    return false;
  };
  const frame = () => {
    if (document.body && visible())
      requestAnimationFrame(() => {
        marks.seen = performance.now();
        // A dish first, as a customer would; each on its own, so that none waits for the other.
        void tap('answered', 'main [data-dish] button', () => document.querySelector('main output')?.textContent);
        void tap('pressed', 'main [aria-pressed]', (chip) => chip.getAttribute('aria-pressed'));
      });
    else requestAnimationFrame(frame);
  };
  const tap = async (
    mark: keyof Marks,
    selector: string,
    look: (button: Element) => string | null | undefined,
  ): Promise<void> => {
    const button = document.querySelector<HTMLElement>(selector);
    const before = button ? look(button) : null;
    button?.click();
    await Promise.resolve();
    // A filter that is remembered is drawn anew: the tap counts once the screen says so.
    await new Promise<void>((done) => {
      setTimeout(done, 0);
    });
    const now = document.querySelector(selector);
    if (button && now && before !== look(now)) marks[mark] = performance.now();
    else setTimeout(() => void tap(mark, selector, look), 15);
  };
  requestAnimationFrame(frame);
}

/**
 * What nobody can beat on this line, in ms: a round trip for the page, one more for what it names, and every byte that is needed at
 * the line's rate; what is named may be asked for with the page's first byte, so that the second trip lies beside its other bytes.
 * Seen: the page up to the dish, which has the rules of its first paint in it. Alive: the whole page, its stylesheet, and the script
 * and the menu that the screen is brought to life with. The emulated line delays answers and no connections; a real one adds a round
 * trip for TCP and one for TLS.
 */
function lineAlone(folder: string, meta: Meta, html: string, itemName: string, { latency, downloadThroughput }: Link) {
  const packed = (body: string | Buffer) => brotliCompressSync(body).length;
  const files = (names: readonly string[]) =>
    names.reduce((sum, name) => sum + packed(readFileSync(path.join(folder, name))), 0);
  const needs = (page: string, named: readonly string[]) => {
    const bytes = packed(page) + files(named);
    const secondTrip = named.length === 0 ? 0 : 2 * latency + (files(named) / downloadThroughput) * 1000;
    return { bytes, ms: Math.max(latency + (bytes / downloadThroughput) * 1000, secondTrip) };
  };
  return {
    seen: needs(html.slice(0, html.indexOf(`>${itemName}<`)), []),
    alive: needs(html, [meta.css, meta.menu, ...(meta.pages['menu']?.scripts ?? [])]),
  };
}

interface Visited {
  readonly itemName: string;
  readonly isOurs: boolean;
  /** File of the imitated host's bridge. */
  readonly fake: string | null;
}
type Visit = Readonly<Record<Mark | 'scriptBytes' | 'allBytes', number>>;

/** `isOurs`: the visit lasts until the page's own script has taken over. */
async function visit(browser: Browser, url: string, link: Link, { itemName, isOurs, fake }: Visited): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: 360, height: 740 },
    deviceScaleFactor: 2,
    serviceWorkers: 'block',
    ...(fake ? { extraHTTPHeaders: { 'x-simulator': '1' } } : {}),
  });
  try {
    const page = await context.newPage();
    // A real host has its bridge in the app: the imitated one costs the line nothing.
    if (fake)
      await page.route(`**/${path.basename(fake)}`, (route) =>
        route.fulfill({ path: fake, contentType: 'text/javascript' }),
      );
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    let scriptBytes = 0;
    let allBytes = 0;
    const types = new Map<string, string>();
    session.on('Network.responseReceived', ({ requestId, type, response }) => {
      if (!fake || !response.url.endsWith(path.basename(fake))) types.set(requestId, type);
    });
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (!types.has(requestId)) return;
      allBytes += encodedDataLength;
      if (types.get(requestId) === 'Script') scriptBytes += encodedDataLength;
    });
    await session.send('Network.emulateNetworkConditions', { offline: false, ...link });
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    await page.addInitScript(watchPage, itemName);
    await page.goto(url, { waitUntil: 'commit', timeout: GIVE_UP_MS });
    await page.waitForFunction(
      (marks) => marks.every((mark) => globalThis.benchMarks?.[mark]),
      isOurs ? (['answered', 'pressed', 'alive'] as const) : (['answered', 'pressed'] as const),
      { timeout: GIVE_UP_MS, polling: 100 },
    );
    const marks = await page.evaluate(() => ({
      painted: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null,
      seen: globalThis.benchMarks?.seen ?? null,
      answered: globalThis.benchMarks?.answered ?? null,
      pressed: globalThis.benchMarks?.pressed ?? null,
      alive: globalThis.benchMarks?.alive ?? null,
    }));
    const of = (mark: Mark) => marks[mark] ?? Number.NaN;
    return {
      painted: of('painted'),
      seen: of('seen'),
      answered: of('answered'),
      pressed: of('pressed'),
      alive: of('alive'),
      scriptBytes,
      allBytes,
    };
  } finally {
    await context.close();
  }
}

/** Medians of each mark, and of what came over the line. */
function middle(visits: readonly Visit[]): Visit {
  const of = (key: keyof Visit) => median(visits.map((one) => one[key]));
  return {
    painted: of('painted'),
    seen: of('seen'),
    answered: of('answered'),
    pressed: of('pressed'),
    alive: of('alive'),
    scriptBytes: of('scriptBytes'),
    allBytes: of('allBytes'),
  };
}

const inMs = (value = Number.NaN) => (Number.isNaN(value) ? '' : value.toFixed(0)).padStart(10);
const inKb = (bytes: number) => (bytes / 1000).toFixed(1);

function printVisit(title: string, linkName: string, one: Visit, limit?: Visit): void {
  const ratios = limit ? `   ${COMPARED.map((mark) => (one[mark] / limit[mark]).toFixed(2)).join(', ')}` : '';
  const sizes = [one.scriptBytes, one.allBytes].map((bytes) => inKb(bytes).padStart(10)).join('');
  console.log(`${pad(title, 26)}${pad(linkName, 9)}${MARKS.map((mark) => inMs(one[mark])).join('')}${sizes}${ratios}`);
}

/** One bundle on every line, its visits alternating with those of the page without a library. */
async function compare(browser: Browser, serverUrl: string, bundle: string, rounds: number): Promise<void> {
  const folder = path.join(root, 'dist', bundle);
  const meta = metaOf(bundle);
  const menu = JSON.parse(readFileSync(path.join(folder, meta.menu), 'utf8')) as Menu;
  const html = readFileSync(path.join(folder, 'menu.html'), 'utf8');
  const itemName = menu.items.map((item) => item.name).find((name) => html.includes(`>${name}<`));
  if (itemName === undefined) throw new Error(`No dish of the menu is drawn into the page of ${bundle}.`);
  const limit = await serveLimit(bundle);
  const fake = meta.fake === null ? null : path.join(folder, meta.fake);
  const visitOurs = (link: Link) =>
    visit(browser, `${serverUrl}${meta.mount}/menu`, link, { itemName, isOurs: true, fake });
  const visitLimit = (link: Link) => visit(browser, limit.url, link, { itemName, isOurs: false, fake: null });
  try {
    await visitOurs(UNSLOWED);
    await visitLimit(UNSLOWED);
    for (const [name, link] of Object.entries(LINKS)) {
      const visits: { ours: Visit[]; limit: Visit[] } = { ours: [], limit: [] };
      for (let round = 0; round < rounds; round += 1) {
        visits.ours.push(await visitOurs(link));
        visits.limit.push(await visitLimit(link));
      }
      const [own, least] = [middle(visits.ours), middle(visits.limit)];
      printVisit(bundle, name, own, least);
      printVisit('no library', name, least);
      const line = lineAlone(folder, meta, html, itemName, link);
      const alone: Partial<Record<Mark, number>> = { seen: line.seen.ms, alive: line.alive.ms };
      console.log(
        `${pad('the line alone', 26)}${pad(name, 9)}${MARKS.map((mark) => inMs(alone[mark])).join('')}${''.padStart(20)}   ${bundle} is seen after ${(own.seen / line.seen.ms).toFixed(2)}, alive after ${(own.alive / line.alive.ms).toFixed(2)} times that (${inKb(line.seen.bytes)} and ${inKb(line.alive.bytes)} KB, 1 and 2 round trips; +${2 * link.latency} ms for both where TCP and TLS are new)`,
      );
    }
  } finally {
    limit.close();
  }
}

export async function benchPage({ rounds, bundles }: { rounds: number; bundles: readonly string[] }): Promise<void> {
  console.log(
    `\nThe menu page, CPU ${CPU_SLOWDOWN}x slower, medians of ${rounds} alternated visits with an empty cache (ms; KB as transferred)`,
  );
  console.log(
    `${pad('page', 26)}${pad('link', 9)}${[...MARKS, 'script', 'all'].map((name) => name.padStart(10)).join('')}   ratio of ${COMPARED.join(', ')}`,
  );
  const server = await spawnServer();
  const browser = await launchBrowser();
  try {
    for (const bundle of bundles) await compare(browser, server.url, bundle, rounds);
  } finally {
    await browser.close();
    await server.stop();
  }
}
