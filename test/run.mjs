// `npm test`: types, the build, unit + architecture + server tests, the browser tests. The last line sums them up.
// `npm test -- --only types,build,unit,e2e` runs some of the parts.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

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

/** Runs a program of the packages with its output shown as it comes; resolves to whether it ended well. */
function run(script, args, env = {}) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [path.join(root, script), ...args], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...env } });
    const timer = setTimeout(() => {
      console.error(`\nStopped after ${PART_TIMEOUT_MS / 60_000} minutes.`);
      child.kill('SIGKILL');
    }, PART_TIMEOUT_MS);
    child.on('error', (error) => { console.error(error.message); clearTimeout(timer); resolve(false); });
    child.on('exit', (code) => { clearTimeout(timer); resolve(code === 0); });
  });
}

const report = (name) => {
  try { return JSON.parse(readFileSync(path.join(reports, name), 'utf8')); } catch { return null; }
};

/** A part that ends badly counts at least one failure, even when it never got as far as a test. */
const counted = (passed, failed, skipped, well) => ({ passed, failed: well ? failed : Math.max(failed, 1), skipped });

const runners = {
  types: async () => counted(...(await run('node_modules/typescript/bin/tsc', ['--noEmit']) ? [1, 0, 0, true] : [0, 1, 0, false])),
  unit: async () => {
    const well = await run('node_modules/vitest/vitest.mjs', ['run', '--config', 'test/vitest.config.ts'], { VITEST_JSON: path.join(reports, 'unit.json') });
    const json = report('unit.json');
    if (!json || json.numTotalTests === 0) return counted(0, 1, 0, false);
    const broken = json.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length;
    return counted(json.numPassedTests, json.numFailedTests + broken, json.numPendingTests + (json.numTodoTests ?? 0), well);
  },
  build: async () => counted(...(await run('build.mjs', []) ? [1, 0, 0, true] : [0, 1, 0, false])),
  e2e: async () => {
    const well = await run('node_modules/@playwright/test/cli.js', ['test', '--config', 'test/playwright.config.ts'], { PLAYWRIGHT_JSON: path.join(reports, 'e2e.json') });
    const json = report('e2e.json');
    const { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = json?.stats ?? {};
    if (expected + unexpected + flaky === 0) return counted(0, 1, skipped, false);
    return counted(expected, unexpected + flaky, skipped, well);
  },
};
const TITLES = { types: 'Types', unit: 'Unit, architecture and server tests', build: 'Build', e2e: 'Whole journeys in a browser' };

const results = [];
for (const part of PARTS.filter((one) => asked.includes(one))) {
  console.log(`\n== ${TITLES[part]} ==`);
  if (part === 'e2e' && results.some((one) => one.part === 'build' && one.failed > 0)) {
    console.log('Not run: there is no build to open.');
    results.push({ part, passed: 0, failed: 1, skipped: 0, seconds: 0 });
    continue;
  }
  const started = performance.now();
  results.push({ part, ...(await runners[part]()), seconds: (performance.now() - started) / 1000 });
}

let absence = null;
if (asked.includes('unit')) {
  absence = process.env.WITHOUT_POSTGRES ? 'WITHOUT_POSTGRES is set' : await (await import('./kit/server.ts')).postgresAbsence();
}
console.log('');
for (const { part, passed, failed, skipped, seconds } of results) {
  console.log(`${TITLES[part].padEnd(38)} ${String(passed).padStart(5)} passed ${String(failed).padStart(4)} failed${skipped ? ` ${skipped} skipped` : ''}  ${seconds.toFixed(0)} s`);
}
if (absence !== null) console.log(`The server suite on PostgreSQL was NOT RUN: ${absence}. The same suite ran on SQLite.`);
const total = (key) => results.reduce((sum, one) => sum + one[key], 0);
console.log(`${total('passed')} passed, ${total('failed')} failed`);
process.exitCode = total('failed') > 0 || total('passed') === 0 ? 1 : 0;
