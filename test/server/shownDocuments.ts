import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A program's own server on this machine, with documents that tell who it is. */
export async function shownDocuments() {
  const shown = new Map<string, object>();
  const server = createServer(({ url }, response) => {
    const document = shown.get(url ?? '');
    if (document === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    /** @returns its address */
    shows(path: string, document: (address: string) => object): string {
      shown.set(path, document(origin + path));
      return origin + path;
    },
    close: () => void server.close(),
  };
}
