import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { TestProject } from 'vitest/node';
import { COMPILED } from './server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where page tests get their servers. */
    lender: string;
  }
}

/** For vitest (globalSetup): the process that lends servers ends with the run. */
export default async function lending(project: TestProject): Promise<() => void> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'lender.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILED },
  });
  for await (const line of createInterface(child.stdout)) {
    const url = /^READY (\S+)$/.exec(line)?.[1];
    if (url === undefined) continue;
    project.provide('lender', url);
    return () => void child.kill();
  }
  throw new Error('The process that lends servers did not start.');
}
