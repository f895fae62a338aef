import { createECDH } from 'node:crypto';
import * as z from 'zod/mini';
import { countries } from '../../country/index.ts';
import { isVpa } from '../domain/upi.ts';
import { isLoopback, isRange, type TrustedProxies } from './proxies.ts';

type Values = Readonly<Record<string, string | undefined>>;

/** Checks the text of a variable and converts it. */
type Kind<T> = z.ZodMiniType<T, string>;

/**
 * One variable. When it is missing or empty, its value is `unset`. A variable without `unset` has to be set when any
 * other of its group is.
 */
export interface Variable<T = unknown> {
  readonly name: string;
  /** One line for `.env.example`: what it is for, and its unit. */
  readonly about: string;
  readonly as: Kind<T>;
  readonly unset?: unknown;
  /** Never printed, not even when the value is wrong. */
  readonly isSecret?: true;
}
type Fields = Readonly<Record<string, Variable>>;
type ValueOf<V> = V extends { as: Kind<infer T>; unset: infer U } ? T | U : V extends { as: Kind<infer T> } ? T : never;
type Read<F extends Fields> = { readonly [K in keyof F]: ValueOf<F[K]> };

/** A group of variables. The server's own groups are below; a host's are in its `server.ts`. */
export interface Part<T = unknown> {
  readonly title: string;
  readonly variables: readonly Variable[];
  /** Money passes through it: production does not start without it. */
  readonly isPayment?: true;
  /** Adds one line to `problems` for each mistake. @returns the value, or null when there is a mistake */
  check(values: Values, problems: string[]): { readonly value: T } | null;
}

/** The environment variables after they were all checked. */
export interface Environment {
  /** @throws Error for a part that was not checked */
  read<T>(part: Part<T>): T;
}

const namesOf = (list: readonly Variable[]) => list.map(({ name }) => name).join(', ');
const areMissing = (list: readonly Variable[]) => `${namesOf(list)} ${list.length > 1 ? 'are' : 'is'} missing`;
const isSet = (values: Values, { name }: Variable) => (values[name] ?? '').trim() !== '';

/** An address as it may be shown; a password that was not escaped may have a colon or an at sign in it. */
export const withoutPassword = (address: string) => address.replace(/^(\w+:\/\/[^:@/]*):[^/]*@/, '$1:...@');

function valuesOf<F extends Fields>(fields: F, values: Values, problems: string[]): { value: Read<F> } | null {
  const before = problems.length;
  const value: Record<string, unknown> = {};
  for (const [key, variable] of Object.entries(fields)) {
    if (!isSet(values, variable)) {
      value[key] = variable.unset;
      continue;
    }
    const result = variable.as.safeParse(values[variable.name]);
    if (result.success) value[key] = result.data;
    else {
      const shown = variable.isSecret ? '' : ` (it is '${withoutPassword(values[variable.name]!)}')`;
      problems.push(`${variable.name} ${result.error.issues[0]?.message}${shown}`);
    }
  }
  return problems.length > before ? null : { value: value as Read<F> };
}

/** A group of variables that do not depend on each other. */
function settings<const F extends Readonly<Record<string, Variable & { unset: unknown }>>>(
  title: string,
  fields: F,
): Part<Read<F>> {
  return {
    title,
    variables: Object.values(fields),
    check: (values, problems) => valuesOf(fields, values, problems),
  };
}

/**
 * The settings of an external provider: either all are set, or none (then the value is null). A variable with `unset`
 * may be left out.
 */
export function provider<const F extends Fields>(
  title: string,
  fields: F,
  { isPayment }: Pick<Part, 'isPayment'> = {},
): Part<Read<F> | null> {
  const variables = Object.values(fields);
  return {
    title,
    variables,
    ...(isPayment ? { isPayment } : {}),
    check(values, problems) {
      const given = variables.filter((variable) => isSet(values, variable));
      if (given.length === 0) return { value: null };
      const missing = variables.filter((variable) => !('unset' in variable) && !given.includes(variable));
      if (missing.length > 0)
        problems.push(
          `${areMissing(missing)}: ${title} is configured whole or not at all (there is ${namesOf(given)})`,
        );
      const read = valuesOf(fields, values, problems);
      return missing.length > 0 ? null : read;
    },
  };
}

