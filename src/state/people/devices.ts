import * as t from '#text/account.ts';
import * as contract from '../../contract/devices.ts';
import { apiAtom } from '../first/seams.ts';
import { toastMessageAtom } from '../first/toast.ts';
import { remote } from '../lib/remote.ts';
import { logoutOthersAtom } from './login.ts';
import { tasks } from '../base/task.ts';

/** Where this account is logged in. */
export const devicesState = remote(
  async (get, _set, signal) => (await get(apiAtom).call(contract.list, {}, { signal })).devices,
);

/** The session that is being ended, 'others' for all but this one; '' for none. */
export const deviceTasks = tasks();

export const endDeviceAtom = deviceTasks.task(
  async (get, set, sessionId: string) => {
    const { devices } = await get(apiAtom).call(contract.end, { sessionId });
    set(devicesState.put, devices);
    set(toastMessageAtom, t.deviceEnded);
  },
  { as: (sessionId) => sessionId },
);

export const endOthersAtom = deviceTasks.task(
  async (_get, set) => {
    await set(logoutOthersAtom);
    await set(devicesState.load);
  },
  { as: 'others' },
);
