/** The fields of a dish that search needs; a MenuItem has them. */
export interface Findable {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly english?: string | undefined;
  readonly foodType: string;
  readonly kind: string;
  readonly categoryIds: readonly string[];
  readonly defaultToppings: readonly string[];
  readonly tags: readonly string[];
  readonly spice: number;
  readonly soldOut?: boolean | undefined;
}

export interface Found<I> {
  /** Best first, equally good ones as on the menu; each of them matches every word of the query. */
  readonly hits: readonly I[];
  /** Only if there are no hits: dishes that match part of the query, or almost. */
  readonly near: readonly I[];
}

/** Everyday words, as people in these countries type them, beside the words of the menu. Each row has one meaning. */
const SAME: readonly (readonly string[])[] = [
  ['cola', 'coke', 'pepsi', 'thumsup', 'soda'],
  ['drink', 'drinks', 'beverage', 'beverages', 'cold', 'thanda', 'juice'],
  ['dessert', 'desserts', 'sweet', 'sweets', 'meetha', 'mithai', 'mishti', 'cake'],
  ['chocolate', 'choco', 'lava', 'brownie', 'molten'],
  ['corn', 'bhutta', 'makai', 'maize'],
  ['onion', 'pyaz', 'pyaaz', 'peyaj', 'lunu'],
  ['potato', 'aloo', 'alu', 'ala', 'wedges', 'fries', 'chips'],
  ['capsicum', 'shimla', 'bellpepper', 'pepper'],
  ['chicken', 'murgh', 'murg', 'kukul', 'murgi', 'kozhi'],
  ['mushroom', 'khumb', 'mushrooms', 'mashroom'],
  ['chilli', 'chili', 'mirch', 'mirchi', 'morich', 'miris', 'jalapeno', 'spicy', 'hot', 'teekha'],
  ['paneer', 'cottagecheese', 'chhena'],
  ['egg', 'anda', 'dim', 'biththara'],
  ['minced', 'keema', 'kheema', 'mince'],
  ['sausage', 'salami', 'hotdog', 'pepperoni'],
  ['prawn', 'prawns', 'shrimp', 'chingri', 'isso', 'jhinga'],
  ['tuna', 'fish', 'machli', 'maach', 'seafood'],
  ['beef', 'gorur', 'harak'],
  ['bread', 'garlicbread', 'breadsticks', 'toast'],
  ['combo', 'combos', 'meal', 'meals', 'deal', 'deals', 'thali'],
  ['pasta', 'penne', 'spaghetti', 'macaroni'],
  ['rice', 'biryani', 'bath', 'bhat'],
  ['cheese', 'mozzarella', 'cheddar', 'cheesy', 'chees'],
  ['tomato', 'tamatar', 'margherita', 'margarita', 'thakkali'],
  ['pizza', 'pizzas', 'piza', 'pitza', 'pizzza'],
  ['mini', 'small', 'mania', 'chota', 'personal'],
  ['wings', 'wing', 'drumstick', 'drumsticks'],
  ['spinach', 'palak', 'nivithi'],
  ['pineapple', 'ananas', 'hawaiian', 'annasi'],
  ['mango', 'aam'],
  ['water', 'pani', 'jal', 'wathura', 'bisleri'],
  ['olive', 'olives'],
  ['dip', 'dips', 'sauce', 'mayo'],
];
const FOOD_WORDS: Readonly<Record<string, readonly string[]>> = {
  VEG: ['veg', 'vegetarian'],
  NON_VEG: ['nonveg', 'non'],
};
const MEANINGS = new Map(SAME.flatMap((row, index) => row.map((word) => [word, index] as const)));
/** Whether a word is an everyday one for a dish or what is on it, and so no mistyped other one. */
export const isDishWord = (word: string): boolean => MEANINGS.has(word);

/**
 * The words of a text in lower case, without accents and punctuation. The marks of Indian scripts are their vowels, and
 * stay; not so the dot below a letter and the sign that joins two, which one types and another leaves out.
 */
export function wordsOf(text: string): string[] {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f\u093c\u09bc\p{Cf}]/gu, '')
    .split(/[^\p{L}\p{M}\p{N}]/u)
    .filter(Boolean);
}

/** How many typing mistakes are forgiven by length: below four letters none, below eight one, else two. */
const forgiven = (length: number) => (length < 4 ? 0 : length < 8 ? 1 : 2);

/**
 * The number of typing mistakes between two words: letters added, left out, changed or swapped with their neighbour.
 * Anything above `most` is reported as `most` + 1 or more.
 */
export function slips(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let two: number[] = [];
  let one = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const now = [i];
    let least = i;
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(one[j]! + 1, now[j - 1]! + 1, one[j - 1]! + (same ? 0 : 1));
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, two[j - 2]! + 1);
      now.push(cost);
      least = Math.min(least, cost);
    }
    if (least > most) return most + 1;
    two = one;
    one = now;
  }
  return one[b.length]!;
}

