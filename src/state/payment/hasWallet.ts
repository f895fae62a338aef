import * as t from '#text/wallet.ts';
import { atom } from 'jotai';
import { isWalletUsable } from '../../domain/features.ts';
import { countryName } from '../../domain/countryName.ts';
import { countryAtom } from '../base/country.ts';
import { isOpenAtom } from '../first/config.ts';
import { hostAtom, profileAtom } from '../first/seams.ts';
import { isLoggedInAtom } from '../base/session.ts';

// Apart from the wallet itself, so that a payment app can say why there is none without having one.

/**
 * The customer has a wallet here: logged in, not in a mini-app, and not blocked anywhere (specification section 6,
 * product.md C01).
 */
export const hasWalletAtom = atom((get) =>
  isWalletUsable({
    blocked: new Set(get(isOpenAtom)('wallet') ? [] : ['wallet']),
    isWalletBlocked: get(countryAtom).IS_WALLET_BLOCKED,
    isLoggedIn: get(isLoggedInAtom),
    isMiniApp: !get(hostAtom).fullMode,
  }),
);

/** Why nobody has a wallet here, whoever is logged in; '' where somebody may have one. */
export const walletAbsenceAtom = atom((get): string => {
  if (!get(profileAtom).fullMode) return t.notInApp;
  const { IS_WALLET_BLOCKED, iso, locale } = get(countryAtom);
  return IS_WALLET_BLOCKED || !get(isOpenAtom)('wallet') ? t.notHere({ country: countryName(iso, locale) }) : '';
});
