import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openDb } from '../../src/server/store/db.ts';
import { sayAtom } from '../../src/state/consents.ts';
import { deliverAtom, enqueueEventAtom } from '../../src/state/delivery.ts';
import { startServer, type TestServer } from '../kit/server.ts';
import { openCustomer } from './customer.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ settings: { environment: { ANALYTICS: 'on' } } });
  vi.stubGlobal('document', { visibilityState: 'visible' });
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await server.stop();
});

test('what is told after a look that found nothing to send is sent all the same', async () => {
  const { db } = await openDb(server.database.target);
  try {
    const customer = openCustomer(server);
    await customer.set(sayAtom, 'usage', true);
    await customer.set(deliverAtom);
    customer.set(enqueueEventAtom, { name: 'page_view', at: Date.now(), properties: {} }, {});
    await customer.set(deliverAtom);
    expect(await db.selectFrom('activity').select('name').where('kind', '=', 'event').execute()).toEqual([
      { name: 'page_view' },
    ]);
  } finally {
    await db.destroy();
  }
});
