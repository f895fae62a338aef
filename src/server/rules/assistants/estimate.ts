import type { EndpointInput } from '../../../contract/endpoint.ts';
import type * as contract from '../../../contract/assistants.ts';
import { catalogueHere, type Call } from '../../call/call.ts';
import { priceCart } from '../cart/cart.ts';
import { emptyState, pricingContextOf } from '../cart/pricingContext.ts';

/** Whoever asks without an account is priced as a customer who has not ordered yet. */
const NOBODY = 'nobody';

/** Prices dishes as a cart with them would be priced, without a cart. @throws Refusal 422 STORE_UNKNOWN */
export async function estimateOf(call: Call, body: EndpointInput<typeof contract.estimate>['body']) {
  const { caller, db, now, seen } = call;
  const catalogue = await catalogueHere(call);
  const userId = caller.userId ?? NOBODY;
  const buyer = { country: caller.country, host: caller.host, userId, mobile: caller.mobile };
  const context = await pricingContextOf(db, catalogue, body.storeId, buyer, now, {}, seen);
  const { cart } = priceCart(
    {
      ...emptyState('estimate', userId, context.store.id),
      deliveryType: body.deliveryType,
      lines: body.lines.map(({ quantity, ...wish }, index) => ({
        lineId: `l${index + 1}`,
        quantity,
        removed: false,
        wish,
        changedAt: now,
      })),
      coupons: body.coupons ?? [],
      bestOffer: true,
    },
    context,
  );
  return {
    lines: cart.validItems,
    unavailable: cart.invalidItems.map(({ productId, name, reason, alternativeId }) => ({
      productId,
      name,
      reason,
      ...(alternativeId === undefined ? {} : { alternativeId }),
    })),
    bill: cart.bill,
    offers: cart.offers,
    minimum: cart.minimum,
  };
}
