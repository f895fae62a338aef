// Random orders of the simulated kitchen (stores, distances, queues, hours), the same for the same seed.
import { countryConfig } from '../../country/index.ts';
import { ETA_RATE, etaOf } from '../../src/server/rules/order/eta.ts';
import { kitchenDelayMs, lifeOf, serviceContent, targetOf } from '../../src/server/rules/order/orders.ts';
import { drawOf, usualOf } from '../../src/server/rules/order/stepDurations.ts';
import { randomOf } from './random.ts';

export const STATED = ETA_RATE;
/** When somebody looks at the order: after the step of this number, at this share of the time until the next step. */
export const LOOKS = [
  { name: 'when it was placed', step: 0, share: 0 },
  { name: 'while it is made', step: 2, share: 0.5 },
  { name: 'in the oven', step: 3, share: 0.5 },
  { name: 'when the rider leaves', step: 5, share: 0 },
  { name: 'half way', step: 5, share: 0.5 },
];
const DAY_MS = 86_400_000;
const NOON = Date.UTC(2027, 0, 13);

/** By look: how often the stated range held the true arrival, and how wide it was in minutes; `ms` is the time one estimate takes. */
export function measureEta(orders: number, seed = 1) {
  const random = randomOf(seed);
  const { orderTimeline } = serviceContent('IN');
  const { timeZone } = countryConfig('in');
  const nothing = () => new Map(LOOKS.map(({ name }) => [name, 0]));
  const [counts, sums] = [nothing(), nothing()];
  let spent = 0;
  for (let n = 0; n < orders; n += 1) {
    const at = NOON + Math.floor(random() * DAY_MS);
    const km = 0.2 + random() * 3.8;
    const usual = usualOf(
      { prepMinutes: 9 + Math.floor(random() * 5), minutesPerKm: 2.2 + random() },
      km,
      at,
      timeZone,
    );
    const delayMs = kitchenDelayMs(Math.floor(random() * 20), 12);
    const steps = lifeOf(orderTimeline, 'DELIVERY', at, { delayMs, own: { ...usual, draw: drawOf(`${seed} ${n}`) } });
    const arrived = steps[targetOf(steps)]!.at;
    for (const { name, step, share } of LOOKS) {
      const now = steps[step]!.at + Math.floor((steps[step + 1]!.at - steps[step]!.at) * share);
      const { status, stage } = steps[step]!;
      const started = performance.now();
      const eta = etaOf(
        {
          status,
          stage,
          steps,
          doneAt: steps.map((one, index) => (index <= step ? one.at : null)),
          startsAt: at,
          delayMs,
          distanceKm: km,
          progress: status === 'PICKED UP' ? share : null,
          first: null,
        },
        now,
      )!;
      spent += performance.now() - started;
      if (eta.from <= arrived && arrived <= eta.to) counts.set(name, counts.get(name)! + 1);
      sums.set(name, sums.get(name)! + (eta.to - eta.from) / 60_000);
    }
  }
  const each = (of: ReadonlyMap<string, number>): Readonly<Record<string, number>> =>
    Object.fromEntries([...of].map(([name, sum]) => [name, sum / orders]));
  return { held: each(counts), widths: each(sums), ms: spent / (orders * LOOKS.length) };
}
