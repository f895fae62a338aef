// `npm run conformance`: the Model Context Protocol's own suite against the door for assistants. No part of `npm test`.
// Of its scenarios for servers these are for any server; the others ask for tools, prompts and files of a server that is
// made for the suite.
import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { serve } from '../../src/server/app.ts';

const SCENARIOS = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'];
const DOORS = ['/mcp', '/mcp/lk', '/mcp/bg'];

/** The suite, by a package file of its own: it brings a hundred packages, and nothing else needs it. */
const suite = path.join(import.meta.dirname, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
if (!existsSync(suite))
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: import.meta.dirname, stdio: 'inherit' });

const run = promisify(execFile);
const server = await serve({ port: 0, host: '127.0.0.1', database: ':memory:', distDir: null, quiet: true });
let failed = 0;
for (const door of DOORS)
  for (const scenario of SCENARIOS) {
    const asked = ['server', '--url', server.url + door, '--scenario', scenario];
    const said = await run(process.execPath, [suite, ...asked]).then(
      ({ stdout }) => /Passed: .*/.exec(stdout)?.[0] ?? 'no result',
      (error: { stdout?: string }) => `failed\n${error.stdout ?? String(error)}`,
    );
    const isRight = /^Passed: (\d+)\/\1, 0 failed/.test(said);
    if (!isRight) failed += 1;
    console.log(`${isRight ? 'ok' : 'NO'} ${door} ${scenario}: ${said}`);
  }
await server.stop();
console.log(`${DOORS.length * SCENARIOS.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
