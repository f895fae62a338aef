import * as t from '#text/customise.ts';
import { DrawnPicture } from './DrawnPicture.tsx';
import type { Pizza, PizzaTopping } from '../food/pizza.ts';

/** A pizza with the names of its parts. */
export interface NamedPizza extends Pizza {
  readonly sizeName?: string | undefined;
  readonly crustName?: string | undefined;
  readonly sauceName?: string | undefined;
}

/** The pizza in one sentence for people who do not see the picture, from the same data. */
export function describePizza(pizza: NamedPizza): string {
  const { size, sizeName, crust, crustName, sauceName, sauce, cheese, toppings, slices } = pizza;
  const on = (half: PizzaTopping['half']) => {
    const names = toppings.filter((one) => one.half === half).map(({ name, amount }) => t.toppingOn({ amount, name }));
    return names.length > 0 ? [t.drawnOnHalf({ half, toppings: names.join(', ') })] : [];
  };
  const all = [...on('WHOLE'), ...on('LEFT'), ...on('RIGHT')];
  const dough = t.drawn({
    size: sizeName ?? size,
    slices,
    crust: crustName ?? crust.replaceAll('-', ' '),
    sauce: sauceName ?? '',
    sauceLevel: sauce,
    cheese,
  });
  return all.length > 0 ? t.drawnWith({ dough, toppings: all.join('; ') }) : t.drawnPlain({ dough });
}

/** The pizza as it is being built: same data, same picture. */
export function PizzaPicture({ pizza }: { pizza: NamedPizza }) {
  return <DrawnPicture subjects={[{ pizza }]} alt={describePizza(pizza)} size={pizza.size} />;
}
