import { atom, type Getter } from 'jotai';
import { isFailure } from '../../api/failure.ts';
import * as activity from '../../contract/activity.ts';
import * as experiments from '../../contract/experiments.ts';
import type { Properties } from '../../domain/telemetry.ts';
import { DAY_MS } from '../../domain/time.ts';
import { analyticsIdAtom } from '../consent/analyticsId.ts';
import { isUsageAgreedAtom, WAITING_USAGE } from '../consent/consents.ts';
import { forgetters } from '../first/lib/forget.ts';
import { newId } from '../first/lib/ids.ts';
import { safeStorage } from '../first/lib/kept.ts';
import { apiAtom } from '../first/seams.ts';
import { optionalNames } from '../lib/optional.ts';
import { isOfflineAtom } from '../base/network.ts';

// What is told of a visit waits on the device until the server has it: through a reload, a tunnel, a week without a
// network. Each message has an id by which the server keeps it once, so that one whose answer was lost is sent again.
// Each stands under a key of its own: two tabs of one page neither overwrite nor lose what the other has written.

/** Most that wait; the oldest go. */
const MOST = 500;
const OLDEST_MS = 7 * DAY_MS;
/** Messages that come within this time go together. */
const GATHER_MS = 3_000;
const MOST_AT_ONCE = 30;
/** Browsers refuse more than 64 KB of all calls that may outlive their page. */
const LONGEST = 48_000;
/** After a failure of the network or the server: five more tries (specification section 7), then with the next message. */
const RETRIES_MS = [1_000, 2_000, 4_000, 8_000, 16_000] as const;

/** `id` is made here. */
type ExperimentEvent = Omit<experiments.BatchEvent, 'id'>;
type Message = { readonly id: string; readonly at: number } & (
  | {
      readonly kind: 'event';
      readonly clientId: string;
      readonly user: Properties;
      readonly event: { readonly name: string; readonly at: number; readonly properties: Properties };
    }
  | { readonly kind: 'experiment'; readonly event: ExperimentEvent }
);

/** Those of this page, also where nothing can be stored; storage has those of others. */
const own = new Set<string>();
let timer: ReturnType<typeof setTimeout> | undefined;
let tries = 0;
let sending: Promise<void> | null = null;

let isKeeping = false;
/** Whether a message is being stored just now: a device that is full says so at once. */
export const isKeepingMessage = (): boolean => isKeeping;
function keep(name: string, message: Message): void {
  own.add(name);
  isKeeping = true;
  safeStorage.write(name, JSON.stringify(message));
  isKeeping = false;
}
const drop = (name: string) => {
  own.delete(name);
  safeStorage.write(name, null);
};
const namesNow = () => [...new Set([...own, ...optionalNames().filter((name) => name.startsWith(WAITING_USAGE))])];
const dropAll = () => {
  for (const name of namesNow()) drop(name);
};
forgetters.add(dropAll);

function messageIn(name: string): Message | null {
  try {
    const message = JSON.parse(safeStorage.read(name) ?? 'null') as Message | null;
    return message !== null && Math.abs(Date.now() - message.at) < OLDEST_MS ? message : null;
  } catch {
    return null;
  }
}

/** All that wait, oldest first; what is too old, or one too many, is dropped. */
function waiting(): (readonly [name: string, message: Message])[] {
  const found: (readonly [string, Message])[] = [];
  for (const name of namesNow()) {
    const message = messageIn(name);
    if (message === null) drop(name);
    else found.push([name, message]);
  }
  found.sort(([, one], [, other]) => one.at - other.at);
  for (const [name] of found.splice(0, Math.max(0, found.length - MOST))) drop(name);
  return found;
}

/** Messages of one call say the same of their visitor. */
const callOf = (message: Message) =>
  message.kind === 'event' ? `${message.clientId} ${JSON.stringify(message.user)}` : message.kind;

/** The oldest message and those that go with it. */
function nextBatch(all: ReturnType<typeof waiting>, most: number): ReturnType<typeof waiting> {
  const [first] = all;
  if (first === undefined) return [];
  let length = 0;
  return all
    .filter(([, message]) => callOf(message) === callOf(first[1]))
    .slice(0, most)
    .filter(([, message]) => (length += JSON.stringify(message).length) < LONGEST);
}

