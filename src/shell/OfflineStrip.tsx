import { useAtomValue } from 'jotai';
import * as t from '#text/alive.ts';
import { isOfflineAtom } from '../state/network.ts';
import { Strip } from '../ui/Strip.tsx';

export function OfflineStrip() {
  return <Strip>{useAtomValue(isOfflineAtom) ? t.offlineStrip : null}</Strip>;
}
