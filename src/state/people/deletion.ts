import { atom } from 'jotai';
import { codeOf } from '../../api/failure.ts';
import * as contract from '../../contract/deletion.ts';
import { customerAtom, forgetCustomerAtom } from '../lib/forget.ts';
import { remote } from '../lib/remote.ts';
import { ownerCode } from './ownerCode.ts';
import { endPushAtom } from '../consent/push.ts';
import { apiAtom } from '../first/seams.ts';

/** What stands in the way of a deletion, and what would be lost by it. */
export const standingState = remote(
  async (get, _set, signal) => (await get(apiAtom).call(contract.look, {}, { signal })).standing,
);
/** Whether the customer has said to give the wallet's money up. */
export const isMoneyGivenUpAtom = customerAtom(false);
/** When the account that this device was logged in to will be deleted, epoch ms; until the page is left. */
export const sleepsUntilAtom = atom<number | null>(null);

/** E-vouchers that were on that account alone, for whoever writes their numbers and pins down; until the page is left. */
export const handedOverAtom = atom<readonly contract.HandedOver[]>([]);

const askAtom = atom(
  null,
  async (get, set, code: string | null, headers: Readonly<Record<string, string>>): Promise<void> => {
    const { call, ensureSession } = get(apiAtom);
    const wallet = get(standingState.atom).data?.wallet ?? null;
    const body = {
      ...(code === null ? {} : { code }),
      ...(get(isMoneyGivenUpAtom) && wallet !== null ? { giveUp: wallet } : {}),
    };
    try {
      const { deletesAt, vouchers = [] } = await call(contract.ask, { body }, { headers });
      set(sleepsUntilAtom, deletesAt);
      set(handedOverAtom, vouchers);
    } catch (thrown) {
      // Meanwhile something has changed that the page has to say first.
      if (['ORDER_OPEN', 'BALANCE_LEFT'].includes(codeOf(thrown))) {
        set(isMoneyGivenUpAtom, false);
        void set(standingState.load);
      }
      throw thrown;
    }
    set(forgetCustomerAtom);
    await set(endPushAtom);
    await ensureSession().catch(() => undefined);
  },
);

/** Puts the account to sleep with the code that was typed. */
export const deletionCode = ownerCode(contract.sendCode, (_get, set, code, headers) => set(askAtom, code, headers));
/** The same for an account without a number, which a login of just now stands for. */
export const deleteNumberlessAtom = deletionCode.task(async (_get, set) => await set(askAtom, null, {}));
