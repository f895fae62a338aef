import * as t from '#text/alive.ts';
import { atom } from 'jotai';
import * as z from 'zod/mini';
import type { Feature, HostBridge } from '../../bridge/hostBridge.ts';
import { kept } from '../first/lib/kept.ts';
import { isOtherSheet, question } from '../lib/question.ts';
import { toastMessageAtom } from '../first/toast.ts';
import { countryAtom } from './country.ts';
import { hostAtom } from '../first/seams.ts';

/**
 * Counts changes of what the host can do: its bridge may come late, and a browser may offer to install the app later.
 */
const newsAtom = atom(0);
export const hostNewsAtom = atom((get) => get(newsAtom));
export const followHostAtom = atom(null, (get, set) =>
  get(hostAtom).on('support', () => set(newsAtom, (count) => count + 1)),
);

/** Until the page is connected nothing is offered. */
const supportOf = (host: HostBridge | null, feature: Feature) => host?.supports(feature).state ?? 'unavailable';

/** Whether the host or the browser can share an address. */
export const canShareAtom = atom((get) => get(newsAtom) >= 0 && supportOf(get(hostAtom), 'share') !== 'unavailable');

interface Handed {
  readonly title: string;
  readonly text?: string;
  readonly path: string;
  /** Said when the address was copied. */
  readonly copied?: string;
  /** Said when it could be neither shared nor copied. */
  readonly failed?: string;
  /** Copy it, even if there is a share sheet. */
  readonly isCopyWanted?: boolean;
}

/** Offers an address to the host's share sheet. */
const shareQuestion = question(
  (get, signal, { path, title, text }: Handed) => get(hostAtom).share({ path, title, text }, { signal }),
  () => t.phoneSilent,
);
/** Whether the page may put something on the clipboard, which some browsers ask the person. */
const clipboardQuestion = question(
  (_get, _signal, text: string) => navigator.clipboard.writeText(text),
  () => t.phoneSilent,
);

/** Copies a text, and says what came of it. */
export const copyTextAtom = atom(
  null,
  async (_get, set, text: string, copied: string, failed: string): Promise<void> => {
    const answer = await set(clipboardQuestion.ask, text);
    if (answer.is !== 'superseded') set(toastMessageAtom, answer.is === 'answered' ? copied : failed);
  },
);

/** Shares an address of the app, which opens in the same host again. Without a share sheet it is copied. */
export const shareAtom = atom(null, async (get, set, content: Handed): Promise<void> => {
  const { copied = t.linkCopied, failed = t.shareFailed, isCopyWanted, path } = content;
  const host = get(hostAtom);
  if (isCopyWanted || host.supports('share').state === 'unavailable')
    return await set(copyTextAtom, host.link(path), copied, failed);
  const answer = await set(shareQuestion.ask, content);
  if (answer.is === 'answered' && answer.value === 'copied') set(toastMessageAtom, copied);
  if (answer.is === 'failed' && !isOtherSheet(answer.thrown)) set(toastMessageAtom, failed);
});

/** Whether the customer has answered the offer of an icon: then it is not offered again on this device. */
const isShortcutSettledAtom = kept<boolean>({
  key: 'shortcut-settled',
  schema: z.boolean(),
  initial: false,
  forget: 'never',
});
/** Whether an icon on the home screen can be offered: the browser has offered it, or the host has a call for it. */
export const canAddShortcutAtom = atom(
  (get) => get(newsAtom) >= 0 && !get(isShortcutSettledAtom) && supportOf(get(hostAtom), 'shortcut') !== 'unavailable',
);

/** Whether the phone's home screen is to have an icon. */
const shortcutQuestion = question(
  (get, signal) => get(hostAtom).offerShortcut(get(countryAtom).appName, { signal }),
  () => t.phoneSilent,
);

export const addShortcutAtom = atom(null, async (_get, set): Promise<void> => {
  const answer = await set(shortcutQuestion.ask);
  if (answer.is === 'superseded' || (answer.is === 'failed' && isOtherSheet(answer.thrown))) return;
  set(isShortcutSettledAtom, true);
  if (answer.is === 'failed') set(toastMessageAtom, t.shortcutRefused);
  else if (answer.value === 'added') set(toastMessageAtom, t.shortcutAdded);
});
