import * as t from '#text/chat.ts';
import * as customiseText from '#text/customise.ts';
import * as documents from '#text/documents.ts';
import * as firstText from '#text/first.ts';
import * as menuText from '#text/menu.ts';
import * as searchText from '#text/search.ts';
import type { MenuItem } from '../../contract/menu.ts';
import * as contract from '../../contract/menu.ts';
import { allergenOf, type Thing } from '../../domain/chat/verdict.ts';
import { ZERO } from '../../domain/money.ts';
import { firstSize } from '../../domain/sizes.ts';
import { writtenPhone } from '../../domain/writtenPhone.ts';
import { chatMenuAtom, foodAtom, understandAtom, type ChatAnswer, type ChatChoice } from '../../state/menu/chat.ts';
import { countryAtom } from '../../state/base/country.ts';
import { allergensTextAtom, menuAtom } from '../../state/first/menu.ts';
import { storeIdAtom } from '../../state/first/location.ts';
import { apiAtom } from '../../state/first/seams.ts';
import { moneyOf, said, type Answerer, type Desk } from './desk.ts';

// What the menu says of its dishes, and never more: what it does not name may still be in one.

const MOST = 3;
const MOST_LISTED = 5;
const searchFor = (query: string): ChatChoice => ({
  label: t.dishSearch,
  path: `/search?q=${encodeURIComponent(query)}`,
});
const foodIn = ({ get, act }: Desk) => get(foodAtom)(act.text ?? '');

/** The dish that is meant, or a question which one. Never a dish that only looks a little like it. */
function withDish(
  desk: Desk,
  answer: (item: MenuItem) => ChatAnswer | Promise<ChatAnswer>,
): ChatAnswer | Promise<ChatAnswer> {
  const { act, get } = desk;
  const { items } = get(menuAtom);
  const chosen = items.find(({ id, name }) => id === act.dishId || name === act.text);
  if (chosen) return answer(chosen);
  const { dishes } = foodIn(desk);
  if (dishes.length === 1) return answer(dishes[0]!);
  const { rest } = get(understandAtom)(act.text ?? '');
  const ask = { ...act, text: act.text ?? '' };
  const choices = (some: readonly MenuItem[]) =>
    some.map(({ id, name }) => ({ label: name, act: { ...ask, dishId: id } }));
  const asks = { do: act.do };
  if (dishes.length > 1) return said([t.dishWhich], [...choices(dishes), searchFor(rest)], { asks });
  if (rest === '') return said([t.dishWhich], [{ label: t.dishMenu, path: '/menu' }], { asks });
  const { hits, near } = get(chatMenuAtom).find(rest, MOST + 1);
  const [only, other] = hits;
  if (only && !other) return answer(only);
  const some = (hits.length > 0 ? hits : near).slice(0, MOST);
  if (some.length === 0) return said([t.dishWhich], [{ label: t.dishMenu, path: '/menu' }], { asks });
  return said([hits.length > 0 ? t.dishWhich : t.dishNear], [...choices(some), searchFor(rest)], { asks });
}
const seeDish = (item: MenuItem): ChatChoice => ({
  label: t.dishSee({ dish: item.name }),
  path:
    item.kind === 'DEAL'
      ? `/combo/${item.id}`
      : item.customisable
        ? `/customise/${item.id}`
        : `/search?q=${encodeURIComponent(item.name)}`,
});

/** What is declared for a dish; where an allergen was asked for, that this is never all. */
const allergenLines = (desk: Desk, item: MenuItem, isAllergen = true) => [
  t.allergensOf({
    dish: item.name,
    allergens:
      item.allergens.length > 0
        ? customiseText.contains({ allergens: desk.get(allergensTextAtom)(item.allergens) })
        : customiseText.noAllergen,
  }),
  item.customisable ? t.allergensBuilt : '',
  isAllergen ? documents.foodText : '',
];

const allergens: Answerer = (desk) =>
  withDish(desk, (item) => said(allergenLines(desk, item), [seeDish(item)], { asks: { do: 'allergens' } }));

const made: Answerer = (desk) =>
  withDish(desk, (item) =>
    said([t.madeOf({ dish: item.name, text: item.description }), ...allergenLines(desk, item)], [seeDish(item)], {
      asks: { do: 'made' },
    }),
  );

const byWord = (things: readonly Thing[]): (readonly Thing[])[] =>
  [...new Set(things.map(({ word }) => word))].slice(0, MOST).map((word) => things.filter((one) => one.word === word));
/** Whether a dish has any of what a word means. */
const hasAny = (desk: Desk, item: MenuItem, meant: readonly Thing[]) =>
  meant.some(({ meaning }) => ['declared', 'named'].includes(desk.get(chatMenuAtom).verdictOf(item, meaning)));