async function send(get: Getter, messages: readonly Message[], keepalive: boolean): Promise<void> {
  const { call, ensureSession } = get(apiAtom);
  await ensureSession();
  const options = { retries: 0, keepalive };
  const [first] = messages;
  if (first?.kind === 'event') {
    const events = messages.flatMap((one) => (one.kind === 'event' ? [{ ...one.event, id: one.id }] : []));
    await call(activity.collect, { body: { clientId: first.clientId, user: first.user, events } }, options);
  } else {
    const ev = messages.flatMap((one) => (one.kind === 'experiment' ? [{ ...one.event, id: one.id }] : []));
    await call(experiments.batch, { body: { ev } }, options);
  }
}

/** Whether the server has understood, and will never take it. Anything else may be better the next time. */
const isRefused = (thrown: unknown) =>
  isFailure(thrown) && thrown.kind === 'refused' && thrown.httpStatus !== 408 && thrown.httpStatus !== 429;

/** Sends what waits, if the customer still agrees. Never rejects. */
export const deliverAtom = atom(null, async (get, set): Promise<void> => {
  clearTimeout(timer);
  if (!get(isUsageAgreedAtom)) return dropAll();
  if (sending !== null) return await sending;
  if (get(isOfflineAtom)) return;
  sending = set(deliverAllAtom);
  await sending;
});

const deliverAllAtom = atom(null, async (get, set): Promise<void> => {
  // Where nothing waits this would end, and say so, before `sending` is set: it would stay set, and nothing more be sent.
  await Promise.resolve();
  let most = MOST_AT_ONCE;
  try {
    for (;;) {
      const batch = nextBatch(waiting(), most);
      if (batch.length === 0 || !get(isUsageAgreedAtom)) break;
      try {
        await send(
          get,
          batch.map(([, message]) => message),
          false,
        );
      } catch (thrown) {
        if (!isRefused(thrown)) throw thrown;
        // One of them is wrong: each goes alone, and only that one is lost.
        console.error(thrown);
        if (batch.length > 1) {
          most = 1;
          continue;
        }
      }
      for (const [name] of batch) drop(name);
      tries = 0;
    }
  } catch {
    const wait = RETRIES_MS[tries];
    tries += 1;
    if (wait === undefined) tries = 0;
    else timer = setTimeout(() => void set(deliverAtom), wait * (1 + Math.random() / 4));
  } finally {
    sending = null;
  }
});

/**
 * The page is left: what waits is sent by calls that outlive it. It waits on until an answer is heard, here or on the next
 * visit, which sends it again.
 */
export const deliverLeavingAtom = atom(null, (get): void => {
  if (!get(isUsageAgreedAtom) || get(isOfflineAtom)) return;
  let left = waiting();
  for (let length = 0; left.length > 0;) {
    const batch = nextBatch(left, MOST_AT_ONCE);
    length += JSON.stringify(batch).length;
    if (batch.length === 0 || length > LONGEST) return;
    left = left.filter((one) => !batch.includes(one));
    send(
      get,
      batch.map(([, message]) => message),
      true,
    ).then(
      () => {
        for (const [name] of batch) drop(name);
      },
      () => undefined,
    );
  }
});

type Draft<M> = M extends Message ? Omit<M, 'id' | 'at'> : never;
const enqueueAtom = atom(null, (get, set, draft: Draft<Message>): void => {
  if (!get(isUsageAgreedAtom)) return;
  const message = { ...draft, id: newId(), at: Date.now() };
  const name = WAITING_USAGE + message.id;
  keep(name, message);
  // Some figures are known only when the page is left.
  if (document.visibilityState === 'hidden') return void Promise.resolve().then(() => set(deliverLeavingAtom));
  if (sending !== null || tries > 0) return;
  clearTimeout(timer);
  timer = setTimeout(() => void set(deliverAtom), GATHER_MS);
});

/** An event of analytics, with what is known of the visitor. Nothing happens without the consent. */
export const enqueueEventAtom = atom(
  null,
  (get, set, event: { name: string; at: number; properties: Properties }, user: Properties): void => {
    if (!get(isUsageAgreedAtom)) return;
    if (!get(analyticsIdAtom)) set(analyticsIdAtom, newId());
    set(enqueueAtom, { kind: 'event', clientId: get(analyticsIdAtom), user, event });
  },
);
/** Events of experiments: a visitor saw a variation, or reached a goal. Without consent none is recorded. */
export const enqueueExperimentAtom = atom(null, (_get, set, event: ExperimentEvent): void =>
  set(enqueueAtom, { kind: 'experiment', event }),
);
