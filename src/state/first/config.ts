import { atom } from 'jotai';
import { blockedFeatures, isEnabled, remoteBlocked } from '../../domain/features.ts';
import { kept } from './lib/kept.ts';
import { firstCountryAtom, profileAtom } from './seams.ts';

/** Last good app config with its time stamp; also used offline (specification section 3). */
export const appConfigAtom = kept({ key: 'app-config', initial: null, forget: 'never' });

/** Whether a feature may be seen and used here. Joins the lists of country, host, vendor and server. */
export const isOpenAtom = atom((get) => {
  const country = get(firstCountryAtom);
  const host = get(profileAtom);
  const config = get(appConfigAtom);
  const blocked = blockedFeatures(
    country.DISABLED_FEATURES,
    host.blockedFeatures,
    config?.vendorConfig.blockedFeatures,
    remoteBlocked(config?.features ?? ''),
  );
  return (feature: string): boolean => isEnabled(feature, blocked);
});
