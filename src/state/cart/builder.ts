import * as buildText from '#text/build.ts';
import * as t from '#text/customise.ts';
import { atom, type Getter, type Setter } from 'jotai';
import { NOTE_AT_MOST, type Build } from '../../contract/cart.ts';
import type * as contract from '../../contract/menu.ts';
import type { Amount, Half, Size } from '../../contract/names.ts';
import type { Money } from '../../contract/price.ts';
import {
  crustsFor,
  LineProblem,
  limitReason,
  toppingsPerHalf,
  unitPrice,
  workOut,
  type FinishedDish,
  type Parts,
} from '../../domain/build.ts';
import { subtract } from '../../domain/money.ts';
import { firstSize, SIZE_ORDER } from '../../domain/sizes.ts';
import { typedText } from '../../domain/typedText.ts';
import { putLineAtom } from './cart.ts';
import { cartLinesAtom, changeLineAtom } from '../first/cart.ts';
import { customerAtom } from '../lib/forget.ts';
import { madeAtom } from '../first/filters.ts';
import { itemsByIdAtom } from '../first/menu.ts';
import { builderAtom, isBuilderHereAtom, loadBuilderAtom } from '../menu/priceList.ts';

type Item = contract.MenuItem;
type Wishes = NonNullable<Build['toppings']>;

const byId = <T extends { readonly id: string }>(list: readonly T[]): ReadonlyMap<string, T> =>
  new Map(list.map((one) => [one.id, one]));

/** Everything that the rules shared with the server (domain/build.ts) need, put together once per price list. */
export const partsAtom = atom(
  (
    get,
  ):
    | (Parts<Item, contract.Crust> & {
        readonly builder: contract.Builder;
        readonly toppings: ReadonlyMap<string, contract.Topping>;
        readonly sauces: ReadonlyMap<string, contract.Builder['sauces'][number]>;
      })
    | null => {
    const builder = get(builderAtom);
    if (!builder) return null;
    return {
      items: get(itemsByIdAtom),
      crusts: byId(builder.crusts),
      sauces: byId(builder.sauces),
      toppings: byId(builder.toppings),
      builder,
    };
  },
);

