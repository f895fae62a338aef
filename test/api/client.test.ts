import { execFileSync } from 'node:child_process';
import * as esbuild from 'esbuild';
import { expect, test } from 'vitest';
import { clientOptions } from '../../src/build/graph.ts';
import { root } from '../architecture/sources.ts';

test('API calls keep their query in old browsers that lack Object.hasOwn or the size of URLSearchParams', async () => {
  // A process of its own: whatever runs tests wants hasOwn, too.
  const { outputFiles } = await esbuild.build({
    ...clientOptions({ cc: 'in' }, root),
    target: 'node20',
    external: ['#text/*'],
    stdin: {
      contents: `
        import { createApi } from './src/api/client.ts';
        import * as menu from './src/contract/menu.ts';
        delete Object.hasOwn;
        delete URLSearchParams.prototype.size;
        let asked = '';
        globalThis.fetch = async (request) => {
          asked = request.url;
          return Response.json({ status: 'SUCCESS', widgets: [] });
        };
        const identity = { credentials: { userId: 'u', sessionToken: 't' }, userId: 'u', mobile: '', storeId: '', deliveryType: '' };
        const api = createApi({ origin: 'https://pizza.example', apiKey: 'in-web', identity: () => identity, told() {}, renewed() {}, ended() {}, unrenewed() {} });
        const reply = await api.call(menu.widgets, { storeId: '10101', query: { page: 'home' } });
        console.log(JSON.stringify([reply.widgets, new URL(asked).search]));`,
      resolveDir: root,
      loader: 'ts',
    },
  });
  const script = outputFiles[0]!.text;
  const said = execFileSync(process.execPath, ['--input-type=module', '-'], {
    cwd: root,
    encoding: 'utf8',
    input: script,
  });
  expect(JSON.parse(said)).toEqual([[], '?page=home']);
});
