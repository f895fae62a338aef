// How much of a processor an invoice of thirty dishes takes to draw, once its fonts are read, and what the first one takes.
import { countryConfig } from '../../country/index.ts';
import { catalogueFromDisk } from '../../src/server/rules/catalogue/catalogue.ts';
import { drawPapers } from '../../src/server/rules/invoice/draw.ts';
import { invoicePaper } from '../../src/server/rules/order/invoice/invoicePapers.ts';
import { openDb } from '../../src/server/store/db.ts';
import { orderById, snapshotOf } from '../../src/server/store/orders.ts';
import { startServer } from '../kit/server.ts';
import { member, openShop, PLACES } from '../server/shop.ts';
import { median, pad, within } from './numbers.ts';

const LINES = 30;
const RUNS = 30;
const LIMIT_MS = 150;

/** ms of the processor, over all threads. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

export async function benchInvoice(): Promise<void> {
  const server = await startServer({ settings: { distDir: null } });
  const { db } = await openDb(server.database.target);
  const papers: [string, ReturnType<typeof invoicePaper>][] = [];
  try {
    await openShop(server);
    for (const country of ['IN', 'BG']) {
      const one = await member(server, country, PLACES[country]!.where);
      const order = (await orderById(db, (await one.order({ paymentMode: 'COD' })).order.orderId))!;
      const snapshot = snapshotOf(order);
      const names = [...catalogueFromDisk(countryConfig(country)).items.values()].map(({ name }) => name);
      const lines = Array.from({ length: LINES }, (_, at) => {
        const line = snapshot.lines[0]!;
        return {
          ...line,
          lineId: `l${at}`,
          product: { ...line.product, id: `P${at}`, name: names[at % names.length]! },
        };
      });
      const long = { ...order, snapshot: JSON.stringify({ ...snapshot, lines }) };
      papers.push([country, invoicePaper(long, { number: 'I00001/26/000001', at: order.submitted_at }, [])]);
    }
  } finally {
    await db.destroy();
    await server.stop();
  }
  const buyer = { name: 'Asha Rao', lines: ['12, Barakhamba Road'] };
  console.log(`An invoice of ${LINES} lines, ms of a processor (limit ${LIMIT_MS} once its fonts are read)`);
  console.log(`${pad('', 12)}   median      p95    first, which reads the fonts`);
  for (const [country, paper] of papers) {
    if (paper.rows.length !== LINES) throw new Error(`${paper.rows.length} lines instead of ${LINES}`);
    const draw = async () => await timed(async () => await drawPapers([{ paper, buyer }]));
    const first = await draw();
    const times: number[] = [];
    for (let run = 0; run < RUNS; run += 1) times.push(await draw());
    const figures = [median(times), within(times, 0.95), first].map((ms) => ms.toFixed(0).padStart(8));
    console.log(`${pad(country, 12)} ${figures.join(' ')}`);
  }
}