/** Whether something is in a dish: declared, named, or not named, which is no "no". */
function containsLine(desk: Desk, item: MenuItem, meant: readonly Thing[]): string {
  const words = { dish: item.name, thing: meant[0]!.word };
  if (hasAny(desk, item, meant)) return t.contains(words);
  const verdicts = meant.map(({ meaning }) => desk.get(chatMenuAtom).verdictOf(item, meaning));
  if (verdicts.every((verdict) => verdict === 'without')) return t.madeWithout({ dish: item.name });
  return verdicts.includes('chosen') ? t.containsChosen({ dish: item.name }) : t.containsUnnamed(words);
}
const contains: Answerer = (desk) =>
  withDish(desk, (item) => {
    const { things } = foodIn(desk);
    const isOnionAsked = things.some(({ meaning }) => meaning === 'onion' || meaning === 'garlic');
    return said(
      [
        ...byWord(things).map((meant) => containsLine(desk, item, meant)),
        isOnionAsked && item.noOnionGarlic === 'onRequest' ? t.madeOnRequest({ dish: item.name }) : '',
        t.madeOf({ dish: item.name, text: item.description }),
        ...allergenLines(
          desk,
          item,
          things.length === 0 || things.some(({ meaning }) => allergenOf(meaning) !== undefined),
        ),
      ],
      [seeDish(item)],
    );
  });

const listOf = (items: readonly MenuItem[]) =>
  items
    .slice(0, MOST_LISTED)
    .map(({ name }) => name)
    .join(', ');

/** For whoever must not eat something: which dishes have it, and which do not, as far as the menu declares. */
const free: Answerer = (desk) => {
  const { get, act } = desk;
  const { things, unknown, without } = foodIn(desk);
  if (things.length === 0 && unknown.length === 0) return allergens(desk);
  const { find } = get(chatMenuAtom);
  const { hits, unknown: untold, cautions } = find(without, MOST_LISTED);
  const lines = byWord(things).map((meant) => {
    const [{ word }] = meant as readonly [Thing];
    const having = get(menuAtom).items.filter((item) => hasAny(desk, item, meant));
    return having.length === 0 ? t.freeNone({ thing: word }) : t.freeWith({ thing: word, dishes: listOf(having) });
  });
  const { lines: found, choices } = dishesAs(desk, hits, without, hits.length > 0 ? t.dishesFit : searchText.nothing);
  if (untold.length > 0)
    return said(
      [...lines, untoldText(desk, untold), documents.foodText],
      [{ label: t.askPerson, act: { do: 'person' } }],
    );
  const { place: strange } = get(understandAtom)(act.text ?? '');
  const missed = strange === '' ? '' : t.freeNot({ words: strange });
  const notes = cautions.filter((one) => one !== 'halal').map((caution) => searchText.caution({ caution }));
  return said([...lines, ...notes, ...found, missed, documents.foodText], choices, { asks: { do: act.do } });
};

const priceLine = (desk: Desk, item: MenuItem) => {
  const amount = moneyOf(desk, item.prices[firstSize(item)] ?? ZERO);
  return (Object.keys(item.prices).length > 1 ? t.dishPriceFrom : t.dishPrice)({ dish: item.name, amount });
};

/** Dishes with their prices, and the ways to them. */
const dishesAs = (desk: Desk, items: readonly MenuItem[], query: string, title: string) => ({
  lines: [title, ...items.slice(0, MOST).map((item) => priceLine(desk, item))],
  choices: [...items.slice(0, MOST).map(seeDish), searchFor(query)],
});

/** Dishes that are without something, fit a diet or cost so much, as the search finds them. */
const find: Answerer = (desk) => {
  const { query } = foodIn(desk);
  const { hits, near, cautions, unknown, missed } = desk.get(chatMenuAtom).find(query, MOST);
  // Words that say nothing to the search are not in its query.
  const { place } = desk.get(understandAtom)(desk.act.text ?? '');
  const strange = place.split(' ').filter((word) => /\D/.test(word) && !query.includes(word));
  const notes = [
    unknown.length > 0 ? untoldText(desk, unknown) : '',
    missed.length > 0 ? searchText.missed({ words: missed.join(' '), number: helpNumber(desk) }) : '',
    strange.length > 0 ? t.freeNot({ words: strange.join(' ') }) : '',
    ...cautions.map((caution) => (caution === 'halal' ? halalText(desk) : searchText.caution({ caution }))),
  ];
  const wrong: ChatChoice = { label: t.askWrong, act: { do: 'issues' } };
  if (unknown.length > 0 || hits.length + near.length === 0)
    return said(
      [...notes, unknown.length > 0 ? '' : searchText.nothing],
      [{ label: t.dishMenu, path: '/menu' }, wrong],
    );
  const isNear = hits.length === 0;
  const { lines, choices } = dishesAs(desk, isNear ? near : hits, query, isNear ? t.dishNear : t.dishesFit);
  return said([...notes, ...lines], [...choices, wrong]);
};

