import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

test('API calls keep their query in old browsers that lack Object.hasOwn or the size of URLSearchParams', () => {
  // A process of its own: whatever runs tests wants hasOwn, too.
  const script = `
    delete Object.hasOwn;
    delete URLSearchParams.prototype.size;
    let asked = '';
    globalThis.fetch = async (request) => {
      asked = request.url;
      return Response.json({ status: 'SUCCESS', widgets: [] });
    };
    const { createApi } = await import('./src/api/client.ts');
    const menu = await import('./src/contract/menu.ts');
    const identity = { credentials: { userId: 'u', sessionToken: 't' }, userId: 'u', mobile: '', storeId: '', deliveryType: '' };
    const api = createApi({ origin: 'https://pizza.example', apiKey: 'in-web', identity: () => identity, told() {}, renewed() {}, ended() {}, unrenewed() {} });
    const reply = await api.call(menu.widgets, { storeId: '10101', query: { page: 'home' } });
    console.log(JSON.stringify([reply.widgets, new URL(asked).search, Object.hasOwn({ own: 1 }, 'own'), Object.hasOwn({}, 'toString')]));`;
  const said = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
  expect(JSON.parse(said)).toEqual([[], '?page=home', true, false]);
});
