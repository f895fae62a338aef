import { defineConfig } from '@playwright/test';
import { chromiumOptions } from './kit/browser.ts';

/** Whole journeys in a real browser. Each worker starts the product's own server (test/kit/app.ts). */
export default defineConfig({
  testDir: 'e2e',
  outputDir: '../dist/.test-results',
  // Two cores: a browser and a server per worker already fill them.
  workers: 2,
  fullyParallel: false,
  retries: 0,
  timeout: 120_000,
  forbidOnly: Boolean(process.env['CI']),
  expect: { timeout: 15_000 },
  reporter: process.env['PLAYWRIGHT_JSON'] ? [['list'], ['json', { outputFile: process.env['PLAYWRIGHT_JSON'] }]] : [['list']],
  use: {
    viewport: { width: 390, height: 780 },
    actionTimeout: 15_000,
    navigationTimeout: 30_000,
    launchOptions: chromiumOptions(),
    screenshot: 'only-on-failure',
    trace: 'off',
    locale: 'en-IN',
  },
});
