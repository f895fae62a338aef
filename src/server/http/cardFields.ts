import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Db } from '../store/db.ts';
import type { Log } from '../call/services.ts';
import { bank as bankSettings, cardFields, type Environment } from '../environment.ts';
import { answerFields } from '../vendors/cardFields.ts';

const BODY_AT_MOST = 4 * 1024;
const REQUEST_TIMEOUT_MS = 10_000;

interface CardFields {
  /** Address of the bank's page, as browsers reach it; null: there is none. */
  address(): string | null;
  stop(): Promise<void>;
}
export const noCardFields: CardFields = { address: () => null, stop: () => Promise.resolve() };

/**
 * Whether pages of the shop can have this origin: the one that it is known by, and any name of this machine with its port.
 * @param shop the origin by which others reach the shop
 */
function isShopOrigin(origin: string, shop: string, port: number): boolean {
  return (
    origin === new URL(shop).origin ||
    ['127.0.0.1', 'localhost', '[::1]'].some((name) => origin === `http://${name}:${port}`)
  );
}

/**
 * Serves the imitated bank's page with the fields for a card on a port of its own: another origin than the shop's.
 * @throws Error that names CARD_FIELDS_PORT when the port cannot be used
 */
async function listenForCards(
  { port, host }: { readonly port: number; readonly host: string },
  { log, ...bank }: { readonly db: Db; readonly log: Log; isShop(origin: string): boolean },
): Promise<{ readonly port: number } & Pick<CardFields, 'stop'>> {
  const answer = getRequestListener(
    async (request) => {
      try {
        if (
          Number(request.headers.get('content-length') ?? 0) > BODY_AT_MOST ||
          request.headers.has('transfer-encoding')
        )
          return new Response(null, { status: 413 });
        return await answerFields(request, bank);
      } catch (error) {
        // Never what was sent.
        log.error({ error: error instanceof Error ? error.name : 'unknown' }, "the bank's card fields failed");
        return new Response(null, { status: 500 });
      }
    },
    { overrideGlobalObjects: false },
  );
  const server = createServer(
    { headersTimeout: REQUEST_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS },
    (request, response) => void answer(request, response),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(
        // An error of the host is reported as the shop's own (main.ts). A port's error would have the next PORT tried.
        cause.code === 'EADDRINUSE' || cause.code === 'EACCES'
          ? new Error(`CARD_FIELDS_PORT: ${host}:${port} cannot be used (${cause.code}).`)
          : cause,
      ),
    );
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => {
        server.close(done);
      });
    },
  };
}

/**
 * The fields for a card: those of the bank, or of the imitated one, which are served from now on.
 * @param about `isImitated`: where no bank is configured; `shop` and `shopPort`: by what our own pages are reached
 * @throws Error that names CARD_FIELDS_PORT when the port cannot be used
 */
export async function openCardFields(
  environment: Environment,
  about: {
    readonly isImitated: boolean;
    readonly host: string | undefined;
    readonly db: Db;
    readonly log: Log;
    shop(): string;
    shopPort(): number;
  },
): Promise<CardFields> {
  const { url, port } = environment.read(cardFields);
  const bank = environment.read(bankSettings);
  const { isImitated, host, db, log, shop, shopPort } = about;
  const own =
    bank === null && isImitated
      ? await listenForCards(
          { port, host: host ?? '0.0.0.0' },
          { db, log, isShop: (origin) => isShopOrigin(origin, shop(), shopPort()) },
        )
      : null;
  return {
    address() {
      if (url !== null) return url;
      if (bank !== null) return `${bank.url}/card-fields`;
      return own && `http://${new URL(shop()).hostname}:${own.port}/card-fields`;
    },
    stop: async () => await own?.stop(),
  };
}
