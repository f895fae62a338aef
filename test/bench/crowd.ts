// How long an order takes, from entering to its page, while another address wants the whole server, and while half a town looks
// for places, beside the same in quiet.
import * as places from '../../src/contract/places.ts';
import { AS_CALLERS, line, MODES, type Line } from '../kit/crowd.ts';
import { spawnServer } from '../kit/server.ts';
import { openShop, PICKUP, visitor } from '../server/shop.ts';
import { median, pad, within } from './numbers.ts';
import { closedLoop, raw } from './wire.ts';

const ORDERS = 40;
/** Who was thrown out comes again, 200 a second: four times as fast as slowhttptest. */
const RENEW_MS = 250;
const RENEWED = 50;

/** Places typed with a slip, as many as are asked for: the dearest that somebody who looks around can ask. */
export function slips(): () => Buffer {
  const names = ['koramangala', 'connaught place', 'indiranagar', 'banjara hills', 'powai', 'salt lake', 'anna nagar'];
  let turn = 0;
  return () => {
    turn += 1;
    const name = names[turn % names.length]!;
    const at = 2 + (turn % (name.length - 3));
    const input = `${name.slice(0, at)}${name.slice(at + 1)}`;
    return raw(
      'GET',
      `${places.autocomplete.path}?input=${encodeURIComponent(input)}&latitude=${12 + (turn % 997) / 100}&longitude=77.6`,
      {
        api_key: 'in-web',
      },
    );
  };
}

/** So many look for places at once when half the town does. */
const LOOKERS = 200;

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
    tell(mode, quiet, crowded);
  }
  const quiet = await times();
  let hasOrdered = false;
  const next = slips();
  const town = closedLoop(server.url, LOOKERS, () => (hasOrdered ? null : next()));
  const crowded = await times();
  hasOrdered = true;
  const looked = await town;
  tell(`${LOOKERS} look for places at once`, quiet, crowded);
  console.log(
    `${pad('', 34)}who waited ${median(looked.times).toFixed(0)} ms for a place, ${looked.perSecond.toFixed(0)} a second`,
  );
  await server.stop();
}

function tell(what: string, quiet: readonly number[], crowded: readonly number[]): void {
  const [before, now] = [median(quiet), median(crowded)];
  console.log(
    `${pad(what, 34)}median ${before.toFixed(0)} and ${now.toFixed(0)} ms (${(now / before).toFixed(2)}), 9 of 10 within ${within(quiet, 0.9).toFixed(0)} and ${within(crowded, 0.9).toFixed(0)} ms`,
  );
}
