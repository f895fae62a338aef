import type { Getter, Setter } from 'jotai';
import type * as copy from '../../contract/copy.ts';
import type * as deletion from '../../contract/deletion.ts';
import { oneTimeCode } from '../consent/oneTimeCode.ts';
import { showFailureAtom } from '../base/popup.ts';
import { apiAtom } from '../first/seams.ts';

type Headers = Readonly<Record<string, string>>;

/** The body of a call that has a code sent: its SMS names the page that may take the code. */
export const hostBody = () => {
  const host = globalThis.location?.hostname;
  return host ? { host } : {};
};

/** A code to the account's own number, before something that only its owner may do. */
export const ownerCode = (
  endpoint: typeof copy.sendCode | typeof deletion.sendCode,
  act: (get: Getter, set: Setter, code: string, headers: Headers) => Promise<void>,
) =>
  oneTimeCode<object>({
    isSentByButton: true,
    to: () => ({}),
    send: (get, ask) => ask((headers) => get(apiAtom).call(endpoint, { body: hostBody() }, { headers })),
    sendFailed: (_get, set, thrown) => {
      set(showFailureAtom, thrown);
      return null;
    },
    check: (get, set, prove, code) => prove((headers) => act(get, set, code, headers)),
  });
