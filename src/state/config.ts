import { atom } from 'jotai';
import type { AppConfig } from '../contract/config.ts';
import { blockedFeatures, isEnabled, remoteBlocked } from '../domain/features.ts';
import { kept } from './lib/kept.ts';
import { countryAtom, faceAtom } from './seams.ts';

/** Last good app config with its time stamp; used offline (specification section 3). */
export const appConfigAtom = kept<AppConfig | null>({ key: 'app-config', initial: null, forget: 'never' });

/** May this feature be seen and used here? Country, host, vendor and remote lists in one answer. */
export const isOpenAtom = atom((get) => {
  const country = get(countryAtom);
  const host = get(faceAtom);
  const config = get(appConfigAtom);
  const blocked = blockedFeatures(
    country.DISABLED_FEATURES, host.blockedFeatures, config?.vendorConfig.blockedFeatures, remoteBlocked(config?.features ?? ''),
  );
  return (feature: string): boolean => isEnabled(feature, blocked);
});