// ---- kinds of values

export const words = z.string().check(z.minLength(1));
/** One text or several, with commas between them. */
export const wordList = z.pipe(
  words,
  z.transform((text) => text.split(',').map((word) => word.trim())),
);
/** Anything else than these is dropped from a URL, or read as a part of it. */
const isHttp = (text: string) => /^https?:\/\/[^\s\p{Cc}]+$/iu.test(text) && URL.canParse(text);
/** No call goes out to an address with a name and a password in it: `fetch` refuses it. */
export const httpAddress = z.string().check(
  z.refine(isHttp, { error: 'must be an http or https address' }),
  z.refine((text) => !/[@#]/.test(text.split('/')[2] ?? '') && !text.includes('#'), {
    error: 'must be an address without name, password and #',
  }),
);
/** An address that paths are put behind. */
export const httpBase = z.pipe(
  httpAddress.check(z.refine((text) => !text.includes('?'), { error: 'must be an address without ?' })),
  z.transform((text) => text.replace(/\/$/, '')),
);
/** The path that we stand below is told by the proxy (TRUST_PROXY). */
const ownOrigin = z.pipe(
  httpBase.check(z.refine((text) => URL.parse(text)?.pathname === '/', { error: 'must be an address without a path' })),
  z.transform((text) => new URL(text).origin),
);
/** What goes out in a header: nothing else can be written there. */
const headerText = z
  .string()
  .check(z.regex(/^[\x20-\x7e]+$/, { error: 'must be of letters, digits and signs of ASCII, in one line' }));
const flag = z.pipe(
  z.enum(['1', '0', 'true', 'false', 'yes', 'no', 'on', 'off'], { error: 'must be on or off' }),
  z.transform((text) => ['1', 'true', 'yes', 'on'].includes(text)),
);
/** How many proxies stand in front, or their addresses and ranges. */
const proxyCount = z.string().check(
  z.refine((text) => /^\d$/.test(text) || text.split(',').every((one) => isRange(one.trim())), {
    error: 'must be how many proxies there are, or their addresses (10.0.0.0/8, ...)',
  }),
);
const trusted = z.pipe(
  proxyCount,
  z.transform((text): TrustedProxies => (/^\d$/.test(text) ? Number(text) : text.split(',').map((one) => one.trim()))),
);
const count = z.pipe(
  z.string().check(z.refine((text) => /^[1-9]\d{0,8}$/.test(text), { error: 'must be a whole number above 0' })),
  z.transform(Number),
);
/** A refund, a question to the help and a feedback still need to know whose the order was. */
const LEAST_NAMES_DAYS = 180;
const namesDays = z.pipe(
  z.string().check(
    z.refine((text) => /^\d{1,5}$/.test(text) && Number(text) >= LEAST_NAMES_DAYS, {
      error: `must be whole days, ${LEAST_NAMES_DAYS} to 99999`,
    }),
  ),
  z.transform(Number),
);
const port = z.pipe(
  z.string().check(
    z.refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535, {
      error: 'must be a port number, 0 to 65535',
    }),
  ),
  z.transform(Number),
);
const connections = z.pipe(
  z.string().check(z.regex(/^[1-9]\d{1,5}$/, { error: 'must be a whole number, 10 to 999999' })),
  z.transform(Number),
);
const seconds = z.pipe(
  z.string().check(z.regex(/^\d{1,3}$/, { error: 'must be whole seconds, 0 to 999' })),
  z.transform(Number),
);
const replicaAddress = z.string().check(
  z.refine((text) => /^postgres(ql)?:\/\//.test(text) && URL.canParse(text), {
    error: 'must be postgres://... of a streaming replica',
  }),
);
const database = z.string().check(
  z.refine((text) => !/^[a-z]+:\/\//i.test(text) || (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text)), {
    error: 'must be postgres://... or the path of a file',
  }),
);
/** Address template of a map tile server. Only our server calls it, never a customer's browser. */
const tileAddress = z.string().check(
  z.refine((text) => /^https?:\/\/[^/]/.test(text) && ['{z}', '{x}', '{y}'].every((part) => text.includes(part)), {
    error: 'must be an http or https address with {z}, {x} and {y}',
  }),
);
const upiId = z.string().check(z.refine(isVpa, { error: 'must be a UPI id, name@bank' }));
/** Text of `length` base64url characters, the form in which web-push prints its keys. */
const base64url = (length: number) =>
  z
    .string()
    .check(z.regex(new RegExp(`^[\\w-]{${length}}=?$`), { error: `must be ${length} characters of base64url` }));

