import * as t from '#text/chat.ts';
import * as customiseText from '#text/customise.ts';
import * as documents from '#text/documents.ts';
import * as firstText from '#text/first.ts';
import * as coupons from '../../contract/coupons.ts';
import type { MenuItem } from '../../contract/menu.ts';
import * as stores from '../../contract/stores.ts';
import { understand } from '../../domain/chat/understand.ts';
import { find } from '../../domain/search.ts';
import { firstSize } from '../../domain/sizes.ts';
import { ZERO } from '../../domain/money.ts';
import { chatMenuAtom, type ChatAnswer, type ChatChoice } from '../../state/chat.ts';
import { bestOfferAtom, combinedState } from '../../state/coupons.ts';
import { countryAtom } from '../../state/country.ts';
import { cartCountAtom } from '../../state/first/cart.ts';
import { isStoreGuessedAtom, storeIdAtom } from '../../state/first/location.ts';
import { allergensTextAtom, menuAtom } from '../../state/first/menu.ts';
import { apiAtom } from '../../state/first/seams.ts';

import { hourText } from '../first/hour.ts';
import { moneyOf, said, type Answerer, type Desk } from './desk.ts';

const MOST = 3;

/** What the offers page shows first: the best for the cart, else what runs at the store. */
const offers: Answerer = async (desk) => {
  const { get, set } = desk;
  const all: ChatChoice = { label: t.offersAll, path: '/offers' };
  if (get(cartCountAtom) > 0) {
    await set(combinedState.load);
    const { failure } = get(combinedState.atom);
    if (failure) throw failure;
    const { best } = get(bestOfferAtom);
    if (best) return said([t.offersMine({ message: best.message })], [all, { label: t.toCart, path: '/cart' }]);
  }
  const storeId = get(storeIdAtom);
  const { call } = get(apiAtom);
  const [{ offers: running }, { store }] = await Promise.all([
    call(coupons.ofStore, { storeId, query: { includePartnerOffer: 'true' } }),
    call(stores.byId, { storeId, query: {} }),
  ]);
  if (running.length === 0) return said([t.offersNone], [all]);
  return said(
    [t.offersSome({ store: store.name }), ...running.slice(0, MOST).map(({ code, title }) => `${title} (${code})`)],
    [all],
  );
};

const hours: Answerer = async ({ get }) => {
  const choose: ChatChoice = { label: t.findStore, path: '/postorder-ui/nearestStore' };
  if (get(isStoreGuessedAtom)) return said([t.hoursNoStore], [choose]);
  const { store } = await get(apiAtom).call(stores.byId, { storeId: get(storeIdAtom), query: {} });
  return said([t.hoursOf({ store: store.name, hours: store.hoursText })], [choose]);
};

/** The dish that is meant, or a question which one. Never a dish that only looks a little like it. */
function withDish(desk: Desk, answer: (item: MenuItem) => ChatAnswer): ChatAnswer {
  const { index, words } = desk.get(chatMenuAtom);
  const { act } = desk;
  const named = desk.get(menuAtom).items.find((item) => item.name === act.text);
  if (named) return answer(named);
  const rest = understand(act.text ?? '', words).rest;
  const ask = { do: act.do };
  if (rest === '') return said([t.dishWhich], [{ label: t.dishMenu, path: '/menu' }], { asks: ask });
  const { hits, near } = find(index, rest, MOST + 1);
  const [only, other] = hits;
  if (only && !other) return answer(only);
  const some = (hits.length > 0 ? hits : near).slice(0, MOST);
  if (some.length === 0) return said([t.dishWhich], [{ label: t.dishMenu, path: '/menu' }], { asks: ask });
  return said(
    [hits.length > 0 ? t.dishWhich : t.dishNear],
    [
      ...some.map(({ name }) => ({ label: name, act: { ...ask, text: name } })),
      { label: t.dishSearch, path: `/search?q=${encodeURIComponent(rest)}` },
    ],
    { asks: ask },
  );
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

const allergens: Answerer = (desk) =>
  withDish(desk, (item) =>
    said(
      [
        t.allergensOf({
          dish: item.name,
          allergens:
            item.allergens.length > 0
              ? customiseText.contains({ allergens: desk.get(allergensTextAtom)(item.allergens) })
              : customiseText.noAllergen,
        }),
        item.customisable ? t.allergensBuilt : '',
        documents.foodText,
      ],
      [seeDish(item)],
      { asks: { do: 'allergens' } },
    ),
  );

const dish: Answerer = (desk) =>
  withDish(desk, (item) => {
    if (item.soldOut) return said([t.dishOut({ dish: item.name })], [seeDish(item)]);
    const amount = moneyOf(desk, item.prices[firstSize(item)] ?? ZERO);
    const isSized = Object.keys(item.prices).length > 1;
    return said(
      [(isSized ? t.dishPriceFrom : t.dishPrice)({ dish: item.name, amount })],
      [seeDish(item), { label: t.askAllergens, act: { do: 'allergens', text: item.name } }],
    );
  });

const fees: Answerer = (desk) => {
  const { delivery, freeDeliveryFrom } = desk.get(countryAtom).fees;
  return said([t.fees({ fee: moneyOf(desk, delivery), free: moneyOf(desk, freeDeliveryFrom) })]);
};

const promise: Answerer = (desk) => {
  const { guarantee } = desk.get(countryAtom);
  return said([
    `${firstText.trustTime({ minutes: guarantee.minutes })}. ${firstText.trustTimeText({
      nightMinutes: guarantee.nightMinutes,
      nightFrom: hourText(guarantee.nightFrom),
      nightTo: hourText(guarantee.nightTo),
      pizzas: guarantee.bulkFromPizzas,
      amount: moneyOf(desk, guarantee.maxLiability),
    })}`,
  ]);
};

export const aboutShop = { offers, hours, allergens, dish, fees, promise } satisfies Record<string, Answerer>;
