import type { Money } from '../src/contract/price.ts';

/** Message for a missing country name (specification section 5). */
export const COUNTRY_NAME_MISSING = 'Please mention the country name.';
/** Message for a country name that nobody has (specification section 5). */
export const COUNTRY_UNKNOWN = 'No config available with this country';

export type Environment = 'production' | 'beta' | 'uat' | 'stage' | 'development' | 'local' | 'srilanka';

/** Settings that differ between environments. An empty API_HOST means the origin that the page came from. */
export interface EnvironmentValues {
  readonly API_HOST: string;
  /** Usage tracking is sent only when this is the string 'true' (specification section 7). */
  readonly USER_ACTIVITY_TRACKING: string;
}

/** A menu category. `id` is its key in this country's seed data: an id, or a slug where there is no id. */
export interface CategoryRow {
  readonly id: string;
  readonly label: string;
  /** The readable, canonical path. `/menu/<id>` always leads to the same category. */
  readonly path: string;
  /** Other paths that lead to this category. */
  readonly aliases?: readonly string[];
  /** True for a category whose products depend on the customer (favourites), so the menu does not store them. */
  readonly dynamic?: boolean;
}

/** What of an installed app's manifest is the country's own; src/domain/seo.ts words the rest. */
export interface PwaConfig {
  readonly short_name: string;
  readonly theme_color: string;
  readonly background_color: string;
  readonly display: 'standalone';
  readonly orientation: 'portrait';
  readonly categories: readonly string[];
  /** `src` is relative to the path where the bundle is served. */
  readonly icons: readonly {
    readonly src: string;
    readonly sizes: string;
    readonly type: string;
    readonly purpose: string;
  }[];
  /** Paths inside the app: the menu, the cart, and those of categories. */
  readonly shortcuts: readonly string[];
}

export type TaxBase = 'items' | 'packaging' | 'carryBag' | 'delivery';

/** How tax is charged. Rates are in basis points: 500 is 5 %. */
interface TaxRule {
  readonly name: string;
  readonly basisPoints: number;
  /** True when the prices already contain the tax (Sri Lanka); false when it is added to them. */
  readonly included: boolean;
  readonly parts: readonly { readonly id: string; readonly label: string; readonly basisPoints: number }[];
  readonly base: readonly TaxBase[];
}

interface LoyaltyDefaults {
  readonly loyaltyProgramCode: string;
  readonly programName: string;
  readonly earnPointsPerOrder: number;
  readonly slices: number;
  readonly redeemPoints: number;
}

interface AddressExamples {
  readonly house: string;
  readonly street: string;
  readonly landmark: string;
}

/** The API key of each host folder that this country is built for. */
type HostKeys = Readonly<Record<string, string>>;

/** Path templates of the API calls, by noun, then by name. */
export type ApiPaths = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The settings of one country, as one build uses them. Names in capitals come from the specification (section 1). */
export interface Country {
  readonly COUNTRY_CODE: string;
  readonly PHONE_DIGIT: number;
  readonly CURRENCY_SYMBOL: string;
  readonly CURRENCY_CODE: string;
  /** Page paths of the features that are off in this country. */
  readonly BLOCKED_PATHS: readonly string[];
  readonly IS_WALLET_BLOCKED: boolean;
  /** The text beside the checkbox that accepts the terms, in the language of the page (src/text/en/shop.json). */
  readonly TNC: string;
  readonly DEFAULT_STORE: string;
  /** The name is misspelt in the specification and has to stay so. */
  readonly SHOW_LOAGIN_WITH_PASSWORD: boolean;
  /** Whether customers may log in with an account elsewhere, such as Google's: with whom, the server's environment says. */
  readonly socialLogin: boolean;
  /** Addresses of the chain's own app in the stores of phones, where it has one: home offers it in their browsers. */
  readonly apps?: { readonly android?: string; readonly ios?: string };
  /** Two-letter country code that limits place search. */
  readonly GOOGLE_MAP_COUNTRY: string;
  /** Where customers read the terms: a path of the app, or a page on a chain's own site. */
  readonly TNC_URL: string;
  /** The API call that returns the terms shown on the app's own page. */
  readonly DEFAULT_TNC_URL: string;
  readonly GOOGLE_SITE_VERIFICATION_ID: string;
  /** The API call that returns the menu shown before a store is chosen. */
  readonly DEFAULT_MENU: string;
  readonly HELP_DESK_NO: string;
  readonly LOYALTY_INFO_DEFAULT_DATA: LoyaltyDefaults;

