import type { Country } from '../../../country/shape.ts';
import type { CountryCatalogue } from '../../server/call/catalogue.ts';
import { draw, type Subject } from '../../ui/food/picture.ts';
import { pizzaOf } from '../../ui/food/recipe.ts';
import { shortHash } from '../hash.ts';

/** One file for every dish and combo of a country. They change together: `version` is in all of their names. */
export interface Pictures {
  readonly version: string;
  /** By file name, in the menu's order. */
  readonly files: ReadonlyMap<string, string>;
}

type Item = CountryCatalogue['items'] extends ReadonlyMap<string, infer I> ? I : never;

function subjectOf(item: Item, catalogue: CountryCatalogue, size?: string): Subject {
  if (item.kind !== 'PIZZA' && item.kind !== 'MINI') return { dish: item };
  return { pizza: pizzaOf(item, undefined, { size }, catalogue.builder) };
}

/** The version of pictures that may change under their names, while their drawing is being edited. */
export const EDITED = 'edited';

/**
 * Draws the menu of a country: what it sells, in default builds; combos with their default dishes. The version is the
 * digest of all drawings, or the one given.
 */
export async function picturesOf(country: Country, given?: string): Promise<Pictures> {
  const { catalogueFromDisk } = await import('../../server/rules/catalogue/catalogue.ts');
  const catalogue = catalogueFromDisk(country);
  const svgs = new Map<string, string>();
  for (const [id, item] of catalogue.items) svgs.set(id, draw([subjectOf(item, catalogue)]));
  for (const [id, slots] of catalogue.slots) {
    const parts = slots.flatMap(({ defaults, size }) =>
      defaults.flatMap((choice) => {
        const item = catalogue.items.get(choice);
        return item ? [subjectOf(item, catalogue, size)] : [];
      }),
    );
    svgs.set(id, draw(parts));
  }
  const version = given ?? shortHash([...svgs.values()].join('\n'));
  return { version, files: new Map([...svgs].map(([id, svg]) => [`food-${id}-${version}.svg`, svg])) };
}
