import * as home from '../../contract/home.ts';
import * as menu from '../../contract/menu.ts';
import { blockedIn } from '../call/features.ts';
import { errors } from '../call/language.ts';
import { refuse } from '../call/refusal.ts';
import { onSpoken } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import { catalogueHere, type Call } from '../call/call.ts';
import { homeOf, partyMenu } from '../rules/catalogue/home.ts';
import { storeOr404 } from '../rules/catalogue/here.ts';
import { categoriesOf, dealOf, widgetProducts, widgetsOf } from '../rules/catalogue/menu.ts';
import { menuReplies } from '../rules/catalogue/menuReplies.ts';
import type { CountryCatalogue } from '../call/catalogue.ts';
import { offersNow } from '../rules/cart/couponCodes.ts';
import { soldOutAt, toldAt } from '../store/stores.ts';

async function catalogueAt(call: Call, storeId: string): Promise<CountryCatalogue> {
  const catalogue = await catalogueHere(call);
  storeOr404(catalogue, storeId);
  return catalogue;
}

export const menuRoutes: Route[] = [
  onSpoken(menu.byStore, async ({ storeId, query }, call) => {
    const catalogue = await catalogueAt(call, storeId);
    const answer = menuReplies(catalogue, storeId, await soldOutAt(call.db, storeId, call.seen));
    return query.have === answer.menu.version ? answer.unchanged : answer.whole;
  }),
  onSpoken(menu.toppings, async ({ storeId }, call) => ({ builder: (await catalogueAt(call, storeId)).builder })),
  onSpoken(menu.deals, async ({ storeId }, call) => {
    const catalogue = await catalogueAt(call, storeId);
    return { deals: catalogue.seeds.deals.map((deal) => dealOf(catalogue, deal)) };
  }),
  onSpoken(menu.deal, async ({ storeId, dealId }, call) => {
    const catalogue = await catalogueAt(call, storeId);
    const deal = catalogue.deals.get(dealId) ?? refuse(404, 'NOT_FOUND', errors.notFound, { field: 'dealId' });
    return { deal: dealOf(catalogue, deal) };
  }),
  onSpoken(menu.leftMenu, async ({ storeId }, call) => ({
    categories: categoriesOf(await catalogueAt(call, storeId)),
  })),
  onSpoken(menu.widgets, async ({ storeId, query }, call) => {
    const widgets = widgetsOf(await catalogueAt(call, storeId), storeId, blockedIn(call.caller.host), query.page);
    const label = query.label?.toLowerCase();
    return {
      widgets: label === undefined ? widgets : widgets.filter((widget) => widget.label.toLowerCase() === label),
    };
  }),
  onSpoken(menu.widgetContent, async ({ storeId, name }, call) => {
    const catalogue = await catalogueAt(call, storeId);
    const isOpen = widgetsOf(catalogue, storeId, blockedIn(call.caller.host)).some(
      (widget) => widget.links[0]?.href.endsWith(`/${name}`) === true,
    );
    const content = isOpen ? widgetProducts(catalogue, name, await soldOutAt(call.db, storeId, call.seen)) : null;
    if (content === null) return refuse(404, 'NOT_FOUND', errors.notFound, { field: 'name' });
    const { title, productIds, withOffers } = content;
    if (!withOffers) return { title, productIds };
    const running = await offersNow(call, storeId, undefined);
    return { title, productIds, couponCodes: running.map(({ code }) => code) };
  }),
  onSpoken(home.party, async ({ storeId, query }, call) =>
    partyMenu(await catalogueAt(call, storeId), await soldOutAt(call.db, storeId, call.seen), {
      guests: query.guests === undefined ? null : Number(query.guests),
      isVeg: query.veg === 'true',
    }),
  ),
  onSpoken(home.home, async ({ storeId }, call) => {
    const catalogue = await catalogueAt(call, storeId);
    const {
      menu: { version },
    } = menuReplies(catalogue, storeId, await soldOutAt(call.db, storeId, call.seen));
    const told = await toldAt(call.db, storeId, call.seen);
    return homeOf(catalogue, storeId, version, blockedIn(call.caller.host), told, call.now);
  }),
];
