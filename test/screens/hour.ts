import * as development from '../../src/contract/development.ts';
import type { TestServer } from '../kit/server.ts';

const HOUR_MS = 3_600_000;
/** Moves the shop's clock forward to this hour of India. */
export async function atHour(server: TestServer, hour: number): Promise<void> {
  const { body } = await server.call(development.clock, {});
  const local = (body.now + 5.5 * HOUR_MS) % (24 * HOUR_MS);
  await server.advance(Math.ceil(((hour * HOUR_MS - local + 24 * HOUR_MS) % (24 * HOUR_MS)) / 1000));
}
