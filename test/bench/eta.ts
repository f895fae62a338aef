// How often the stated time holds: orders of the simulated kitchen, each asked about on its way. The same every run.
import { pad } from './numbers.ts';
import { LOOKS, measureEta, STATED } from '../kit/etaOrders.ts';

export function benchEta(orders = 1000): void {
  const { held, widths, ms } = measureEta(orders);
  console.log(
    `\nStated time of arrival over ${orders} orders (stated: ${STATED * 10} in 10), ${ms.toFixed(2)} ms each look`,
  );
  console.log(`${pad('asked', 34)}     holds   minutes wide`);
  for (const look of LOOKS)
    console.log(
      `${pad(look.name, 34)}${held[look.name]?.toFixed(3).padStart(10)}${widths[look.name]?.toFixed(1).padStart(15)}`,
    );
}
