import { createHash } from 'node:crypto';
import type { Scope } from '../../../contract/assistants.ts';
import { DAY_MS, MINUTE_MS } from '../../../domain/time.ts';
import { typedText } from '../../../domain/typedText.ts';
import { userIdOf, type Call } from '../../call/call.ts';
import type { Caller } from '../../call/caller.ts';
import type { DocumentUnread } from '../../call/documents.ts';
import { assistants as says } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';
import {
  addClient,
  addCode,
  addToken,
  clientById,
  codeOf,
  endAccess,
  giveAgain,
  grantOf,
  markUsed,
  noteGrantUse,
  openGrant,
  putClient,
  type ClientRow,
} from '../../store/assistants.ts';
import { transact, type Db, type Root, type Tx } from '../../store/db.ts';
import { derived } from '../../store/ids.ts';
import { isOpenSession, revokeSession, userById } from '../../store/sessions.ts';
import { withinHour } from '../people/limits.ts';
import { documentFor, isDocumentId, type Asker } from './programs.ts';

// OAuth 2.1 for programs of assistants: public clients, PKCE, codes that are good once, short tokens that open one door
// alone. A grant is a session of its customer, so it is among their devices and ends with them.

export const SCOPES: readonly Scope[] = ['order', 'account'];
/** What other protocols call them. */
export const OTHER_NAMES: Readonly<Record<string, Scope>> = {
  'dev.ucp.food.checkout:manage': 'order',
  'dev.ucp.shopping.checkout:manage': 'order',
};

/** Who gives tokens of a country: each has accounts of its own. */
export const issuerOf = (origin: string, country: string): string => `${origin}/oauth/${country.toLowerCase()}`;

const CODE_LIFE_MS = MINUTE_MS;
export const ACCESS_LIFE_MS = 10 * MINUTE_MS;
/** So long a customer's word holds. */
const GRANT_LIFE_MS = 90 * DAY_MS;
/** Renewals with one refresh token that far apart are one: its answer was lost, or two parts of a program ask at once. */
const RENEWAL_GRACE_MS = MINUTE_MS;
/** Six are needed; each is kept for as long as the grant, so that it is known again. */
const RENEWED_AN_HOUR = 60;
const REDIRECTS_AT_MOST = 10;
const LONGEST_REDIRECT = 500;
const LONGEST_NAME = 40;
const LONGEST_STATE = 1_000;

/** An error of the protocol (RFC 6749, 5.2), which a program understands. */
export class GrantError extends Error {
  override readonly name = 'GrantError';
  readonly code:
    | 'invalid_request'
    | 'invalid_grant'
    | 'invalid_client'
    | 'invalid_scope'
    | 'invalid_target'
    | 'invalid_redirect_uri'
    | 'unsupported_grant_type';
  constructor(code: GrantError['code'], about: string) {
    super(about);
    this.code = code;
  }
}

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** Whether a login may return there: by https, to a program on the customer's own machine, or to an app's own scheme (RFC 8252). */
function isRedirect(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || text.length > LONGEST_REDIRECT || url.hash !== '' || url.username !== '') return false;
  if (url.protocol === 'https:') return true;
  if (url.protocol === 'http:') return LOOPBACK.has(url.hostname);
  return /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/.test(url.protocol);
}

/** The same address; a program on the customer's machine listens on any port. */
function isSameRedirect(registered: string, asked: string): boolean {
  if (registered === asked) return true;
  const [own, other] = [URL.parse(registered), URL.parse(asked)];
  if (own === null || other === null || own.protocol !== 'http:' || !LOOPBACK.has(own.hostname)) return false;
  own.port = other.port;
  return own.href === other.href;
}

/** What a program calls itself, in one line; it says nothing of who it is. */
const shownName = (name: string): string => typedText(name).replace(/\s+/g, ' ').trim().slice(0, LONGEST_NAME);

/** Registers a program (RFC 7591). @throws GrantError */
export async function registerClient(
  db: Db,
  { name, redirects }: { readonly name: string; readonly redirects: readonly string[] },
  now: number,
): Promise<ClientRow> {
  if (redirects.length === 0 || redirects.length > REDIRECTS_AT_MOST || !redirects.every(isRedirect))
    throw new GrantError('invalid_redirect_uri', 'redirect_uris: https, loopback, or a scheme with a dot');
  const shown = shownName(name);
  return await addClient(db, shown === '' ? 'MCP' : shown, redirects, now);
}

/** What a program asks a customer for. */
export interface GrantRequest {
  readonly clientId: string;
  readonly redirect: string;
  readonly challenge: string;
  readonly method: string;
  readonly responseType: string;
  readonly scope: string;
  readonly state: string;
}

