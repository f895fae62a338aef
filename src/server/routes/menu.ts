import * as home from '../../contract/home.ts';
import * as menu from '../../contract/menu.ts';
import type { Menu } from '../../contract/menu.ts';
import { blockedIn } from '../call/features.ts';
import { errors, languageAsked } from '../call/language.ts';
import { PreparedReply } from '../call/preparedReply.ts';
import { refuse } from '../call/refusal.ts';
import { onSpoken } from '../call/route.ts';
import type { Route } from '../call/route.ts';
import type { Call } from '../call/call.ts';
import { homeOf, partyMenu } from '../rules/catalogue/home.ts';
import { categoriesOf, dealOf, menuOf, widgetProducts, widgetsOf } from '../rules/catalogue/menu.ts';
import type { CountryCatalogue } from '../call/catalogue.ts';
import { runningOffers } from '../rules/cart/advice.ts';
import { couponStates } from '../store/coupons.ts';
import { soldOutAt, toldAt } from '../store/stores.ts';

const KEPT_AT_MOST = 200;

async function catalogueAt(call: Call, storeId: string): Promise<CountryCatalogue> {
  const catalogue = await call.services.catalogue.of(call.db, call.caller.country, call.seen);
  const store = catalogue.stores.get(storeId);
  if (!store || store.fixture === true) refuse(404, 'NOT_FOUND', errors.notFound, { field: 'storeId' });
  return catalogue;
}

interface MenuReplies {
  readonly menu: Menu;
  readonly whole: PreparedReply;
  readonly unchanged: PreparedReply;
}
/** Menus that were already built, by country, language, catalogue version, store and sold-out products. */
const made = new Map<string, MenuReplies>();

function madeMenu(catalogue: CountryCatalogue, storeId: string, soldOut: ReadonlySet<string>): MenuReplies {
  const key = [
    catalogue.country.COUNTRY_CODE,
    languageAsked(),
    catalogue.version,
    storeId,
    ...[...soldOut].sort(),
  ].join(' ');
  const known = made.get(key);
  if (known) return known;
  const body = menuOf(catalogue, storeId, soldOut);
  const { version } = body;
  const fresh: MenuReplies = {
    menu: body,
    whole: new PreparedReply(JSON.stringify({ status: 'SUCCESS', version, menu: body }), {
      etag: `"${version}"`,
      isKept: true,
    }),
    unchanged: new PreparedReply(JSON.stringify({ status: 'SUCCESS', version }), {
      etag: `"${version}-same"`,
      isKept: true,
    }),
  };
  if (made.size >= KEPT_AT_MOST) made.delete(made.keys().next().value ?? key);
  made.set(key, fresh);
  return fresh;
}

export const menuRoutes: Route[] = [
  onSpoken(menu.byStore, async ({ storeId, query }, call) => {
    const catalogue = await catalogueAt(call, storeId);
    const answer = madeMenu(catalogue, storeId, await soldOutAt(call.db, storeId, call.seen));
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
    const running = runningOffers(catalogue, await couponStates(call.db, call.caller.country), call.now, {
      storeId,
      partnerOffers: call.caller.host === 'web',
    });
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
    } = madeMenu(catalogue, storeId, await soldOutAt(call.db, storeId, call.seen));
    const told = await toldAt(call.db, storeId, call.seen);
    return homeOf(catalogue, storeId, version, blockedIn(call.caller.host), told, call.now);
  }),
];
