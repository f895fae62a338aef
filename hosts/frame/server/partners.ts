import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { countries } from '../../../country/index.ts';
import { type Environment, provider, server } from '../../../src/server/environment.ts';

/** Plain http is for this machine alone. */
const isAddress = (text: string) => {
  const { protocol, hostname } = URL.parse(text) ?? {};
  return protocol === 'https:' || (protocol === 'http:' && /^(localhost|127\.0\.0\.1)$/.test(hostname ?? ''));
};
const address = z.string().check(z.refine(isAddress, { error: 'must be an https address' }));
const origin = z.string().check(
  z.refine((text) => isAddress(text) && URL.parse(text)?.origin === text, {
    error: 'must be an origin, https://pay.example',
  }),
);
const short = z.string().check(z.minLength(1), z.maxLength(200));

/** A page or payment app that shows our app in a frame: everything that we know of it (hosts/frame/PROTOCOL.md). */
const Partner = z
  .strictObject({
    /** In addresses, keys and the names of sessions; never changed afterwards. */
    name: z.string().check(z.regex(/^[a-z][a-z0-9]{1,29}$/, { error: 'must be 2 to 30 letters and digits' })),
    /** As customers read it. */
    label: z.string().check(z.minLength(1), z.maxLength(40)),
    countries: z
      .array(
        z.string().check(
          z.refine((code) => countries.some(({ COUNTRY_CODE }) => COUNTRY_CODE === code), {
            error: 'must be the code of a country',
          }),
        ),
      )
      .check(z.minLength(1)),
    /** The only pages that may frame the app and talk to it. */
    origins: z.array(origin).check(z.minLength(1)),
    /** The issuer of the partner's tokens. Without it customers log in with a code by SMS, and pay at the door. */
    issuer: z.optional(short),
    /** What its tokens call us. */
    audience: z.optional(short),
    /** Address of its key set (JWKS). */
    keys: z.optional(address),
    /** Where we ask about payments. */
    payments: z.optional(address),
    /** Its word about a phone number opens the account with that number, whoever made it. */
    vouchesForPhones: z.optional(z.boolean()),
    /** Switched off in addition to what is off inside every payment app. */
    blockedFeatures: z.optional(z.array(short)),
  })
  .check(
    z.refine(({ issuer, audience, keys }) => (issuer && audience && keys) || !(issuer || audience || keys), {
      error: 'issuer, audience and keys are set together or not at all',
    }),
    z.refine(({ payments, keys }) => payments === undefined || keys !== undefined, {
      error: 'payments needs issuer, audience and keys: its answers are signed',
    }),
  );
export type Partner = z.output<typeof Partner>;

const Partners = z.array(Partner).check(
  z.refine((all) => new Set(all.map(({ name }) => name)).size === all.length, { error: 'two have the same name' }),
  // One issuer with one audience for two rows would let a token of the one open the accounts of the other.
  z.refine(
    (all) => {
      const trusted = all.filter(({ keys }) => keys !== undefined).map((one) => `${one.issuer} ${one.audience}`);
      return new Set(trusted).size === trusted.length;
    },
    { error: 'two have the same issuer and audience' },
  ),
);

/** What is wrong in a file of rows, in one line. The small edition of the library has no words of its own. */
const explained = ({ issues }: z.core.$ZodError) =>
  issues
    .map((issue) => {
      const words =
        issue.code === 'unrecognized_keys'
          ? `has ${issue.keys.join(', ')}, which no row has`
          : issue.code === 'custom' || issue.code === 'invalid_format'
            ? issue.message
            : 'is missing or not as it should be';
      return `${issue.path.join('.')} ${words}`.trim();
    })
    .join('; ');

const fileOfRows = z.pipe(
  z.string(),
  z.transform((file, context): readonly Partner[] => {
    const wrong = (message: string) => {
      context.issues.push({ code: 'custom', message, input: file });
      return z.NEVER;
    };
    let rows: unknown;
    try {
      rows = JSON.parse(readFileSync(file, 'utf8'));
    } catch (error) {
      return wrong(`cannot be read: ${(error as Error).message}`);
    }
    const read = Partners.safeParse(rows);
    return read.success ? read.data : wrong(`is not a list of partners: ${explained(read.error)}`);
  }),
);

export const partnerSettings = provider('Pages that embed the app, and payment apps without a folder of their own', {
  rows: { name: 'PARTNERS_FILE', about: 'a JSON file with a row for each (hosts/frame/PROTOCOL.md)', as: fileOfRows },
});

/** The imitated partner. */
export const SAMPLE = { name: 'sample', issuer: 'https://sample.example', audience: 'golden-oven' } as const;

/** All rows. Without a file there is an imitated partner, on this server and where imitations are allowed. */
export function partnersOf(environment: Environment): readonly (Partner & { readonly isImitated?: true })[] {
  const own = environment.read(partnerSettings);
  if (own !== null) return own.rows;
  const { mode, embeddedVendors } = environment.read(server);
  if (!(embeddedVendors ?? mode !== 'production')) return [];
  return [
    {
      isImitated: true,
      ...SAMPLE,
      label: 'Sample Pay',
      countries: countries.map(({ COUNTRY_CODE }) => COUNTRY_CODE),
      // Our own pages: the simulator's.
      origins: [],
      // Paths of this server.
      keys: '/vendors/frame/keys',
      payments: '/vendors/frame/payments',
    },
  ];
}
