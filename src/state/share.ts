import * as t from '#text/alive.ts';
import { atom } from 'jotai';
import * as z from 'zod/mini';
import type { Feature, HostBridge } from '../bridge/hostBridge.ts';
import { kept } from './first/lib/kept.ts';
import { toastMessageAtom } from './first/toast.ts';
import { countryAtom } from './country.ts';
import { hostAtom } from './first/seams.ts';

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

/** Shares an address of the app, which opens in the same host again. Without a share sheet it is copied. */
export const shareAtom = atom(
  null,
  async (
    get,
    set,
    { copied = t.linkCopied, failed = t.shareFailed, isCopyWanted, ...content }: Handed,
  ): Promise<void> => {
    const host = get(hostAtom);
    try {
      const isSheet = !isCopyWanted && host.supports('share').state !== 'unavailable';
      const how = isSheet ? await host.share(content) : await navigator.clipboard.writeText(host.link(content.path));
      if (!isSheet || how === 'copied') set(toastMessageAtom, copied);
    } catch (thrown) {
      // ABORTED: another sheet has taken its place.
      if (!/^(BUSY|ABORTED)$/.test((thrown as { code?: string }).code ?? '')) set(toastMessageAtom, failed);
    }
  },
);

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

export const addShortcutAtom = atom(null, async (get, set): Promise<void> => {
  try {
    const how = await get(hostAtom).offerShortcut(get(countryAtom).appName);
    set(isShortcutSettledAtom, true);
    if (how === 'added') set(toastMessageAtom, t.shortcutAdded);
  } catch (thrown) {
    if (/^(BUSY|ABORTED)$/.test((thrown as { code?: string }).code ?? '')) return;
    set(isShortcutSettledAtom, true);
    set(toastMessageAtom, t.shortcutRefused);
  }
});
