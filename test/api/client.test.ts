import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

test('calls are made where the browser has no Object.hasOwn, which ky asks: Chromium before 93', () => {
  // A process of its own: whatever runs tests wants hasOwn, too.
  const script = `
    delete Object.hasOwn;
    globalThis.fetch = async (request) => Response.json({ status: 'SUCCESS', widgets: [], asked: request.url });
    const { createApi } = await import('./src/api/client.ts');
    const menu = await import('./src/contract/menu.ts');
    const identity = { credentials: { userId: 'u', sessionToken: 't' }, userId: 'u', mobile: '', storeId: '', deliveryType: '' };
    const api = createApi({ origin: 'https://pizza.example', apiKey: 'in-web', identity: () => identity, told() {}, renewed() {}, ended() {} });
    const reply = await api.call(menu.widgets, { storeId: '10101', query: { page: 'home' } });
    console.log(JSON.stringify([reply.widgets, Object.hasOwn({ own: 1 }, 'own'), Object.hasOwn({}, 'toString')]));`;
  const said = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
  expect(JSON.parse(said)).toEqual([[], true, false]);
});
