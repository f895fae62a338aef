import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { writeFileSync } from 'node:fs';
import { createRemoteJWKSet, exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose';
import type { JWTPayload } from 'jose';
import { temporaryFolder } from './folder.ts';

/** What the shop asks a partner's server. */
export interface Asked extends JWTPayload {
  readonly action: 'pay' | 'status' | 'cancel' | 'refund';
  readonly reference: string;
  readonly amount: number;
  readonly currency: string;
  readonly refundId?: string;
  readonly captureId?: string;
}

export const AUDIENCE = 'pizza';

const bodyOf = async (request: IncomingMessage) => {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
};

/** A partner with a server, a key and people of its own, of whom the shop knows one row. */
export async function openPartner(name: string) {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), kid: name, alg: 'ES256', use: 'sig' };
  const issuer = `https://${name}.example`;
  const states = new Map<string, Record<string, unknown>>();
  const asked: Asked[] = [];
  const answers: string[] = [];
  const keySet = { status: 200, text: JSON.stringify({ keys: [jwk] }) };
  let published = keySet;
  let shop = '';
  /** Replaces what the next answers say: claims, or the whole token. */
  let twist: (claims: Record<string, unknown>) => Record<string, unknown> | string = (claims) => claims;

  const sign = (claims: Record<string, unknown>, { typ, key = privateKey }: { typ?: string; key?: CryptoKey } = {}) =>
    new SignJWT({ iss: issuer, aud: AUDIENCE, ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: name, ...(typ === undefined ? {} : { typ }) })
      .setIssuedAt()
      .setExpirationTime(typeof claims['exp'] === 'number' ? claims['exp'] : '2m')
      .sign(key);
  /** Judges what the shop has signed, by the keys that the shop publishes. */
  const judge = async (token: string): Promise<Asked> => {
    const keys = createRemoteJWKSet(new URL('/partners/keys', shop));
    return (await jwtVerify(token, keys, { audience: issuer, typ: 'payment+jwt' })).payload as Asked;
  };

  const server = createServer((request, response) => {
    void (async () => {
      if (request.url === '/keys') {
        const { status, text } = published;
        return void response.writeHead(status, { location: '/elsewhere' }).end(text);
      }
      const question = await judge(await bodyOf(request));
      asked.push(question);
      const { action, reference, jti, refundId } = question;
      const held = states.get(reference);
      if (action === 'cancel' && held === undefined) states.set(reference, { state: 'CANCELLED' });
      const claims =
        action === 'refund'
          ? { jti, refundId, done: true }
          : { jti, reference, ...(states.get(reference) ?? { state: 'NONE' }) };
      const said = twist(claims);
      const answer = typeof said === 'string' ? said : await sign(said, { typ: 'payment+jwt' });
      answers.push(answer);
      response.end(answer);
    })().catch((error: Error) => {
      response.statusCode = 401;
      response.end(error.message);
    });
  });
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', () => done());
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    name,
    url,
    issuer,
    asked,
    answers,
    states,
    sign,
    judge,
    row: (more: object = {}) => ({
      name,
      label: `${name} Pay`,
      countries: ['IN', 'LK'],
      origins: [`https://${name}.example`],
      issuer,
      audience: AUDIENCE,
      keys: `${url}/keys`,
      payments: `${url}/payments`,
      ...more,
    }),
    /** Where the shop is. */
    knows(address: string) {
      shop = address;
    },
    twist(next?: typeof twist) {
      twist = next ?? ((claims) => claims);
    },
    /** What its key set answers instead of its keys. */
    publish(next?: { status: number; text: string }) {
      published = next ?? keySet;
    },
    /** The customer pays: the partner has the money, and holds it under the reference of the shop's own request. */
    async pay(request: string, more: Record<string, unknown> = {}) {
      const { reference, amount, currency } = await judge(request);
      const capture = { id: `c-${reference}`, amount, currency, at: Date.now(), ...more };
      states.set(reference, { state: 'SUCCESS', captures: [capture] });
      return reference;
    },
    /** Tells the shop's webhook. */
    async tell(claims: Record<string, unknown>, how: Parameters<typeof sign>[1] = { typ: 'payment+jwt' }) {
      const body = await sign(claims, how);
      return { body, status: (await fetch(`${shop}/webhooks/frame-${name}`, { method: 'POST', body })).status };
    },
    close: () =>
      new Promise<void>((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}
export type OpenPartner = Awaited<ReturnType<typeof openPartner>>;

/** The environment of a server that knows these rows and no others. */
export function partnersFile(rows: readonly unknown[]): { PARTNERS_FILE: string } {
  const file = path.join(temporaryFolder('pizza-partners'), 'partners.json');
  writeFileSync(file, JSON.stringify(rows));
  return { PARTNERS_FILE: file };
}
