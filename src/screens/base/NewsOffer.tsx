import { useAtomValue } from 'jotai';
import { hasNewsAtom } from '../../state/consent/newsOffer.ts';
import { part } from '../../ui/time/loaded.tsx';

const News = FULL_MODE ? part(() => import('./News.tsx')) : () => null;

/** Notifications, where they can be offered. */
export const NewsOffer = () => useAtomValue(hasNewsAtom) && <News />;
