import { atom } from 'jotai';
import * as contract from '../../contract/config.ts';
import { logFault } from '../../bridge/logFault.ts';
import { isReadable } from '../../domain/features.ts';
import { appConfigAtom } from '../first/config.ts';
import { apiAtom } from '../first/seams.ts';

/**
 * Loads the app config. Never rejects: if the call fails, the last good copy stays (specification section 3). So do its
 * features where the new ones cannot be read: nothing that was switched off comes back by that.
 */
export const refreshConfigAtom = atom(null, async (get, set): Promise<void> => {
  const reply = await get(apiAtom)
    .call(contract.app, {})
    .catch(() => null);
  if (!reply) return;
  const { config } = reply;
  const isGood = isReadable(config.features);
  if (!isGood) logFault(new Error('The features of the app config cannot be read.'));
  set(appConfigAtom, (before) => (isGood || !before ? config : { ...config, features: before.features }));
});

/** The server's `disableCookies`: nothing that is optional may stay on the device. */
export const isFrugalAtom = atom((get) => get(appConfigAtom)?.disableCookies === true);
/** Whether analytics may run in this app at all: the server switches them on. */
export const isCountedAtom = atom((get) => get(appConfigAtom)?.analytics === true && !get(isFrugalAtom));
