// `npm test`: types, lint, the build, unit tests, server tests, the browser tests. The last line sums them up.
// `npm test -- --only types,lint,build,unit,server,e2e` runs some of the parts; `npm test -- --all` the full matrix, with
// one round of each bench after it.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { writeMade } from '../src/build/texts.ts';

/** The longest part takes 15 minutes on two quiet cores, and has taken 31 on busy ones. */
const PART_TIMEOUT_MS = 45 * 60_000;
const root = path.resolve(import.meta.dirname, '..');
// The build comes before the server tests: those among them that judge the bundles read what it made.
const PARTS = ['types', 'lint', 'build', 'unit', 'server', 'e2e', 'bench'] as const;
type Part = (typeof PARTS)[number];

interface Failure {
  readonly name: string;
  readonly error: string;
}
interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failures: readonly Failure[];
  /** What passed only at its second try, with what was wrong at the first; they count as passed. */
  readonly flaky?: readonly Failure[];
  readonly files?: readonly FileCost[];
}
interface FileCost {
  readonly file: string;
  readonly seconds: number;
}
/** What is read of vitest's report. */
interface Units {
  readonly numTotalTests: number;
  readonly numPassedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests?: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly title: string;
      readonly ancestorTitles: readonly string[];
      readonly failureMessages: readonly string[];
    }[];
  }[];
}
/** What is read of Playwright's report. */
interface Journeys {
  readonly stats: {
    readonly expected: number;
    readonly unexpected: number;
    readonly flaky: number;
    readonly skipped: number;
  };
  readonly suites: readonly Suite[];
  readonly errors: readonly { readonly message?: string }[];
}
interface Suite {
  readonly title: string;
  readonly suites?: readonly Suite[];
  readonly specs?: readonly {
    readonly title: string;
    readonly ok: boolean;
    readonly tests: readonly {
      readonly status: string;
      readonly results: readonly { readonly duration: number; readonly error?: { readonly message?: string } }[];
    }[];
  }[];
}

