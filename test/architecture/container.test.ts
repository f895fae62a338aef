import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { newId, newToken } from '../../src/server/store/ids.ts';
import { root, sources } from './sources.ts';

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const container = read('.container/Containerfile');
const proxy = read('.container/haproxy.cfg');
const compose = read('.container/compose.yaml');

/** Packages whose files the server reads: letters that invoices are drawn with. */
const READ = /^@fontsource\//;

/** Packages that the server may ask for while it runs, and files of ours that it reads them from. */
function needed() {
  const files = new Map(sources.map((source) => [source.file, source]));
  const commands = readdirSync(path.join(root, 'src/server/commands')).map((name) => `src/server/commands/${name}`);
  const halves = sources.map(({ file }) => file).filter((file) => /^hosts\/[^/]+\/server\.ts$/.test(file));
  // A thread is begun by its file, not imported.
  const threads = ['src/server/rules/invoice/pressWorker.ts'];
  const waiting = ['src/server/main.ts', ...threads, ...commands, ...halves];
  const seen = new Set<string>();
  const packages = new Set<string>();
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    for (const { isType, file: own, package: name } of files.get(file)?.imports ?? []) {
      if (isType) continue;
      if (own !== null) waiting.push(own.replace('#country', 'country/in'));
      else if (name !== null && !name.startsWith('node:')) packages.add(name);
    }
  }
  return { packages: [...packages].sort(), folders: new Set([...seen].map((file) => file.split('/')[0]!)) };
}

describe('the container', () => {
  test('holds the packages that the server imports, and no others', () => {
    const taken = new Set(container.match(/dependencies\.\S+/g)?.map((one) => one.slice('dependencies.'.length)));
    const left = Object.keys(manifest.dependencies).filter((name) => !taken.has(name));
    expect(left.filter((name) => !READ.test(name)).sort()).toEqual(needed().packages);
    const fonts = read('src/server/rules/invoice/fonts.ts');
    for (const name of left.filter((one) => READ.test(one)))
      expect(fonts).toContain(`'${name.replace(READ, '')}/files/`);
  });

  test('holds the folders that the server imports from, and those reach its builder', () => {
    const ignored = read('.dockerignore');
    for (const folder of needed().folders) {
      expect(container).toContain(`COPY --from=build /app/${folder} ./${folder}`);
      expect(ignored).toContain(`!${folder}`);
    }
  });

  test('runs as nobody in particular, and the compose file gives it a root that cannot be written', () => {
    expect(container).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m);
    expect(container.indexOf('\nUSER')).toBeLessThan(container.indexOf('\nCMD'));
    expect(compose).toMatch(/x-server: &server[\s\S]*?read_only: true[\s\S]*?\nservices:/);
  });

  // Otherwise what the bench measures of memory is not what runs.
  test('starts the server with the memory that `npm start` and the tests give it', () => {
    const flags = (text: string) => [...new Set(text.match(/--max-(?:semi|old)-space-size=\d+/g))];
    const given = flags(manifest.scripts.start);
    expect(given).toHaveLength(2);
    expect(flags(container)).toEqual(given);
    expect(flags(read('test/kit/server.ts'))).toEqual(given);
  });

  test('the proxy writes down no query and no token of a path', () => {
    expect(proxy).not.toMatch(/option httplog|%r\b|%HU|%HP|%HQ/);
    const [, pattern] = /set-var\(txn\.where\) path,regsub\((\S+),\/\*,g\)/.exec(proxy)!;
    const written = (where: string) => where.replace(new RegExp(pattern!, 'g'), '/*');
    const token = newToken();
    expect([written(`/in/pay/${token}`), written(`/order-service/ve3/orders/${newId('ord')}/download`)]).toEqual([
      '/in/pay/*',
      '/order-service/ve3/orders/*/download',
    ]);
  });

  test('the unit of systemd begins what a person does, by one signal ends it, and waits as long as the compose file', () => {
    const unit = read('src/server/operations/pizza.service');
    expect(unit).toMatch(/^ExecStart=\S+ npm start$/m);
    expect(unit).toMatch(/^KillMode=mixed$/m);
    const [, grace] = /x-server: &server[\s\S]*?stop_grace_period: (\d+)s/.exec(compose)!;
    expect(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]).toBe(grace);
  });

  test('each server of the compose file stands behind the proxy, which believes nobody else', () => {
    const servers = [...compose.matchAll(/^ {2}(\w+): \*server$/gm)].map(([, name]) => name);
    expect(
      [...proxy.matchAll(/^ {2}server (\w+) (\w+):3000(?: track servers\/\1)?$/gm)].map(([, , host]) => host),
    ).toEqual([
      // Those that who looks around waits for.
      ...servers,
      ...servers,
      // Those that are asked nothing, for when none is ready.
      ...servers,
    ]);
    const [, range] = /subnet: (\S+) \}/.exec(compose)!;
    expect(compose).toContain(`TRUST_PROXY: ${range}`);
    for (const header of ['x-forwarded-prefix', 'x-forwarded-host', 'forwarded'])
      expect(proxy).toContain(`http-request del-header ${header}\n`);
  });
});
