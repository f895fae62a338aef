import * as t from '#text/account.ts';
import { atom } from 'jotai';
import * as contract from '../../contract/devices.ts';
import { apiAtom } from '../first/seams.ts';
import { toastMessageAtom } from '../first/toast.ts';
import { customerAtom } from '../lib/forget.ts';
import { remote } from '../lib/remote.ts';
import { logoutOthersAtom } from './login.ts';
import { showFailureAtom } from '../base/popup.ts';

/** Where this account is logged in. */
export const devicesState = remote(
  async (get, _set, signal) => (await get(apiAtom).call(contract.list, {}, { signal })).devices,
);

/** The session that is being ended, 'others' for all but this one; '' for none. */
export const endingAtom = customerAtom('');

export const endDeviceAtom = atom(null, async (get, set, sessionId: string): Promise<void> => {
  if (get(endingAtom) !== '') return;
  set(endingAtom, sessionId);
  try {
    const { devices } = await get(apiAtom).call(contract.end, { sessionId });
    set(devicesState.put, devices);
    set(toastMessageAtom, t.deviceEnded);
  } catch (thrown) {
    set(showFailureAtom, thrown);
  } finally {
    set(endingAtom, '');
  }
});

export const endOthersAtom = atom(null, async (get, set): Promise<void> => {
  if (get(endingAtom) !== '') return;
  set(endingAtom, 'others');
  await set(logoutOthersAtom);
  await set(devicesState.load);
  set(endingAtom, '');
});
