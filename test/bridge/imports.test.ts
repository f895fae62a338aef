import path from 'node:path';
import { gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';
import { describe, expect, it } from 'vitest';
import { clientOptions } from '../../src/build/graph.ts';
import { squeezed } from '../../src/build/units.ts';
import { root } from '../architecture/sources.ts';

/** What a script with these lines ships: its text, and the sources of which something is left in it. */
async function shipped(lines: string) {
  const { outputFiles, metafile } = await esbuild.build({
    ...clientOptions({ cc: 'in' }, root),
    splitting: true,
    stdin: { contents: lines, resolveDir: root, loader: 'ts' },
  });
  const [file, { inputs }] = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === '<stdin>')!;
  const text = outputFiles.find((one) => one.path.endsWith(path.basename(file)))!.text;
  return {
    text,
    gzip: gzipSync(squeezed(file, text).text, { level: 9 }).length,
    files: Object.entries(inputs).flatMap(([file, { bytesInOutput }]) =>
      bytesInOutput > 0 ? [path.basename(file)] : [],
    ),
  };
}

const open = (host: string) => `
  import { openHost } from './src/bridge/defineHost.ts';
  import { ${host} } from './hosts/${host}/host.ts';
  const host = openHost(${host}, { window });
`;

describe('a script with two calls of a host', () => {
  it.each([
    ['gpay', 'getPhoneNumber, share', /getLocation|allowedPaymentMethods|latitude|skipPrompt/],
    ['paytm', 'close, offerShortcut', /txnToken|authId|pincode|paytmCheckPermission/],
  ])('carries of %s %s and nothing of the others', async (host, calls, others) => {
    const two = await shipped(`${open(host)}
      import { ${calls} } from './hosts/${host}/actions.ts';
      Object.assign(window, { host, ${calls} });`);
    expect(others.exec(two.text)?.[0]).toBe(undefined);
    // Nor the parts that a whole bridge has beside its calls.
    expect(/localStorage|sessionStorage|onLine|vibrate\(|pushState/.exec(two.text)?.[0]).toBe(undefined);
    expect(two.files.filter((file) => /payment|locate|back\.ts|createBridge/.test(file))).toEqual([]);
    const whole = await shipped(`${open(host)}
      import * as actions from './hosts/${host}/actions.ts';
      import { createBridge } from './src/bridge/createBridge.ts';
      Object.assign(window, { host, bridge: createBridge(${host}, async () => actions)({ window }) });`);
    expect(others.test(whole.text)).toBe(true);
    expect(whole.gzip - two.gzip).toBeGreaterThan(2_000);
  });

  it('reads no reply by a schema that it does not have', async () => {
    const one = await shipped(`${open('gpay')}
      import { share } from './hosts/gpay/actions.ts';
      Object.assign(window, { host, share });`);
    expect(one.files.filter((file) => /decode|schemas/.test(file))).toEqual([]);
    expect(one.gzip).toBeLessThan(4_000);
  });
});
