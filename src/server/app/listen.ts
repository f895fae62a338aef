import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { App, Setting } from '../http/register.ts';
import { beLast, endWithCaller } from '../http/streams.ts';
import type { ServeOptions } from './options.ts';
import { YEAR_S } from '../../domain/time.ts';

const HEADERS_TIMEOUT_MS = 10_000;
/** How often Node looks for connections whose headers or body are late. */
const CHECK_CONNECTIONS_MS = 2_000;
const REQUEST_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_MS = 65_000;
const DRAIN_AT_MOST_MS = 10_000;

const DRAIN_CHECK_MS = 50;

export interface Life {
  isDraining: boolean;
}

/**
 * @param options `isSecure`: others reach us by https alone, and browsers remember it
 * @param isStream tells requests whose answer goes on
 */
export async function listening(
  app: App,
  { ready, gate }: Setting,
  options: ServeOptions & { readonly isSecure: boolean },
  life: Life,
  isStream: (request: IncomingMessage) => boolean,
): Promise<Server> {
  const answer = getRequestListener(
    async (request, bindings) => {
      const work = gate.work(bindings.incoming as IncomingMessage);
      try {
        return await app.fetch(request, bindings);
      } finally {
        work.leave();
      }
    },
    { overrideGlobalObjects: false },
  );
  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: CHECK_CONNECTIONS_MS,
      // What asks for another protocol is answered in this one.
      shouldUpgradeCallback: () => false,
    },
    (request, response) => {
      // The answer says `Connection: close`: who would send the next call on a connection that is about to close cannot
      // know whether it was heard.
      if (life.isDraining) response.shouldKeepAlive = false;
      // Else every connection stays, as HTTP/1.1 has it, and a browser needs not be told for how long: that is a tenth of a
      // small answer.
      else if (request.headers['sec-fetch-site'] !== undefined) response.removeHeader('connection');
      // Here, because some answers go past the routes: prepared ones, and those of the gate.
      if (isStream(request)) beLast(request, response);
      if (options.isSecure) response.setHeader('strict-transport-security', `max-age=${YEAR_S}`);
      if (ready?.send(request, response) !== true) gate.enter(request, response, () => void answer(request, response));
    },
  );
  server.on('upgrade', (request, socket) => endWithCaller(request, socket as Socket));
  gate.watch(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host ?? '0.0.0.0', () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
  return server;
}

export async function closed(server: Server): Promise<void> {
  const done = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  // A connection that already has its answer would otherwise stay open for the keep-alive time.
  server.closeIdleConnections();
  const sweeping = setInterval(() => server.closeIdleConnections(), DRAIN_CHECK_MS);
  const impatient = setTimeout(() => server.closeAllConnections(), DRAIN_AT_MOST_MS);
  await done;
  clearInterval(sweeping);
  clearTimeout(impatient);
}
