import * as contract from '../../contract/favouriteOrders.ts';
import { on, type Route } from '../call/route.ts';
import { favouriteCards, likeliestCard, recommendedCards } from '../rules/order/favouriteOrders.ts';

export const favouriteOrderRoutes: Route[] = [
  on(contract.summary, async (_input, call) => ({ orderSummary: await favouriteCards(call) })),
  on(contract.easy, async (_input, call) => ({ favourite: await likeliestCard(call) })),
  on(contract.recommendations, async (_input, call) => ({ favourites: await recommendedCards(call) })),
];
