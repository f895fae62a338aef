// `npm run conformance`: the Model Context Protocol's own suite and its inspector against the door for assistants, and with
// `-- --ucp FOLDER` what we answer against the schemas of the Universal Commerce Protocol, of which FOLDER is a copy
// (github.com/Universal-Commerce-Protocol/ucp, tag v2026-04-08, for its food part a copy of the draft). No part of
// `npm test`.
import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { serve } from '../../src/server/app.ts';
import { ucpFaults } from './ucp.ts';

/** Of the suite's scenarios for servers these are for any server. */
const SCENARIOS = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'];
/** The others ask for what a server of the suite's own has, and ours has not. */
const OTHERS = [
  // Tools by the names test_simple_text, test_image_content and so on, which answer as the suite has it.
  /^tools-call-|^json-schema-2020-12$|^elicitation-|^server-sse-/,
  // What we do not offer, and do not say that we do: files, prompts, completions, a log.
  /^resources-|^prompts-|^completion-complete$|^logging-set-level$/,
];
const DOORS = ['/mcp', '/mcp/lk', '/mcp/bg'];

/** The suite, by a package file of its own: it brings two hundred packages, and nothing else needs it. */
const packages = path.join(import.meta.dirname, 'node_modules');
if (!existsSync(path.join(packages, 'ajv')) || !existsSync(path.join(packages, '@modelcontextprotocol/inspector')))
  // `npm ci` wants each optional package of each system in the lock, and one of the inspector's is for another system alone.
  execFileSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd: import.meta.dirname,
    stdio: 'inherit',
  });
const suite = path.join(packages, '@modelcontextprotocol/conformance/dist/index.js');
const inspector = path.join(packages, '@modelcontextprotocol/inspector/clients/launcher/build/index.js');

const run = promisify(execFile);
const said = async (...argv: string[]): Promise<string> =>
  run(process.execPath, argv, { timeout: 60_000 }).then(
    ({ stdout }) => stdout,
    (error: { stdout?: string; stderr?: string }) => `failed\n${error.stdout}\n${error.stderr ?? String(error)}`,
  );
let [passed, failed] = [0, 0];
function tell(isRight: boolean, what: string, detail: string): void {
  if (isRight) passed += 1;
  else failed += 1;
  console.log(`${isRight ? 'ok' : 'NO'} ${what}: ${detail}`);
}

const server = await serve({ port: 0, host: '127.0.0.1', database: ':memory:', distDir: null, quiet: true });

const known = [...(await said(suite, 'list', '--server')).matchAll(/^\s+- (\S+)/gm)].map(([, name = '']) => name);
const unknown = known.filter((name) => !SCENARIOS.includes(name) && !OTHERS.some((kind) => kind.test(name)));
tell(
  known.length > 0 && unknown.length === 0,
  'scenarios',
  `${known.length}, not looked at: ${unknown.join() || 'none'}`,
);
for (const door of DOORS)
  for (const scenario of SCENARIOS) {
    const output = await said(suite, 'server', '--url', server.url + door, '--scenario', scenario);
    const result = /Passed: .*/.exec(output)?.[0] ?? output;
    tell(/^Passed: (\d+)\/\1, 0 failed/.test(result), `${door} ${scenario}`, result);
  }

/** What the inspector is told by a tool, or of all tools. */
const inspected = async (door: string, ...asked: string[]) =>
  await said(inspector, '--cli', '--server-url', server.url + door, '--transport', 'http', ...asked);
for (const door of DOORS) {
  const list = await inspected(door, '--method', 'tools/list');
  tell(/"name": ?"cancel_order"/.test(list), `${door} inspector tools/list`, `${list.length} characters`);
  const found = await inspected(
    door,
    '--method',
    'tools/call',
    '--tool-name',
    'find_places',
    '--tool-arg',
    'query=station',
  );
  tell(/"structuredContent"/.test(found), `${door} inspector tools/call`, `${found.length} characters`);
}

const copy = process.argv[process.argv.indexOf('--ucp') + 1];
if (process.argv.includes('--ucp') && copy !== undefined)
  for (const [what, faults] of await ucpFaults(copy, path.join(packages, 'ajv')))
    tell(faults.length === 0, `ucp ${what}`, faults.join('; ') || 'as its schema says');
else console.log('-- ucp: not looked at without --ucp FOLDER');

await server.stop();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
