import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { files, floorOf, root, sources, type Source } from './sources.ts';

const CLIENT = ['contract', 'domain', 'bridge', 'api', 'ui', 'state', 'screens', 'shell'];
const client = sources.filter(({ file }) => CLIENT.includes(floorOf(file) ?? ''));

/** Lines that match, as 'file: line'. */
function lines(where: readonly Source[], pattern: RegExp): string[] {
  return where.flatMap(({ file, code }) =>
    code
      .split('\n')
      .filter((line) => pattern.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
}

describe('names', () => {
  it('there is no index.ts outside country, and no drawer for odds and ends', () => {
    expect(files.filter((file) => /(^|\/)index\.tsx?$/.test(file) && !file.startsWith('country/'))).toEqual([]);
    expect(files.filter((file) => /(^|\/)(utils?|helpers?|common|misc|types)(\/|\.tsx?$)/.test(file))).toEqual([]);
  });

  it('folders are one lower-case word, modules camelCase, components PascalCase', () => {
    expect(
      files.filter((file) =>
        path.posix
          .dirname(file)
          .split('/')
          .some((folder) => !/^[a-z]+$/.test(folder)),
      ),
    ).toEqual([]);
    const isNamed = (file: string) => {
      const name = path.posix.basename(file);
      if (/^\d{4}-[a-z-]+\.ts$/.test(name)) return file.includes('/migrations/');
      if (name.endsWith('.tsx')) return /^([A-Z][A-Za-z0-9]*|main|start|prerender|[a-z][A-Za-z0-9]*)\.tsx$/.test(name);
      return !name.endsWith('.ts') || /^[a-z][A-Za-z0-9]*(\.full|\.d)?\.ts$/.test(name);
    };
    expect(files.filter((file) => !isNamed(file))).toEqual([]);
  });

  it('no type is named by a participle or by a word that says nothing: what it is has a noun', () => {
    const EMPTY =
      /^(?:[A-Z][a-z]+(?:ed|ing)|Around|Bought|Chosen|Done|Drawn|Found|Given|Held|Kept|Known|Left|Look|Made|Paid|Said|Seen|Sent|Shown|Spoken|Taken|Told|Undone|Who|Wish)$/;
    const NOUNS = ['Coding', 'Meaning', 'Reading', 'Ring', 'Setting', 'Standing', 'Thing', 'Topping'];
    // Left of old; a name that is gone leaves the list.
    const STILL = ['Asked', 'Found', 'Known'];
    const isServers = (file: string) => /^(src\/server|hosts\/[^/]+\/server(\/|\.ts$))/.test(file);
    const named = sources.flatMap(({ file, code }) =>
      [...code.matchAll(/^(export )?(?:declare )?(?:abstract )?(?:type|interface|class) (\w+)/gm)]
        .filter(([, isExported]) => isExported !== undefined || isServers(file))
        .map(([, , name = '']) => ({ file, name })),
    );
    expect(named.length).toBeGreaterThan(1000);
    expect(
      named
        .filter(
          ({ file, name }) => EMPTY.test(name) && !NOUNS.includes(name) && (isServers(file) || !STILL.includes(name)),
        )
        .map(({ file, name }) => `${file}: ${name}`),
    ).toEqual([]);
  });

  it('no stylesheet is left without a component', () => {
    const used = new Set(sources.flatMap(({ imports }) => imports.map((to) => to.file)));
    expect(files.filter((file) => file.endsWith('.css') && !used.has(file))).toEqual([]);
  });

  it('no component names a class that its stylesheet has not', () => {
    const lacking = sources.flatMap(({ file, code }) =>
      [...code.matchAll(/^import (\w+) from '(\.[^']+\.module\.css)';/gm)].flatMap(([, name = '', from = '']) => {
        const sheet = readFileSync(path.join(root, path.posix.dirname(file), from), 'utf8');
        const classes = new Set([...sheet.matchAll(/\.(-?[A-Za-z_][\w-]*)/g)].map((match) => match[1]));
        const named = [...code.matchAll(new RegExp(`\\b${name}\\.([A-Za-z_]\\w*)`, 'g'))].map((match) => match[1]);
        return [...new Set(named)].filter((one) => !classes.has(one)).map((one) => `${file}: ${name}.${one}`);
      }),
    );
    expect(lacking).toEqual([]);
  });

  it('a component file and its default export share a name; a screen ends in Screen', () => {
    const screens = sources.filter(({ file }) => /^src\/(screens|full)\/.*\.tsx$/.test(file));
    const named = ({ file, code }: Source) =>
      new RegExp(`^export default (?:function|class) ${path.posix.basename(file, '.tsx')}\\b`, 'm').test(code);
    expect(
      screens.filter((source) => /^export default/m.test(source.code) && !named(source)).map(({ file }) => file),
    ).toEqual([]);
    expect(
      sources
        .filter(({ file }) => file.startsWith('src/shell/first/routes'))
        .flatMap(({ imports }) =>
          imports.filter((to) => to.isLazy && !to.from.endsWith('Screen.tsx')).map((to) => to.from),
        ),
    ).toEqual([]);
  });

  // `enter` is what a screen's file names its loading atom, for shell/first/lazyScreen.
  it('atoms end in Atom', () => {
    expect(
      lines(
        client,
        /^\s*(?:export\s+)?const\s+(?!\w*Atom\b|enter\b)\w+\s*(?::[^=]+)?=\s*(?:atom|customerAtom)(?:<[^>]*>)?\(/,
      ),
    ).toEqual([]);
  });
});

describe('habits', () => {
  it('effects live in the shell and in the parts of ui: screens ask, atoms act', () => {
    const allowed = (file: string) => /^src\/(shell|ui|simulator)\//.test(file);
    expect(
      lines(
        sources.filter(({ file }) => !allowed(file)),
        /\buse(?:Layout|Insertion)?Effect\(/,
      ),
    ).toEqual([]);
  });

  it('money is counted in domain/money.ts and on the server alone', () => {
    const rest = client.filter(({ file }) => !['src/domain/money.ts', 'src/contract/price.ts'].includes(file));
    expect(lines(rest, /style:\s*['"]currency['"]/)).toEqual([]);
    // Drawings and meters of ui count in hundredths too, but hold no money.
    expect(
      lines(
        rest.filter(({ file }) => floorOf(file) !== 'ui'),
        /\.toFixed\(|[*/]\s*100\b/,
      ),
    ).toEqual([]);
    const noun = '(?:\\w*(?:[pP]rice|[aA]mount|[tT]otal|[dD]iscount|[sS]urcharge|[pP]ayable|[fF]ee|[sS]aving)s?)';
    const above = rest.filter(({ file }) => !/^src\/(domain|contract)\//.test(file));
    expect(
      lines(
        above,
        new RegExp(
          `\\b${noun}(?:\\[[^\\]]*\\])?\\s*(?:[*+]|-(?!\\s*>))=?\\s*[\\w(]|[\\w)]\\s*(?:\\*|\\+=?|-=?)\\s*(?:\\w+\\??\\.)*${noun}\\b(?!['"\`:(=-])`,
        ),
      ),
    ).toEqual([]);
  });

  it('no screen asks which host or which country it is in [MINI-X01]', () => {
    const blind = sources.filter(({ file }) => ['ui', 'state', 'screens'].includes(floorOf(file) ?? ''));
    // What a payment's next step is called comes from the server and says nothing of the host.
    expect(
      lines(
        blind,
        /(?:[!=]==?|case)\s*['"](?:gpay|paytm|browser|IN|LK|BG|BD|in|lk|bg)['"]|['"](?:gpay|paytm|browser|IN|LK|BG|BD)['"]\s*[!=]==?/,
      ).filter((line) => !/\.kind [!=]==/.test(line)),
    ).toEqual([]);
    expect(lines(blind, /\bhost\.id\s*[!=]==?|COUNTRY_CODE\s*[!=]==?/)).toEqual([]);
  });

  it('nothing is left for later', () => {
    expect(
      sources
        .filter(({ text }) => /\b(?:TODO|FIXME|XXX)\b|[Cc]oming soon|[Nn]ot implemented/.test(text))
        .map(({ file }) => file),
    ).toEqual([]);
  });

  it('whoever asks a provider does so behind its breaker', () => {
    const asking = sources.filter(
      // The imitated bank is not ours: it calls our webhooks, and tries again for hours.
      ({ file }) => /^(src\/server|hosts\/[^/]+\/server)/.test(file) && file !== 'src/server/vendors/bankDesk.ts',
    );
    // Beside a breaker's calls only its knock, which asks nothing; what handles a request of ours leaves no process, and what
    // stands in for a vendor calls a webhook of ours.
    const isOurs = /(?:app|handler)\.fetch\(|\bfetch\(new URL\('\/webhooks\//;
    expect(lines(asking, /\bfetch\(/).filter((line) => !isOurs.test(line))).toEqual([
      "src/server/providers/outside.ts: fetch(origin, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(KNOCK_AT_MOST_MS) }).then(",
      'src/server/providers/outside.ts: const response = await fetch(url, {',
    ]);
    expect(
      asking
        .filter(({ code }) => code.includes('createRemoteJWKSet(') && !code.includes('[customFetch]'))
        .map(({ file }) => file),
    ).toEqual([]);
  });

  it('imports name their file, as Node asks', () => {
    expect(
      sources.flatMap(({ file, imports }) =>
        imports
          .filter((to) => to.from.startsWith('.') && !/\.(tsx?|css|json)$/.test(to.from))
          .map((to) => `${file} -> ${to.from}`),
      ),
    ).toEqual([]);
  });
});

describe('the top level', () => {
  it('holds what the README names, and beside it only dot-files and the lock of the packages', () => {
    const named = ['README.md', 'build.mjs', 'country', 'hosts', 'package.json', 'src', 'test', 'tsconfig.json'];
    const tracked = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: root,
    });
    const top = new Set(
      String(tracked)
        .split('\0')
        .filter(Boolean)
        .map((file) => file.split('/')[0] as string),
    );
    expect([...top].filter((name) => !name.startsWith('.') && name !== 'package-lock.json').toSorted()).toEqual(named);
  });

  it('has every file and folder that its guides for newcomers name', () => {
    const guides = ['README.md', 'src/ADDING.md', 'hosts/README.md', 'test/README.md'];
    const named = guides.flatMap((guide) =>
      [...readFileSync(path.join(root, guide), 'utf8').matchAll(/`((?:src|test|hosts|country)\/[\w./-]*\w)\/?`/g)]
        .map(([, name = '']) => name)
        // `country/xx` stands for a country, `hosts/xx` for a host.
        .filter((name) => !/\bxx\b/.test(name))
        .map((name) => `${guide}: ${name}`),
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((one) => !existsSync(path.join(root, one.split(': ')[1]!)))).toEqual([]);
  });
});

// knip (`npm run lint`) finds exports that tests alone use. It does not look into what an interface or a class holds, and a
// tag can hide an export from it.
describe('nothing lives in tests alone', () => {
  it('no tag hides an export; two interfaces have one, because other files add to them', () => {
    const hidden = sources.flatMap(({ file, text }) =>
      [
        ...text.matchAll(/@(?:public|internal|alpha|beta|alias|lintignore|knipignore)\b[\s\S]*?\bexport \w+ (\w+)/g),
      ].map(([, name]) => `${file} ${name}`),
    );
    expect(hidden.sort()).toEqual(['src/bridge/hostBridge.ts HostNames', 'src/server/store/db.ts Tables']);
  });

  it('each method of our interfaces and classes is called by the product', () => {
    const product = sources.map(({ code }) => code).join('\n');
    const isCalled = (name: string) =>
      new RegExp(`(?:\\.|['"])${name}\\b|\\{[^{}=]*\\b${name}\\b[^{}]*\\}\\s*[=:)]`).test(product);
    let count = 0;
    const unused = sources.flatMap(({ file, code }) =>
      // What another package's class or interface asks for is called by that package.
      [...code.matchAll(/^(?:export )?(?:interface|class) (\w+)(?: extends Error)? \{\n([\s\S]*?)^\}/gm)].flatMap(
        ([, owner, body = '']) =>
          [...body.matchAll(/^  (?:(?:async|static|override) )*(\w+)\??(?:<[^(]*>)?\(/gm)]
            .map(([, name = '']) => name)
            .filter((name) => name !== 'constructor' && (count += 1) > 0 && !isCalled(name))
            .map((name) => `${file} ${owner}.${name}`),
      ),
    );
    expect(count).toBeGreaterThan(100);
    expect(unused).toEqual([]);
  });
});
