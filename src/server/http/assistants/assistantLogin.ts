import type { Context } from 'hono';
import { countries } from '../../../../country/index.ts';
import {
  ACCESS_LIFE_MS,
  askingClient,
  endGrant,
  exchangeCode,
  GrantError,
  issuerOf,
  OTHER_NAMES,
  registerClient,
  renewGrant,
  SCOPES,
  scopesOf,
  type GrantedTokens,
  type GrantRequest,
} from '../../rules/assistants/grants.ts';
import { withinHour } from '../../rules/people/limits.ts';
import { readSystem } from '../../store/system.ts';
import { readText } from '../input.ts';
import { ucpPath } from '../ucp/ucpProfile.ts';
import type { Visitor } from '../inside.ts';
import type { App } from '../register.ts';

// The authorisation server of the door for assistants (OAuth 2.1; RFC 8414, 9728, 7591, 7009). The customer answers on a
// page of ours, with the login that they have there; here only programs ask.

/** The door, as far as its logins need it. */
export interface Door {
  readonly app: App;
  /** Who asks at the door of a country. @throws Refusal 404 NOT_FOUND, 403 FEATURE_BLOCKED, FOREIGN_PAGE */
  guestAt(context: Context, folder: string): Promise<Visitor>;
  refused(context: Context, error: unknown): Response;
}

/** The addresses of a country's door, by which a program names what its tokens are for; the first country has two. */
const resourcesOf = ({ base, country }: Visitor): readonly string[] =>
  protectedPaths(country.COUNTRY_CODE).map((path) => base.services.origin + path);

/** The paths of a country's door. */
export const doorsOf = (country: string): readonly string[] => [
  ...(country === countries[0]!.COUNTRY_CODE ? ['/mcp'] : []),
  `/mcp/${country.toLowerCase()}`,
];

/** What is opened by the tokens of a country: its doors, and those of the Universal Commerce Protocol. */
const protectedPaths = (country: string): readonly string[] => [
  ...doorsOf(country),
  ...(['food', 'shopping'] as const).flatMap((folder) => {
    const endpoint = ucpPath(country, folder);
    return [endpoint, `${endpoint}/mcp`];
  }),
];

const METADATA = '/.well-known/oauth-protected-resource';
/** Where the resource at a path of the door is described (RFC 9728). */
export const metadataOf = ({ base }: Visitor, path: string): string => base.services.origin + METADATA + path;

/**
 * Programs that an address may register in an hour: some makers register one for each customer, all from their own
 * address. A row has at most 5 KB, so these are a tenth of what an address may leave (rules/reliability/allowance.ts).
 */
const REGISTERED_AN_HOUR = 300;
/** Codes and tokens from an address in an hour that open nothing. What opens something is counted for its grant. */
const UNKNOWN_AN_HOUR = 600;
/** The page where a customer answers, below the country's. */
const ANSWER_PAGE = 'assistant/grant';

/** What a program sends may not be kept, nor its answer. */
const SECRET = { 'cache-control': 'no-store', pragma: 'no-cache' } as const;

const told = (context: Context, status: 200 | 201 | 400 | 401, body: object): Response =>
  context.json(body, status, SECRET);

const failed = (context: Context, { code, message }: GrantError): Response =>
  told(context, code === 'invalid_client' ? 401 : 400, { error: code, error_description: message });

async function limited({ base, ip }: Visitor, what: string, most: number): Promise<number> {
  const { now } = await readSystem(base.db);
  await withinHour(base.db, `${what}|${ip}`, most, now, true);
  return now;
}

/** A form; a field that comes twice is a mistake of the protocol. */
async function formOf(context: Context): Promise<URLSearchParams> {
  const form = new URLSearchParams(await readText(context.req.raw));
  for (const name of form.keys())
    if (form.getAll(name).length > 1) throw new GrantError('invalid_request', `${name} comes twice`);
  return form;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function registered(context: Context, guest: Visitor): Promise<Response> {
  const now = await limited(guest, 'assistant-clients', REGISTERED_AN_HOUR);
  const given = jsonOf(await readText(context.req.raw)) as Record<string, unknown> | null;
  const redirects: unknown = given?.['redirect_uris'];
  if (!Array.isArray(redirects) || !redirects.every((one) => typeof one === 'string'))
    throw new GrantError('invalid_redirect_uri', 'redirect_uris');
  const name = typeof given?.['client_name'] === 'string' ? given['client_name'] : '';
  const client = await registerClient(guest.base.db, { name, redirects }, now);
  return told(context, 201, {
    client_id: client.id,
    client_id_issued_at: Math.floor(Date.now() / 1000),
    client_name: client.name,
    redirect_uris: redirects,
    // Every program is a public one: what it is called proves nothing, and PKCE binds its code to it.
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  });
}

const tokens = (context: Context, { access, refresh, scopes }: GrantedTokens): Response =>
  told(context, 200, {
    access_token: access,
    token_type: 'Bearer',
    expires_in: ACCESS_LIFE_MS / 1000,
    refresh_token: refresh,
    scope: scopes,
  });

/**
 * What opens nothing is counted for the address that has sent it, once it is known to open nothing: thousands come from
 * the address of an assistant's maker, and nobody there uses up what the others need.
 */
async function unlessUnknown(guest: Visitor, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof GrantError) await limited(guest, 'assistant-tokens', UNKNOWN_AN_HOUR);
    throw error;
  }
}

