// How soon the menu is seen and the first tap answered, inside the imitated host, beside the same page written by hand without any
// library and beside what the line alone costs.
import http from 'node:http';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { launchBrowser } from '../kit/browser.ts';
import { spawnServer } from '../kit/server.ts';
import { median, pad, root } from './numbers.mjs';

const CPU_SLOWDOWN = 4;
const LINKS = {
  'slow 4G': { latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 },
  '2G': { latency: 300, downloadThroughput: 250_000 / 8, uploadThroughput: 50_000 / 8 },
};
const GIVE_UP_MS = 60_000;

/** All a page without a library needs to answer a tap on a filter: the limit of what script can cost. */
const LIMIT_SCRIPT = `addEventListener('click', (event) => {
  const chip = event.target.closest('[aria-pressed]');
  if (!chip) return;
  chip.setAttribute('aria-pressed', String(chip.getAttribute('aria-pressed') !== 'true'));
  const veg = document.querySelector('[aria-pressed=true]') !== null;
  for (const card of document.querySelectorAll('article, li')) card.hidden = veg && !/veg/i.test(card.textContent);
});`;

/** The prerendered menu of a bundle with its stylesheet and a few lines of script, served as well as ours is. */
async function serveLimit(bundle) {
  const folder = path.join(root, 'dist', bundle);
  const meta = JSON.parse(readFileSync(path.join(folder, 'meta.json'), 'utf8'));
  const html = readFileSync(path.join(folder, 'menu.html'), 'utf8').replaceAll('/-base-/', '/')
    .replace(/<script[\s\S]*?<\/script>\n?/g, '').replace(/<link rel="(?:modulepreload|preload|manifest|apple-touch-icon)"[^>]*>\n?/g, '')
    .replace('</body>', '<script type="module" src="limit.js"></script>\n</body>');
  const files = new Map([['/', ['text/html; charset=utf-8', html]], ['/limit.js', ['text/javascript', LIMIT_SCRIPT]]]);
  for (const name of Object.keys(meta.files).filter((one) => /\.(css|svg|png)$/.test(one))) {
    files.set(`/${name}`, [{ '.css': 'text/css', '.svg': 'image/svg+xml', '.png': 'image/png' }[path.extname(name)], readFileSync(path.join(folder, name))]);
  }
  const squeezed = new Map([...files].map(([name, [type, body]]) => [name, [type, brotliCompressSync(body)]]));
  const server = http.createServer((request, response) => {
    const file = squeezed.get(new URL(request.url, 'http://x').pathname);
    if (!file) { response.writeHead(404).end(); return; }
    response.writeHead(200, { 'content-type': file[0], 'content-encoding': 'br', 'content-length': file[1].length, 'cache-control': 'no-cache' }).end(file[1]);
  });
  await new Promise((done) => { server.listen(0, '127.0.0.1', done); });
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => { server.closeAllConnections(); server.close(); } };
}

/** Runs in the page before anything else. Seen: an item's name lies in the view of a painted frame. Answered: a tap changes its button. */
function watchPage(itemName) {
  const marks = { seen: null, answered: null };
  globalThis.benchMarks = marks;
  const visible = () => {
    const walk = document.createTreeWalker(document.body ?? document, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
      if (walk.currentNode.nodeValue.trim() !== itemName) continue;
      const box = walk.currentNode.parentElement.getBoundingClientRect();
      if (box.height > 0 && box.top < innerHeight * 2) return true;
    }
    return false;
  };
  const frame = () => {
    if (document.body && visible()) requestAnimationFrame(() => { marks.seen = performance.now(); tap(); });
    else requestAnimationFrame(frame);
  };
  const tap = async () => {
    const chip = document.querySelector('main [aria-pressed]');
    const before = chip?.getAttribute('aria-pressed');
    chip?.click();
    await Promise.resolve();
    // A filter that is remembered is drawn anew: the tap counts once the screen says so.
    await new Promise((done) => { setTimeout(done, 0); });
    const now = document.querySelector('main [aria-pressed]')?.getAttribute('aria-pressed');
    if (before !== undefined && now !== undefined && before !== now) marks.answered = performance.now();
    else setTimeout(tap, 15);
  };
  requestAnimationFrame(frame);
}

/**
 * What nobody can beat on this line, in ms: a round trip for the page, one more for what it names, and every byte that is needed at
 * the line's rate; what is named may be asked for with the page's first byte, so that the second trip lies beside its other bytes.
 * Seen: the page up to the dish, which has the rules of its first paint in it. Answered: the whole page, its stylesheet, and the script
 * and the menu that the screen is brought to life with. The emulated line delays answers and no connections; a real one adds a round
 * trip for TCP and one for TLS.
 */
function lineAlone(folder, meta, html, itemName, { latency, downloadThroughput }) {
  const packed = (body) => brotliCompressSync(body).length;
  const files = (names) => names.reduce((sum, name) => sum + packed(readFileSync(path.join(folder, name))), 0);
  const needs = (page, named) => {
    const bytes = packed(page) + files(named);
    const secondTrip = named.length === 0 ? 0 : 2 * latency + files(named) / downloadThroughput * 1000;
    return { bytes, ms: Math.max(latency + bytes / downloadThroughput * 1000, secondTrip) };
  };
  return { seen: needs(html.slice(0, html.indexOf(`>${itemName}<`)), []), answered: needs(html, [meta.css, meta.menu, ...meta.pages.menu.scripts]) };
}

