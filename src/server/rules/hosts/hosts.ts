import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { countries, type KnownCountry } from '../../../../country/index.ts';
import type { Country } from '../../../../country/shape.ts';
import { readEnvironment, type Environment, type Part } from '../../environment.ts';
import type { HostName } from '../../call/caller.ts';
import type { HostSide } from '../../call/hosts.ts';

export const HOSTS = fileURLToPath(new URL('../../../../hosts', import.meta.url));
const sides = new Map<HostName, HostSide>();

/**
 * Loads the server half of every host in these folders; one that is loaded already is skipped.
 * @throws Error if a host's `server.ts` is not as it should be
 */
export async function loadHosts(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    for (const name of (await readdir(folder)).sort()) {
      const file = path.join(folder, name, 'server.ts');
      if (sides.has(name) || !existsSync(file)) continue;
      const { host } = (await import(pathToFileURL(file).href)) as { host?: HostSide };
      if (host?.name !== name) throw new Error(`${file} has to export 'host' with the name '${name}'.`);
      const { mode, label, gateway } = host.payment;
      if ((mode === 'HOST') !== (label !== undefined && gateway !== undefined && host.payment.isOnTheWeb !== true))
        throw new Error(
          `${file}: a host with a payment of its own needs 'label' and 'gateway', and only that has both.`,
        );
      sides.set(name, host);
      byKey = undefined;
    }
  }
}

export function hosts(): readonly HostSide[] {
  return [...sides.values()];
}

/** The environment variables that the loaded hosts declare. */
export function hostSettings(): Part[] {
  return hosts().flatMap(({ settings = [] }) => [...settings]);
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
  return readEnvironment(values, hostSettings());
}

/** The server half of a host. @throws Error for `web`, which has none, and for a host that was not loaded */
export function hostSide(name: HostName): HostSide {
  const side = sides.get(name);
  if (side === undefined) throw new Error(`there is no host ${name}`);
  return side;
}

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

let byKey: ReadonlyMap<string, Build> | undefined;

/** Country and host that an `api_key` stands for; null if no build has this key. */
export function buildOfKey(key: string): { country: Country; host: HostName } | null {
  byKey ??= new Map(builds().map((build) => [build.key, build]));
  const build = byKey.get(key);
  return build === undefined ? null : { country: build.country, host: build.host === 'browser' ? 'web' : build.host };
}
