import * as z from 'zod/mini';

const colour = z.string().check(z.regex(/^#[0-9a-f]{6}$/));

/**
 * Something that can go wrong with one payment app only: a control of its simulation (`fake.ts`) and the values it can
 * have.
 */
const AppSwitch = z.object({
  control: z.string(),
  legend: z.string(),
  hint: z.string(),
  /** The first choice is the normal case. */
  choices: z.array(z.object({ value: z.string(), text: z.string() })).check(z.minLength(2)),
});

/** The payment app that the simulator draws around a bundle. */
export const PaymentApp = z.object({
  name: z.string(),
  /** Of its bars; `ink` is the colour of what stands on them. */
  colour,
  ink: colour,
  switches: z.array(AppSwitch),
});
export type PaymentApp = z.output<typeof PaymentApp>;

/** A bundle as the simulator's page knows it. The server writes the list into that page; there is no call for it. */
export const Phone = z.object({
  /** '<country>-<host>'; also the id of its place on the page. */
  id: z.string(),
  host: z.string(),
  /** Relative to <base>, ending in a slash. */
  mount: z.string(),
  apiKey: z.string(),
  name: z.string(),
  /** Null in a browser. */
  app: z.nullable(PaymentApp),
  hasWallet: z.boolean(),
  hasVouchers: z.boolean(),
  country: z.object({
    COUNTRY_CODE: z.string(),
    CURRENCY_CODE: z.string(),
    CURRENCY_SYMBOL: z.string(),
    DEFAULT_STORE: z.string(),
    label: z.string(),
    appName: z.string(),
    dialPrefix: z.string(),
    locale: z.string(),
    timeZone: z.string(),
    mapCentre: z.object({ latitude: z.number(), longitude: z.number() }),
  }),
});
export type Phone = z.output<typeof Phone>;