async function visit(browser, url, link, itemName, fake) {
  const context = await browser.newContext({
    viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, serviceWorkers: 'block', ...(fake ? { extraHTTPHeaders: { 'x-simulator': '1' } } : {}),
  });
  try {
    const page = await context.newPage();
    // A real host has its bridge in the app: the imitated one costs the line nothing.
    if (fake) await page.route(`**/${path.basename(fake)}`, (route) => route.fulfill({ path: fake, contentType: 'text/javascript' }));
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    let scriptBytes = 0;
    let allBytes = 0;
    const types = new Map();
    session.on('Network.responseReceived', ({ requestId, type, response }) => { if (!fake || !response.url.endsWith(path.basename(fake))) types.set(requestId, type); });
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (!types.has(requestId)) return;
      allBytes += encodedDataLength;
      if (types.get(requestId) === 'Script') scriptBytes += encodedDataLength;
    });
    await session.send('Network.emulateNetworkConditions', { offline: false, ...link });
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    await page.addInitScript(watchPage, itemName);
    await page.goto(url, { waitUntil: 'commit', timeout: GIVE_UP_MS });
    await page.waitForFunction(() => globalThis.benchMarks?.answered !== null, null, { timeout: GIVE_UP_MS, polling: 100 });
    return await page.evaluate(() => ({
      ...globalThis.benchMarks, painted: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    })).then((marks) => ({ ...marks, scriptBytes, allBytes }));
  } finally {
    await context.close();
  }
}

export async function benchPage({ rounds, bundles }) {
  console.log(`\nThe menu page, CPU ${CPU_SLOWDOWN}x slower, medians of ${rounds} alternated visits with an empty cache (ms; KB as transferred)`);
  console.log(`${pad('page', 26)}${pad('link', 9)}${['painted', 'seen', 'answered', 'script', 'all'].map((name) => name.padStart(10)).join('')}   ratio of seen, answered`);
  const server = await spawnServer();
  const browser = await launchBrowser();
  const results = [];
  try {
    for (const bundle of bundles) {
      const meta = JSON.parse(readFileSync(path.join(root, 'dist', bundle, 'meta.json'), 'utf8'));
      const menu = JSON.parse(readFileSync(path.join(root, 'dist', bundle, meta.menu), 'utf8'));
      const html = readFileSync(path.join(root, 'dist', bundle, 'menu.html'), 'utf8');
      const itemName = menu.items.map((item) => item.name).find((name) => html.includes(`>${name}<`));
      const limit = await serveLimit(bundle);
      const folder = path.join(root, 'dist', bundle);
      const fakeOf = (key) => (key === bundle && meta.host !== 'browser' ? path.join(folder, meta.fake) : undefined);
      const urls = { [bundle]: `${server.url}${meta.mount}/menu`, 'no library': limit.url };
      for (const [key, url] of Object.entries(urls)) await visit(browser, url, { latency: 0, downloadThroughput: -1, uploadThroughput: -1 }, itemName, fakeOf(key));
      for (const [name, link] of Object.entries(LINKS)) {
        const runs = Object.fromEntries(Object.keys(urls).map((key) => [key, []]));
        for (let round = 0; round < rounds; round += 1) for (const [key, url] of Object.entries(urls)) runs[key].push(await visit(browser, url, link, itemName, fakeOf(key)));
        const of = (key) => Object.fromEntries(['painted', 'seen', 'answered', 'scriptBytes', 'allBytes'].map((mark) => [mark, median(runs[key].map((run) => run[mark]))]));
        const limits = of('no library');
        for (const key of Object.keys(urls)) {
          const own = of(key);
          const ratio = key === bundle ? `   ${(own.seen / limits.seen).toFixed(2)}, ${(own.answered / limits.answered).toFixed(2)}` : '';
          console.log(`${pad(key, 26)}${pad(name, 9)}${[own.painted, own.seen, own.answered].map((value) => value.toFixed(0).padStart(10)).join('')}${[own.scriptBytes, own.allBytes].map((value) => (value / 1000).toFixed(1).padStart(10)).join('')}${ratio}`);
        }
        const line = lineAlone(folder, meta, html, itemName, link);
        const own = of(bundle);
        console.log(`${pad('the line alone', 26)}${pad(name, 9)}${''.padStart(10)}${[line.seen, line.answered].map(({ ms }) => ms.toFixed(0).padStart(10)).join('')}${''.padStart(20)}   ${bundle} takes ${(own.seen / line.seen.ms).toFixed(2)}, ${(own.answered / line.answered.ms).toFixed(2)} times that (${(line.seen.bytes / 1000).toFixed(1)} and ${(line.answered.bytes / 1000).toFixed(1)} KB, 1 and 2 round trips; +${2 * link.latency} ms for both where TCP and TLS are new)`);
        results.push({ bundle, link: name, own, limit: limits, line });
      }
      limit.close();
    }
  } finally {
    await browser.close();
    await server.stop();
  }
  return results;
}
