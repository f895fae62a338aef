import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineConfig } from 'vitest/config';
import LongestFirst from './kit/longestFirst.ts';
import { IS_ALL } from './kit/matrix.ts';

const root = path.resolve(import.meta.dirname, '..');
/** A package as the bundles have it, without the parts that no page asks for: what needs one of them fails here. */
const cut = (asked: string, file: string, give: string) => ({
  name: `${asked} of the bundles`,
  enforce: 'pre' as const,
  resolveId: (one: string) => (one === asked ? `\0${asked}` : null),
  async load(id: string) {
    if (id !== `\0${asked}`) return null;
    // The address is told late: Vite would else put the whole build into its copy of this file.
    const build = (await import(pathToFileURL(path.join(root, file)).href)) as Record<
      string,
      (asked: string) => Promise<string>
    >;
    return await build[give]!(asked);
  },
});
const shared = {
  // Country-neutral tests run as India; tests of a country import its folder.
  resolve: { alias: { '#country': path.join(root, 'country/in') } },
  // React's own warnings come without it, too.
  oxc: { jsx: { runtime: 'automatic' as const, development: false, importSource: '#jsx' } },
  define: {
    'process.env.NODE_ENV': '"test"',
    PICTURES: '"TEST1234"',
    LOGOS: '{}',
    FULL_MODE: 'true',
    HOSTED: 'true',
    TRAINS: 'true',
    LEAGUE: 'true',
    ENVIRONMENT: '"production"',
    // Each country's own.
    COUNTRY_NAME: 'undefined',
  },
};
// Many wait for a bank, a clock or a killed process: four keep two cores busy.
const common = {
  root,
  // A busy machine may be too slow once; what passes only at the second try is named (run.ts).
  retry: 1,
  testTimeout: 180_000,
  hookTimeout: 180_000,
  maxWorkers: 4,
  pool: 'forks' as const,
  setupFiles: ['test/kit/cost.ts', 'test/kit/patience.ts'],
  expect: { poll: { timeout: 45_000, interval: 20 } },
};
/** Files of one worker share a process, and what is read in it: a process for each file costs more than many a file's own work. */
const together = { ...common, isolate: false };
/** What they send to SQLite is prepared on PostgreSQL when they have ended (test/statements). */
const heard = { setupFiles: [...common.setupFiles, 'test/kit/listening.ts'] };
/** They share the packages only: what a page's modules remember of a device is gone with its file (kit/anew.ts). */
const anew = { ...together, setupFiles: ['test/kit/anew.ts', ...common.setupFiles] };

// Hooks in the order they are written: the page is closed (screens/page.ts) before its server stops.
const dom = {
  ...common,
  // A window for each file (kit/window.ts), and modules as a browser finds them.
  environment: path.join(import.meta.dirname, 'kit/windowless.ts'),
  setupFiles: ['test/kit/window.ts', ...common.setupFiles],
  // It listens to the history of the window that it is read in.
  server: { deps: { inline: ['wouter'] } },
  // The window before all that is said of it.
  sequence: { hooks: 'list' as const, setupFiles: 'list' as const },
};
/** Whole pages, with the React that customers have. The one of development takes twice as long: it is for parts, and for what hears it. */
const PAGES = ['test/screens/**/*.test.tsx', 'test/shell/!(rows|taps).test.tsx'];
const pages = { ...dom, isolate: false, env: { NODE_ENV: 'production' } };
/** A page says itself whether its bundle is one in full mode (screens/page.ts). */
const ofPages = {
  ...shared,
  plugins: [
    cut('jotai', 'test/kit/bundledPackage.ts', 'bundledPackage'),
    cut('react-dom/client', 'src/build/rewrite/react.ts', 'rendererModule'),
  ],
  define: { ...shared.define, FULL_MODE: '(globalThis.isFullMode !== false)' },
};

/** The real server. It keeps nothing of a test outside that test's database, so its modules may be shared. */
const SERVER = ['test/server/**/*.test.ts'];
/** What needs a process of its own: killed servers, hosts that only one file knows, the built bundles. */
const APART = [
  'test/server/{crash,environment,hosts,main,walletKills}.test.ts',
  'test/build/**/*.test.ts',
  'test/state/*kills.test.ts',
  'test/hosts/money.test.ts',
  'test/architecture/{browsers,first,graphs,manifests,way}.test.ts',
];

/** Builds beside the one that all tests read: only the full matrix makes them (README.md). */
const FULL = IS_ALL ? [] : ['test/build/{languages,renames}.test.ts'];

const STATEMENTS = ['test/statements/*.test.ts'];

/** `*.test.ts` runs in plain Node, `*.test.tsx` with a document (happy-dom). `npm run unit` is all but server and apart. */
export default defineConfig({
  ...shared,
  plugins: [cut('ky', 'test/kit/bundledPackage.ts', 'bundledPackage')],
  test: {
    ...common,
    globalSetup: ['test/kit/folder.ts', 'test/kit/made.ts'],
    sequence: { sequencer: LongestFirst },
    // A line for each file, and everything of a test that fails: what it says when all is well is nobody's news.
    silent: 'passed-only',
    slowTestThreshold: common.testTimeout,
    reporters: process.env['VITEST_JSON']
      ? ['default', ['json', { outputFile: process.env['VITEST_JSON'] }]]
      : ['default'],
    projects: [
      {
        ...shared,
        test: { ...anew, name: 'unit', include: ['test/**/*.test.ts'], exclude: [...SERVER, ...APART, ...STATEMENTS] },
      },
      { ...shared, test: { ...together, ...heard, name: 'server', include: SERVER, exclude: APART } },
      { ...shared, test: { ...common, ...heard, name: 'apart', include: APART, exclude: FULL } },
      {
        ...shared,
        test: { ...common, name: 'statements', include: STATEMENTS, sequence: { groupOrder: 1 } },
      },
      { ...shared, test: { ...dom, name: 'dom', include: ['test/**/*.test.tsx'], exclude: PAGES } },
      { ...ofPages, test: { ...pages, name: 'pages', include: PAGES, globalSetup: ['test/kit/lending.ts'] } },
    ],
  },
});
