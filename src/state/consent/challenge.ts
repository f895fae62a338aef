import * as errors from '#text/errors.ts';
import type { Getter, Setter } from 'jotai';
import { codeOf, Failure } from '../../api/failure.ts';
import { loadChunk } from '../../bridge/scripts.ts';
import * as contract from '../../contract/challenge.ts';
import { botTokenAtom } from './deviceId.ts';
import { apiAtom } from '../first/seams.ts';
import { toastAtom, toastMessageAtom } from '../first/toast.ts';
import { deviceTokenAtom } from '../base/session.ts';

type Headers = Readonly<Record<string, string>>;

/** Headers by which the server knows a device that was logged in before. */
export const deviceHeaders = (get: Getter): Headers => {
  const token = get(deviceTokenAtom);
  return token === '' ? {} : { [contract.DEVICE_HEADER]: token };
};

/** An answer may have become too old on its way; a server that takes none at all is believed. */
const MOST_WORK = 2;

/**
 * Works for a challenge, and says so: what is said is read out, and has a button that ends it.
 * @returns the answer's header
 * @throws Failure as calls do, `aborted` when the customer has ended it
 */
async function work(get: Getter, set: Setter, use: contract.Use): Promise<Headers> {
  const stop = new AbortController();
  set(toastMessageAtom, errors.proving, { label: errors.provingStop, act: () => stop.abort() });
  try {
    const { challenge } = await get(apiAtom).call(contract.ask, { body: { use } }, { signal: stop.signal });
    // Few are ever asked for it.
    const { answerOf } = await loadChunk(() => import('../../bridge/proof.ts'));
    return { [contract.ANSWER_HEADER]: `${challenge.token}.${await answerOf(challenge, stop.signal)}` };
  } catch (thrown) {
    throw stop.signal.aborted ? new Failure('aborted', { cause: thrown }) : thrown;
  } finally {
    // It must not lie on what the page says next, and what is sent now cannot be stopped any more.
    set(toastAtom, (shown) => (shown?.message === errors.proving ? null : shown));
  }
}

/**
 * Makes a call for which the server may want a proof of work first: then the device works for a second, says so, and
 * makes it again. Nothing is asked of the customer, and nothing that was typed is lost.
 * @throws Failure as the call does, `aborted` when the customer has ended the work
 */
export async function proven<T>(
  get: Getter,
  set: Setter,
  use: contract.Use,
  call: (headers: Headers) => Promise<T>,
): Promise<T> {
  const token = use === 'guesses' ? null : get(botTokenAtom);
  const headers = { ...deviceHeaders(get), ...(token === null ? {} : { [contract.BOT_TOKEN_HEADER]: token }) };
  let answer: Headers = {};
  for (let worked = 0; ; worked += 1) {
    try {
      return await call({ ...headers, ...answer });
    } catch (thrown) {
      if (codeOf(thrown) !== 'CHALLENGE' || worked === MOST_WORK) throw thrown;
      answer = await work(get, set, use);
    }
  }
}

/** How long a refusal says to wait, in seconds. */
export const waitOf = (thrown: unknown, otherwise: number): number =>
  (thrown as { errors?: readonly { waitSeconds?: number | undefined }[] } | null)?.errors?.[0]?.waitSeconds ??
  otherwise;