const helpNumber = ({ get }: Desk) => writtenPhone(get(countryAtom).HELP_DESK_NO, get(countryAtom));
const halalText = (desk: Desk) => searchText.halal({ number: helpNumber(desk) });
/** Of what the menu says for no dish whether it is in it. */
const untoldText = (desk: Desk, words: readonly string[]) =>
  searchText.unknown({ words: words.join(', '), number: helpNumber(desk) });
const halal: Answerer = (desk) => said([halalText(desk)], [{ label: t.askPerson, act: { do: 'person' } }]);

/** The dishes that cost least, of those that the question names, such as pizzas. */
const cheap: Answerer = (desk) => {
  const { get } = desk;
  const { query, without } = foodIn(desk);
  const { hits, unknown, missed } = get(chatMenuAtom).find(query, get(menuAtom).items.length);
  // What nobody knows to be without something is not the cheapest without it.
  if (unknown.length > 0 || missed.length > 0 || (hits.length === 0 && without !== '')) return find(desk);
  const priceOf = (item: MenuItem) => item.prices[firstSize(item)] ?? Infinity;
  const items = (hits.length > 0 ? hits : get(menuAtom).items).filter((item) => !item.soldOut);
  const least = [...items].sort((a, b) => priceOf(a) - priceOf(b)).slice(0, MOST);
  const { lines, choices } = dishesAs(desk, least, query, t.dishesFit);
  return said(lines, [...choices, { label: t.askOffers, act: { do: 'offers' } }]);
};

/** What is ordered most, of what the question names and lets be in it. */
const popular: Answerer = (desk) => {
  const { get } = desk;
  const { query, facts } = foodIn(desk);
  const { items } = get(menuAtom);
  const { hits, unknown, missed } = get(chatMenuAtom).find(query, items.length);
  if (unknown.length > 0 || missed.length > 0) return find(desk);
  const isAny = hits.length === 0 && !facts.includes('diet') && !facts.includes('chooses');
  const best = (isAny ? items : hits).filter(({ tags, soldOut }) => tags.includes('bestseller') && !soldOut);
  if (best.length === 0) return find(desk);
  const { lines, choices } = dishesAs(desk, best, query, `${firstText.bestsellersText}:`);
  return said(lines, choices);
};

/** Two recipes on one pizza. */
const half: Answerer = () =>
  said([t.half({ title: customiseText.halvesTitle })], [{ label: t.dishMenu, path: '/menu' }]);

/** What can be chosen for a pizza: where it is chosen, it has its price. */
const recipe: Answerer = (desk) => {
  const { dishes } = foodIn(desk);
  return said([t.recipe], [...dishes.slice(0, MOST).map(seeDish), { label: t.dishMenu, path: '/menu' }]);
};

const dish: Answerer = (desk) =>
  withDish(desk, (item) => {
    if (item.soldOut) return said([t.dishOut({ dish: item.name })], [seeDish(item)]);
    return said(
      [priceLine(desk, item)],
      [seeDish(item), { label: t.askAllergens, act: { do: 'allergens', text: item.name } }],
    );
  });

/** The sizes of pizzas at the store. @throws Failure */
async function sizesOf({ get }: Desk): Promise<contract.Builder['sizes']> {
  const { builder } = await get(apiAtom).call(contract.toppings, { storeId: get(storeIdAtom) });
  return builder.sizes;
}
const calories: Answerer = (desk) =>
  withDish(desk, async (item) => {
    const sizes = await sizesOf(desk);
    const lines = Object.entries(item.kcal).map(([size, kcal]) => {
      const name = sizes.find(({ id }) => id === size)?.name;
      return `${name === undefined ? item.name : `${item.name}, ${name}`}: ${customiseText.kcal({ kcal })}`;
    });
    return said([...lines, item.customisable ? t.caloriesBuilt : ''], [seeDish(item)], { asks: { do: 'calories' } });
  });

const spicy: Answerer = (desk) =>
  withDish(desk, (item) =>
    said(
      [`${item.name}: ${item.spice === 0 ? menuText.mild : firstText.spice({ spice: item.spice })}`],
      [seeDish(item), searchFor(menuText.mild)],
      { asks: { do: 'spicy' } },
    ),
  );

const servesLines = async (desk: Desk) =>
  (await sizesOf(desk)).map(({ name, serves: people }) => `${name}: ${customiseText.serves({ people })}`);
const serves: Answerer = async (desk) => said(await servesLines(desk), [{ label: t.dishMenu, path: '/menu' }]);
const party: Answerer = async (desk) =>
  said(
    [t.party, ...(await servesLines(desk))],
    [
      { label: t.dishMenu, path: '/menu' },
      { label: t.askPerson, act: { do: 'person' } },
    ],
  );

export const aboutFood = {
  allergens,
  made,
  contains,
  free,
  find,
  cheap,
  halal,
  popular,
  half,
  recipe,
  party,
  dish,
  calories,
  spicy,
  serves,
} satisfies Record<string, Answerer>;