// ---- the server's own variables

const serverFields = {
  port: { name: 'PORT', about: 'port to listen on (3000); 0 takes any free one', as: port, unset: 3000 },
  host: {
    name: 'HOST',
    about: 'address to listen on (in production all of this machine, else this machine alone)',
    as: words,
    unset: null,
  },
  database: {
    name: 'DATABASE_URL',
    about: 'a file, which one server has to itself, or postgres://... (dist/data/pizza.db)',
    as: database,
    unset: null,
    isSecret: true,
  },
  readDatabase: {
    name: 'DATABASE_READ_URL',
    about: 'postgres://... of a streaming replica, for what may be 2 s old: menus, stores, places, history (none)',
    as: replicaAddress,
    unset: null,
    isSecret: true,
  },
  mode: {
    name: 'NODE_ENV',
    about: 'production: no development calls, no imitated vendors (development, for this machine alone)',
    as: z.enum(['production', 'development', 'test'], { error: 'must be production, development or test' }),
    unset: null,
  },
  publicOrigin: {
    name: 'PUBLIC_ORIGIN',
    about: 'what others reach us by, https://shop.example (http://localhost:PORT)',
    as: ownOrigin,
    unset: null,
  },
  trustProxy: {
    name: 'TRUST_PROXY',
    about:
      'how many proxies stand in front, or their addresses (10.0.0.0/8, ...): they say who is calling, in X-Forwarded-For, and below which path, in X-Forwarded-Prefix (none; in development those of this machine)',
    as: trusted,
    unset: null,
  },
  drainSeconds: {
    name: 'DRAIN_SECONDS',
    about: 'how long it answers on after SIGTERM while /ready says 503, so that a proxy takes it out (in production 5)',
    as: seconds,
    unset: null,
  },
  addressConnections: {
    name: 'ADDRESS_CONNECTIONS',
    about:
      'how many connections one address may hold; half of them may be calls under way, half streams, an eighth bodies that are a second late. Proxies are not counted, and tell whom they call for (512)',
    as: connections,
    unset: 512,
  },
  embeddedVendors: {
    name: 'EMBEDDED_VENDORS',
    about: 'on: the imitated bank and payment apps answer on this server (on in development, off in production)',
    as: flag,
    unset: null,
  },
  codesAnHour: {
    name: 'CODES_AN_HOUR',
    about: 'how many codes by SMS all customers together get in an hour, at most (3000)',
    as: count,
    unset: 3000,
  },
  addressMegabytes: {
    name: 'ADDRESS_MEGABYTES',
    about:
      'how many megabytes of rows an address may leave behind in an hour without an account; a seventh of it comes besides, for what pages tell of themselves (14)',
    as: count,
    unset: 14,
  },
  orderNamesDays: {
    name: 'ORDER_NAMES_DAYS',
    about:
      "so many days after its end an order loses its customer's name, number, address and words, 180 or more; what tax law asks for stays (750)",
    as: namesDays,
    unset: 750,
  },
  deletionsFile: {
    name: 'DELETIONS_FILE',
    about:
      'a file beside the backups, not on the disk of the database, that gets the id of each deleted account: a restore with --deleted deletes them again (none)',
    as: words,
    unset: null,
  },
} as const satisfies Fields;
export const server = settings('The server', serverFields);

