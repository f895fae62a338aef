import path from 'node:path';
import { defineConfig } from 'vitest/config';

const root = path.resolve(import.meta.dirname, '..');
const shared = {
  // Country-neutral tests run as India; tests of a country import its folder.
  resolve: { alias: { '#country': path.join(root, 'country/in/index.ts') } },
  define: { 'process.env.NODE_ENV': '"test"' },
};
// Many wait for a bank, a clock or a killed process: four keep two cores busy.
const common = {
  root, testTimeout: 180_000, hookTimeout: 180_000, maxWorkers: 4, pool: 'forks' as const,
  setupFiles: ['test/kit/patience.ts'], expect: { poll: { timeout: 45_000, interval: 20 } },
};

/** `*.test.ts` runs in plain Node, `*.test.tsx` with a document (happy-dom). */
export default defineConfig({
  ...shared,
  test: {
    ...common,
    reporters: process.env['VITEST_JSON'] ? ['default', ['json', { outputFile: process.env['VITEST_JSON'] }]] : ['default'],
    projects: [
      { ...shared, test: { ...common, name: 'node', environment: 'node', include: ['test/**/*.test.ts'] } },
      // Hooks in the order they are written: the page is closed (screens/page.ts) before its server stops.
      { ...shared, test: { ...common, name: 'dom', environment: 'happy-dom', include: ['test/**/*.test.tsx'], sequence: { hooks: 'list' } } },
    ],
  },
});