/** A program as the document at its own address has it. @throws GrantError invalid_client */
async function clientByDocument(asker: Asker, clientId: string): Promise<ClientRow> {
  const document = await documentFor(asker, clientId).catch((error: unknown) => {
    if ((error as Error).name !== 'DocumentUnread') throw error;
    throw new GrantError('invalid_client', `client_id: ${(error as DocumentUnread).reason}`);
  });
  const { client_name: name, redirect_uris: redirects, token_endpoint_auth_method: method = 'none' } = document;
  const isWhole =
    document['client_id'] === clientId &&
    new URL(clientId).pathname !== '/' &&
    method === 'none' &&
    Array.isArray(redirects) &&
    redirects.length > 0 &&
    redirects.length <= REDIRECTS_AT_MOST &&
    redirects.every((one) => typeof one === 'string' && isRedirect(one));
  if (!isWhole) throw new GrantError('invalid_client', 'client_id: not the document of a public client');
  const shown = shownName(typeof name === 'string' ? name : '');
  return {
    id: clientId,
    name: shown === '' ? new URL(clientId).host.slice(0, LONGEST_NAME) : shown,
    redirects: JSON.stringify(redirects),
    used_at: asker.now,
  };
}

/** The program that asks. Only its own addresses are ever returned to. @throws GrantError */
export async function askingClient(asker: Asker, { clientId, redirect }: GrantRequest): Promise<ClientRow> {
  const client = isDocumentId(clientId)
    ? await clientByDocument(asker, clientId)
    : await clientById(asker.db, clientId);
  if (client === undefined) throw new GrantError('invalid_client', 'client_id');
  const known = JSON.parse(client.redirects) as readonly string[];
  if (!known.some((one) => isSameRedirect(one, redirect))) throw new GrantError('invalid_redirect_uri', 'redirect_uri');
  return client;
}

/** What is asked for, both things where nothing is named. @throws GrantError */
export function scopesOf({ scope, challenge, method, responseType, state }: GrantRequest): Scope[] {
  if (responseType !== 'code') throw new GrantError('invalid_request', 'response_type');
  if (method !== 'S256' || !/^[\w-]{43}$/.test(challenge)) throw new GrantError('invalid_request', 'code_challenge');
  if (state.length > LONGEST_STATE) throw new GrantError('invalid_request', 'state');
  const asked = scope.split(' ').filter((one) => one !== '');
  const meant = new Set(asked.map((one) => OTHER_NAMES[one] ?? one));
  const known = SCOPES.filter((one) => asked.length === 0 || meant.has(one));
  if (known.length === 0) throw new GrantError('invalid_scope', 'scope');
  return known;
}

/** A request as its customer is shown it. @throws Refusal 422 ASSISTANT_REQUEST */
async function readable(call: Call, request: GrantRequest) {
  try {
    return { client: await askingClient(call, request), scopes: scopesOf(request) };
  } catch (error) {
    if (!(error instanceof GrantError)) throw error;
    return refuse(422, 'ASSISTANT_REQUEST', says.badRequest);
  }
}

/** Who hears an answer: a host, or the app that has a scheme, behind which any name may stand. */
const hostOf = (redirect: string): string => {
  const { protocol, host } = new URL(redirect);
  return /^https?:$/.test(protocol) ? host : protocol;
};

/** Who asks for what, and where the answer goes: a name says nothing, an address does. */
export async function grantAsked(call: Call, request: GrantRequest) {
  const { client, scopes } = await readable(call, request);
  return {
    name: client.name,
    ...(isDocumentId(client.id) ? { describedAt: hostOf(client.id) } : {}),
    returnsTo: hostOf(request.redirect),
    scopes,
  };
}

/** An address with more in its query. */
function withQuery(address: string, more: Readonly<Record<string, string>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(more)) url.searchParams.set(name, value);
  return url.href;
}

/** Where a request ends that its customer has refused. */
const refusedAddress = ({ redirect, state }: GrantRequest, error: string, issuer: string): string =>
  withQuery(redirect, { error, iss: issuer, ...(state === '' ? {} : { state }) });

/** The customer's answer. @returns where the page goes with it */
export async function answerGrant(call: Call, request: GrantRequest, isAllowed: boolean, issuer: string) {
  const { client, scopes } = await readable(call, request);
  if (!isAllowed) return refusedAddress(request, 'access_denied', issuer);
  const code = await transact(call.db, async (tx) => {
    if (isDocumentId(client.id)) await putClient(tx, client);
    return await addCode(
      tx,
      {
        client_id: client.id,
        user_id: userIdOf(call),
        redirect: request.redirect,
        challenge: request.challenge,
        // A program finds again what it has asked for, by its own names.
        scopes: [...scopes, ...Object.keys(OTHER_NAMES).filter((name) => request.scope.split(' ').includes(name))].join(
          ' ',
        ),
        ends_at: call.now + CODE_LIFE_MS,
      },
      call.now,
    );
  });
  return withQuery(request.redirect, {
    code,
    iss: issuer,
    ...(request.state === '' ? {} : { state: request.state }),
  });
}

export interface GrantedTokens {
  readonly access: string;
  readonly refresh: string;
  readonly scopes: string;
}

/** A refresh token with a new access token beside it. */
async function tokensWith(
  tx: Tx,
  refresh: string,
  { sessionId, scopes }: { readonly sessionId: string; readonly scopes: string },
  now: number,
): Promise<GrantedTokens> {
  await noteGrantUse(tx, sessionId, now);
  return { access: await addToken(tx, sessionId, 'access', now + ACCESS_LIFE_MS), refresh, scopes };
}

