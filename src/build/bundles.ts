import { existsSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { countries, countryConfig } from '../../country/index.ts';
import type * as sentences from '#text/page.ts';
import type { Country, Environment } from '../../country/shape.ts';
import { stop } from './fail.ts';
import { languagesIn, REFERENCE } from './texts.ts';

export const root = path.resolve(import.meta.dirname, '../..');

interface HostFolder {
  readonly name: string;
  readonly folder: string;
  /** Its profile's `fullMode`. */
  readonly isFull: boolean;
  /** Codes of the countries that the host's server.ts names. */
  readonly countries: readonly string[];
}

/** One shipped bundle: a host in a country, in one language. */
export interface Bundle {
  readonly country: Country;
  readonly host: HostFolder;
  /** The country's code in lower case, which is its folder's name. */
  readonly cc: string;
  readonly hostNames: readonly string[];
  /** Which of the country's sets of settings it uses. */
  readonly environment: Environment;
  /** The name of a folder in src/text. */
  readonly language: string;
  /** Whether this is the country's default language: other languages have an address of their own, see mountOf. */
  readonly isDefault: boolean;
  /** All languages of this host in this country, the default one in front. */
  readonly languages: readonly string[];
  /** Made by `npm run dev`, which says in English what is not translated yet. */
  readonly isDraft: boolean;
}

export interface BundleSelection {
  readonly country?: string | undefined;
  readonly host?: string | undefined;
  readonly 'hosts-dir'?: string | undefined;
  readonly language?: string | undefined;
  /** Production unless told. */
  readonly environment?: string | undefined;
  /** Whether each host and country is wanted in one language alone. */
  readonly isOneLanguage?: boolean;
  /** Whether it is for development. */
  readonly dev?: boolean | undefined;
}

async function countriesOf(folder: string): Promise<readonly string[]> {
  const file = path.join(folder, 'server.ts');
  if (!existsSync(file)) return [];
  const half = (await import(pathToFileURL(file).href)) as { host: { countries?: readonly string[] } };
  return half.host.countries ?? [];
}

/** What the host's profile says without a page. */
async function isFullMode(folder: string): Promise<boolean> {
  const { profile } = (await import(pathToFileURL(path.join(folder, 'profile.ts')).href)) as {
    profile: { fullMode: boolean };
  };
  return profile.fullMode;
}

async function hostFolders(further: string | undefined): Promise<HostFolder[]> {
  const hosts: HostFolder[] = [];
  for (const folder of [path.join(root, 'hosts'), ...(further === undefined ? [] : [path.resolve(further)])]) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => stop(`There is no folder ${folder}.`));
    for (const entry of entries) {
      const own = path.join(folder, entry.name);
      if (entry.isDirectory() && existsSync(path.join(own, 'main.tsx')))
        hosts.push({
          name: entry.name,
          folder: own,
          isFull: await isFullMode(own),
          countries: await countriesOf(own),
        });
    }
  }
  return hosts;
}

function countriesAsked(name: string | undefined): readonly Country[] {
  if (name === undefined) return countries;
  try {
    return [countryConfig(name)];
  } catch (error) {
    return stop(
      `${(error as Error).message}\nNames: ${countries.map((country) => country.names.join(', ')).join('; ')}.`,
    );
  }
}

const isListed = (country: Country, host: HostFolder) =>
  host.name in country.api.keys || host.countries.includes(country.COUNTRY_CODE);

/** The languages to build for a country; the first is its default: the one asked for, else the country's first. */
function languagesOf(
  country: Country,
  spoken: readonly string[],
  { language, isOneLanguage }: BundleSelection,
): string[] {
  const own = country.languages.filter((one) => spoken.includes(one));
  const all = [...new Set([language ?? own[0] ?? REFERENCE, ...own])];
  return isOneLanguage ? all.slice(0, 1) : all;
}

/** BCP 47 tag for the amounts and times of a bundle. */
export const localeOf = ({ country, language }: Pick<Bundle, 'country' | 'language'>): string =>
  country.locales[language] ?? language;