/** How well a typed word matches a word of the menu, 0 to 1. One that is known is not taken for another: cake for coke. */
function fit(typed: string, word: string, isKnown: boolean): number {
  if (typed === word) return 1;
  if (word.startsWith(typed)) return 0.9;
  const meaning = MEANINGS.get(typed);
  if (meaning !== undefined && meaning === MEANINGS.get(word)) return 0.8;
  const most = isKnown ? 0 : forgiven(typed.length);
  if (most === 0) return 0;
  const wrong = slips(typed, word, most);
  if (wrong <= most) return 0.7 - wrong * 0.1;
  // The beginning of a word with a mistake in it: 'capsc' for 'capsicum'.
  if (slips(typed, word.slice(0, typed.length), 1) <= 1) return 0.5;
  return 0;
}

interface Row<I> {
  readonly item: I;
  readonly words: readonly (readonly [word: string, weight: number])[];
}

export interface Index<I> {
  readonly rows: readonly Row<I>[];
}

/**
 * Prepares a menu for searching. `labelOf` returns a category's label, so that 'sides' finds the dishes of that
 * category.
 */
export function indexOf<I extends Findable>(items: readonly I[], labelOf: (categoryId: string) => string): Index<I> {
  return {
    rows: items.map((item) => {
      const words = new Map<string, number>();
      const take = (text: string, weight: number) => {
        for (const word of wordsOf(text)) words.set(word, Math.max(weight, words.get(word) ?? 0));
      };
      take([item.description, item.english].join(' '), 2);
      for (const id of item.categoryIds) take(labelOf(id), 3);
      take(item.defaultToppings.join(' '), 3);
      take(item.tags.join(' '), 2);
      take(item.kind === 'DEAL' ? 'combo' : item.kind === 'RICE_PASTA' ? '' : item.kind, 3);
      if (item.spice >= 2) take('spicy', 2);
      for (const word of FOOD_WORDS[item.foodType] ?? []) take(word, 1);
      take(item.name, 6);
      return { item, words: [...words] };
    }),
  };
}

/**
 * Finds dishes that match every word of the query, forgiving typing mistakes and knowing synonyms. If there are none,
 * `near` holds the closest ones. Sold-out dishes come last.
 */
export function find<I extends Findable>(index: Index<I>, query: string, limit = 40): Found<I> {
  const typed = wordsOf(query).slice(0, 8);
  const onMenu = new Set(index.rows.flatMap(({ words }) => words.map(([word]) => word)));
  const known = new Set(typed.filter((word) => isDishWord(word) || onMenu.has(word)));
  const full: { row: Row<I>; score: number }[] = [];
  const part: { row: Row<I>; score: number }[] = [];
  for (const row of index.rows) {
    let score = 0;
    let fits = 0;
    for (const word of typed) {
      let best = 0;
      for (const [own, weight] of row.words) {
        best = Math.max(best, fit(word, own, known.has(word)) * weight);
      }
      if (best > 0) fits += 1;
      score += best;
    }
    if (fits === 0) continue;
    const ranked = {
      row,
      score: score - (row.item.soldOut ? 100 : 0) + (row.item.tags.includes('bestseller') ? 0.3 : 0),
    };
    (fits === typed.length ? full : part).push(ranked);
  }
  const sort = (list: { row: Row<I>; score: number }[]) =>
    list
      .sort((a, b) => b.score - a.score)
      .slice(0, limit)
      .map(({ row }) => row.item);
  const hits = sort(full);
  if (hits.length > 0) return { hits, near: [] };
  if (part.length > 0) return { hits, near: sort(part).slice(0, 6) };
  return { hits, near: closest(index, typed, 6) };
}

/** Dishes whose names look most like the typed words, for a query that matches nothing. */
function closest<I extends Findable>(index: Index<I>, typed: readonly string[], limit: number): I[] {
  const scored = index.rows.map((row) => {
    let best = Number.POSITIVE_INFINITY;
    for (const word of typed) {
      if (word.length < 3) continue;
      for (const [own, weight] of row.words)
        if (weight >= 6) {
          const wrong = slips(word, own, 4);
          if (wrong <= 4) best = Math.min(best, wrong / Math.max(word.length, own.length));
        }
    }
    return { row, best };
  });
  return scored
    .filter(({ best }) => best < 0.5)
    .sort((a, b) => a.best - b.best)
    .slice(0, limit)
    .map(({ row }) => row.item);
}

const RECENT_SEARCHES = 3;
/** The recent searches with a new one in front: no duplicates, three at most (specification section 4). */
export function withSearch(recent: readonly string[], query: string): string[] {
  const text = query.trim().slice(0, 60);
  if (text.length < 2) return [...recent];
  return [text, ...recent.filter((one) => one.toLowerCase() !== text.toLowerCase())].slice(0, RECENT_SEARCHES);
}
