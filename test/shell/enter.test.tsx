import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { lentServer } from '../kit/lentServer.ts';
import type { TestServer } from '../kit/server.ts';
import { openPage } from '../screens/page.ts';

let server: TestServer;
beforeAll(async () => {
  server = await lentServer();
});
afterAll(() => {
  vi.unstubAllGlobals();
  return server.stop();
});

test('a screen is entered once however often its effects run, and again at a new address or for another screen', async () => {
  const asked: string[] = [];
  const fetched = globalThis.fetch;
  vi.stubGlobal('fetch', (input: RequestInfo | URL, init?: RequestInit) => {
    asked.push(new URL(input instanceof Request ? input.url : String(input), location.href).pathname);
    return fetched(input, init);
  });
  const cities = () => asked.filter((path) => path.endsWith('/cities')).length;
  const page = await openPage(server.url, '/manualSelector');
  await page.find('link', /^New Delhi/);
  expect(cities()).toBe(1);
  history.pushState(null, '', `${server.url}/in/manualSelector?deliveryType=PICKUP`);
  await vi.waitFor(() => expect(cities()).toBe(2));
  // The same parameters, another screen: what it shows comes from its own entering.
  history.pushState(null, '', `${server.url}/in/postorder-ui/searchAddress?deliveryType=PICKUP`);
  await page.find('heading', 'Where will you collect it?');
  await page.sees('Stores to start with');
  const before = cities();
  history.pushState(null, '', `${server.url}/in/manualSelector?deliveryType=PICKUP`);
  await vi.waitFor(() => expect(cities()).toBe(before + 1));
});
