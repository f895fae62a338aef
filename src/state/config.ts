import { atom } from 'jotai';
import * as z from 'zod/mini';
import * as contract from '../contract/config.ts';
import { blockedFeatures, isEnabled, remoteBlocked } from '../domain/features.ts';
import { kept } from './lib/kept.ts';
import { apiAtom, countryAtom, hostAtom } from './seams.ts';

/** Last good app config with its time stamp; used offline (specification section 3). */
const configAtom = kept({ key: 'app-config', schema: z.nullable(contract.AppConfig), initial: null, forget: 'never' });

export const appConfigAtom = atom((get) => get(configAtom));

/** A failed call changes nothing: the last good copy stays. */
export const loadConfigAtom = atom(null, async (get, set) => {
  const reply = await get(apiAtom).call(contract.app, {});
  set(configAtom, reply.config);
});

/** May this feature be seen and used here? Country, host, vendor and remote lists in one answer. */
export const isOpenAtom = atom((get) => {
  const country = get(countryAtom);
  const host = get(hostAtom);
  const config = get(configAtom);
  const blocked = blockedFeatures(
    country.DISABLED_FEATURES, host.blockedFeatures, config?.vendorConfig.blockedFeatures, remoteBlocked(config?.features ?? ''),
  );
  return (feature: string): boolean => isEnabled(feature, blocked);
});
