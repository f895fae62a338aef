import * as errors from '#text/errors.ts';
import * as t from '#text/memory.ts';
import { atom } from 'jotai';
import { isFailure } from '../../api/failure.ts';
import * as contract from '../../contract/memory.ts';
import type { Memory } from '../../contract/memory.ts';
import { memoryCode } from '../../domain/memory.ts';
import { addressLine, localAddressesAtom, mergeAddressesAtom } from '../places/addresses.ts';
import { proven } from '../consent/challenge.ts';
import { clockAheadAtom } from '../base/clock.ts';
import { favouritesAtom } from '../first/favourites.ts';
import { vegOnlyAtom } from '../first/filters.ts';
import { allergensTextAtom } from '../first/menu.ts';
import { householdAtom } from '../menu/household.ts';
import { customerAtom } from '../lib/forget.ts';
import { newId } from '../first/lib/ids.ts';
import { sentenceOf, showFailureAtom } from '../base/popup.ts';
import { tasks } from '../base/task.ts';
import { toastMessageAtom } from '../first/toast.ts';
import { apiAtom } from '../first/seams.ts';
import { isLoggedInAtom } from '../base/session.ts';
import { usualLinesAtom } from '../first/usual.ts';

/** The most that one code carries (contract/memory.ts). */
const MOST = { favourites: 200, addresses: 20, household: 40 };

/** What this phone remembers without an account, to be given to another one. */
export const memoryAtom = atom((get): Memory => ({
  usual: [...get(usualLinesAtom)],
  favourites: get(favouritesAtom).slice(0, MOST.favourites),
  addresses: get(localAddressesAtom)
    .slice(0, MOST.addresses)
    .map(({ address_id: _id, ...address }) => address),
  household: get(householdAtom).slice(0, MOST.household),
  vegOnly: get(vegOnlyAtom),
}));

/** A memory in words; an empty list when there is nothing. */
export const memoryWordsAtom = atom(
  (get) =>
    ({ usual, favourites, addresses, household, vegOnly }: Memory): string[] => [
      ...(usual.length > 0 ? [t.usual] : []),
      ...(favourites.length > 0 ? [t.favourites({ count: favourites.length })] : []),
      ...(addresses.length > 0 ? [t.addresses({ count: addresses.length })] : []),
      ...(household.length > 0 ? [t.household({ allergens: get(allergensTextAtom)(household) })] : []),
      ...(vegOnly ? [t.vegOnly] : []),
    ],
);

/** The code that another phone asks for, while it works. */
export const givenAtom = customerAtom<{ readonly code: string; readonly expiresAt: number } | null>(null);
export const takenWordsAtom = customerAtom<readonly string[] | null>(null);
export const typedMemoryCodeAtom = customerAtom('');
/** A code is made to 'give', or one is used to 'take'. */
export const memoryTasks = tasks<'code'>();

/** Clears the page when it is opened; a code stays if it still works. */
export const enterMemoryAtom = atom(null, (get, set): void => {
  set(takenWordsAtom, null);
  set(memoryTasks.clear);
  const given = get(givenAtom);
  if (given && given.expiresAt <= Date.now() + get(clockAheadAtom)) set(givenAtom, null);
});

export const giveMemoryAtom = memoryTasks.task(
  async (get, set) => {
    const { call, ensureSession } = get(apiAtom);
    await ensureSession();
    const { code, expiresAt } = await call(contract.give, { body: { memory: get(memoryAtom) } });
    set(givenAtom, { code, expiresAt });
  },
  { as: 'give' },
);

/**
 * Joins both phones' memories. Nothing that was here is lost, except that the other phone's usual order replaces this
 * one's.
 */
const mergeMemoryAtom = atom(
  null,
  async (get, set, { usual, favourites, addresses, household, vegOnly }: Memory): Promise<void> => {
    if (usual.length > 0) set(usualLinesAtom, usual);
    set(favouritesAtom, (here) => [...here, ...favourites.filter((id) => !here.includes(id))]);
    set(householdAtom, (here) => [...here, ...household.filter((id) => !here.includes(id))]);
    if (vegOnly) set(vegOnlyAtom, true);
    const keyOf = (address: Parameters<typeof addressLine>[0]) => addressLine(address).toLowerCase();
    const known = get(localAddressesAtom).map(keyOf);
    const brought = addresses
      .filter((address) => !known.includes(keyOf(address)))
      .map((address) => ({ ...address, address_id: `local-${newId()}` }));
    set(localAddressesAtom, (here) => [...here, ...brought]);
    if (get(isLoggedInAtom) && brought.length > 0) await set(mergeAddressesAtom);
  },
);

/** Takes what another phone has given. The typed code stays until that has worked. */
export const takeMemoryAtom = memoryTasks.task(
  async (get, set) => {
    const code = memoryCode(get(typedMemoryCodeAtom)) ?? '';
    const { call, ensureSession } = get(apiAtom);
    await ensureSession();
    const { memory } = await proven(get, set, 'guesses', (headers) =>
      call(contract.take, { body: { code } }, { headers }),
    );
    await set(mergeMemoryAtom, memory);
    set(typedMemoryCodeAtom, '');
    set(takenWordsAtom, get(memoryWordsAtom)(memory));
    set(toastMessageAtom, t.taken);
  },
  {
    as: 'take',
    wrong: (get) => (memoryCode(get(typedMemoryCodeAtom)) === null ? { code: errors.memoryCodeWrong } : {}),
    failed: (_get, set, thrown) =>
      isFailure(thrown) && thrown.kind === 'refused' ? { code: sentenceOf(thrown) } : set(showFailureAtom, thrown),
  },
);
