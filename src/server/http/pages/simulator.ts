import { countries } from '../../../../country/index.ts';
import { Phone } from '../../../contract/simulator.ts';
import { isWalletUsable } from '../../../domain/features.ts';
import { blockedFor } from '../../call/features.ts';
import { builds, hostSide, mountOf, type Build } from '../../rules/hosts/hosts.ts';
import { hasVouchers } from '../../rules/payment/vouchers.ts';

function phoneOf(build: Build, isOnly: boolean): Phone {
  const { country, host, key } = build;
  const app = host === 'browser' ? null : hostSide(host).app;
  const caller = host === 'browser' ? 'web' : host;
  const cc = country.COUNTRY_CODE.toLowerCase();
  // The schema picks the fields of the country that the page needs.
  return Phone.parse({
    id: `${cc}-${host}`,
    host,
    mount: mountOf(build),
    apiKey: key,
    name: isOnly ? country.label : `${country.label} in ${app?.name ?? 'the browser'}`,
    app,
    hasWallet: isWalletUsable({
      blocked: blockedFor(country, caller, undefined),
      isWalletBlocked: country.IS_WALLET_BLOCKED,
      isLoggedIn: true,
      isMiniApp: app !== null,
    }),
    hasVouchers: hasVouchers(country.COUNTRY_CODE, caller),
    country,
  });
}

/**
 * One phone for every build: by country, payment apps before the browser. Those that share a bundle have a page of their
 * own instead (simulator/partner.html).
 */
export function phones(): Phone[] {
  const all = builds().filter(({ host }) => host === 'browser' || hostSide(host).page === undefined);
  const inBrowser = ({ host }: Build) => Number(host === 'browser');
  return countries.flatMap((country) => {
    const own = all.filter((build) => build.country === country);
    return own.toSorted((a, b) => inBrowser(a) - inBrowser(b)).map((build) => phoneOf(build, own.length === 1));
  });
}
