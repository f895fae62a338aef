import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { countries, type KnownCountry } from '../../../../country/index.ts';
import type { Country } from '../../../../country/shape.ts';
import { readEnvironment, type Environment, type Part } from '../../environment.ts';
import type { HostName } from '../../call/caller.ts';
import { blockAlso } from '../../call/features.ts';
import type { HostFamily, HostPage, HostSide } from '../../call/hosts.ts';
import type { RawRoute } from '../../call/route.ts';

export const HOSTS = fileURLToPath(new URL('../../../../hosts', import.meta.url));
const sides = new Map<HostName, HostSide>();
const families = new Map<string, HostFamily>();

/**
 * Loads the server half of every host in these folders; one that is loaded already is skipped.
 * @throws Error if a host's `server.ts` is not as it should be
 */
export async function loadHosts(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    for (const name of (await readdir(folder)).sort()) {
      const file = path.join(folder, name, 'server.ts');
      if (sides.has(name) || families.has(name) || !existsSync(file)) continue;
      const { host } = (await import(pathToFileURL(file).href)) as { host?: HostSide | HostFamily };
      if (host?.name !== name) throw new Error(`${file} has to export 'host' with the name '${name}'.`);
      if ('members' in host) families.set(name, host);
      else addSide(host, file);
    }
  }
}

function addSide(host: HostSide, from: string): void {
  const { mode, label, gateway, isOnTheWeb } = host.payment;
  if ((mode === 'HOST') !== (label !== undefined && gateway !== undefined && isOnTheWeb !== true))
    throw new Error(`${from}: a host with a payment of its own needs 'label' and 'gateway', and only that has both.`);
  sides.set(host.name, host);
  blockAlso(host.name, host.blockedFeatures ?? []);
  byKey = undefined;
}

/** Makes hosts of the rows that the environment names, in place of those of an earlier environment. */
function addMembers(environment: Environment): void {
  for (const [family, { members }] of families) {
    for (const name of sides.keys()) if (name.startsWith(`${family}-`)) sides.delete(name);
    byKey = undefined;
    for (const host of members(environment)) addSide(host, `hosts/${family}/server.ts`);
  }
}

/** Routes of all hosts, outside the contract. */
export function hostRoutes(): RawRoute[] {
  return [...hosts(), ...families.values()].flatMap(({ routes = [] }) => [...routes]);
}

export function hosts(): readonly HostSide[] {
  return [...sides.values()];
}

/** The environment variables that the loaded hosts declare. */
export function hostSettings(): Part[] {
  return [...hosts(), ...families.values()].flatMap(({ settings = [] }) => [...settings]);
}

/**
 * Loads these hosts and reads the environment of a server with them.
 * @throws Error that lists everything that is wrong, also with the hosts' own variables
 */
export async function environmentWith(
  folders: readonly string[],
  values: Readonly<Record<string, string | undefined>>,
): Promise<Environment> {
  await loadHosts(folders);
  const environment = readEnvironment(values, hostSettings());
  addMembers(environment);
  return environment;
}

/** The server half of a host. @throws Error for `web`, which has none, and for a host that was not loaded */
export function hostSide(name: HostName): HostSide {
  const side = sides.get(name);
  if (side === undefined) throw new Error(`there is no host ${name}`);
  return side;
}

/** What people call a host's app; null for the browser, and for a host that is not served any more. */
export const appName = (name: HostName): string | null => sides.get(name)?.app.name ?? null;

/** One bundle that is shipped: a country inside a host, with its `api_key`. */
export interface Build {
  readonly country: KnownCountry;
  /** Name of the host's folder; `browser` for the web. */
  readonly host: string;
  readonly key: string;
}

/**
 * All builds, by country: first those in the country's own list of keys, then those of further hosts that name the
 * country.
 */
export function builds(): readonly Build[] {
  return countries.flatMap((country) => {
    const cc = country.COUNTRY_CODE;
    const listed = Object.entries(country.api.keys).map(([host, key]) => ({ country, host, key }));
    const further = hosts()
      .filter(({ name, countries: own }) => own?.includes(cc) && !(name in country.api.keys))
      .map(({ name }) => ({ country, host: name, key: `${cc.toLowerCase()}-${name}` }));
    return [...listed, ...further];
  });
}

/** Where a build is served, without the first slash: 'in/', 'in/gpay/'. */
export function mountOf({ country, host }: Build): string {
  const cc = country.COUNTRY_CODE.toLowerCase();
  return host === 'browser' ? `${cc}/` : `${cc}/${sides.get(host)?.page?.path ?? host}/`;
}

/** Folder of a build's files below dist. */
export function folderOf({ country, host }: Build): string {
  return `${country.COUNTRY_CODE.toLowerCase()}/${sides.get(host)?.page?.folder ?? host}`;
}

/** One of the addresses at which a shared bundle is served. */
export interface BundleAddress {
  readonly mount: string;
  readonly page: HostPage;
}

/** The addresses of the bundles that the members of a family share, by their folder below dist. */
export function shared(): ReadonlyMap<string, readonly BundleAddress[]> {
  const all = new Map<string, BundleAddress[]>();
  for (const { COUNTRY_CODE } of countries)
    for (const family of families.keys()) all.set(`${COUNTRY_CODE.toLowerCase()}/${family}`, []);
  for (const build of builds()) {
    const page = sides.get(build.host)?.page;
    if (page !== undefined) all.get(folderOf(build))?.push({ mount: mountOf(build), page });
  }
  return all;
}

let byKey: ReadonlyMap<string, Build> | undefined;

/** Country and host that an `api_key` stands for; null if no build has this key. */
export function buildOfKey(key: string): { country: Country; host: HostName } | null {
  byKey ??= new Map(builds().map((build) => [build.key, build]));
  const build = byKey.get(key);
  return build === undefined ? null : { country: build.country, host: build.host === 'browser' ? 'web' : build.host };
}

/** The names of this machine, on which a server of development runs: a page may be opened by any of them. */
const HERE: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The host that the last line of an SMS may name, for which a browser offers the code by itself: the one that the page
 * says it has if that is a partner's, else our own.
 * @param origin ours
 */
export function hostOfPage(origin: string, said = ''): string {
  const own = new URL(origin).hostname;
  const partners = hosts().flatMap(({ page }) => page?.ancestors ?? []);
  const known = [own, ...partners.map((one) => new URL(one).hostname), ...(HERE.includes(own) ? HERE : [])];
  return known.find((host) => host === said.toLowerCase()) ?? own;
}

/**
 * The path where the app is mounted, from its `returnpath` header: a plain path of this site that ends in '/'. Anything
 * else (another origin, backslashes, encoded characters) is replaced by the usual mount of this country and host.
 */
export function returnPath(header: string, country: string, host: string): string {
  const isPlain = /^\/(?:[A-Za-z0-9_~-][A-Za-z0-9._~-]*\/)*$/.test(header) && header.length <= 200;
  return isPlain ? header : `/${country.toLowerCase()}/${host === 'web' ? '' : `${host}/`}`;
}
