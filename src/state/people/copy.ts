import { atom } from 'jotai';
import * as contract from '../../contract/copy.ts';
import type { PersonalCopy } from '../../contract/copy.ts';
import { customerAtom } from '../lib/forget.ts';
import { remote } from '../lib/remote.ts';
import { showFailureAtom } from '../base/popup.ts';
import { ownerCode } from './ownerCode.ts';
import { apiAtom } from '../first/seams.ts';

/** Whether the copy needs a code, and to which number it would go. */
export const copyAccess = remote(async (get, _set, signal) => await get(apiAtom).call(contract.look, {}, { signal }));
/** What we know of the customer, while the page is open: it is written nowhere on the device. */
export const copyAtom = customerAtom<PersonalCopy | null>(null);

const makeAtom = atom(
  null,
  async (get, set, code: string | null, headers: Readonly<Record<string, string>>): Promise<void> => {
    const body = code === null ? {} : { code };
    const { copy } = await get(apiAtom).call(contract.make, { body }, { headers });
    set(copyAtom, copy);
  },
);

export const copyCode = ownerCode(contract.sendCode, (_get, set, code, headers) => set(makeAtom, code, headers));
/** After a login of just now no code is asked for. */
export const makeCopyNowAtom = copyCode.task((_get, set) => set(makeAtom, null, {}), {
  as: 'make',
  failed: async (_get, set, thrown) => {
    // The login may have grown old while the page was open.
    await set(copyAccess.load);
    set(showFailureAtom, thrown);
  },
});

/** The name of the file, with the day: `golden-oven-my-data-2026-11-22.json`. */
export const copyName = ({ madeAt }: PersonalCopy): string =>
  `golden-oven-my-data-${new Date(madeAt).toISOString().slice(0, 10)}.json`;