const { values: flags } = parseArgs({ options: { only: { type: 'string' }, all: { type: 'boolean' } } });
/** All server tests on both engines. */
if (flags.all) process.env['TEST_ALL'] = 'yes';
const asked: readonly string[] = flags.only?.split(',') ?? PARTS.filter((part) => flags.all || part !== 'bench');
const unknown = asked.filter((part) => !(PARTS as readonly string[]).includes(part));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}; parts are ${PARTS.join(', ')}.`);
  process.exit(2);
}
const reports = mkdtempSync(path.join(os.tmpdir(), 'test-reports-'));
process.on('exit', () => rmSync(reports, { recursive: true, force: true }));

/** Where what a program says is shown. */
type Out = (said: string | Uint8Array) => void;
const screen: Out = (said) => void process.stdout.write(said);

/** CPU seconds of everything that was started and has ended; null where nobody counts them (any system but Linux). */
function cpuSeconds(): number | null {
  try {
    // proc(5): what follows the name in brackets; its children's time stands in ticks of a hundredth of a second.
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)!.split(' ');
    return (Number(fields[13]) + Number(fields[14])) / 100;
  } catch {
    return null;
  }
}

/** CPU seconds by part. A program's time is counted when it has ended, so what came since the last end is its own. */
const cpuOf = new Map<Part, number>();
let cpuSoFar = 0;
function countCpu(part: Part): void {
  const now = cpuSeconds();
  if (now === null) return;
  cpuOf.set(part, (cpuOf.get(part) ?? 0) + now - cpuSoFar);
  cpuSoFar = now;
}

interface RunOptions {
  readonly part: Part;
  readonly out?: Out;
  readonly env?: Record<string, string>;
  readonly hear?: (text: string) => void;
  /** What it says on its error stream is shown at its end, and only when it ends badly. */
  readonly quiet?: boolean;
}

/** Runs a program of the packages with its output shown as it comes, and told to `hear`; resolves to whether it ended well. */
function run(
  script: string,
  args: readonly string[],
  { part, out = screen, env = {}, hear, quiet = false }: RunOptions,
): Promise<boolean> {
  return new Promise((resolve) => {
    const heldBack: Buffer[] = [];
    const child = spawn(process.execPath, [path.join(root, script), ...args], {
      cwd: root,
      stdio: ['ignore', hear ? 'pipe' : 'inherit', hear || quiet ? 'pipe' : 'inherit'],
      env: { ...process.env, ...env },
    });
    child.stdout?.on('data', (chunk: Buffer) => {
      out(chunk);
      hear?.(String(chunk));
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      if (quiet) heldBack.push(chunk);
      else if (out === screen) process.stderr.write(chunk);
      else out(chunk);
      hear?.(String(chunk));
    });
    const timer = setTimeout(() => {
      console.error(`\nStopped after ${PART_TIMEOUT_MS / 60_000} minutes.`);
      child.kill('SIGKILL');
    }, PART_TIMEOUT_MS);
    child.on('exit', () => countCpu(part));
    child.on('error', (error) => {
      console.error(error.message);
      clearTimeout(timer);
      resolve(false);
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      if (code !== 0) process.stderr.write(Buffer.concat(heldBack));
      resolve(code === 0);
    });
  });
}

const report = <R>(name: string): R | null => {
  try {
    return JSON.parse(readFileSync(path.join(reports, name), 'utf8')) as R;
  } catch {
    return null;
  }
};

const firstLine = (text: string | undefined): string =>
  stripVTControlCharacters(text ?? '')
    .split('\n')
    .find((line) => line.trim() !== '')
    ?.trim() ?? '';
/** The first line of an error, and with it what differs from what was expected: "deep equality" alone tells nobody the cause. */
const gist = (text: string | undefined): string =>
  [
    firstLine(text),
    ...stripVTControlCharacters(text ?? '')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => /^[+-] {2,}\S/.test(line))
      .slice(0, 6),
  ].join(' ');
const nameOf = (file: string) => path.relative(root, file);

type Tried = Units['testResults'][number];
const titleOf = (file: Tried, { ancestorTitles, title }: Tried['assertionResults'][number]) =>
  [nameOf(file.name), ...ancestorTitles, title].join(' > ');

/** Every failed test of vitest's report, and every file that failed before or after its tests. */
function failedUnits({ testResults }: Units): Failure[] {
  return testResults
    .filter((file) => file.status === 'failed')
    .flatMap((file) => {
      const failed = file.assertionResults.filter((one) => one.status === 'failed');
      return failed.length === 0
        ? [{ name: nameOf(file.name), error: firstLine(file.message) || 'before or after its tests' }]
        : failed.map((one) => ({
            name: titleOf(file, one),
            error: gist(one.failureMessages[0]),
          }));
    });
}

/** Every test of vitest's report that passed only at its second try: its first error is kept. */
function flakyUnits({ testResults }: Units): Failure[] {
  return testResults.flatMap((file) =>
    file.assertionResults
      .filter((one) => one.status === 'passed' && one.failureMessages.length > 0)
      .map((one) => ({
        name: titleOf(file, one),
        error: gist(one.failureMessages[0]),
      })),
  );
}

type Spec = NonNullable<Suite['specs']>[number];

/** Every test of Playwright's report that is as asked, with its first error; suites lie in one another. */
function journeysThat(isAsked: (spec: Spec) => boolean, { suites }: Journeys): Failure[] {
  /** What was expected says little without the place where. */
  const said = (message: string) =>
    [gist(message), /^Locator: .*$/m.exec(stripVTControlCharacters(message))?.[0]].filter(Boolean).join(' ');
  const inside = (suite: Suite, names: readonly string[]): Failure[] => [
    ...(suite.suites ?? []).flatMap((inner) => inside(inner, [...names, inner.title])),
    ...(suite.specs ?? []).filter(isAsked).map((spec) => ({
      name: [...names, spec.title].join(' > '),
      error: said(spec.tests.flatMap((one) => one.results).find((result) => result.error)?.error?.message ?? ''),
    })),
  ];
  return suites.flatMap((suite) => inside(suite, [`test/e2e/${suite.title}`]));
}
const failedJourneys = (report: Journeys): Failure[] => [
  ...report.errors.map((error) => ({ name: 'test/e2e', error: firstLine(error.message) })),
  ...journeysThat((spec) => !spec.ok, report),
];
const flakyJourneys = (report: Journeys): Failure[] =>
  journeysThat((spec) => spec.tests.some((one) => one.status === 'flaky'), report);

/** What each file cost, as its worker wrote it down (kit/cost.ts). */
function unitCosts(name: string): FileCost[] {
  const log = path.join(reports, name);
  const lines = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
  // Each project's setup runs for a file, and that which all projects have.
  const costs = new Map(lines.map((line) => JSON.parse(line) as FileCost).map(({ file, seconds }) => [file, seconds]));
  return [...costs].map(([file, seconds]) => ({ file: nameOf(file), seconds }));
}
const journeySeconds = ({ suites = [], specs = [] }: Suite): number =>
  specs
    .flatMap(({ tests }) => tests.flatMap(({ results }) => results.map(({ duration }) => duration / 1000)))
    .concat(suites.map(journeySeconds))
    .reduce((sum, one) => sum + one, 0);
const journeyCosts = ({ suites }: Journeys): FileCost[] =>
  suites.map((suite) => ({ file: `test/e2e/${suite.title}`, seconds: journeySeconds(suite) }));

/** A part that ends badly counts at least one failure, even when it never got as far as a test. */
function counted(
  passed: number,
  failures: readonly Failure[],
  { skipped = 0, well }: { skipped?: number; well: boolean },
): Outcome {
  const named =
    failures.length > 0 || well ? failures : [{ name: 'no test by its name', error: 'see what is said above' }];
  return { passed, failed: named.length, skipped, failures: named };
}

/** A program that only ends well or badly; the first line that speaks of an error says why. */
async function alone(part: Part, script: string, args: readonly string[], out: Out): Promise<Outcome> {
  let said = '';
  const well = await run(script, args, {
    part,
    out,
    hear: (text) => {
      said += text;
    },
  });
  const error = firstLine(said.split('\n').filter((line) => /error/i.test(line))[0] ?? said);
  return counted(well ? 1 : 0, well ? [] : [{ name: [nameOf(script), ...args].join(' '), error }], { well });
}

/** The tests of some of the projects of vitest.config.ts. */
async function vitest(part: 'unit' | 'server', projects: readonly string[]) {
  const well = await run(
    'node_modules/vitest/vitest.mjs',
    ['run', '--config', 'test/vitest.config.ts', ...projects.flatMap((name) => ['--project', name])],
    {
      part,
      env: {
        VITEST_JSON: path.join(reports, `${part}.json`),
        COST_LOG: path.join(reports, `${part}.costs`),
        // Side by side, six workers keep two cores busy.
        ...(asked.includes('unit') && asked.includes('server') && { VITEST_MAX_WORKERS: '3' }),
        ...process.env,
      },
      quiet: true,
    },
  );
  const json = report<Units>(`${part}.json`);
  if (!json || json.numTotalTests === 0) return counted(0, [], { well: false });
  const skipped = json.numPendingTests + (json.numTodoTests ?? 0);
  return {
    ...counted(json.numPassedTests, failedUnits(json), { skipped, well }),
    flaky: flakyUnits(json),
    files: unitCosts(`${part}.costs`),
  };
}

const SHARING = ['src/server', 'hosts/browser/tsconfig.worker.json'];
const runners: Record<Part, (out: Out) => Promise<Outcome>> = {
  // The linter knows all types already, and says what the compiler would of each file where it belongs. What pages and the server
  // share, and pages and the worker, it has then judged as the page's alone.
  types: (out) => alone('types', 'node_modules/typescript/bin/tsc', ['--build', '--force', ...SHARING], out),
  lint: async (out) => {
    const all = [
      await alone('lint', 'node_modules/oxlint/bin/oxlint', ['--type-check'], out),
      await alone('lint', 'test/patterns.ts', [], out),
      await alone('lint', 'test/looseTexts.ts', [], out),
      await alone('lint', 'node_modules/oxfmt/bin/oxfmt', ['--check', '.'], out),
      await alone('lint', 'node_modules/knip/bin/knip.js', ['--no-progress'], out),
      await alone(
        'lint',
        'node_modules/knip/bin/knip.js',
        ['--no-progress', '--production', '--config', '.knip.production.jsonc'],
        out,
      ),
    ];
    const failures = all.flatMap((one) => one.failures);
    return counted(all.length - failures.length, failures, { well: failures.length === 0 });
  },
  unit: () => vitest('unit', ['unit', 'dom', 'pages']),
  server: () => vitest('server', ['server', 'apart', 'statements']),
  build: (out) => alone('build', 'build.mjs', [], out),
  e2e: async () => {
    const well = await run('node_modules/@playwright/test/cli.js', ['test', '--config', 'test/playwright.config.ts'], {
      part: 'e2e',
      env: { PLAYWRIGHT_JSON: path.join(reports, 'e2e.json') },
    });
    const json = report<Journeys>('e2e.json');
    if (!json) return counted(0, [], { well: false });
    const { expected, unexpected, flaky, skipped } = json.stats;
    if (expected + unexpected + flaky === 0) return counted(0, failedJourneys(json), { skipped, well: false });
    return {
      ...counted(expected + flaky, failedJourneys(json), { skipped, well }),
      flaky: flakyJourneys(json),
      files: journeyCosts(json),
    };
  },
  // Its figures are nobody's promise here: that each part still runs is.
  bench: (out) => alone('bench', 'test/bench/run.ts', ['--rounds', '1'], out),
};
const TITLES: Record<Part, string> = {
  types: 'Types of the server and of the worker',
  lint: 'Other types, lint, format and unused exports',
  unit: 'Unit and screen tests',
  server: flags.all ? 'Server tests on both engines' : 'Server tests',
  build: 'Build',
  e2e: 'Whole journeys in a browser',
  bench: 'One round of each bench',
};

/** Why no browser test can run here; a desk without a browser may do without them, a CI may not. */
const { findChromium, oldestAbsence } = await import('./kit/chromium.ts');
const browser = findChromium();
const noBrowser = browser.kind === 'none' ? browser.why : null;

type Result = Outcome & { readonly part: Part; readonly seconds: number };
const results: Result[] = [];

/** What is said of a part that cannot run, and whether that is a failure. */
function obstacle(part: Part): { readonly why: string; readonly isFailure: boolean } | null {
  if (part !== 'e2e') return null;
  if (results.some((one) => one.part === 'build' && one.failed > 0))
    return { why: 'not run: there is no build to open', isFailure: true };
  return noBrowser === null ? null : { why: noBrowser, isFailure: Boolean(process.env['CI']) };
}

/**
 * Parts side by side, one group after the other: none reads what another of its group makes, and none keeps two cores busy by
 * itself. Server tests wait for kills, banks and PostgreSQL while pages compute. Journeys judge paint and focus, by themselves.
 */
const AT_ONCE: readonly (readonly Part[])[] = [['types', 'lint', 'build'], ['unit', 'server'], ['e2e'], ['bench']];

async function play(part: Part, out: Out): Promise<void> {
  out(`\n== ${TITLES[part]} ==\n`);
  const found = obstacle(part);
  if (found !== null) {
    out(`NOT RUN: ${found.why}.\n`);
    if (found.isFailure)
      results.push({
        part,
        ...counted(0, [{ name: 'no test', error: found.why }], { well: false }),
        seconds: 0,
      });
    return;
  }
  const started = performance.now();
  const outcome = await runners[part](out);
  results.push({ part, ...outcome, seconds: (performance.now() - started) / 1000 });
}

const started = performance.now();
// Types, lint and tests read it, whether or not `npm ci` was let run scripts.
await writeMade(root);
for (const group of AT_ONCE) {
  const parts = group.filter((part) => asked.includes(part));
  await Promise.all(
    parts.map(async (part) => {
      // Vitest writes a line for each file, with its project: those of two parts may stand between each other.
      if (parts.length === 1 || part === 'unit' || part === 'server') return play(part, screen);
      const said: (string | Uint8Array)[] = [];
      await play(part, (chunk) => void said.push(chunk));
      said.forEach(screen);
    }),
  );
}
results.sort((a, b) => PARTS.indexOf(a.part) - PARTS.indexOf(b.part));
const seconds = (performance.now() - started) / 1000;

let absence: string | null = null;
if (asked.includes('server')) {
  absence = process.env['WITHOUT_POSTGRES']
    ? 'WITHOUT_POSTGRES is set'
    : await (await import('./kit/server.ts')).postgresAbsence();
}
// The end of a long log is what is read first.
for (const { part, failures } of results.filter((one) => one.failed > 0)) {
  console.log(`\nFailed in ${TITLES[part]}:`);
  for (const { name, error } of failures) console.log(`  ${name}\n    ${error.slice(0, 600)}`);
}
for (const { part, flaky = [] } of results.filter((one) => one.flaky?.length)) {
  console.log(`\nFlaky in ${TITLES[part]}, passed at the second try:`);
  for (const { name, error } of flaky) console.log(`  ${name}\n    ${error.slice(0, 600)}`);
}
const COSTLIEST = 10;
const costs = results.flatMap(({ files = [] }) => files).toSorted((a, b) => b.seconds - a.seconds);
if (process.env['COSTS_TO']) writeFileSync(process.env['COSTS_TO'], JSON.stringify(costs));
if (costs.length > COSTLIEST) {
  console.log(
    '\nThe costliest files (in CPU seconds, journeys by the clock; test/README.md says what makes a test cheap):',
  );
  for (const { file, seconds } of costs.slice(0, COSTLIEST))
    console.log(`${seconds.toFixed(0).padStart(6)} s  ${file}`);
}
console.log('');
const minutes = (of: number | null | undefined) =>
  of === null || of === undefined ? '' : `, ${(of / 60).toFixed(1)} CPU minutes`;
for (const { part, passed, failed, skipped, flaky = [], seconds } of results) {
  const others = [...(skipped ? [`${skipped} skipped`] : []), ...(flaky.length ? [`${flaky.length} flaky`] : [])];
  console.log(
    `${TITLES[part].padEnd(38)} ${String(passed).padStart(5)} passed ${String(failed).padStart(4)} failed ${others.join(' ')}  ${seconds.toFixed(0)} s${minutes(cpuOf.get(part))}`,
  );
}
if (absence !== null)
  console.log(`What is proven on PostgreSQL was NOT RUN: ${absence}. The server tests ran on SQLite.`);
if (asked.includes('e2e') && noBrowser !== null) console.log(`The browser tests were NOT RUN: ${noBrowser}.`);
else if (asked.includes('e2e') && oldestAbsence() !== null)
  console.log(`The order in the oldest browser was NOT RUN: ${oldestAbsence()}.`);
const total = (key: 'passed' | 'failed') => results.reduce((sum, one) => sum + one[key], 0);
console.log(`All together ${(seconds / 60).toFixed(1)} minutes${minutes(cpuSeconds())}`);
console.log(`${total('passed')} passed, ${total('failed')} failed`);
process.exitCode = total('failed') > 0 || total('passed') === 0 ? 1 : 0;
