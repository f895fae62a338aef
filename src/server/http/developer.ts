import { isIP } from 'node:net';
import { t } from '../call/language.ts';
import { refuse } from '../call/refusal.ts';
import { isLoopback } from '../proxies.ts';

/** The name in an address, without the brackets of IPv6; '' when it is none. */
export const nameIn = (address: string): string => (URL.parse(address)?.hostname ?? '').replace(/^\[(.*)\]$/, '$1');

/** Whether nobody but this machine, or whoever knows its address, can have written this name. */
export const isOwnName = (name: string): boolean => isLoopback(name) || name.endsWith('.localhost') || isIP(name) > 0;

/**
 * Development's calls show everybody's codes and move the clock, and any site that a developer visits can call this
 * machine: pages of other sites are refused. A site can also let its own name lead here, and then its page counts as
 * ours: so unless development was asked for by name, the name that was called must be this machine's.
 * @throws Refusal 403 FOREIGN_PAGE
 */
export function mustBeDeveloper(header: (name: string) => string, isAskedFor: boolean): void {
  const host = nameIn(`http://${header('host')}`);
  const [site, origin] = [header('sec-fetch-site'), header('origin')];
  // Browsers that do not say the site say the origin.
  const isForeign = site === '' ? origin !== '' && nameIn(origin) !== host : site === 'cross-site';
  if (isForeign || !(isAskedFor || isOwnName(host))) refuse(403, 'FOREIGN_PAGE', t.featureOff);
}
