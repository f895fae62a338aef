import css from './ItemPicture.module.css';
import { PizzaThumb } from './PizzaThumb.tsx';
import { toppingsInName } from './toppingLooks.ts';

// Cells of food.svg, in the order of the drawing. Of the cells with a word of the dish's name the last is taken, else
// the first of the kind.
const CELLS: Record<string, [from: number, words: string]> = {
  SIDE: [0, 'bread,stick,wedge,fries,dip,pops,parcel,soup,bites'],
  CHICKEN: [9, 'wing,drumstick,meatball,bites,boneless'],
  BEVERAGE: [14, 'cola,zero,lemon,water,mango,coffee,ginger,lassi'],
  DESSERT: [22, 'molten,caramel,brownie,cinnamon,tiramisu,jamun,watalappan,doi'],
  RICE_PASTA: [30, 'white,red,devilled,vegetable,seafood'],
  DEAL: [35, 'deal'],
};

/** Place of an item's drawing in food.svg. */
export function pictureCell(kind: string, name: string): number {
  const [from, words] = CELLS[kind] ?? CELLS.DEAL!;
  const lower = name.toLowerCase();
  return (
    from +
    Math.max(
      0,
      words
        .split(',')
        .map((word) => lower.includes(word))
        .lastIndexOf(true),
    )
  );
}

interface Pictured {
  id: string;
  kind: string;
  name: string;
  sauce?: string | undefined;
  defaultToppings?: readonly string[] | undefined;
}

/**
 * Decorative picture of any dish, as wide as its parent: pizzas are drawn, everything else is a cell of one background
 * image.
 */
export function ItemPicture({ item: { id, kind, name, sauce, defaultToppings = [] } }: { item: Pictured }) {
  if (kind === 'PIZZA' || kind === 'MINI')
    return <PizzaThumb seed={id} sauce={sauce} toppings={kind === 'MINI' ? toppingsInName(name) : defaultToppings} />;
  const cell = pictureCell(kind, name);
  // Attributes and not a style: the page's content security policy refuses style attributes in the prerendered page.
  return <span className={css.picture} data-x={cell % 6} data-y={Math.floor(cell / 6)} aria-hidden />;
}
