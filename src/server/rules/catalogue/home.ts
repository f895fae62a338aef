import type * as z from 'zod/mini';
import type * as contract from '../../../contract/home.ts';
import { money } from '../../../contract/price.ts';
import { isWithin, localTime } from '../../../domain/hours.ts';
import { promiseMinutes } from '../../../domain/promise.ts';
import { categoriesOf, widgetsOf } from './menu.ts';
import { t, translated } from '../../call/language.ts';
import type { CountryCatalogue } from '../../call/catalogue.ts';
import { hashOf } from './catalogue.ts';
import { servedByDeal, servesOf } from './servings.ts';
import type { SeedItem } from '../../store/seeds.ts';

type Party = z.output<typeof contract.party.reply>;
type PartyItem = Party['groups'][number]['items'][number];

/**
 * The party menu: combos that feed several people, the largest pizzas, sides, desserts and drinks. `guests` adds a
 * plan.
 */
export function partyMenu(
  catalogue: CountryCatalogue,
  soldOut: ReadonlySet<string>,
  { guests, isVeg }: { readonly guests: number | null; readonly isVeg: boolean },
): Omit<Party, 'status'> {
  const isEaten = ({ foodType }: { readonly foodType: string }) => !isVeg || foodType === 'VEG';
  const { seeds } = catalogue;
  const dishes = (kinds: readonly SeedItem['kind'][]): PartyItem[] =>
    seeds.items
      .filter((item) => kinds.includes(item.kind) && !soldOut.has(item.id) && isEaten(item))
      .map((item) => {
        const size = (['L', 'M', 'R', 'ONE'] as const).find((one) => item.prices[one] !== undefined)!;
        const serves = servesOf(catalogue, item, size);
        return {
          productId: item.id,
          ...(size === 'ONE' ? {} : { size }),
          price: money(item.prices[size]!),
          serves: serves > 0 ? serves : null,
        };
      });
  const combos = seeds.deals
    .filter((deal) => !soldOut.has(deal.id) && deal.availableFrom === undefined && isEaten(deal))
    .map((deal): PartyItem => ({ productId: deal.id, price: money(deal.price), serves: servedByDeal(catalogue, deal) }))
    .filter((deal) => (deal.serves ?? 0) >= 2)
    .sort((a, b) => (b.serves ?? 0) - (a.serves ?? 0));
  const groups = [
    { title: t.partyCombos, items: combos },
    { title: t.partyPizzas, items: dishes(['PIZZA']) },
    { title: t.partySides, items: dishes(['SIDE', 'CHICKEN']) },
    { title: t.partyDesserts, items: dishes(['DESSERT']) },
    { title: t.partyDrinks, items: dishes(['BEVERAGE']) },
  ].filter((group) => group.items.length > 0);
  const plan =
    guests === null
      ? null
      : planFor(
          guests,
          groups.slice(0, 2).flatMap((group) => group.items),
        );
  return { version: hashOf(groups), title: t.partyTitle, groups, ...(plan ? { plan } : {}) };
}

/** The cheapest set of items that feeds this many guests; null if there is none. */
function planFor(guests: number, items: readonly PartyItem[]): NonNullable<Party['plan']> | null {
  const useful = items.filter((item) => (item.serves ?? 0) > 0);
  if (useful.length === 0) return null;
  const cheapest: { price: number; item: PartyItem | null }[] = [{ price: 0, item: null }];
  for (let fed = 1; fed <= guests; fed += 1) {
    let top = { price: Infinity, item: null as PartyItem | null };
    for (const item of useful) {
      const price = item.price + (cheapest[Math.max(0, fed - (item.serves ?? 0))]?.price ?? Infinity);
      if (price < top.price) top = { price, item };
    }
    cheapest.push(top);
  }
  const counts = new Map<PartyItem, number>();
  let serves = 0;
  for (let left = guests; left > 0;) {
    const item = cheapest[left]?.item;
    if (!item) return null;
    counts.set(item, (counts.get(item) ?? 0) + 1);
    serves += item.serves ?? 0;
    left = Math.max(0, left - (item.serves ?? 0));
  }
  const lines = [...counts].map(([{ productId, size }, quantity]) => ({
    productId,
    ...(size === undefined ? {} : { size }),
    quantity,
  }));
  return { guests, serves, price: money(cheapest[guests]?.price ?? 0), lines };
}

/**
 * What the shop has to tell the customers of a store at this hour: what the catalogue has switched on there, and what
 * the shop tells there now (`told`). The id names this very message: another text is another
 * alert, also for who has dismissed the one before.
 */
export function alertsAt(
  { country, seeds }: Pick<CountryCatalogue, 'country' | 'seeds'>,
  storeId: string,
  told: ReadonlySet<string>,
  now: number,
): { id: string; message: string }[] {
  const { minutes } = localTime(now, country.timeZone);
  return seeds.content.alerts
    .filter(
      ({ id, active, storeIds, from, to }) =>
        (told.has(id) || (active && (storeIds.length === 0 || storeIds.includes(storeId)))) &&
        (from === undefined || to === undefined || isWithin(minutes, from, to)),
    )
    .map(({ id, message, messages }) => ({
      id: `${id}-${hashOf(message)}`,
      message: translated(message, messages),
    }));
}

/** Home page data of a store. `menuVersion` tells the client whether its stored menu is still current. */
export function homeOf(
  catalogue: CountryCatalogue,
  storeId: string,
  menuVersion: string,
  blocked: readonly string[],
  told: ReadonlySet<string>,
  now: number,
): Omit<z.output<typeof contract.home.reply>, 'status'> {
  const { country } = catalogue;
  return {
    storeId,
    menuVersion,
    categories: categoriesOf(catalogue),
    widgets: widgetsOf(catalogue, storeId, blocked, 'home'),
    alerts: alertsAt(catalogue, storeId, told, now),
    promise: { minutes: promiseMinutes(now, country), maxLiability: country.guarantee.maxLiability },
  };
}
