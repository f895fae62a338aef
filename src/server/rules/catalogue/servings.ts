import type { Size } from '../../../contract/names.ts';
import { firstSize } from '../../../domain/sizes.ts';
import type { CountryCatalogue } from '../../call/catalogue.ts';
import { t } from '../../call/language.ts';
import type { SeedDeal, SeedItem } from '../../store/seeds.ts';

/** How many people something feeds, for certain and at most. */
interface Servings {
  readonly least: number;
  readonly most: number;
}
const NOBODY: Servings = { least: 0, most: 0 };

/** A pizza feeds what its size says ('3-4'), a mini one person; of any other dish nobody can say. */
function servedBy(catalogue: CountryCatalogue, item: SeedItem, size: Size): Servings {
  if (item.kind === 'MINI') return { least: 1, most: 1 };
  if (item.kind !== 'PIZZA') return NOBODY;
  const said = catalogue.builder.sizes.find((entry) => entry.id === size)?.serves ?? '1';
  const [least = 1, most = least] = said.split('-').map(Number);
  return { least, most };
}

/** How many people one piece feeds for certain: a pizza for '2-3' counts as 2, a mini as 1, any other dish as 0. */
export const servesOf = (catalogue: CountryCatalogue, item: SeedItem, size: Size): number =>
  servedBy(catalogue, item, size).least;

/** The dishes that a combo holds unless others are chosen, each in its size. */
export const piecesOf = (catalogue: CountryCatalogue, deal: SeedDeal) =>
  catalogue.slots.get(deal.id)!.flatMap((slot) =>
    slot.defaults.map((id) => {
      const item = catalogue.items.get(id)!;
      return { item, size: slot.size ?? firstSize(item) };
    }),
  );

const servedTogether = (catalogue: CountryCatalogue, deal: SeedDeal): Servings =>
  piecesOf(catalogue, deal)
    .map(({ item, size }) => servedBy(catalogue, item, size))
    .reduce((sum, one) => ({ least: sum.least + one.least, most: sum.most + one.most }), NOBODY);

/** How many people a combo feeds for certain. */
export const servedByDeal = (catalogue: CountryCatalogue, deal: SeedDeal): number =>
  servedTogether(catalogue, deal).least;

/** The units of the servings in the data. */
export const PORTION_UNITS = ['pc', 'cup', 'g', 'ml', 'l'] as const;
/** '6 pc' in the language of the request; what is no amount of a known unit stays as it is. */
export function servingText(serving: string): string {
  const [amount = '', unit] = serving.split(' ');
  const known = PORTION_UNITS.find((one) => one === unit);
  return known === undefined ? serving : t.portion({ amount, unit: known });
}

/**
 * The serving size of a combo, which stands beside its calories (requirement MENU-X05): how many people it feeds, or,
 * where there is no pizza in it, its portions: '6 pc + 2 × 25 g'.
 */
export function servingOfDeal(catalogue: CountryCatalogue, deal: SeedDeal): string {
  const { least, most } = servedTogether(catalogue, deal);
  if (most > 0) return t.servesPeople({ people: least === most ? String(least) : `${least}-${most}` });
  const counts = new Map<string, number>();
  for (const { item } of piecesOf(catalogue, deal))
    if (item.serving !== undefined) counts.set(item.serving, (counts.get(item.serving) ?? 0) + 1);
  return [...counts]
    .map(([serving, count]) => (count === 1 ? servingText(serving) : `${count} × ${servingText(serving)}`))
    .join(' + ');
}