const databaseNames = (code: string) => ({ own: `DATABASE_URL_${code}`, read: `DATABASE_READ_URL_${code}` });
const codes = countries.map(({ COUNTRY_CODE }) => COUNTRY_CODE);
const addressOf = (name: string, about: string, as: typeof database) =>
  [name, { name, about, as, unset: null, isSecret: true }] as const;
/** By the names of the variables. */
const countryDatabases = settings(
  'Countries on databases of their own: for all of them, or for some beside DATABASE_URL',
  Object.fromEntries(
    countries.flatMap(({ COUNTRY_CODE, label }) => {
      const { own, read } = databaseNames(COUNTRY_CODE);
      return [
        addressOf(own, `as DATABASE_URL, for ${label} (DATABASE_URL)`, database),
        addressOf(read, `as DATABASE_READ_URL, for ${label} (none)`, replicaAddress),
      ];
    }),
  ),
);

/**
 * The databases to open, with the variable that names each; countries with the same address share one. First comes that
 * of what belongs to no country.
 * @param otherwise where countries are for which nothing is set
 */
export function databasesAsked(environment: Environment, otherwise: string) {
  const { database: common, readDatabase } = environment.read(server);
  const own = environment.read(countryDatabases);
  const found = new Map<string, { countries: string[]; target: string; replica: string | null; name: string }>();
  const hasAllOwn = codes.every((code) => own[databaseNames(code).own] !== null);
  if (common !== null || !hasAllOwn)
    found.set(common ?? otherwise, {
      countries: [],
      target: common ?? otherwise,
      replica: readDatabase,
      name: 'DATABASE_URL',
    });
  for (const code of codes) {
    const target = own[databaseNames(code).own] ?? common ?? otherwise;
    const known = found.get(target) ?? {
      countries: [],
      target,
      replica: own[databaseNames(code).read] ?? null,
      name: databaseNames(code).own,
    };
    known.countries.push(code);
    found.set(target, known);
  }
  return [...found.values()];
}

/** The same for a command that needs nothing else of the environment. @throws Error that names what is wrong */
export function databasesNamed(values: Values, otherwise: string) {
  return databasesAsked(
    {
      read(part) {
        const problems: string[] = [];
        const checked = part.check(values, problems);
        if (checked === null) throw new Error(problems.join('\n'));
        return checked.value;
      },
    },
    otherwise,
  );
}

export const site = settings('What the pages are told', {
  disableCookies: {
    name: 'DISABLE_COOKIES',
    about: 'on: no analytics, whatever else says (off)',
    as: flag,
    unset: false,
  },
  analytics: { name: 'ANALYTICS', about: 'on: pages report what is looked at (off)', as: flag, unset: false },
  otpVariant: {
    name: 'OTP_VARIANT',
    about: 'which way of sending login codes: 0, 1 or 2 (0)',
    as: z.pipe(z.enum(['0', '1', '2'], { error: 'must be 0, 1 or 2' }), z.transform(Number)),
    unset: 0,
  },
});

export const bank = provider(
  'The bank',
  {
    url: { name: 'BANK_URL', about: 'address of its interface', as: httpBase },
    merchant: { name: 'BANK_MERCHANT', about: 'our name there', as: words },
    secret: { name: 'BANK_SECRET', about: 'key of the signatures, both ways', as: words, isSecret: true },
    vpa: { name: 'BANK_VPA', about: 'the UPI id that is paid, name@bank', as: upiId },
  },
  { isPayment: true },
);