/** What a screen's `enter` gets. */
interface Entered {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

/** A dish that is being built: like a line of the cart, but with every choice spelled out. */
export interface Draft {
  readonly productId: string;
  readonly size: Size;
  /** undefined: the default crust. */
  readonly crust: string | undefined;
  /** null: the sauce of the recipe. */
  readonly sauce: Build['sauce'] | null;
  readonly cheese: Amount;
  readonly wishes: Wishes;
  readonly secondHalf: string | null;
  readonly note: Note;
  readonly quantity: number;
  /** The cart line that is being changed; null for a new one. */
  readonly lineId: string | null;
  /** Index of the piece in the combo that it is built for, whose size is the combo's; null for a dish of its own. */
  readonly piece: number | null;
}

export const draftAtom = customerAtom<Draft | null>(null);

/** The draft as a dish with its price. Until the price list is loaded `finished` and `price` are null. */
export interface DraftResult {
  readonly item: Item;
  readonly second: Item;
  readonly finished: FinishedDish<Item, contract.Crust> | null;
  readonly tally: { readonly used: number; readonly limit: number | undefined };
  readonly price: Money | null;
  /** Why it cannot be made like this, as a sentence; null when it can. */
  readonly problem: string | null;
}

/** The draft as the cart's `Build`; undefined if nothing differs from the recipe. */
export function buildOf({ sauce, cheese, wishes, secondHalf }: Draft): Build | undefined {
  const build: Build = {
    ...(sauce ? { sauce } : {}),
    ...(cheese === 'normal' ? {} : { cheese }),
    ...(wishes.length > 0 ? { toppings: [...wishes] } : {}),
    ...(secondHalf ? { secondHalf } : {}),
  };
  return Object.keys(build).length > 0 ? build : undefined;
}

function work(
  parts: Parts<Item, contract.Crust> | null,
  items: ReadonlyMap<string, Item>,
  draft: Draft,
): DraftResult | null {
  const item = items.get(draft.productId);
  if (!item) return null;
  const second = items.get(draft.secondHalf ?? '') ?? item;
  const none = { item, second, finished: null, tally: { used: 0, limit: undefined }, price: null };
  if (!parts) return { ...none, problem: null };
  try {
    const { tally, ...finished } = workOut(
      parts,
      item,
      { size: draft.size, crust: draft.crust, build: buildOf(draft) },
      buildText,
    );
    const name = parts.builder.sizes.find((one) => one.id === draft.size)?.name ?? draft.size;
    const problem =
      tally.limit !== undefined && tally.used > tally.limit ? limitReason(name, tally.limit, buildText) : null;
    return { item, second, finished, tally, price: unitPrice(finished), problem };
  } catch (thrown) {
    if (thrown instanceof LineProblem) return { ...none, problem: thrown.message };
    throw thrown;
  }
}

/** The draft with its price, calories, allergens, diet and what is wrong with it. */
export const workedAtom = atom((get) => {
  const draft = get(draftAtom);
  return draft && work(get(partsAtom), get(itemsByIdAtom), draft);
});

/** How the last tap changed the price, or why it changed nothing. */
export interface Effect {
  readonly text: string;
  readonly difference: Money | null;
  readonly isRefused: boolean;
}
export const effectAtom = customerAtom<Effect | null>(null);

function startOf(item: Item): Draft {
  return {
    productId: item.id,
    size: firstSize(item),
    crust: undefined,
    sauce: null,
    cheese: 'normal',
    wishes: [],
    secondHalf: null,
    note: '',
    quantity: 1,
    lineId: null,
    piece: null,
  };
}

/** A draft that starts with what a cart line or a piece of a combo was built of. */
export function draftOf(
  item: Item,
  from: { readonly size?: Size | undefined; readonly crust?: string | undefined; readonly build?: Build | undefined },
): Draft {
  const { build } = from;
  return {
    ...startOf(item),
    size: from.size ?? firstSize(item),
    crust: from.crust,
    sauce: build?.sauce ?? null,
    cheese: build?.cheese ?? 'normal',
    wishes: build?.toppings ?? [],
    secondHalf: build?.secondHalf ?? null,
  };
}

/** The ready notes that were tapped, and the customer's own words. */
export interface NoteParts {
  readonly notes: readonly string[];
  readonly text: string;
}
/**
 * A note for the kitchen. It is one text, as lines keep it, until it is changed beside the ready notes: these come with
 * the price list, and only then can they be told from what the customer wrote.
 */
export type Note = string | NoteParts;
/** A note in its parts; `ready` is empty until the price list is here. */
export function noteParts(note: Note, ready: readonly string[]): NoteParts {
  if (typeof note !== 'string') return note;
  if (ready.length === 0) return { notes: [], text: note };
  const pieces = note.split(', ').filter(Boolean);
  return {
    notes: pieces.filter((one) => ready.includes(one)),
    text: pieces.filter((one) => !ready.includes(one)).join(', '),
  };
}
/** A note that has been changed: it stays one text as long as there is nothing to tell apart. */
export const noteFrom = (parts: NoteParts, ready: readonly string[]): Note => (ready.length === 0 ? parts.text : parts);
export function noteOf(note: Note): string {
  const { notes, text } = noteParts(note, []);
  return [...notes, typedText(text)].filter(Boolean).join(', ');
}

/** How many characters the customer's own words may have beside these ready notes, so that all of it fits a line. */
export function roomFor(notes: readonly string[]): number {
  return Math.max(0, NOTE_AT_MOST - notes.reduce((sum, one) => sum + one.length + ', '.length, 0));
}

/** What the builder was opened with before the menu had its dish. */
const missedAtom = atom<Entered | null>(null);
/** Opens the builder again once the menu has its dish. */
export const openMissedAtom = atom(null, async (get, set): Promise<void> => {
  const missed = get(missedAtom);
  if (missed && get(itemsByIdAtom).has(missed.params['productId'] ?? '')) await set(openBuilderAtom, missed);
});

/**
 * Opens the builder: with a new dish, with a cart line as it was built (`line`), with a second half (`half`), or in a
 * size (`size`).
 */
export const openBuilderAtom = atom(null, async (get, set, entered: Entered) => {
  const { params, query } = entered;
  set(effectAtom, null);
  const item = get(itemsByIdAtom).get(params['productId'] ?? '');
  set(missedAtom, item ? null : entered);
  // The combo's screen has already put its piece into the draft.
  if (query.has('piece')) {
    if (get(draftAtom)?.piece === Number(query.get('piece')) && get(draftAtom)?.productId === item?.id)
      return set(loadBuilderAtom);
  }
  const line = get(cartLinesAtom).find((one) => one.lineId === query.get('line'));
  const load = get(isBuilderHereAtom) ? Promise.resolve() : set(loadBuilderAtom);
  const open = (dish: Item) => {
    if (line) {
      set(draftAtom, {
        ...draftOf(dish, line.input),
        quantity: line.quantity,
        lineId: line.lineId,
        note: line.input.note ?? '',
      });
      return;
    }
    const half = query.get('half');
    const size = SIZE_ORDER.find((one) => one === query.get('size') && dish.prices[one] !== undefined);
    const made = get(madeAtom)(dish);
    set(draftAtom, {
      ...draftOf(dish, { build: made?.build }),
      note: made?.note ?? '',
      ...(half && get(itemsByIdAtom).has(half) ? { secondHalf: half } : {}),
      ...(size ? { size } : {}),
    });
  };
  if (item) open(item);
  else set(draftAtom, null);
  await load;
});

/** Changes the draft if the result can be made, and says what the change did or why it was refused. */
function apply(get: Getter, set: Setter, text: string, next: Draft): void {
  const draft = get(draftAtom);
  if (!draft) return;
  const items = get(itemsByIdAtom);
  const before = work(get(partsAtom), items, draft);
  const after = work(get(partsAtom), items, next);
  const isWorse = after?.problem && !before?.problem && next.size === draft.size;
  if (isWorse) return set(effectAtom, { text: after.problem, difference: null, isRefused: true });
  set(draftAtom, next);
  set(effectAtom, {
    text,
    difference: before?.price != null && after?.price != null ? subtract(after.price, before.price) : null,
    isRefused: false,
  });
}

const changing = <A extends unknown[]>(
  make: (get: Getter, draft: Draft, ...args: A) => { text: string; next: Draft },
) =>
  atom(null, (get, set, ...args: A) => {
    const draft = get(draftAtom);
    if (!draft) return;
    const { text, next } = make(get, draft, ...args);
    apply(get, set, text, next);
  });

/** Joins words as alternatives: 'a or b'. */
export const either = (words: readonly string[]): string =>
  words.slice(1).reduce((first, second) => t.either({ first, second }), words[0] ?? '');

export const chooseSizeAtom = changing((get, draft, size: Size) => {
  const parts = get(partsAtom);
  const item = get(itemsByIdAtom).get(draft.productId)!;
  const name = parts?.builder.sizes.find((one) => one.id === size)?.name ?? size;
  const keepsCrust =
    !parts || draft.crust === undefined || crustsFor(parts, item, size).some((one) => one.id === draft.crust);
  const keepsHalf = !draft.secondHalf || !parts || parts.builder.halfAndHalfSizes.includes(size);
  const lost = [
    ...(keepsCrust ? [] : [parts.crusts.get(draft.crust)?.name ?? t.crustUnnamed]),
    ...(keepsHalf ? [] : [t.halfAndHalf]),
  ];
  return {
    text: lost.length > 0 ? t.sizeWithout({ size: name, lost: either(lost) }) : name,
    next: {
      ...draft,
      size,
      crust: keepsCrust ? draft.crust : undefined,
      secondHalf: keepsHalf ? draft.secondHalf : null,
    },
  };
});
export const chooseCrustAtom = changing((get, draft, crust: string) => ({
  text: get(partsAtom)?.crusts.get(crust)?.name ?? crust,
  next: { ...draft, crust },
}));
export const chooseCheeseAtom = changing((_get, draft, cheese: Amount) => ({
  text: t.cheeseChosen({ amount: cheese }),
  next: { ...draft, cheese },
}));
export const chooseSauceAtom = changing((get, draft, sauce: Build['sauce'] | null) => ({
  text: sauce
    ? buildText.sauce({ level: sauce.level, name: get(partsAtom)?.sauces.get(sauce.id)?.name ?? '' })
    : t.sauceOwnChosen,
  next: { ...draft, sauce },
}));

/**
 * Puts an amount of a topping on the whole pizza or one half, and takes it off elsewhere. Only what differs from the
 * recipe is kept.
 */
function withTopping(draft: Draft, left: Item, right: Item, id: string, half: Half, amount: Amount): Wishes {
  const recipe = toppingsPerHalf(left, right, []).get(id) ?? { left: 'none', right: 'none' };
  const others = draft.wishes.filter((wish) => wish.id !== id);
  const onLeft = half === 'RIGHT' ? 'none' : amount;
  const onRight = half === 'LEFT' ? 'none' : amount;
  if (onLeft === onRight && (onLeft !== recipe.left || onRight !== recipe.right))
    return [...others, { id, half: 'WHOLE', amount: onLeft }];
  return [
    ...others,
    ...(onLeft === recipe.left ? [] : [{ id, half: 'LEFT' as const, amount: onLeft }]),
    ...(onRight === recipe.right ? [] : [{ id, half: 'RIGHT' as const, amount: onRight }]),
  ];
}

const halvesOf = (get: Getter, draft: Draft) => {
  const items = get(itemsByIdAtom);
  const left = items.get(draft.productId)!;
  return [left, items.get(draft.secondHalf ?? '') ?? left] as const;
};

export const setToppingAtom = changing((get, draft, id: string, half: Half, amount: Amount) => {
  const [left, right] = halvesOf(get, draft);
  const name = get(partsAtom)?.toppings.get(id)?.name ?? id;
  const text =
    amount === 'none' ? t.toppingOff({ name }) : t.toppingOnHalf({ topping: t.toppingOn({ amount, name }), half });
  return { text, next: { ...draft, wishes: withTopping(draft, left, right, id, half, amount) } };
});

export const chooseHalfAtom = changing((get, draft, secondHalf: string | null) => {
  const parts = get(partsAtom);
  const sizes = parts?.builder.halfAndHalfSizes ?? [];
  const second = get(itemsByIdAtom).get(secondHalf ?? '');
  const size =
    secondHalf && !sizes.includes(draft.size)
      ? (sizes.find((one) => get(itemsByIdAtom).get(draft.productId)!.prices[one] !== undefined) ?? draft.size)
      : draft.size;
  const crust = second && draft.crust && !second.crusts.includes(draft.crust) ? undefined : draft.crust;
  const name = parts?.builder.sizes.find((one) => one.id === size)?.name;
  return {
    text: !second
      ? t.oneRecipe
      : size === draft.size
        ? t.halfChosen({ name: second.name })
        : t.halfChosenInSize({ name: second.name, size: (name ?? size).toLowerCase() }),
    next: { ...draft, secondHalf, size, crust },
  };
});

const JAIN_SAUCE = (parts: { readonly sauces: ReadonlyMap<string, { readonly id: string; readonly jain: boolean }> }) =>
  [...parts.sauces.values()].find((sauce) => sauce.jain);

/** Whether the Jain version is asked for. */
export const isJainAskedAtom = atom((get) => {
  const parts = get(partsAtom);
  return Boolean(parts && get(draftAtom)?.sauce?.id && get(draftAtom)?.sauce?.id === JAIN_SAUCE(parts)?.id);
});
/** Makes the pizza Jain: the sauce without onion and garlic, and no topping that a Jain kitchen would not use. */
export const askJainAtom = changing((get, draft, isAsked: boolean) => {
  const parts = get(partsAtom);
  const [left, right] = halvesOf(get, draft);
  const isOut = (id: string) => {
    const one = parts?.toppings.get(id);
    return one !== undefined && (!one.jainFriendly || one.onionGarlic === true);
  };
  const sauce = parts && JAIN_SAUCE(parts);
  if (!isAsked || !sauce)
    return {
      text: t.jainOff,
      next: {
        ...draft,
        sauce: null,
        wishes: draft.wishes.filter((wish) => !(wish.amount === 'none' && isOut(wish.id))),
      },
    };
  let next: Draft = { ...draft, sauce: { id: sauce.id, level: 'normal' } };
  for (const id of toppingsPerHalf(left, right, draft.wishes).keys())
    if (isOut(id)) next = { ...next, wishes: withTopping(next, left, right, id, 'WHOLE', 'none') };
  return { text: t.jainOn, next };
});

export const setQuantityOfDraftAtom = atom(null, (_get, set, quantity: number) =>
  set(draftAtom, (now) => now && { ...now, quantity }),
);
export const writeNoteAtom = atom(null, (_get, set, note: Note) => set(draftAtom, (now) => now && { ...now, note }));
/** Sets the draft back to the recipe. */
export const resetDraftAtom = changing((get, draft) => ({
  text: t.asRecipe,
  next: {
    ...startOf(get(itemsByIdAtom).get(draft.productId)!),
    size: draft.size,
    quantity: draft.quantity,
    lineId: draft.lineId,
    piece: draft.piece,
  },
}));

/** How much of each topping is on each half now. */
export const spreadAtom = atom((get) => {
  const draft = get(draftAtom);
  if (!draft || !get(itemsByIdAtom).has(draft.productId)) return new Map<string, { left: Amount; right: Amount }>();
  const [left, right] = halvesOf(get, draft);
  return toppingsPerHalf(left, right, draft.wishes);
});

/**
 * Adds the draft to the cart, or replaces the line that is being changed. @returns false while something is wrong with
 * the draft
 */
export const finishDraftAtom = atom(null, (get, set): boolean => {
  const draft = get(draftAtom);
  const worked = get(workedAtom);
  if (!draft || !worked || worked.problem) {
    if (worked?.problem) set(effectAtom, { text: worked.problem, difference: null, isRefused: true });
    return false;
  }
  const build = buildOf(draft);
  const note = noteOf(draft.note);
  const line = {
    productId: draft.productId,
    ...(draft.size === 'ONE' ? {} : { size: draft.size }),
    ...(draft.crust ? { crust: draft.crust } : {}),
    ...(build ? { build } : {}),
    ...(note ? { note } : {}),
  };
  // A changed line states every choice, so that nothing of the old one remains.
  if (draft.lineId)
    set(changeLineAtom, {
      lineId: draft.lineId,
      quantity: draft.quantity,
      line: {
        ...line,
        build: build ?? {},
        note,
        ...(worked.finished?.crust ? { crust: worked.finished.crust.id } : {}),
      },
    });
  else
    set(putLineAtom, {
      ...line,
      ...(worked.finished?.crust ? { crust: worked.finished.crust.id } : {}),
      quantity: draft.quantity,
    });
  return true;
});
