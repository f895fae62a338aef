/**
 * One process with the servers of all page tests: starting a process for each costs twenty times as much, and a warm one
 * answers sooner. It prints `READY url`. POST of settings starts a server, and POST to its path stops it.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { startServer, type TestServer, type TestServerOptions } from './server.ts';

const lent = new Map<string, TestServer>();

async function answer(path: string, settings: Required<TestServerOptions>['settings']): Promise<object> {
  const known = lent.get(path);
  if (known) {
    lent.delete(path);
    await known.stop();
    return {};
  }
  const server = await startServer({ settings });
  const { url, database } = server;
  lent.set(`/${new URL(url).port}`, server);
  return { url, target: database.target };
}

const lender = createServer((request, response) => {
  void json(request)
    .then((settings) => answer(request.url ?? '', settings as Required<TestServerOptions>['settings']))
    .then(
      (told) => response.end(JSON.stringify(told)),
      (error: unknown) => response.writeHead(500).end(String((error as Error).stack)),
    );
});
lender.listen(0, '127.0.0.1', () => console.log(`READY http://127.0.0.1:${(lender.address() as AddressInfo).port}`));
