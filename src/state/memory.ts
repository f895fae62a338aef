import { atom } from 'jotai';
import { isFailure } from '../api/failure.ts';
import * as contract from '../contract/memory.ts';
import type { Memory } from '../contract/memory.ts';
import { memoryCode } from '../domain/memory.ts';
import { MEMORY_CODE_WRONG } from '../domain/messages.ts';
import { addressLine, localAddressesAtom, mergeAddressesAtom } from './addresses.ts';
import { clockAheadAtom } from './clock.ts';
import { favouritesAtom } from './favourites.ts';
import { vegOnlyAtom } from './filters.ts';
import { householdAtom } from './household.ts';
import { sessionAtom as forgotten } from './lib/forget.ts';
import { newId } from './lib/ids.ts';
import { sentenceOf, showFailureAtom, toastMessageAtom } from './popup.ts';
import { apiAtom } from './seams.ts';
import { isLoggedInAtom } from './session.ts';
import { usualLinesAtom } from './widgets.ts';

/** As much as one code carries (contract/memory.ts). */
const MOST = { favourites: 200, addresses: 20, household: 40 };

/** What this phone knows without an account, and would give to another one. */
export const memoryAtom = atom((get): Memory => ({
  usual: [...get(usualLinesAtom)],
  favourites: get(favouritesAtom).slice(0, MOST.favourites),
  addresses: get(localAddressesAtom).slice(0, MOST.addresses).map(({ address_id: _id, ...address }) => address),
  household: get(householdAtom).slice(0, MOST.household),
  vegOnly: get(vegOnlyAtom),
}));

const counted = (count: number, one: string, many: string) => (count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]);
/** The same in words; empty when there is nothing. */
export function memoryWords({ usual, favourites, addresses, household, vegOnly }: Memory): string[] {
  return [
    ...(usual.length > 0 ? ['your usual order'] : []), ...counted(favourites.length, 'favourite', 'favourites'), ...counted(addresses.length, 'address', 'addresses'),
    ...(household.length > 0 ? [`what nobody at home may eat (${household.join(', ')})`] : []), ...(vegOnly ? ['veg only'] : []),
  ];
}

/** The code that another phone asks for, as long as it works. */
export const givenAtom = forgotten<{ readonly code: string; readonly expiresAt: number } | null>(null);
export const takenWordsAtom = forgotten<readonly string[] | null>(null);
export const typedMemoryCodeAtom = forgotten('');
export const memoryProblemAtom = forgotten('');
export const isMemoryBusyAtom = forgotten<'' | 'give' | 'take'>('');

/** A page that is entered anew knows of no code, unless the last one still works. */
export const enterMemoryAtom = atom(null, (get, set): void => {
  set(takenWordsAtom, null);
  set(memoryProblemAtom, '');
  const given = get(givenAtom);
  if (given && given.expiresAt <= Date.now() + get(clockAheadAtom)) set(givenAtom, null);
});

export const giveMemoryAtom = atom(null, async (get, set): Promise<void> => {
  if (get(isMemoryBusyAtom) !== '') return;
  set(isMemoryBusyAtom, 'give');
  try {
    const { call, ensureSession } = get(apiAtom);
    await ensureSession();
    const { code, expiresAt } = await call(contract.give, { body: { memory: get(memoryAtom) } });
    set(givenAtom, { code, expiresAt });
  } catch (thrown) {
    set(showFailureAtom, thrown);
  } finally {
    set(isMemoryBusyAtom, '');
  }
});

/** Both phones' things together; of the usual order the brought one is the newer wish. Nothing that was here is lost. */
const mergeMemoryAtom = atom(null, async (get, set, { usual, favourites, addresses, household, vegOnly }: Memory): Promise<void> => {
  if (usual.length > 0) set(usualLinesAtom, usual);
  set(favouritesAtom, (here) => [...here, ...favourites.filter((id) => !here.includes(id))]);
  set(householdAtom, (here) => [...here, ...household.filter((id) => !here.includes(id))]);
  if (vegOnly) set(vegOnlyAtom, true);
  const keyOf = (address: Parameters<typeof addressLine>[0]) => addressLine(address).toLowerCase();
  const known = get(localAddressesAtom).map(keyOf);
  const brought = addresses.filter((address) => !known.includes(keyOf(address))).map((address) => ({ ...address, address_id: `local-${newId()}` }));
  set(localAddressesAtom, (here) => [...here, ...brought]);
  if (get(isLoggedInAtom) && brought.length > 0) await set(mergeAddressesAtom);
});

/** Brings here what another phone gave. What was typed stays until it worked. */
export const takeMemoryAtom = atom(null, async (get, set): Promise<void> => {
  if (get(isMemoryBusyAtom) !== '') return;
  const code = memoryCode(get(typedMemoryCodeAtom));
  set(memoryProblemAtom, code === null ? MEMORY_CODE_WRONG : '');
  if (code === null) return;
  set(isMemoryBusyAtom, 'take');
  try {
    const { call, ensureSession } = get(apiAtom);
    await ensureSession();
    const { memory } = await call(contract.take, { body: { code } });
    await set(mergeMemoryAtom, memory);
    set(typedMemoryCodeAtom, '');
    set(takenWordsAtom, memoryWords(memory));
    set(toastMessageAtom, 'Brought over.');
  } catch (thrown) {
    if (isFailure(thrown) && thrown.kind === 'refused') set(memoryProblemAtom, sentenceOf(thrown));
    else set(showFailureAtom, thrown);
  } finally {
    set(isMemoryBusyAtom, '');
  }
});
