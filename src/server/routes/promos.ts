import * as payments from '../../contract/payments.ts';
import { on, type Route } from '../call/route.ts';
import { promoOnPayment } from '../rules/checkout/paymentPromo.ts';

export const promoRoutes: Route[] = [
  on(payments.applyPromo, (input, call) => promoOnPayment(call, payments.applyPromo, input)),
  on(payments.removePromo, (input, call) => promoOnPayment(call, payments.removePromo, input)),
];
