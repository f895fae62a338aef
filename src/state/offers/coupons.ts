import { atom } from 'jotai';
import * as z from 'zod/mini';
import { Failure, isFailure } from '../../api/failure.ts';
import * as contract from '../../contract/coupons.ts';
import type { Cart } from '../../contract/cart.ts';
import { sleep } from '../../domain/sleep.ts';
import { ownPath } from '../../domain/safeRedirect.ts';
import { aboutCart, lastSentAtom, loadCartAtom, syncCartAtom } from '../cart/cart.ts';
import { cartAtom, cartCountAtom, isCartWaitingAtom } from '../first/cart.ts';
import { isSlowAtom } from '../base/network.ts';
import { customerAtom } from '../lib/forget.ts';
import { kept } from '../first/lib/kept.ts';
import { remote } from '../lib/remote.ts';
import { apiAtom, hostAtom, pathAtom } from '../first/seams.ts';
import { cartIdAtom } from '../base/session.ts';
import { tasks } from '../base/task.ts';

/** Partner offers are left out inside a host (product.md C05b). */
export const partnerOfferAtom = atom((get) => (get(hostAtom).fullMode ? ('true' as const) : ('false' as const)));

/** The text in the offer-code box; kept until the code is applied. */
export const typedCodeAtom = customerAtom('');
/** Busy with the code that is applied or removed. promoInvalid of the specification stands beside the typed code. */
export const couponTasks = tasks<'code'>();
/** Confetti flag and message of the last applied code. */
export const confettiAtom = customerAtom<{ message: string; subMessage: string } | null>(null);
/** The last applied code (couponCode of the specification). */
export const couponCodeAtom = kept({ key: 'coupon-code', schema: z.string(), initial: '', forget: 'logout' });
/** Whether that code is on the cart now. */
export const isPromoAppliedAtom = kept({
  key: 'is-promo-applied',
  schema: z.boolean(),
  initial: false,
  forget: 'logout',
});
export const codesOn = (cart: Cart): readonly string[] =>
  cart.offers.filter(({ status }) => status === 'APPLIED').map(({ code }) => code);

/** Follows the server's cart, whoever has changed it: an offer that ended is no longer applied. */
export const noteCouponAtom = atom(null, (get, set) => {
  const cart = get(cartAtom);
  set(isPromoAppliedAtom, cart !== null && codesOn(cart).includes(get(couponCodeAtom)));
});

/** The payment mode that an applied offer requires; null when none does. */
export const offeredModeAtom = atom(
  (get) => get(cartAtom)?.offers.find((offer) => offer.status === 'APPLIED' && offer.paymentId)?.paymentId ?? null,
);

/**
 * The server answers WAIT while it still works on the last change of the cart. It is asked this often automatically,
 * after that by the customer.
 */
const WAIT_TRIES = 4;
const WAIT_MS = 700;
/** The offers shown last; they stay while the server says WAIT. */
const shownOffersAtom = customerAtom<z.output<typeof contract.combined.reply>['combinedOffers'] | null>(null);

/** All offers in groups, with SUCCESS, FAILED or WAIT (specification section 4). */
export const combinedState = remote(
  async (get, set, signal) => {
    const { call, ensureSession } = get(apiAtom);
    await ensureSession();
    if (get(isCartWaitingAtom)) await set(syncCartAtom);
    const cartId = get(cartIdAtom) ?? '';
    const asked = get(cartAtom)?.version;
    const last = get(lastSentAtom);
    const query = {
      sortOn: 'SAVINGS' as const,
      includePartnerOffer: get(partnerOfferAtom),
      ...(last?.cartId === cartId ? { afterOperation: last.operationId } : {}),
      // A code that was used before is looked for in the lists (codeAgainAtom).
      ...(get(isSlowAtom) && get(pathAtom).startsWith('/cart') && get(couponCodeAtom) === ''
        ? { adviceOnly: 'true' as const }
        : {}),
    };
    let reply = await call(contract.combined, { cartId, query }, { signal });
    for (let tries = 1; reply.status === 'WAIT' && tries < WAIT_TRIES && !signal.aborted; tries += 1) {
      await sleep(WAIT_MS, signal);
      reply = await call(contract.combined, { cartId, query }, { signal });
    }
    const held = get(shownOffersAtom);
    if (reply.status === 'WAIT') return { ...reply, ...(held ? { combinedOffers: held } : {}), version: undefined };
    set(shownOffersAtom, reply.combinedOffers ?? null);
    return { ...reply, version: asked ?? get(cartAtom)?.version };
  },
  { about: aboutCart },
);
/** Loads them unless they are known, and not only awaited. */
export const renewOffersAtom = atom(null, (get, set): Promise<void> =>
  set(combinedState[get(combinedState.atom).data?.status === 'WAIT' ? 'load' : 'renew']),
);
/** The best combination, if it was worked out for the cart as it is now. */
export const bestOfferAtom = atom((get) => {
  const { data } = get(combinedState.atom);
  return data && data.version === get(cartAtom)?.version ? { best: data.best, suggestion: data.suggestion } : {};
});
/**
 * How far the customer has come towards every reward that takes several orders. Reads the rewards from the offers
 * loaded before.
 */
