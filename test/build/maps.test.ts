import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as pageErrors from '../../src/contract/pageErrors.ts';
import { root } from '../architecture/sources.ts';
import { startServer, type TestServer } from '../kit/server.ts';

const dist = path.join(root, 'dist');
const bundle = path.join(dist, 'in/browser');
const meta = JSON.parse(readFileSync(path.join(bundle, 'meta.json'), 'utf8')) as {
  files: Record<string, unknown>;
  units: Record<string, { file: string }>;
};

/** Where a text stands in a built script, as a browser counts. */
function placeIn(unit: string, text: string) {
  const { file } = meta.units[unit]!;
  const script = readFileSync(path.join(bundle, file), 'utf8');
  const before = script.slice(0, script.lastIndexOf(text));
  return { file, line: before.split('\n').length, column: before.length - before.lastIndexOf('\n') };
}
/** Where it stands in its source. */
const lineOf = (file: string, text: string) =>
  readFileSync(path.join(root, file), 'utf8')
    .split('\n')
    .findIndex((line) => line.includes(text)) + 1;

describe('errors of pages', () => {
  let server: TestServer;
  const lines: string[] = [];
  const tell = (more: object) =>
    server.call(pageErrors.report, {
      body: {
        name: 'TypeError',
        message: 'x is undefined',
        stack: '',
        bundle: 'in/browser',
        release: 'R1',
        page: '/menu',
        requestId: '',
        ...more,
      },
    });

  beforeAll(async () => {
    vi.spyOn(console, 'log').mockImplementation((line: unknown) => void lines.push(String(line)));
    server = await startServer({ settings: { quiet: false, distDir: dist, environment: { METRICS_PORT: '0' } } });
  });
  afterAll(async () => {
    await server.stop();
    vi.restoreAllMocks();
  });

  test('say where in the sources they happened, and nothing of a person; those alike are one', async () => {
    const [one, two] = [placeIn('alive', 'request-id'), placeIn('first', 'Error FrontEnd')];
    const chromium = `TypeError: x\n    at hs (https://shop.example/in/${one.file}?a=1:${one.line}:${one.column})\n    at https://shop.example/in/${two.file}:${two.line}:${two.column}`;
    const safari = `hs@https://shop.example/in/${one.file}:${one.line}:${one.column}\nhttps://shop.example/in/${two.file}:${two.line}:${two.column}`;
    const message =
      'no answer of https://shop.example/in/order?token=abc for asha@example.com, +91 98765 43210, ord_2hJ8sKq0Lm3NwPz7RtYv\nforged: line';
    for (const stack of [chromium, safari, chromium])
      expect((await tell({ message, stack, page: '/order/ord_2hJ8sKq0Lm3NwPz7RtYv' })).status).toBe(200);
    const told = lines.filter((line) => line.includes('an error of a page'));
    expect(told).toHaveLength(1);
    const source = `src/api/headers.ts:${lineOf('src/api/headers.ts', "'request-id'")}:`;
    for (const part of [source, 'src/shell/first/start.tsx:', '"bundle":"in/browser"', '"release":"R1"', '"/order/…"'])
      expect(told[0]).toContain(part);
    for (const part of ['token', 'abc', 'asha', '43210', '2hJ8', 'shop.example/in/order?', '\n'])
      expect(told[0]).not.toContain(part);
    const figures = await (await fetch(`http://127.0.0.1:${server.metricsPort}/metrics`)).text();
    expect(figures).toContain('pizza_page_errors_total{country="IN",host="web"} 3');
  });

  test('are limited by address, and a stack that is none is no place on our disk', async () => {
    const before = lines.length;
    expect((await tell({ message: 'odd', stack: 'at f (https://a/../../package.json:1:1)\n\n@:0:0' })).status).toBe(
      200,
    );
    expect(lines.slice(before).join()).toContain('package.json:1:1');
    const statuses = [];
    for (let at = 0; at < 60; at += 1) statuses.push((await tell({ message: 'again' })).status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(4);
  });

  test('are resolved by maps that nobody is served', async () => {
    const maps = readdirSync(path.join(dist, '.maps'));
    for (const { file } of Object.values(meta.units)) expect(maps).toContain(`${file}.map`);
    const [file] = Object.values(meta.units).map((unit) => unit.file);
    const asked = [`/in/${file}.map`, `/in/.maps/${file}.map`, `/.maps/${file}.map`, `/in/..%2f..%2f.maps/${file}.map`];
    for (const address of asked) {
      const reply = await fetch(server.url + address);
      expect(await reply.text()).not.toContain('"mappings"');
    }
    expect(Object.keys(meta.files).filter((name) => name.includes('.map'))).toEqual([]);
    const text = (name: string) => readFileSync(path.join(bundle, name), 'utf8');
    expect(readdirSync(bundle).filter((name) => name.endsWith('.map'))).toEqual([]);
    expect(
      readdirSync(bundle).filter((name) => /\.(js|css|html)$/.test(name) && text(name).includes('sourceMappingURL')),
    ).toEqual([]);
  });
});
