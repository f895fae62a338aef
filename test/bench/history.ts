// How long the first page of an order history takes for a customer with 5,000 orders, beside one with 5; and a search in all.
import * as history from '../../src/contract/history.ts';
import { openDb } from '../../src/server/store/db.ts';
import { startServer, type Engine } from '../kit/server.ts';
import { openShop, type Customer } from '../server/shop.ts';
import { median, pad } from './numbers.ts';
import { customerWith } from './pastOrders.ts';

const SIZES = { few: 5, many: 5_000 };
const LIMIT = 1.5;
const CALLS = 60;

export async function benchHistory({ engine }: { engine: Engine }): Promise<void> {
  const server = await startServer({ engine });
  const { db } = await openDb(server.database.target);
  try {
    await openShop(server);
    const [few, many] = [await customerWith(server, db, SIZES.few), await customerWith(server, db, SIZES.many)];
    const timed = async (who: Customer, query: Record<string, string> = {}): Promise<number> => {
      const begun = performance.now();
      const { status, body } = await who.call(history.list, { query });
      if (status !== 200) throw new Error(`no history: ${status} ${JSON.stringify(body)}`);
      return performance.now() - begun;
    };
    // In turns, so that what else the machine does slows both.
    const times = { few: [] as number[], many: [] as number[], last: [] as number[], search: [] as number[] };
    const first = await timed(many, { search: 'tomato' });
    for (let round = 0; round < CALLS; round += 1) {
      times.few.push(await timed(few));
      times.many.push(await timed(many));
    }
    for (let round = 0; round < CALLS / 6; round += 1) {
      times.last.push(await timed(many, { pageNo: '500' }));
      times.search.push(await timed(many, { search: 'tomto' }));
    }
    const ms = (values: readonly number[]) => `${median(values).toFixed(1)} ms`;
    const ratio = median(times.many) / median(times.few);
    console.log(
      `${pad(`history, ${engine}`, 20)} first page of ${SIZES.few} orders ${ms(times.few)}, of ${SIZES.many} orders ${ms(times.many)}: ${ratio.toFixed(2)} times (limit ${LIMIT}); page 500 ${ms(times.last)}; search in all ${ms(times.search)}, the first time ${first.toFixed(0)} ms`,
    );
  } finally {
    await db.destroy();
    await server.stop();
  }
}
