import { atom } from 'jotai';
import { cardLookAtom } from '../first/menu.ts';

/** The experiment that chooses how a dish looks on the menu. */
export const CARDS = 'NextgenProductCardsV2';

/** What else was decided for this page, as `key:variation`; state/telemetry/experiments.ts sets it. */
export const otherVariantsAtom = atom<readonly string[]>([]);

/** For the header of every call: each experiment with the variation that this visitor sees. */
export const abVariantAtom = atom((get) => [`${CARDS}:${get(cardLookAtom)}`, ...get(otherVariantsAtom)].join(','));