/** What is typed there goes over no line that somebody else can read. */
const safeAddress = httpAddress.check(
  z.refine((text) => /^https:|^http:\/\/(127\.0\.0\.1|localhost)(:|\/|$)/.test(text), {
    error: 'must be an https address',
  }),
);
export const cardFields = settings("The bank's fields for cards, in a frame of our pages", {
  url: {
    name: 'CARD_FIELDS_URL',
    about:
      "the bank's page with them, as browsers reach it, at an origin that is not ours (BANK_URL/card-fields; without a bank that of the imitated one)",
    as: safeAddress,
    unset: null,
  },
  port: {
    name: 'CARD_FIELDS_PORT',
    about: "port of the imitated bank's page; 0 takes any free one (0)",
    as: port,
    unset: 0,
  },
});

export const railway = provider('The railway', {
  url: {
    name: 'RAILWAY_URL',
    about: 'address of its interface; without it trains are imitated in development, and not there in production',
    as: httpBase,
  },
  partner: { name: 'RAILWAY_PARTNER', about: 'our name there', as: words },
  secret: { name: 'RAILWAY_SECRET', about: 'key of the signatures, both ways', as: words, isSecret: true },
});

export const paymentSheets = settings('Payment sheets of the browser', {
  google: { name: 'GOOGLE_PAY_MERCHANT', about: "merchant id of Google Pay's sheet (none)", as: words, unset: null },
  apple: { name: 'APPLE_PAY_MERCHANT', about: "merchant id of Apple Pay's sheet (none)", as: words, unset: null },
});

const smsFields = {
  url: { name: 'SMS_URL', about: 'takes POST {to, text}', as: httpAddress },
  key: { name: 'SMS_KEY', about: 'bearer key, where it wants one', as: headerText, unset: null, isSecret: true },
} as const satisfies Fields;
export const smsGateway = provider('The SMS gateway', smsFields);

export const emailGateway = provider('The email gateway', {
  url: {
    name: 'EMAIL_URL',
    about: 'takes POST {to, subject, text}; without it no email can be confirmed',
    as: httpAddress,
  },
  key: { name: 'EMAIL_KEY', about: 'bearer key, where it wants one', as: headerText, unset: null, isSecret: true },
});

/** How many providers of accounts there may be. */
const OIDC_SLOTS = ['', '_2', '_3'] as const;
const issuer = z.string().check(
  z.refine((text) => /^https:\/\/[^?#]+$/.test(text) || /^http:\/\/(127\.|localhost[:/])[^?#]*$/.test(text), {
    error: 'must be an https address without ? and #',
  }),
);
/** Accounts elsewhere with which customers log in, by OpenID Connect. */
export const oidc = OIDC_SLOTS.map((slot) =>
  provider(`Accounts elsewhere to log in with, by OpenID Connect${slot === '' ? '' : `, number ${slot.slice(1)}`}`, {
    source: {
      name: `OIDC_SOURCE${slot}`,
      about: 'short name; register PUBLIC_ORIGIN/loginhandler/sociallogin/SOURCE/callback there',
      as: z.string().check(z.regex(/^[a-z][a-z0-9-]{0,19}$/, { error: 'must be up to 20 of a-z, 0-9 and -' })),
    },
    issuer: { name: `OIDC_ISSUER${slot}`, about: 'https://accounts.example, as its tokens say it', as: issuer },
    clientId: { name: `OIDC_CLIENT_ID${slot}`, about: 'our client id there', as: words },
    clientSecret: { name: `OIDC_CLIENT_SECRET${slot}`, about: 'what proves it', as: words, isSecret: true },
    label: { name: `OIDC_LABEL${slot}`, about: 'its name for customers: Continue with ...', as: words },
  }),
);

