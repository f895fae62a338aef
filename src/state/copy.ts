import { atom } from 'jotai';
import * as contract from '../contract/copy.ts';
import type { PersonalCopy } from '../contract/copy.ts';
import { customerAtom } from './lib/forget.ts';
import { remote } from './lib/remote.ts';
import { showFailureAtom } from './popup.ts';
import { leaveProofAtom, proveAtom } from './proof.ts';
import { apiAtom } from './first/seams.ts';

/** Whether the copy needs a code, and to which number it would go. */
export const copyAccess = remote(async (get, _set, signal) => await get(apiAtom).call(contract.look, {}, { signal }));
/** What we know of the customer, while the page is open: it is written nowhere on the device. */
export const copyAtom = customerAtom<PersonalCopy | null>(null);
export const isCopyBusyAtom = customerAtom(false);

const makeAtom = atom(
  null,
  async (get, set, code: string | null, headers: Readonly<Record<string, string>>): Promise<void> => {
    const body = code === null ? {} : { code };
    const { copy } = await get(apiAtom).call(contract.make, { body }, { headers });
    set(leaveProofAtom);
    set(copyAtom, copy);
  },
);

export const makeCopyAtom = atom(null, (_get, set): Promise<boolean> =>
  set(proveAtom, (code, headers) => set(makeAtom, code, headers)),
);
/** After a login of just now no code is asked for. */
export const makeCopyNowAtom = atom(null, async (get, set): Promise<void> => {
  if (get(isCopyBusyAtom)) return;
  set(isCopyBusyAtom, true);
  try {
    await set(makeAtom, null, {});
  } catch (thrown) {
    // The login may have grown old while the page was open.
    await set(copyAccess.load);
    set(showFailureAtom, thrown);
  } finally {
    set(isCopyBusyAtom, false);
  }
});

/** The name of the file, with the day: `golden-oven-my-data-2026-11-22.json`. */
export const copyName = ({ madeAt }: PersonalCopy): string =>
  `golden-oven-my-data-${new Date(madeAt).toISOString().slice(0, 10)}.json`;