/**
 * Exchanges a code for tokens, at the authorisation server of its customer's country. A code that is shown again ends what it
 * was exchanged for: somebody else has it too.
 * @throws GrantError invalid_grant
 */
export async function exchangeCode(
  db: Root,
  given: {
    readonly code: string;
    readonly clientId: string;
    readonly redirect: string;
    readonly verifier: string;
    readonly country: string;
  },
  now: number,
): Promise<GrantedTokens> {
  const tokens = await transact(db, async (tx) => {
    const code = await codeOf(tx, given.code);
    const client = code && (await clientById(tx, code.client_id));
    if (code === undefined || client === undefined) return null;
    if ((await userById(tx, code.user_id))?.country !== given.country) return null;
    if (code.session_id !== null) {
      await revokeSession(tx, code.session_id, 'replayed', now);
      return null;
    }
    const challenge = createHash('sha256').update(given.verifier).digest('base64url');
    const isRight =
      code.ends_at > now &&
      client.id === given.clientId &&
      code.redirect === given.redirect &&
      /^[\w.~-]{43,128}$/.test(given.verifier) &&
      code.challenge === challenge;
    if (!isRight) return null;
    const sessionId = await openGrant(tx, code, client, { at: now, lifeMs: GRANT_LIFE_MS });
    if (sessionId !== null) {
      const refresh = await addToken(tx, sessionId, 'refresh', now + GRANT_LIFE_MS);
      return await tokensWith(tx, refresh, { sessionId, scopes: code.scopes }, now);
    }
    // Exchanged at the same moment: that is a second time, too.
    const taken = await codeOf(tx, given.code);
    if (taken?.session_id) await revokeSession(tx, taken.session_id, 'replayed', now);
    return null;
  });
  if (tokens === null) throw new GrantError('invalid_grant', 'code');
  return tokens;
}

/**
 * New tokens for a refresh token, which is good once, and at the authorisation server that gave it. One that is shown again
 * within the grace is answered with the same successor, while nobody has used that, and with an access token beside the
 * first one; otherwise it ends the grant.
 * @throws GrantError invalid_grant, Refusal 429 TOO_MANY, which leaves the token as good as it was
 */
export async function renewGrant(
  db: Root,
  given: { readonly refresh: string; readonly clientId: string; readonly country: string },
  now: number,
): Promise<GrantedTokens> {
  const tokens = await transact(db, async (tx) => {
    const found = await grantOf(tx, given.refresh, 'refresh');
    if (found === undefined || found.clientId !== given.clientId || found.country !== given.country) return null;
    if (found.revokedAt !== null || found.endsAt <= now || found.tokenEndsAt <= now) return null;
    await withinHour(tx, `assistant-renewals|${found.sessionId}`, RENEWED_AN_HOUR, now, true);
    const { hash, sessionId } = found;
    const next = derived(found.familyKey, given.refresh);
    const nextEndsAt = now + GRANT_LIFE_MS;
    if (await markUsed(tx, hash, now)) {
      await endAccess(tx, sessionId, now);
      await addToken(tx, sessionId, 'refresh', nextEndsAt, next);
    } else if (!(await giveAgain(tx, next, { hash, usedSince: now - RENEWAL_GRACE_MS }, nextEndsAt))) {
      await revokeSession(tx, sessionId, 'replayed', now);
      return null;
    }
    return await tokensWith(tx, next, found, now);
  });
  if (tokens === null) throw new GrantError('invalid_grant', 'refresh_token');
  return tokens;
}

/**
 * Ends a grant by either of its tokens; an unknown one is none, and nobody is told so (RFC 7009).
 * @returns whether there was one
 */
export async function endGrant(db: Root, token: string, now: number): Promise<boolean> {
  const found = (await grantOf(db, token, 'access')) ?? (await grantOf(db, token, 'refresh'));
  if (found !== undefined) await revokeSession(db, found.sessionId, 'assistant', now);
  return found !== undefined;
}

/** Whom a program acts for, and as far as it may. */
export interface Grant {
  readonly caller: Caller;
  readonly clientId: string;
  /** What the program calls itself. */
  readonly name: string;
  readonly scopes: readonly string[];
}

/** The grant of an access token at the door of a country; null where it opens nothing there. */
export async function grantByToken(db: Db, token: string, country: string, now: number): Promise<Grant | null> {
  const found = await grantOf(db, token, 'access');
  if (
    found === undefined ||
    found.tokenEndsAt <= now ||
    found.endsAt <= now ||
    found.country !== country ||
    found.guest !== 0 ||
    !(await isOpenSession(db, found.sessionId))
  )
    return null;
  return {
    clientId: found.clientId,
    name: found.name,
    scopes: found.scopes.split(' '),
    caller: {
      country,
      host: 'web',
      userId: found.userId,
      cartId: found.cartId,
      sessionId: found.sessionId,
      access: { hash: found.hash, endsAt: Math.min(found.tokenEndsAt, found.endsAt) },
      isLoggedIn: true,
      mobile: found.mobile,
    },
  };
}
