import { readiness, type ProcessState } from '../http/readiness.ts';
import { noteCall, type Base, type Setting } from '../http/register.ts';
import { readyAnswers, type ReadyAnswers } from '../http/replyCache.ts';
import { rememberSystem, systemInMemory } from '../store/system.ts';

/** Delay after which a process in production knows what another one has changed: menus, stores, what is sold out. */
const SYSTEM_REMEMBERED_MS = 1_000;

/**
 * Ready while one of the databases is: the countries of the others are served on. It says what is wrong with the first
 * that is not.
 */
export function readyOf(
  bases: readonly Pick<Base, 'db'>[],
  log: Setting['log'],
  state: ProcessState,
): ReturnType<typeof readiness> {
  const looks = bases.map(({ db }) => readiness(db, log, state));
  return async () => {
    const all = await Promise.all(looks.map((look) => look()));
    const worst = all.find(({ isReady }) => !isReady) ?? all[0]!;
    return { ...worst, isReady: all.some(({ isReady }) => isReady) };
  };
}

/** In production a process goes by what it remembers of the system rows, and sends prepared answers without asking. */
export function readyIn(setting: Omit<Setting, 'ready'>): ReadyAnswers {
  for (const { db, replica } of setting.bases) {
    rememberSystem(db, SYSTEM_REMEMBERED_MS);
    if (replica !== null) rememberSystem(replica.db, SYSTEM_REMEMBERED_MS);
  }
  return readyAnswers(
    (apiKey) => {
      const { db, replica } = setting.baseOf(apiKey);
      return systemInMemory(replica?.isFresh() ? replica.db : db);
    },
    (...call) => noteCall(setting, ...call),
  );
}
