// `npm test`: types, the build, unit + architecture + server tests, the browser tests. The last line sums them up.
// `npm test -- --only types,build,unit,e2e` runs some of the parts.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs, stripVTControlCharacters } from 'node:util';

const PART_TIMEOUT_MS = 15 * 60_000;
const root = path.resolve(import.meta.dirname ?? '.', '..');
// The build comes before the unit tests: the architecture tests read what it made.
const PARTS = ['types', 'build', 'unit', 'e2e'];

const { values: flags } = parseArgs({ options: { only: { type: 'string' } } });
const asked = flags.only?.split(',') ?? PARTS;
const unknown = asked.filter((part) => !PARTS.includes(part));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}; parts are ${PARTS.join(', ')}.`);
  process.exit(2);
}
if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(`The tests need Node 24, and this is ${process.version}. Run \`npm ci\` (Linux and Windows get Node 24 with it), then \`npm test\`.`);
  process.exit(2);
}

const reports = mkdtempSync(path.join(os.tmpdir(), 'test-reports-'));
process.on('exit', () => rmSync(reports, { recursive: true, force: true }));

/** Runs a program of the packages with its output shown as it comes, and told to `hear`; resolves to whether it ended well. */
function run(script, args, { env = {}, hear } = {}) {
  return new Promise((resolve) => {
    const output = hear ? 'pipe' : 'inherit';
    const child = spawn(process.execPath, [path.join(root, script), ...args], { cwd: root, stdio: ['ignore', output, output], env: { ...process.env, ...env } });
    child.stdout?.on('data', (chunk) => { process.stdout.write(chunk); hear(String(chunk)); });
    child.stderr?.on('data', (chunk) => { process.stderr.write(chunk); hear(String(chunk)); });
    const timer = setTimeout(() => {
      console.error(`\nStopped after ${PART_TIMEOUT_MS / 60_000} minutes.`);
      child.kill('SIGKILL');
    }, PART_TIMEOUT_MS);
    child.on('error', (error) => { console.error(error.message); clearTimeout(timer); resolve(false); });
    child.on('close', (code) => { clearTimeout(timer); resolve(code === 0); });
  });
}

const report = (name) => {
  try { return JSON.parse(readFileSync(path.join(reports, name), 'utf8')); } catch { return null; }
};

const firstLine = (text) => stripVTControlCharacters(text ?? '').split('\n').find((line) => line.trim() !== '')?.trim() ?? '';
const nameOf = (file) => path.relative(root, file);

/** Every failed test of vitest's report, and every file that failed before or after its tests. */
function failedUnits({ testResults }) {
  return testResults.filter((file) => file.status === 'failed').flatMap((file) => {
    const failed = file.assertionResults.filter((one) => one.status === 'failed');
    return failed.length === 0
      ? [{ name: nameOf(file.name), error: firstLine(file.message) || 'before or after its tests' }]
      : failed.map((one) => ({ name: [nameOf(file.name), ...one.ancestorTitles, one.title].join(' > '), error: firstLine(one.failureMessages[0]) }));
  });
}

/** Every failed test of Playwright's report; its suites lie in one another. */
function failedJourneys({ suites, errors }) {
  /** What was expected says little without the place where. */
  const said = (message) => [firstLine(message), /^Locator: .*$/m.exec(stripVTControlCharacters(message))?.[0]].filter(Boolean).join(' ');
  const inside = (suite, names) => [
    ...(suite.suites ?? []).flatMap((inner) => inside(inner, [...names, inner.title])),
    ...(suite.specs ?? []).filter((spec) => !spec.ok).map((spec) => ({
      name: [...names, spec.title].join(' > '),
      error: said(spec.tests.flatMap((one) => one.results).find((result) => result.error)?.error.message ?? ''),
    })),
  ];
  return [...errors.map((error) => ({ name: 'test/e2e', error: firstLine(error.message) })), ...suites.flatMap((suite) => inside(suite, [`test/e2e/${suite.title}`]))];
}

