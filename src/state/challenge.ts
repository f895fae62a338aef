import * as errors from '#text/errors.ts';
import type { Getter, Setter } from 'jotai';
import { codeOf } from '../api/failure.ts';
import { answerOf } from '../bridge/proof.ts';
import * as contract from '../contract/challenge.ts';
import { apiAtom } from './first/seams.ts';
import { toastAtom, toastMessageAtom } from './first/toast.ts';
import { deviceTokenAtom } from './session.ts';

type Headers = Readonly<Record<string, string>>;

/** Headers by which the server knows a device that was logged in before. */
export const deviceHeaders = (get: Getter): Headers => {
  const token = get(deviceTokenAtom);
  return token === '' ? {} : { [contract.DEVICE_HEADER]: token };
};

/**
 * Makes a call for which the server may want a proof of work first: then the device works for a second, says so, and
 * makes it again. Nothing is asked of the customer, and nothing that was typed is lost.
 * @throws Failure as the call does
 */
export async function proven<T>(
  get: Getter,
  set: Setter,
  use: contract.Use,
  call: (headers: Headers) => Promise<T>,
): Promise<T> {
  const headers = deviceHeaders(get);
  try {
    return await call(headers);
  } catch (thrown) {
    if (codeOf(thrown) !== 'CHALLENGE') throw thrown;
    set(toastMessageAtom, errors.proving);
    try {
      const { challenge } = await get(apiAtom).call(contract.ask, { body: { use } });
      const n = await answerOf(challenge);
      return await call({ ...headers, [contract.ANSWER_HEADER]: `${challenge.token}.${n}` });
    } finally {
      // It must not lie on what the page says next.
      set(toastAtom, (shown) => (shown?.message === errors.proving ? null : shown));
    }
  }
}

/** How long a refusal says to wait, in seconds. */
export const waitOf = (thrown: unknown, otherwise: number): number =>
  (thrown as { errors?: readonly { waitSeconds?: number | undefined }[] } | null)?.errors?.[0]?.waitSeconds ??
  otherwise;
