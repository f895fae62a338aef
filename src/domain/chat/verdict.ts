import type { Meaning } from '../dishwords.ts';
import { ALLERGENS, type Findable, type Row } from '../search.ts';

/** Something that may be in a dish, in the customer's own word. One word may mean several: seafood is prawns and fish. */
export interface Thing {
  readonly word: string;
  readonly meaning: Meaning;
}

/** What the menu's data say of something in a dish. `unnamed` is no promise that it is not in it. */
export type Verdict = 'declared' | 'named' | 'without' | 'onRequest' | 'chosen' | 'unnamed';

/** An allergen is in a dish if it is declared, and by no other word of the menu. */
export const allergenOf = (meaning: Meaning): string | undefined =>
  meaning === 'cheese' ? undefined : ALLERGENS[meaning];

export function verdictOf({ item, meanings, denied, hidden }: Row<Findable>, meaning: Meaning): Verdict {
  const allergen = allergenOf(meaning);
  if (allergen !== undefined && item.allergens?.includes(allergen)) return 'declared';
  if (item.kind === 'DEAL') return 'chosen';
  if (allergen === undefined && (meaning === 'onion' || meaning === 'garlic')) {
    if (item.noOnionGarlic === 'always' || item.jain === true) return 'without';
    if (meanings.has(meaning) && !denied.has(meaning)) return 'named';
    return item.noOnionGarlic === 'onRequest' ? 'onRequest' : 'unnamed';
  }
  if (allergen === undefined && ((meanings.has(meaning) && !denied.has(meaning)) || hidden.has(meaning)))
    return 'named';
  return 'unnamed';
}
