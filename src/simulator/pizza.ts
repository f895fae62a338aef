import type { Pizza, PizzaTopping } from '../ui/food/pizza.ts';

const topping = (
  id: string,
  shape: string,
  colour: string,
  countPerSlice: number,
  sizeMm: number,
  edge?: string,
): PizzaTopping => ({ id, name: id, shape, colour, edge, countPerSlice, sizeMm, half: 'WHOLE', amount: 'normal' });

/** The pizza on the simulator's own page and on the app's icon. */
export const PIZZA: Pizza = {
  seed: 'simulator',
  size: 'M',
  crust: 'hand-tossed',
  sauce: 'normal',
  sauceColour: '#c6402b',
  cheese: 'extra',
  slices: 8,
  toppings: [
    topping('tomato', 'disc', '#e2442f', 1, 20, '#b22b1b'),
    topping('black-olive', 'ring', '#2b2730', 1.2, 12, '#0e0c11'),
    topping('capsicum', 'strip', '#4e9a3b', 1.2, 18),
    topping('sweet-corn', 'dot', '#f6c945', 2.5, 7),
    topping('basil', 'leaf', '#2f7a35', 0.8, 18),
  ],
};
