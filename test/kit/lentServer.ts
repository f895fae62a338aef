import { request } from 'node:http';
import { json, text } from 'node:stream/consumers';
import { inject } from 'vitest';
import { controls, type TestServer, type TestServerOptions } from './server.ts';

/** Not by `fetch`: a page replaces it, and hears no answer once it is closed. */
function lender(path: string, settings: object): Promise<unknown> {
  return new Promise((resolve, reject) => {
    request(inject('lender') + path, { method: 'POST' }, (response) => {
      if (response.statusCode === 200) json(response).then(resolve, reject);
      else void text(response).then((said) => reject(new Error(said)), reject);
    })
      .on('error', reject)
      .end(JSON.stringify(settings));
  });
}

/** Like startServer, for tests with a document: the product's own server, in the process that serves all of them (lender.ts). */
export async function lentServer({ settings = {} }: Pick<TestServerOptions, 'settings'> = {}): Promise<TestServer> {
  const { url, target } = (await lender('/', settings)) as { url: string; target: string };
  const stop = () => lender(`/${new URL(url).port}`, {}).then(() => undefined);
  return { ...controls(url), url, database: { target, drop: stop }, stop };
}
