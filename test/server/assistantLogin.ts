import { createHash, randomBytes } from 'node:crypto';
import * as assistants from '../../src/contract/assistants.ts';
import type { TestServer } from '../kit/server.ts';
import type { Customer } from './shop.ts';

/** Where the program of these tests listens for its answer. */
export const REDIRECT = 'https://assistant.example/callback';

export interface Connection {
  readonly clientId: string;
  readonly access: string;
  readonly refresh: string;
}

export const post = (url: string, fields: Readonly<Record<string, string>>) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields) });

/** Registers a program. @returns its id */
export async function register(server: Pick<TestServer, 'url'>, given: object = {}, country = 'in'): Promise<Response> {
  return await fetch(`${server.url}/oauth/${country}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Helper', redirect_uris: [REDIRECT], ...given }),
  });
}

export interface Begun {
  readonly clientId: string;
  readonly verifier: string;
  readonly request: {
    client_id: string;
    redirect_uri: string;
    response_type: string;
    code_challenge: string;
    code_challenge_method: string;
    scope?: string;
    state?: string;
  };
}

/** What a program sends its customer to the page with. */
export async function begun(
  server: Pick<TestServer, 'url'>,
  scope = 'order account',
  country = 'in',
  redirect = REDIRECT,
): Promise<Begun> {
  const made = (await (await register(server, { redirect_uris: [redirect] }, country)).json()) as { client_id: string };
  const verifier = randomBytes(32).toString('base64url');
  return {
    clientId: made.client_id,
    verifier,
    request: {
      client_id: made.client_id,
      redirect_uri: redirect,
      response_type: 'code',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      scope,
      state: 'state-1',
    },
  };
}

/** The code that a customer's yes brings. */
export async function allowed(who: Customer, { request }: Begun): Promise<string> {
  const { status, body } = await who.call(assistants.answer, { body: { request, isAllowed: true } });
  const code = status === 200 ? new URL(body.goTo).searchParams.get('code') : null;
  if (code === null) throw new Error(`no code: ${status} ${JSON.stringify(body)}`);
  return code;
}

export const exchange = (
  server: Pick<TestServer, 'url'>,
  { clientId, verifier, request }: Begun,
  code: string,
  more: Readonly<Record<string, string>> = {},
  country = 'in',
) =>
  post(`${server.url}/oauth/${country}/token`, {
    grant_type: 'authorization_code',
    code,
    client_id: clientId,
    redirect_uri: request.redirect_uri,
    code_verifier: verifier,
    ...more,
  });

/** A program that its customer has connected. */
export async function connected(
  server: Pick<TestServer, 'url'>,
  who: Customer,
  scope?: string,
  country = 'in',
): Promise<Connection> {
  const start = await begun(server, scope, country);
  const answer = await exchange(server, start, await allowed(who, start), {}, country);
  const body = (await answer.json()) as { access_token: string; refresh_token: string };
  if (answer.status !== 200) throw new Error(`no tokens: ${answer.status} ${JSON.stringify(body)}`);
  return { clientId: start.clientId, access: body.access_token, refresh: body.refresh_token };
}

export const renew = (server: Pick<TestServer, 'url'>, { clientId, refresh }: Connection, country = 'in') =>
  post(`${server.url}/oauth/${country}/token`, {
    grant_type: 'refresh_token',
    refresh_token: refresh,
    client_id: clientId,
  });
