import { defineConfig } from '@playwright/test';
import { chromiumOptions, plainOptions } from './kit/browser.ts';
import { IS_ALL } from './kit/matrix.ts';

/** They judge pictures, and are played one after the other: a browser with pictures is another one, and takes a worker of its own. */
const PICTURED = /\/(axe|chat|history|journey|league|looks|pages|slow|steady|where)\.spec\.ts$/;
/** Begun before the others: at the end they would leave the other workers without work. */
const LONG = /\/(crawl|group|keyboard|languages)\.spec\.ts$/;
// What a bundle has written in; the routes of a whole page are read by the crawl.
Object.assign(globalThis, { FULL_MODE: true, HOSTED: true, TRAINS: true, LEAGUE: true });

/** Whole journeys in a real browser. Each worker starts the product's own server (test/kit/app.ts). */
export default defineConfig({
  testDir: 'e2e',
  // A title ends with @all where a cheaper test proves most of it: only the full matrix plays it (README.md).
  ...(IS_ALL ? {} : { grepInvert: /@all\b/ }),
  // Texts that a change is read in; `--update-snapshots` writes them anew.
  snapshotPathTemplate: '{testDir}/{arg}{ext}',
  outputDir: '../dist/.test-results',
  globalSetup: './kit/folder.ts',
  // A journey waits for its shop's clock and its own page half of the time: four fill two cores.
  workers: 4,
  // The tests of one long file are played by all workers.
  fullyParallel: true,
  projects: [
    { name: 'pictured', testMatch: PICTURED, use: { launchOptions: chromiumOptions() } },
    { name: 'long', testMatch: LONG },
    { name: 'short', testIgnore: [PICTURED, LONG] },
  ],
  // A busy machine may be too slow once; what passes only at the second try is named (kit/journeys.ts, run.ts).
  retries: 1,
  timeout: 120_000,
  forbidOnly: Boolean(process.env['CI']),
  expect: { timeout: 15_000 },
  reporter: process.env['PLAYWRIGHT_JSON']
    ? [['./kit/journeys.ts'], ['json', { outputFile: process.env['PLAYWRIGHT_JSON'] }]]
    : [['./kit/journeys.ts']],
  use: {
    viewport: { width: 390, height: 780 },
    // Frames that nobody judges are a quarter of the work. Whole journeys (journey.spec.ts) are played with all that moves.
    reducedMotion: 'reduce',
    actionTimeout: 15_000,
    navigationTimeout: 30_000,
    // Those that judge pictures have them (PICTURED).
    launchOptions: plainOptions(),
    screenshot: 'only-on-failure',
    trace: 'off',
    // A worker fetches the whole bundle for every new profile: it runs where it matters (`serviceWorkers: 'allow'`).
    serviceWorkers: 'block',
    locale: 'en-IN',
  },
});
