import { useAtomValue } from 'jotai';
import * as t from '#text/alive.ts';
import { isOfflineAtom } from '../../state/base/network.ts';
import { Toast } from '../../ui/overlays/Toast.tsx';

/** Lies over the page's foot as a message does: a strip that pushes the page down moves what somebody is about to tap. */
export function OfflineStrip() {
  return <Toast message={useAtomValue(isOfflineAtom) ? t.offlineStrip : null} />;
}
