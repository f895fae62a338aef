import { DEVICE_HEADER } from '../../../contract/challenge.ts';
import { catalogueHere, type Call } from '../../call/call.ts';
import { deviceName } from '../../../domain/device.ts';
import type { Tx } from '../../store/db.ts';
import type { SessionFrom } from '../../store/sessions.ts';
import { putDevice } from '../../store/devices.ts';
import { hashed, newToken } from '../../store/ids.ts';

/** The device that calls, as it is stored; null where it says nothing of an earlier login. */
export function deviceOf(call: Pick<Call, 'header'>): string | null {
  const token = call.header(DEVICE_HEADER);
  return /^[\w-]{43}$/.test(token) ? hashed(token) : null;
}

/**
 * Remembers that this device was logged in with a number: strangers can then no longer use up its codes.
 * @returns the token that the device keeps; the one it has, if it has one
 */
export async function rememberDevice(tx: Tx, call: Call, mobile: string): Promise<string> {
  const token = deviceOf(call) === null ? newToken() : call.header(DEVICE_HEADER);
  await putDevice(tx, { device: hashed(token), country: call.caller.country, mobile }, call.now);
  return token;
}

/**
 * What this call tells of where it comes from, in words that its customer knows: the browser, and the part of town of
 * the store that is chosen there. The country's default store is what a device names that has chosen none, so it tells
 * no place. No address of the network is kept.
 */
export async function fromWhere(call: Call): Promise<SessionFrom> {
  const { country, stores } = await catalogueHere(call);
  const store = stores.get(call.header('storeid'));
  return {
    device: deviceName(call.header('user-agent')),
    place: store === undefined || store.id === country.DEFAULT_STORE ? null : `${store.locality}, ${store.city}`,
  };
}