export const pushKeys = provider('Keys of web push', {
  publicKey: {
    name: 'VAPID_PUBLIC_KEY',
    about: '87 characters of base64url (made once for the database)',
    as: base64url(87),
  },
  privateKey: { name: 'VAPID_PRIVATE_KEY', about: '43 characters of base64url', as: base64url(43), isSecret: true },
});

export const map = provider('The map', {
  url: { name: 'TILES_URL', about: 'https://host/{z}/{x}/{y}.png instead of our own drawing', as: tileAddress },
  credit: { name: 'TILES_CREDIT', about: 'whose map it is, shown on it', as: words, unset: '' },
});

export const experimentService = provider('Experiments counted elsewhere, in place of npm run experiments', {
  url: {
    name: 'EXPERIMENTS_URL',
    about: 'address of the service, below which /server-side/settings is',
    as: httpBase,
  },
  account: { name: 'EXPERIMENTS_ACCOUNT', about: 'our account id there', as: words },
  key: { name: 'EXPERIMENTS_KEY', about: 'the sdk key of our project', as: words, isSecret: true },
});

const originList = z.pipe(
  wordList,
  z.array(
    z.string().check(
      z.refine(
        (text) => URL.parse(text)?.origin === text && /^https:|^http:\/\/(127\.0\.0\.1|localhost)(:|$)/.test(text),
        {
          error: 'must be origins, https://app.example, with commas between',
        },
      ),
    ),
  ),
);
export const league = settings('The league inside other apps', {
  frames: {
    name: 'LEAGUE_FRAMES',
    about: 'origins whose pages may show /worldPizzaLeagueApp in a frame, with commas between (none)',
    as: originList,
    unset: [],
  },
});

export const metrics = settings('Figures for Prometheus, at /metrics', {
  port: {
    name: 'METRICS_PORT',
    about: 'port of their own, which customers must not reach; 0 takes any free one (none: no figures are kept)',
    as: port,
    unset: null,
  },
  host: {
    name: 'METRICS_HOST',
    about: 'address to tell them on, without a password (127.0.0.1)',
    as: words,
    unset: '127.0.0.1',
  },
  backups: {
    name: 'BACKUPS_FOLDER',
    about: 'folder of the backups (*.backup): how old the newest is, and how much room is left there, is told (none)',
    as: words,
    unset: null,
  },
});

export const serverParts: readonly Part[] = [
  server,
  countryDatabases,
  metrics,
  site,
  bank,
  cardFields,
  railway,
  paymentSheets,
  smsGateway,
  emailGateway,
  pushKeys,
  ...oidc,
  map,
  experimentService,
  league,
];

/** Providers of accounts have names of their own, and call back at an address that they know. */
function checkAccounts(values: Values, problems: string[]): void {
  const sources = OIDC_SLOTS.map((slot) => values[`OIDC_SOURCE${slot}`]?.trim() ?? '').filter((one) => one !== '');
  if (new Set(sources).size < sources.length) problems.push('OIDC_SOURCE: each provider has a name of its own');
  if (sources.length > 0 && (values['PUBLIC_ORIGIN'] ?? '').trim() === '')
    problems.push('PUBLIC_ORIGIN is missing: whoever OIDC_SOURCE names sends customers back there');
}

/** The two are one pair, or every message to a browser would be refused where it is sent. */
function checkPushKeys(values: Values, problems: string[]): void {
  const keys = pushKeys.check(values, [])?.value;
  if (!keys) return;
  try {
    const pair = createECDH('prime256v1');
    pair.setPrivateKey(Buffer.from(keys.privateKey, 'base64url'));
    if (pair.getPublicKey().equals(Buffer.from(keys.publicKey, 'base64url'))) return;
  } catch {
    // No key of this curve at all.
  }
  problems.push(`VAPID_PUBLIC_KEY is not that of VAPID_PRIVATE_KEY (it is '${keys.publicKey}')`);
}

/**
 * Development has calls that move the clock and show everybody's codes: others reach it only where it is asked for by
 * name. Production sends codes, and keeps none.
 */
