import * as paylinks from '../../contract/paylinks.ts';
import { on, type Route } from '../call/route.ts';
import { collectByLink, openLink, payByLink } from '../rules/checkout/payLinks.ts';

export const payLinkRoutes: Route[] = [
  on(paylinks.byToken, async ({ token }, call) => ({ link: await openLink(call, token) })),
  on(paylinks.pay, (input, call) => payByLink(call, input)),
  on(paylinks.collect, async ({ token, body }, call) => ({ link: await collectByLink(call, token, body.vpa) })),
];