export const milestonesState = remote(async (get, _set, signal) => {
  const offers = get(combinedState.atom).data?.combinedOffers?.coupons.flatMap((group) => group.list) ?? [];
  const codes = offers.filter((offer) => offer.labelType === 'general_milestone').map((offer) => offer.code);
  return await Promise.all(
    codes.map((couponCode) => get(apiAtom).call(contract.milestone, { couponCode }, { signal })),
  );
});
/** The rewards that stand at the top of the page of offers after an order: not those that are over. */
export const rewardsShownAtom = atom((get) =>
  get(pathAtom).startsWith('/postorder-ui/')
    ? (get(milestonesState.atom).data ?? []).filter(({ isOver }) => isOver !== true)
    : [],
);
/** Whether the offers page shows what runs at the store: there is nothing in the cart that an offer could fit. */
export const isStoreShownAtom = atom(false);
/** Loads the offers again when the cart has changed while they are on screen; with its first dish they are the cart's. */
export const freshenOffersAtom = atom(null, (get, set) => {
  set(noteCouponAtom);
  const { data, status } = get(combinedState.atom);
  const cart = get(cartAtom);
  const [, where] = /^\/(cart|offers)\b/.exec(get(pathAtom)) ?? [];
  if (!cart || where === undefined || status === 'loading') return;
  const isOfStore = where === 'offers' && get(isStoreShownAtom);
  if (isOfStore ? get(cartCountAtom) === 0 : !data || data.version === cart.version) return;
  set(isStoreShownAtom, false);
  void set(combinedState.load);
});
/** An offer has run out: loads what the cart costs now and which offers there are. */
export const offerEndedAtom = atom(null, async (get, set): Promise<void> => {
  await set(loadCartAtom).catch((thrown: unknown) => {
    if (!isFailure(thrown)) throw thrown;
  });
  if (get(combinedState.atom).data) await set(combinedState.load);
});

/** The code that was used last, where this cart could have it again by a tap; null where it has it, or could not. */
export const codeAgainAtom = atom((get): string | null => {
  const code = get(couponCodeAtom);
  const offers = get(combinedState.atom).data?.combinedOffers?.coupons.flatMap((group) => group.list) ?? [];
  const isThere = offers.some((offer) => offer.code === code && offer.status === 'AVAILABLE');
  return isThere && !get(isPromoAppliedAtom) ? code : null;
});

/** Offers for a card. Only its first six digits are sent (specification section 5; requirement CART-16). */
export const cardOffersState = remote(async (get, _set, signal, cardInitialDigits: string) =>
  get(apiAtom).call(
    contract.byBin,
    { cartId: get(cartIdAtom) ?? '', cardInitialDigits, query: { includePartnerOffer: get(partnerOfferAtom) } },
    { signal },
  ),
);

const termsHeldAtom = customerAtom<Readonly<Record<string, readonly string[]>>>({});
/** tncList of the specification, by code; filled when somebody opens an offer's details. */
export const termsAtom = atom((get) => get(termsHeldAtom));
/** Loads the terms of an offer. Silent when that fails: what the offer itself says stays. */
export const loadTermsAtom = atom(null, async (get, set, code: string): Promise<void> => {
  if (code in get(termsHeldAtom)) return;
  const reply = await get(apiAtom)
    .call(contract.terms, { code })
    .catch(() => null);
  if (reply) set(termsHeldAtom, (now) => ({ ...now, [code]: reply.tncList }));
});

/** An offer's own text; neither it nor a failure while it is on its way the first time. */
interface OfferText {
  readonly text: string | null;
  readonly failure: Failure | null;
  readonly isLoading: boolean;
}
const textsHeldAtom = customerAtom<Readonly<Record<string, OfferText>>>({});
/** Texts of offers in plain words, by code; filled when somebody opens an offer's details. */
export const offerTextsAtom = atom((get) => get(textsHeldAtom));
/** Loads the text that an offer's `textHref` leads to, once; after a failure it may be asked for again. */
export const loadOfferTextAtom = atom(
  null,
  async (get, set, { code, textHref = '' }: { code: string; textHref?: string | undefined }): Promise<void> => {
    const held = get(textsHeldAtom)[code];
    // A path of the server's own: nothing else is asked with the customer's headers.
    if (ownPath(textHref) === null || held?.isLoading || typeof held?.text === 'string') return;
    const put = (text: OfferText) => set(textsHeldAtom, (now) => ({ ...now, [code]: text }));
    put({ text: null, failure: held?.failure ?? null, isLoading: true });
    try {
      const { text } = await get(apiAtom).call({ ...contract.textOf, path: textHref }, { code });
      put({ text, failure: null, isLoading: false });
    } catch (thrown) {
      const failure = isFailure(thrown) ? thrown : new Failure('broken', { cause: thrown });
      put({ text: null, failure, isLoading: false });
    }
  },
);