/** A part that ends badly counts at least one failure, even when it never got as far as a test. */
function counted(passed, failures, { skipped = 0, well }) {
  const named = failures.length > 0 || well ? failures : [{ name: 'no test by its name', error: 'see what is said above' }];
  return { passed, failed: named.length, skipped, failures: named };
}

/** A program that only ends well or badly; the first line that speaks of an error says why. */
async function alone(script, args) {
  let said = '';
  const well = await run(script, args, { hear: (text) => { said += text; } });
  const error = firstLine(said.split('\n').filter((line) => /error/i.test(line))[0] ?? said);
  return counted(well ? 1 : 0, well ? [] : [{ name: [nameOf(script), ...args].join(' '), error }], { well });
}

const runners = {
  types: () => alone('node_modules/typescript/bin/tsc', ['--noEmit']),
  unit: async () => {
    const well = await run('node_modules/vitest/vitest.mjs', ['run', '--config', 'test/vitest.config.ts'], { env: { VITEST_JSON: path.join(reports, 'unit.json') } });
    const json = report('unit.json');
    if (!json || json.numTotalTests === 0) return counted(0, [], { well: false });
    return counted(json.numPassedTests, failedUnits(json), { skipped: json.numPendingTests + (json.numTodoTests ?? 0), well });
  },
  build: () => alone('build.mjs', []),
  e2e: async () => {
    const well = await run('node_modules/@playwright/test/cli.js', ['test', '--config', 'test/playwright.config.ts'], { env: { PLAYWRIGHT_JSON: path.join(reports, 'e2e.json') } });
    const json = report('e2e.json');
    const { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = json?.stats ?? {};
    if (expected + unexpected + flaky === 0) return counted(0, json ? failedJourneys(json) : [], { skipped, well: false });
    return counted(expected, failedJourneys(json), { skipped, well });
  },
};
const TITLES = { types: 'Types', unit: 'Unit, architecture and server tests', build: 'Build', e2e: 'Whole journeys in a browser' };

const results = [];
for (const part of PARTS.filter((one) => asked.includes(one))) {
  console.log(`\n== ${TITLES[part]} ==`);
  if (part === 'e2e' && results.some((one) => one.part === 'build' && one.failed > 0)) {
    console.log('Not run: there is no build to open.');
    results.push({ part, ...counted(0, [{ name: 'no test', error: 'not run: there is no build to open' }], { well: false }), seconds: 0 });
    continue;
  }
  const started = performance.now();
  results.push({ part, ...(await runners[part]()), seconds: (performance.now() - started) / 1000 });
}

let absence = null;
if (asked.includes('unit')) {
  absence = process.env.WITHOUT_POSTGRES ? 'WITHOUT_POSTGRES is set' : await (await import('./kit/server.ts')).postgresAbsence();
}
// The end of a long log is what is read first.
for (const { part, failures } of results.filter((one) => one.failed > 0)) {
  console.log(`\nFailed in ${TITLES[part]}:`);
  for (const { name, error } of failures) console.log(`  ${name}\n    ${error.slice(0, 300)}`);
}
console.log('');
for (const { part, passed, failed, skipped, seconds } of results) {
  console.log(`${TITLES[part].padEnd(38)} ${String(passed).padStart(5)} passed ${String(failed).padStart(4)} failed${skipped ? ` ${skipped} skipped` : ''}  ${seconds.toFixed(0)} s`);
}
if (absence !== null) console.log(`The server suite on PostgreSQL was NOT RUN: ${absence}. The same suite ran on SQLite.`);
const total = (key) => results.reduce((sum, one) => sum + one[key], 0);
console.log(`${total('passed')} passed, ${total('failed')} failed`);
process.exitCode = total('failed') > 0 || total('passed') === 0 ? 1 : 0;
