import * as assistants from '../../contract/assistants.ts';
import type { EndpointInput } from '../../contract/endpoint.ts';
import { on, type Route } from '../call/route.ts';
import { estimateOf } from '../rules/assistants/estimate.ts';
import { checkoutNow, confirmQuote, endCheckout, prepareQuote, quoteNow } from '../rules/assistants/quotes.ts';
import { answerGrant, grantAsked, issuerOf, type GrantRequest } from '../rules/assistants/grants.ts';

const requestOf = (query: EndpointInput<typeof assistants.grant>['query']): GrantRequest => ({
  clientId: query.client_id,
  redirect: query.redirect_uri,
  challenge: query.code_challenge,
  method: query.code_challenge_method,
  responseType: query.response_type,
  scope: query.scope ?? '',
  state: query.state ?? '',
});

export const assistantRoutes: Route[] = [
  on(assistants.estimate, ({ body }, call) => estimateOf(call, body)),
  on(assistants.grant, ({ query }, call) => grantAsked(call, requestOf(query))),
  on(assistants.answer, async ({ body: { request, isAllowed } }, call) => ({
    goTo: await answerGrant(call, requestOf(request), isAllowed, issuerOf(call.services.origin, call.caller.country)),
  })),
  on(assistants.quote, async ({ body }, call) => ({ quote: await prepareQuote(call, body) })),
  on(assistants.checkout, async ({ checkoutId }, call) => ({ quote: await checkoutNow(call, checkoutId) })),
  on(assistants.withdraw, async ({ checkoutId }, call) => ({ quote: await endCheckout(call, checkoutId) })),
  on(assistants.quoteById, async ({ quoteId }, call) => ({ quote: await quoteNow(call, quoteId) })),
  on(assistants.confirm, ({ quoteId, body }, call) => confirmQuote(call, quoteId, body)),
];
