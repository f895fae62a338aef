import * as t from '#text/chat.ts';
import * as documents from '#text/documents.ts';
import * as firstText from '#text/first.ts';
import * as found from '#text/found.ts';
import * as groupText from '#text/group.ts';
import * as coupons from '../../contract/coupons.ts';
import * as documentContract from '../../contract/documents.ts';
import * as payments from '../../contract/payments.ts';
import * as places from '../../contract/places.ts';
import * as stores from '../../contract/stores.ts';
import { understandAtom, type ChatAnswer, type ChatChoice } from '../../state/menu/chat.ts';
import { bestOfferAtom, combinedState } from '../../state/offers/coupons.ts';
import { countryAtom } from '../../state/base/country.ts';
import { cartCountAtom } from '../../state/first/cart.ts';
import { isOpenAtom } from '../../state/first/config.ts';
import { deliveryTypeAtom, isStoreGuessedAtom, storeIdAtom } from '../../state/first/location.ts';
import { apiAtom } from '../../state/first/seams.ts';
import { hourText } from '../first/hour.ts';
import { hoursOf, takesOf, takingOf } from '../stores/taking.ts';
import { moneyOf, said, type Answerer } from './desk.ts';

const MOST = 3;
const findStore = (): ChatChoice => ({ label: t.findStore, path: '/postorder-ui/nearestStore' });

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
  const choose = findStore();
  if (get(isStoreGuessedAtom)) return said([t.hoursNoStore], [choose]);
  const { store } = await get(apiAtom).call(stores.byId, { storeId: get(storeIdAtom), query: {} });
  return said([t.hoursOf({ store: store.name, hours: hoursOf(store, get(deliveryTypeAtom)) })], [choose]);
};

const fees: Answerer = (desk) => {
  const { delivery, freeDeliveryFrom } = desk.get(countryAtom).fees;
  return said([t.fees({ fee: moneyOf(desk, delivery), free: moneyOf(desk, freeDeliveryFrom) })]);
};

const promise: Answerer = async (desk) => {
  const { guarantee } = desk.get(countryAtom);
  const { store } = await desk.get(apiAtom).call(stores.byId, { storeId: desk.get(storeIdAtom), query: {} });
  const type = desk.get(deliveryTypeAtom);
  const taking = desk.get(isStoreGuessedAtom) ? null : takingOf(store, type);
  if (taking !== null) return said([taking, takesOf(store, type) === 'later' ? t.promiseLater : '']);
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

/** The smallest order, and from where on delivery is free. */
const minimum: Answerer = (desk) => {
  const { minimumOrder } = desk.get(countryAtom);
  const { lines } = fees(desk) as ChatAnswer;
  return said([t.minimum({ amount: moneyOf(desk, minimumOrder) }), ...lines]);
};

/** Whether a store delivers to a place, by the server that suggests places where an address is chosen. */
const place: Answerer = async (desk) => {
  const { act, get } = desk;
  const choose: ChatChoice = { label: t.chooseAddress, path: '/postorder-ui/searchAddress' };
  const asks = { do: 'place' };
  const input = get(understandAtom)(act.text ?? '').place.slice(0, places.LONGEST_PLACE);
  if (input === '') return said([t.placeWhich], [choose], { asks });
  const { predictions } = await get(apiAtom).call(places.autocomplete, {
    query: { input, country: get(countryAtom).GOOGLE_MAP_COUNTRY },
  });
  const [best] = predictions;
  if (!best) return said([t.placeUnknown({ place: input })], [choose], { asks });
  const words = { place: [best.main_text, best.secondary_text].filter(Boolean).join(', ') };
  if (best.delivery === 'YES') return said([t.placeYes(words)], [choose], { asks });
  if (best.delivery === 'NO') return said([t.placeNo(words), t.pickup], [findStore()], { asks });
  return said([t.placePartly(words)], [choose], { asks });
};

const pickup: Answerer = () => said([t.pickup], [findStore()]);
/** How an order goes to somebody else. */
const receiver: Answerer = () => said([t.receiver], [{ label: t.chooseAddress, path: '/postorder-ui/searchAddress' }]);
const later: Answerer = () => said([t.orderLater], [{ label: t.toCart, path: '/cart' }]);

const train: Answerer = ({ get }) =>
  get(isOpenAtom)('deliverontrain')
    ? said([found.trainText], [{ label: found.train, path: '/deliverontrain' }])
    : said([t.trainNot]);

const group: Answerer = ({ get }) =>
  get(isOpenAtom)('groupOrder')
    ? said([groupText.startHow], [{ label: groupText.orderWithOthers, path: '/group' }])
    : said([t.cannot], [{ label: t.askPerson, act: { do: 'person' } }]);

/** The ways of paying that are offered here, with the most that each can pay. */
const pays: Answerer = async (desk) => {
  const { options, funds } = await desk.get(apiAtom).call(payments.options, {});
  const all = [
    ...options.map(({ label, maxAmount }) =>
      maxAmount === undefined ? label : t.payMost({ label, amount: moneyOf(desk, maxAmount) }),
    ),
    ...funds.map(({ label }) => label),
  ];
  return said([t.pays({ ways: all.join(', ') }), t.paysElse]);
};

/** How somebody else can pay for an order, where that is offered. */
const payer: Answerer = async (desk) => {
  const { options } = await desk.get(apiAtom).call(payments.options, {});
  const link = options.find(({ id }) => id === 'LINK');
  return link ? said([`${link.label}: ${link.about}.`], [{ label: t.toCart, path: '/cart' }]) : await pays(desk);
};

/** How an e-voucher pays, where one does. */
const gift: Answerer = async (desk) => {
  const { funds } = await desk.get(apiAtom).call(payments.options, {});
  return said([funds.some(({ id }) => id === 'EGV') ? t.gift : t.giftNot], [{ label: t.toCart, path: '/cart' }]);
};

const coupon: Answerer = () =>
  said(
    [t.couponWhy],
    [
      { label: t.offersAll, path: '/offers' },
      { label: t.toCart, path: '/cart' },
    ],
  );

/** What a part of the terms says, as they stand in this country. */
const ofTerms =
  (headings: () => readonly string[]): Answerer =>
  async ({ get }) => {
    const asked = { ...documentContract.byId, path: get(countryAtom).DEFAULT_TNC_URL };
    const { document } = await get(apiAtom).call(asked, { document: 'terms' });
    const parts = document.sections.filter(({ heading }) => headings().includes(heading));
    return said(
      parts.flatMap(({ paragraphs }) => paragraphs),
      [{ label: documents.terms, path: '/terms' }],
    );
  };
const tax = ofTerms(() => [documents.priceTitle]);
const law = ofTerms(() => [documents.careTitle, documents.whoTitle]);

export const aboutShop = {
  offers,
  hours,
  fees,
  minimum,
  promise,
  place,
  pickup,
  later,
  receiver,
  train,
  group,
  pays,
  payer,
  gift,
  coupon,
  tax,
  law,
} satisfies Record<string, Answerer>;