/** The name of a bundle's folder: 'gpay', or 'gpay.hi' for a language that is not the default. */
export const nameOf = ({ host, language, isDefault }: Pick<Bundle, 'host' | 'language' | 'isDefault'>): string =>
  isDefault ? host.name : `${host.name}.${language}`;

/** Where a bundle is served: '/in/gpay', '/in' for the browser, '/in/gpay/hi' for another language. */
export function mountOf(bundle: Bundle): string {
  const place = bundle.host.name === 'browser' ? `/${bundle.cc}` : `/${bundle.cc}/${bundle.host.name}`;
  return bundle.isDefault ? place : `${place}/${bundle.language}`;
}

/** Another language of a bundle's host and country, for the boot data of its pages. */
export interface OtherLanguage {
  readonly language: string;
  /** The language's own name for itself. */
  readonly name: string;
  /** Mount of its bundle, relative to this bundle's mount. */
  readonly place: string;
  /** Whether one would rather read that language, asked in it: no script of this bundle has its sentences. */
  readonly offer: string;
}

/** The field of the boot data that lists them; none if there is only one language. */
export function namedIn(bundle: Bundle): { readonly languages?: readonly OtherLanguage[] } {
  const languages = othersOf(bundle);
  return languages.length > 0 ? { languages } : {};
}

const pageSentences = (language: string) =>
  JSON.parse(readFileSync(path.join(root, 'src/text', language, 'page.json'), 'utf8')) as Pick<
    Record<keyof typeof sentences, string>,
    'languageOffer'
  >;

export function othersOf({ language, languages, isDefault }: Bundle): OtherLanguage[] {
  const others = languages.filter((one) => one !== language);
  return others.map((other) => ({
    language: other,
    name: new Intl.DisplayNames([other], { type: 'language' }).of(other) ?? other,
    place: `${isDefault ? '' : '../'}${other === languages[0] ? '' : `${other}/`}`,
    offer: pageSentences(other).languageOffer,
  }));
}

/**
 * The bundles to build: host folders times countries times languages. A pair of host and country is listed when the country has
 * an API key for the host, or the host's server.ts names the country. With `--host`, an unlisted pair is built too when the
 * country was named as well, or when no country lists the host.
 */
export async function bundlesAsked(flags: BundleSelection): Promise<Bundle[]> {
  const hosts = await hostFolders(flags['hosts-dir']);
  const asked = countriesAsked(flags.country);
  const spoken = await languagesIn(root);
  if (flags.language !== undefined && !spoken.includes(flags.language))
    return stop(`There is no language ${flags.language}. Languages: ${spoken.join(', ')}.`);
  if (flags.host !== undefined && !hosts.some((host) => host.name === flags.host))
    return stop(`There is no host ${flags.host}. Hosts: ${hosts.map((host) => host.name).join(', ')}.`);
  const environments = Object.keys(asked[0]?.ENVIRONMENTS ?? {}) as Environment[];
  const environment = environments.find((one) => one === (flags.environment ?? 'production'));
  if (environment === undefined)
    return stop(`There is no environment ${flags.environment}. Environments: ${environments.join(', ')}.`);
  const isAsked = (country: Country, host: HostFolder) =>
    flags.host === undefined
      ? isListed(country, host)
      : host.name === flags.host &&
        (flags.country !== undefined || isListed(country, host) || !asked.some((one) => isListed(one, host)));
  return asked.flatMap((country) =>
    hosts
      .filter((host) => isAsked(country, host))
      .flatMap((host) =>
        languagesOf(country, spoken, flags).map((language, at, languages) => ({
          country,
          host,
          cc: country.COUNTRY_CODE.toLowerCase(),
          hostNames: hosts.map((one) => one.name),
          environment,
          language,
          isDefault: at === 0,
          languages,
          isDraft: flags.dev === true,
        })),
      ),
  );
}

/** Says so where the host's calls will be refused in the country that was asked for. */
export function warnOfRefusal(bundles: readonly Bundle[]): void {
  const refused = bundles.find(({ country, host }) => !isListed(country, host));
  if (refused)
    console.log(
      `${refused.country.label} is no country of ${refused.host.name}: the calls of this bundle will be refused.`,
    );
}
