// How long an order takes, from entering to its page, while another address wants the whole server, beside the same in quiet.
import { AS_CALLERS, line, MODES, type Line } from '../kit/crowd.ts';
import { spawnServer } from '../kit/server.ts';
import { openShop, PICKUP, visitor } from '../server/shop.ts';
import { median, pad, within } from './numbers.ts';

const ORDERS = 40;
/** Who was thrown out comes again, 200 a second: four times as fast as slowhttptest. */
const RENEW_MS = 250;
const RENEWED = 50;

export async function benchCrowd(): Promise<void> {
  const server = await spawnServer({ settings: { environment: AS_CALLERS, distDir: null } });
  await openShop(server);
  const journey = async () => {
    const started = performance.now();
    const who = await visitor(server, 'IN', PICKUP);
    const { order } = await who.order({ paymentMode: 'COD' });
    await who.read(order.orderId);
    return performance.now() - started;
  };
  const times = async () => {
    const list: number[] = [];
    for (let at = 0; at < ORDERS; at += 1) list.push(await journey());
    return list;
  };
  console.log('An order while another address wants the whole server, beside the same order in quiet (aim: under 2)');
  await times();
  for (const { mode, text, lines, reads } of MODES) {
    const quiet = await times();
    let attack: Line[] = [];
    const renew = (count: number) => {
      attack = attack.filter(({ isClosed }) => !isClosed);
      for (let left = Math.min(count, lines - attack.length); left > 0; left -= 1)
        attack.push(line(Number(new URL(server.url).port), text, { reads }));
    };
    renew(lines);
    // All have come; the first rush of them is not what lasts.
    while (attack.some(({ socket }) => socket.connecting)) await new Promise((done) => setImmediate(done));
    await times();
    const renewing = setInterval(() => renew(RENEWED), RENEW_MS);
    const crowded = await times();
    clearInterval(renewing);
    for (const { socket } of attack) socket.destroy();
    const [before, now] = [median(quiet), median(crowded)];
    console.log(
      `${pad(mode, 34)}median ${before.toFixed(0)} and ${now.toFixed(0)} ms (${(now / before).toFixed(2)}), 9 of 10 within ${within(quiet, 0.9).toFixed(0)} and ${within(crowded, 0.9).toFixed(0)} ms`,
    );
  }
  await server.stop();
}
