import { atom } from 'jotai';
import * as contract from '../contract/config.ts';
import { appConfigAtom } from './first/config.ts';
import { apiAtom } from './first/seams.ts';

/** Loads the app config. Never rejects: if the call fails, the last good copy stays (specification section 3). */
export const refreshConfigAtom = atom(null, async (get, set): Promise<void> => {
  const reply = await get(apiAtom)
    .call(contract.app, {})
    .catch(() => null);
  if (reply) set(appConfigAtom, reply.config);
});

/** The server's `disableCookies`: nothing that is optional may stay on the device. */
export const isFrugalAtom = atom((get) => get(appConfigAtom)?.disableCookies === true);
/** Whether analytics may run in this app at all: the server switches them on. */
export const isCountedAtom = atom((get) => get(appConfigAtom)?.analytics === true && !get(isFrugalAtom));