  /** All accepted names of the country, in lower case. */
  readonly names: readonly string[];
  /** What those who run the shop call the country; customers read its name in their language (src/domain/seo.ts). */
  readonly label: string;
  /** How customers read a postcode: where it matches `pattern`, as `text` (Colombo 03 for 00300). */
  readonly postalDistrict?: { readonly pattern: string; readonly text: string };
  /** What addresses look like here, shown beside the fields that ask for them, in each language. */
  readonly addressExamples: Readonly<Record<string, AddressExamples>>;
  /** ISO 3166 country code; used only for Intl and maps (product.md C26). */
  readonly iso: string;
  readonly appName: string;
  /** Includes the plus sign. */
  readonly dialPrefix: string;
  /**
   * The digit dialled before a number inside the country ('0'), or '' where there is none. It is never sent to the
   * server.
   */
  readonly trunkPrefix: string;
  /** How a number is written: `#` is a digit, the trunk prefix included. */
  readonly phonePattern: string;
  /** A number that does not match gets a warning but is still accepted (product.md C09). */
  readonly phoneHint: string;
  /** IANA time zone name. */
  readonly timeZone: string;
  /** Whom to call when somebody's life is in danger. */
  readonly emergencyNumber: string;
  /** Diets and exclusions that the search offers before anything is typed. */
  readonly dietsAsked: readonly ('halal' | 'veg' | 'beef' | 'mild' | 'jain' | 'onion' | 'egg')[];
  /** The first language is the default of the build. */
  readonly languages: readonly string[];
  /** BCP 47 locale: `locale` for the first language, `locales` for each language. */
  readonly locale: string;
  readonly locales: Readonly<Record<string, string>>;
  readonly DISABLED_FEATURES: readonly string[];
  /** When empty, the app shows its own home page (product.md C03). */
  readonly HOME_APP_URL: string;
  readonly ENVIRONMENTS: Readonly<Record<Environment, EnvironmentValues>>;
  readonly tax: TaxRule;
  readonly fees: {
    readonly delivery: Money;
    /** Delivery is free when the items cost at least this much. */
    readonly freeDeliveryFrom: Money;
    /** For one order, where a store does not ask for another amount (`packaging` in its row of the seed). */
    readonly packaging: Money;
    readonly carryBag: Money;
    readonly smallOrder: Money | null;
  };
  /** Totals are rounded to a multiple of this amount, in minor units. */
  readonly roundTo: number;
  /** The smallest order value that can be paid (product.md C22). */
  readonly minimumOrder: Money;
  /** Offered for DELIVERY only; none is selected in advance. */
  readonly tipChoices: readonly Money[];
  readonly cashLimit: Money;
  /** The limit of the menu's filter "under … for two". */
  readonly budgetForTwo: Money;
  readonly guarantee: {
    readonly minutes: number;
    readonly nightMinutes: number;
    /**
     * Local times. The night includes nightFrom and ends before nightTo: 23:00 is night, 03:00 is not (product.md C19).
     */
    readonly nightFrom: string;
    readonly nightTo: string;
    readonly maxLiability: Money;
    readonly bulkFromPizzas: number;
  };
  readonly mapCentre: { readonly latitude: number; readonly longitude: number };
  readonly categories: readonly CategoryRow[];
  /** What they are called in other languages than the first, by language and id. */
  readonly categoryNames: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Redirects of this country by exact path, in addition to those of the category table. */
  readonly redirects: Readonly<Record<string, string>>;
  readonly api: {
    /** By host folder. */
    readonly keys: HostKeys;
  };
  /**
   * What search engines are told of a page of the menu: how soon it comes, that its prices include the tax, or for all of
   * them the same.
   */
  readonly menuTold: 'time' | 'tax' | 'alike';
  readonly pwa: () => Promise<PwaConfig>;
}

/** What a country's folder says; sentences are added in the language of whoever reads them. */
export type CountryData = Omit<Country, 'TNC'>;

/** The settings that the first load may read. Each further one makes every first visit slower (country/xx/first.ts). */
export type FirstCountry = Pick<
  Country,
  | 'COUNTRY_CODE'
  | 'CURRENCY_CODE'
  | 'CURRENCY_SYMBOL'
  | 'DEFAULT_STORE'
  | 'HELP_DESK_NO'
  | 'trunkPrefix'
  | 'phonePattern'
  | 'appName'
  | 'locale'
  | 'DISABLED_FEATURES'
  | 'HOME_APP_URL'
  | 'roundTo'
  | 'guarantee'
  | 'categories'
  | 'redirects'
>;

/** The specification uses several names for one feature: each name on the left means the one on the right. */
const SAME: Readonly<Record<string, string>> = { everydayvalueoffer: 'edv', everydayvalueoffers: 'edv' };

/**
 * Normalises a feature name so that case, dashes and underscores do not matter: `deliver_on_train` becomes
 * `deliverontrain`.
 */
export function featureName(name: string): string {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  return SAME[plain] ?? plain;
}

/** Converts an amount in whole units of the currency to minor units. */
export function whole(units: number): Money {
  return Math.round(units * 100) as Money;
}