async function exchanged(context: Context, guest: Visitor): Promise<Response> {
  const { now } = await readSystem(guest.base.db);
  const form = await formOf(context);
  const said = (name: string) => form.get(name) ?? '';
  const resource = form.get('resource');
  if (resource !== null && !resourcesOf(guest).includes(resource)) throw new GrantError('invalid_target', 'resource');
  const { db } = guest.base;
  const country = guest.country.COUNTRY_CODE;
  if (said('grant_type') === 'authorization_code')
    return tokens(
      context,
      await exchangeCode(
        db,
        {
          code: said('code'),
          clientId: said('client_id'),
          redirect: said('redirect_uri'),
          verifier: said('code_verifier'),
          country,
        },
        now,
      ),
    );
  if (said('grant_type') === 'refresh_token')
    return tokens(
      context,
      await renewGrant(db, { refresh: said('refresh_token'), clientId: said('client_id'), country }, now),
    );
  throw new GrantError('unsupported_grant_type', 'grant_type');
}

async function revoked(context: Context, guest: Visitor): Promise<Response> {
  const { now } = await readSystem(guest.base.db);
  const isKnown = await endGrant(guest.base.db, (await formOf(context)).get('token') ?? '', now);
  if (!isKnown) await limited(guest, 'assistant-tokens', UNKNOWN_AN_HOUR);
  return told(context, 200, {});
}

/**
 * Sends the browser to the page where its customer answers, with the request as it came. A wrong one goes no further, not
 * back to its program either: anybody registers one, so before a customer has answered no address of a program is one
 * that we send people to (OAuth 2.1, 7.12.2). The page without a request says that it is not in order.
 */
async function asked(context: Context, guest: Visitor): Promise<Response> {
  const query = context.req.query();
  const request: GrantRequest = {
    clientId: query['client_id'] ?? '',
    redirect: query['redirect_uri'] ?? '',
    challenge: query['code_challenge'] ?? '',
    method: query['code_challenge_method'] ?? '',
    responseType: query['response_type'] ?? '',
    scope: query['scope'] ?? '',
    state: query['state'] ?? '',
  };
  const { base, ip, country } = guest;
  const page = new URL(`/${country.COUNTRY_CODE.toLowerCase()}/${ANSWER_PAGE}`, base.services.origin);
  const { now } = await readSystem(base.db);
  await askingClient({ db: base.db, services: base.services, ip, now }, request);
  try {
    scopesOf(request);
    const { resource } = query;
    if (resource !== undefined && !resourcesOf(guest).includes(resource))
      throw new GrantError('invalid_target', 'resource');
  } catch (error) {
    if (!(error instanceof GrantError)) throw error;
    return context.redirect(page.href, 302);
  }
  page.search = new URLSearchParams({
    client_id: request.clientId,
    redirect_uri: request.redirect,
    response_type: request.responseType,
    code_challenge: request.challenge,
    code_challenge_method: request.method,
    ...(request.scope === '' ? {} : { scope: request.scope }),
    ...(request.state === '' ? {} : { state: request.state }),
  }).toString();
  return context.redirect(page.href, 302);
}

/** The endpoints of each country's authorisation server, and what tells of them. */
export function registerAssistantLogin(door: Door): void {
  const { app } = door;
  const guarded =
    (folder: string | null, work: (context: Context, guest: Visitor) => Promise<Response>) =>
    async (context: Context) => {
      try {
        return await work(context, await door.guestAt(context, folder ?? context.req.param('country') ?? ''));
      } catch (error) {
        return error instanceof GrantError ? failed(context, error) : door.refused(context, error);
      }
    };
  app.get('/oauth/:country/authorize', guarded(null, asked));
  app.post(
    '/oauth/:country/token',
    guarded(null, (context, guest) => unlessUnknown(guest, () => exchanged(context, guest))),
  );
  app.post('/oauth/:country/register', guarded(null, registered));
  app.post('/oauth/:country/revoke', guarded(null, revoked));
  app.get(
    '/.well-known/oauth-authorization-server/oauth/:country',
    guarded(null, async (context, { base, country }) => {
      const issuer = issuerOf(base.services.origin, country.COUNTRY_CODE);
      return context.json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        registration_endpoint: `${issuer}/register`,
        revocation_endpoint: `${issuer}/revoke`,
        scopes_supported: [...SCOPES, ...Object.keys(OTHER_NAMES)],
        response_types_supported: ['code'],
        response_modes_supported: ['query'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_methods_supported: ['none'],
        revocation_endpoint_auth_methods_supported: ['none'],
        code_challenge_methods_supported: ['S256'],
        client_id_metadata_document_supported: true,
        authorization_response_iss_parameter_supported: true,
      });
    }),
  );
  const described =
    (path: string) =>
    async (context: Context, { base, country }: Visitor): Promise<Response> =>
      context.json({
        resource: base.services.origin + path,
        authorization_servers: [issuerOf(base.services.origin, country.COUNTRY_CODE)],
        scopes_supported: SCOPES,
        bearer_methods_supported: ['header'],
        resource_name: country.label,
      });
  for (const { COUNTRY_CODE } of countries) {
    const folder = COUNTRY_CODE.toLowerCase();
    for (const path of protectedPaths(COUNTRY_CODE)) app.get(METADATA + path, guarded(folder, described(path)));
  }
}
