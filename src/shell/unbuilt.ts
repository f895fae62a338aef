import type { MenuItem } from '../contract/menu.ts';
import { itemsByIdAtom } from '../state/first/menu.ts';
import { looksAtom } from '../state/menu/pizzaArt.ts';
import { draw, pictureUrl, type Subject } from '../ui/food/picture.ts';
import { pizzaOf } from '../ui/food/recipe.ts';
import type { Store } from './first/watchers.tsx';

const isPizza = ({ kind }: MenuItem) => kind === 'PIZZA' || kind === 'MINI';

/** Calls `act` once it is known what pizzas are drawn from: at once, or when that has come. */
function onceLooksKnown(store: Store, act: () => void): void {
  const leave = store.sub(looksAtom, () => look());
  const look = () => {
    if (store.get(looksAtom) === null) return;
    leave();
    act();
  };
  look();
}

/**
 * Draws a dish in the page when there is no file of it: the build draws the dishes of its day, but a chain's own API may
 * sell others, and new ones come between two releases. A combo that the build did not know is drawn as a plain pizza.
 * What the menu does not have keeps its empty plate.
 */
export function drawUnbuilt(store: Store, picture: HTMLImageElement): void {
  const [, id] = /\/food-([^/]+)-\w+\.svg$/.exec(picture.src) ?? [];
  const item = id && store.get(itemsByIdAtom).get(id);
  if (!item) return;
  const show = (subject: Subject) => {
    picture.src = pictureUrl(draw([subject]));
  };
  if (!isPizza(item)) return show({ dish: item });
  onceLooksKnown(store, () => {
    const looks = store.get(looksAtom);
    if (looks) show({ pizza: pizzaOf(item, undefined, {}, looks) });
  });
}
