import type { Amount, Half } from '../contract/names.ts';

/** Diets that a recipe can be changed for. Jain food is without onion and garlic, too. */
export type Diet = 'jain' | 'onion';

interface DietDish {
  readonly jain: boolean;
  readonly jainOnRequest: boolean;
  readonly noOnionGarlic?: 'always' | 'onRequest' | 'unstated' | undefined;
  readonly customisable: boolean;
  readonly sauce?: string | undefined;
  readonly defaultToppings: readonly string[];
}
interface DietParts {
  readonly sauces: readonly { readonly id: string; readonly name: string; readonly jain: boolean }[];
  readonly toppings: readonly {
    readonly id: string;
    readonly name: string;
    readonly jainFriendly: boolean;
    readonly onionGarlic?: boolean | undefined;
  }[];
}

/** What is changed in a recipe for a diet. */
export interface DietBuild {
  /** Names of the toppings that are left out. */
  readonly off: readonly string[];
  /** Name of the sauce that replaces the recipe's. */
  readonly sauce: string | undefined;
  readonly build: {
    readonly sauce?: { id: string; level: 'normal' };
    readonly toppings?: { id: string; half: Half; amount: Amount }[];
  };
}

/** Whether a diet's filter shows a dish: the dish is so, or the kitchen can make it so. */
export function fitsDiet(item: DietDish, diet: Diet): boolean {
  const isReady = diet === 'jain' ? item.jain : item.noOnionGarlic === 'always';
  return isReady || (item.customisable && item.jainOnRequest && (diet === 'jain' || item.noOnionGarlic !== undefined));
}

/**
 * How a dish that `fitsDiet` has to be ordered: undefined as it comes, null if no known change makes it fit, so that the
 * customer has to build it. `parts` is null while the price list is not here. Pure.
 */
export function dietBuild(item: DietDish, diet: Diet, parts: DietParts | null): DietBuild | null | undefined {
  if (diet === 'jain' ? item.jain : item.noOnionGarlic === 'always') return undefined;
  if (!parts || !item.customisable) return null;
  const sauce = parts.sauces.find((one) => one.id === item.sauce);
  const instead = sauce?.jain === true ? undefined : parts.sauces.find((one) => one.jain);
  if (sauce?.jain !== true && !instead) return null;
  const used = new Set(item.defaultToppings);
  const toppings = parts.toppings.filter((one) => used.has(one.id));
  // What is in the recipe and not in the price list cannot be judged.
  if (toppings.length < used.size) return null;
  const off = toppings.filter((one) => one.onionGarlic === true || (diet === 'jain' && !one.jainFriendly));
  return {
    off: off.map((one) => one.name),
    sauce: instead?.name,
    build: {
      ...(instead ? { sauce: { id: instead.id, level: 'normal' } } : {}),
      ...(off.length > 0 ? { toppings: off.map(({ id }) => ({ id, half: 'WHOLE', amount: 'none' })) } : {}),
    },
  };
}
