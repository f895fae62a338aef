import { afterAll, beforeAll, expect, test } from 'vitest';
import { countryAtom } from '../../src/state/country.ts';
import { documentState } from '../../src/state/documents.ts';
import { startServer, type TestServer } from '../kit/server.ts';
import { openCustomer } from './customer.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

test('the terms are read at the address that the country gives for them [CFG-22]', async () => {
  const customer = openCustomer(server);
  const shown = async () => {
    await customer.set(documentState.load, 'terms');
    return customer.get(documentState.atom).data?.id;
  };
  expect(await shown()).toBe('terms');
  // Another country's terms stand elsewhere: here the one address stands for the other.
  customer.set(countryAtom, { ...customer.get(countryAtom), DEFAULT_TNC_URL: '/content/ve1/credits' });
  expect(await shown()).toBe('credits');
});