function checkOpenness(values: Values, problems: string[]): void {
  const { mode, host } = valuesOf(serverFields, values, [])?.value ?? {};
  if ((mode === null || mode === 'test') && host && !isLoopback(host))
    problems.push(
      `HOST opens development to others (it is '${host}'): NODE_ENV=development says that it is meant, NODE_ENV=production serves customers`,
    );
  if (mode === 'production' && !isSet(values, smsFields.url))
    problems.push(
      'SMS_URL is missing: codes for login and cash are sent by SMS, and production shows them nowhere else',
    );
}

/** A country whose database was forgotten must not begin an empty one; and a replica is of something. */
function checkDatabases(values: Values, problems: string[]): void {
  const has = (name: string) => (values[name] ?? '').trim() !== '';
  const without = codes.filter((code) => !has(databaseNames(code).own));
  if (without.length > 0 && without.length < codes.length && !has('DATABASE_URL'))
    problems.push(
      `${without.map((code) => databaseNames(code).own).join(', ')} ${without.length > 1 ? 'are' : 'is'} missing: countries have databases of their own whole, or beside DATABASE_URL`,
    );
  for (const [read, of] of [
    ['DATABASE_READ_URL', 'DATABASE_URL'],
    ...codes.map((code) => [databaseNames(code).read, databaseNames(code).own]),
  ] as const)
    if (has(read) && !(values[of] ?? '').startsWith('postgres'))
      problems.push(`${of} is missing: ${read} is a replica of the PostgreSQL there`);
}

/**
 * In production no imitation takes the place of a provider that is left out, and what a shop offers must be payable: all
 * of them are configured, and the address at which they call back, or the imitations are asked for.
 */
function checkPayments(values: Values, parts: readonly Part[], problems: string[]): void {
  const { mode, embeddedVendors, publicOrigin } = valuesOf(serverFields, values, [])?.value ?? {};
  if (mode !== 'production' || embeddedVendors === true) return;
  const payments = parts.filter(({ isPayment }) => isPayment);
  for (const { title, variables } of payments)
    // What is given in part was named already.
    if (!variables.some((variable) => isSet(values, variable)))
      problems.push(
        `${areMissing(variables.filter((variable) => !('unset' in variable)))}: ${title} takes money in production (or EMBEDDED_VENDORS=on, to try it out)`,
      );
  if (payments.length > 0 && publicOrigin === null)
    problems.push('PUBLIC_ORIGIN is missing: whoever takes the money calls us back there');
}

/**
 * Checks the environment: the server's own variables and those of `further` parts.
 * @throws Error with one line for every variable that is wrong or missing
 */
export function readEnvironment(values: Values, further: readonly Part[] = []): Environment {
  const problems: string[] = [];
  const read = new Map<Part, { readonly value: unknown } | null>();
  const parts = [...serverParts, ...further];
  for (const part of parts) read.set(part, part.check(values, problems));
  checkOpenness(values, problems);
  checkDatabases(values, problems);
  checkAccounts(values, problems);
  checkPushKeys(values, problems);
  checkPayments(values, parts, problems);
  if (problems.length > 0) throw new Error(`The environment cannot be used:\n  ${problems.join('\n  ')}`);
  return {
    read<T>(part: Part<T>): T {
      const found = read.get(part);
      if (!found) throw new Error(`'${part.title}' is no part of this environment.`);
      return found.value as T;
    },
  };
}

/** The secrets that are set, by name: what a database needs from outside to go on as before. */
export function secretsIn(values: Values, further: readonly Part[] = []): Record<string, string> {
  return Object.fromEntries(
    [...serverParts, ...further]
      .flatMap(({ variables }) => variables)
      .filter((one) => one.isSecret && !one.name.startsWith('DATABASE_') && isSet(values, one))
      .map(({ name }) => [name, values[name]!]),
  );
}
