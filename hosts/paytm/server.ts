import * as z from 'zod/mini';
import type { VendorCredential } from '../../src/contract/vendors.ts';
import { httpAddress, provider, words } from '../../src/server/environment.ts';
import { t } from '../../src/server/call/language.ts';
import { saidEmail, saidId, saidPart, saidText } from '../../src/server/call/said.ts';
import type { RawRoute } from '../../src/server/call/route.ts';
import { NotVouched, type HostPerson } from '../../src/server/call/hostLogin.ts';
import type { HostContext, HostSide } from '../../src/server/call/hosts.ts';
import { LoginProof } from './contract.ts';
import { accountRoutes, EMBEDDED_CLIENT, EMBEDDED_SECRET } from './server/accounts.ts';
import { deskRoutes } from './server/desk.ts';
import { gateway, webhook } from './server/gateway.ts';
import { gatewaySettings } from './server/merchant.ts';
import { walletProvider } from './server/wallet.ts';
import { walletDesk } from './server/walletDesk.ts';

const DEADLINE_MS = 8_000;

/** `resourceOwnerId` alone says who somebody is: what the page sends along proves nothing. */
const TokenReply = z.object({ access_token: z.string().check(z.minLength(1)), resourceOwnerId: saidId });
const UserReply = saidPart({
  status: saidText,
  responseCode: saidText,
  email: saidEmail,
  profileInfo: saidPart({ displayName: saidText }),
  phoneInfo: saidPart({ countryCode: saidText, phoneNumber: saidText }),
});

const accounts = provider("Paytm's accounts, for the mini-app in Paytm", {
  clientId: { name: 'PAYTM_CLIENT_ID', about: 'our client id there', as: words },
  clientSecret: { name: 'PAYTM_CLIENT_SECRET', about: 'what proves it', as: words, isSecret: true },
  tokenUrl: { name: 'PAYTM_TOKEN_URL', about: 'where a code is swapped for a token', as: httpAddress },
  userUrl: { name: 'PAYTM_USER_URL', about: 'where a token is swapped for a person', as: httpAddress },
  scope: { name: 'PAYTM_SCOPE', about: 'what is asked for (basic)', as: words, unset: 'basic' },
});

const clientId = (environment: HostContext['environment']) => environment.read(accounts)?.clientId ?? EMBEDDED_CLIENT;

async function asked<S extends z.ZodMiniType>(
  outside: HostContext['outside'],
  schema: S,
  what: string,
  url: string,
  init: RequestInit,
): Promise<z.output<S>> {
  let status = 0;
  let body: unknown;
  try {
    const response = await outside.ask('paytm-accounts', url, { ...init, deadlineMs: DEADLINE_MS });
    status = response.status;
    const text = await response.text();
    // Paytm sends a 401 without a body.
    body = text === '' ? null : JSON.parse(text);
  } catch (error) {
    throw new NotVouched(`paytm ${what} could not be asked (${status})`, { cause: error });
  }
  const parsed = schema.safeParse(body);
  if (status !== 200)
    throw new NotVouched(
      `paytm ${what} answered ${status} ${String((body as { error?: unknown } | null)?.error ?? '')}`,
    );
  if (!parsed.success)
    throw new NotVouched(`paytm ${what} lacks ${parsed.error.issues.map(({ path }) => path.join('.')).join(', ')}`);
  return parsed.data;
}

type Token = z.output<typeof TokenReply>;
type User = z.output<typeof UserReply>;

/** Our client id and secret, and the addresses: of Paytm where it is configured, else of its imitation. */
function askedOf({ environment, origin }: HostContext) {
  const own = environment.read(accounts);
  return {
    clientId: clientId(environment),
    secret: own?.clientSecret ?? EMBEDDED_SECRET,
    scope: own?.scope ?? 'basic',
    tokenUrl: () => own?.tokenUrl ?? `${origin()}/vendors/paytm/oauth2/v2/token`,
    userUrl: () => own?.userUrl ?? `${origin()}/vendors/paytm/v2/user`,
  };
}

function personOf({ resourceOwnerId: subject }: Token, { email, profileInfo, phoneInfo }: User): HostPerson {
  const [firstName, ...rest] = profileInfo.displayName?.split(/\s+/) ?? [];
  const { countryCode = '91', phoneNumber } = phoneInfo;
  const local = phoneNumber?.startsWith('+') ? phoneNumber : `+${countryCode.replace(/\D/g, '')}${phoneNumber}`;
  return {
    subject,
    mobile: phoneNumber === undefined ? null : local,
    firstName,
    lastName: rest.length === 0 ? undefined : rest.join(' '),
    email,
  };
}

/** Exchanges a one-time code for a token and the token for a person. The client secret never leaves the server. */
function login(around: HostContext) {
  const own = askedOf(around);
  const authorization = `Basic ${Buffer.from(`${own.clientId}:${own.secret}`).toString('base64')}`;
  return async (credential: VendorCredential): Promise<HostPerson> => {
    const proof = LoginProof.safeParse(credential.proof);
    if (!proof.success) throw new NotVouched('a proof of another vendor');
    const token = await asked(around.outside, TokenReply, 'token', own.tokenUrl(), {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: proof.data.authCode,
        client_id: own.clientId,
        scope: own.scope,
      }),
    });
    const address = new URL(own.userUrl());
    address.searchParams.set('fetch_strategy', 'profile_info,phone_number,email');
    const user = await asked(around.outside, UserReply, 'user', address.href, {
      method: 'GET',
      headers: { authorization, verification_type: 'oauth_token', data: token.access_token },
    });
    // A refusal, such as "blocked due to security reasons", may also come in an answer that arrived well.
    if (/^failure$/i.test(user.status ?? ''))
      throw new NotVouched(`paytm user answered ${user.status} ${user.responseCode}`);
    return personOf(token, user);
  };
}

/** The address where Paytm's payment page sends the customer: a hint to ask for the payment's status, and the way back into the app. */
function callback(method: 'GET' | 'POST'): RawRoute {
  return {
    method,
    path: '/webhooks/paytm/callback',
    embedded: false,
    handler(context) {
      const back = context.req.query('back') ?? '/';
      const isOwn = /^\/(?![/\\])[A-Za-z0-9._~/-]*\?transactionId=[A-Za-z0-9_-]+$/.test(back);
      return new Response(null, {
        status: 303,
        headers: { location: isOwn ? back : '/', 'cache-control': 'no-store' },
      });
    },
  };
}

export const host: HostSide = {
  name: 'paytm',
  partnerName: 'PAYTM',
  app: {
    name: 'Paytm',
    colour: '#00557f',
    ink: '#ffffff',
    switches: [
      {
        control: 'authCode',
        legend: 'Its login code',
        hint: 'The server exchanges it once, for somebody, and refuses it otherwise.',
        choices: [
          { value: 'fresh', text: 'Fresh' },
          { value: 'reused', text: 'Used before' },
          { value: 'of-nobody', text: 'Of nobody' },
        ],
      },
    ],
  },
  settings: [accounts, gatewaySettings],
  clientId,
  forbidsOwnLogin: true,
  payment: {
    mode: 'PAYTM',
    get about() {
      return t.payWalletAbout;
    },
    isOnTheWeb: true,
    gateway,
  },
  wallet: {
    id: 'PAYTM',
    mode: 'PAYTM',
    get label() {
      return t.appWallet({ app: 'Paytm' });
    },
    provider: walletProvider,
  },
  login,
  webhook,
  routes: [callback('GET'), callback('POST'), ...accountRoutes, ...deskRoutes, ...walletDesk],
};
