import { atom } from 'jotai';
import * as z from 'zod/mini';
import type { Feature, HostBridge } from '../bridge/hostBridge.ts';
import { kept } from './lib/kept.ts';
import { toastMessageAtom } from './popup.ts';
import { countryAtom, hostAtom } from './seams.ts';

/** What a host can do changes while the page runs: its bridge may come late, a browser may offer to install. */
const newsAtom = atom(0);
export const hostNewsAtom = atom((get) => get(newsAtom));
export const followHostAtom = atom(null, (get, set) => get(hostAtom).onReady(() => set(newsAtom, (count) => count + 1)));

/** Before the page is connected nothing is offered. */
const supportOf = (host: HostBridge | null, feature: Feature) => host?.supports(feature).state ?? 'unavailable';

/** The host, or the browser, has a way to hand an address on. */
export const canShareAtom = atom((get) => get(newsAtom) >= 0 && supportOf(get(hostAtom), 'share') !== 'unavailable');

interface Handed {
  readonly title: string;
  readonly text?: string;
  readonly path: string;
  /** Said once it is on the clipboard. */
  readonly copied?: string;
  /** Said when it could not be handed on at all. */
  readonly failed?: string;
  /** No sheet, also where there is one. */
  readonly isCopyWanted?: boolean;
}

/** Hands on an address of ours that opens in the same host again; where there is no sheet it is copied, for any chat. */
export const shareAtom = atom(null, async (get, set, { copied = 'The link is copied.', failed = 'Sharing is not possible here.', isCopyWanted, ...content }: Handed): Promise<void> => {
  const host = get(hostAtom);
  try {
    const isSheet = !isCopyWanted && host.supports('share').state !== 'unavailable';
    const how = isSheet ? await host.share(content) : await navigator.clipboard.writeText(host.link(content.path));
    if (!isSheet || how === 'copied') set(toastMessageAtom, copied);
  } catch (thrown) {
    if ((thrown as { code?: string }).code !== 'BUSY') set(toastMessageAtom, failed);
  }
});

/** Said no once: not asked again on this device. */
const isShortcutSettledAtom = kept<boolean>({ key: 'shortcut-settled', schema: z.boolean(), initial: false, forget: 'never' });
/** An icon on the home screen can be offered: the browser has offered it, or the host has a call of its own. */
export const canAddShortcutAtom = atom((get) => get(newsAtom) >= 0 && !get(isShortcutSettledAtom) && supportOf(get(hostAtom), 'shortcut') !== 'unavailable');

export const addShortcutAtom = atom(null, async (get, set): Promise<void> => {
  try {
    const how = await get(hostAtom).offerShortcut(get(countryAtom).appName);
    set(isShortcutSettledAtom, true);
    if (how === 'added') set(toastMessageAtom, 'It is on your home screen now.');
  } catch (thrown) {
    if ((thrown as { code?: string }).code === 'BUSY') return;
    set(isShortcutSettledAtom, true);
    set(toastMessageAtom, 'This phone does not let us add an icon.');
  }
});
