import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { files, floorOf, sources, type Import, type Source } from './sources.ts';
import { placeOf, visit, visitBelow, type Node } from './syntax.ts';

/** The house: an import goes to a lower floor or stays in its folder. */
const FLOORS: Readonly<Record<string, number>> = {
  text: -1,
  contract: 0,
  domain: 1,
  bridge: 2,
  api: 3,
  ui: 3,
  state: 4,
  screens: 5,
  shell: 6,
};
const BESIDE = ['build', 'decisions', 'server', 'simulator'];
const CLIENT = Object.keys(FLOORS);
/** A host's half on the server (server.ts, and a folder `server` where it is long) is a guest there; no bundle has it. */
const isServerHalf = (file: string) => /^hosts\/[^/]+\/server(\.ts$|\/)/.test(file);
const standsOn = (file: string) => (isServerHalf(file) ? 'server' : (floorOf(file) ?? ''));

/** Every import that breaks a rule, as 'from -> to'. */
function breaches(where: (source: Source) => boolean, isBreach: (to: Import, source: Source) => boolean): string[] {
  return sources
    .filter(where)
    .flatMap((source) =>
      source.imports.filter((to) => isBreach(to, source)).map((to) => `${source.file} -> ${to.from}`),
    );
}
const inClient = ({ file }: Source) => CLIENT.includes(floorOf(file) ?? '');
const below =
  (floor: string) =>
  ({ file }: Source) =>
    floorOf(file) === floor;

/** The rooms of a floor that reach themselves through others, also by a type or by an import that comes later. */
function circling(roomOf: (file: string) => string | null): string[] {
  const doors = new Map<string, Set<string>>();
  for (const { file, imports } of sources)
    for (const to of imports) {
      const [own, other] = [roomOf(file), roomOf(to.file ?? '')];
      if (own !== null && other !== null && own !== other) doors.set(own, (doors.get(own) ?? new Set()).add(other));
    }
  const reached = (from: string, seen = new Set<string>()): Set<string> => {
    for (const next of doors.get(from) ?? []) if (!seen.has(next)) reached(next, seen.add(next));
    return seen;
  };
  return [...doors.keys()].filter((room) => reached(room).has(room));
}

describe('floors', () => {
  it('src holds the floors and what stands beside them, and nothing else', () => {
    expect(
      [...new Set(files.filter((file) => file.startsWith('src/')).map((file) => floorOf(file) ?? file))].filter(
        (name) =>
          !CLIENT.includes(name) && !BESIDE.includes(name) && !/^src\/(?:ADDING\.md|tsconfig\.json)$/.test(name),
      ),
    ).toEqual([]);
  });

  it('imports only go down', () => {
    expect(
      breaches(inClient, (to, { file }) => {
        if (to.file === null) return false;
        const own = floorOf(file) as string;
        const other = floorOf(to.file);
        if (other === null) return !/^country\/\w+\.ts$/.test(to.file) || to.file === 'country/index.ts';
        if (other === own) return false;
        return !(other in FLOORS) || (FLOORS[other] as number) >= (FLOORS[own] as number);
      }),
    ).toEqual([]);
  });

  it('every file that is imported exists', () => {
    expect(
      breaches(
        () => true,
        (to) => to.file !== null && !to.file.startsWith('#country/') && !files.includes(to.file),
      ),
    ).toEqual([]);
  });

  it('nothing imports itself in a circle, also for a type and lazily', () => {
    const graph = new Map(
      sources.map(({ file, imports }) => [
        file,
        imports.filter((to) => to.file !== null).map((to) => to.file as string),
      ]),
    );
    const circles: string[] = [];
    const done = new Set<string>();
    const visit = (file: string, trail: readonly string[]): void => {
      if (trail.includes(file)) {
        circles.push([...trail.slice(trail.indexOf(file)), file].join(' -> '));
        return;
      }
      if (done.has(file)) return;
      for (const next of graph.get(file) ?? []) visit(next, [...trail, file]);
      done.add(file);
    };
    for (const file of graph.keys()) visit(file, []);
    expect(circles).toEqual([]);
  });

  it("only a host's main.tsx brings the country, its bridge and the routes", () => {
    expect(
      breaches(
        ({ file }) => !/^hosts\/[^/]+\/main\.tsx$/.test(file),
        (to) =>
          (to.file ?? '').startsWith('#country/') ||
          /^src\/shell\/(first\/(routes|start)|routes(\.full)?)\.tsx?$/.test(to.file ?? ''),
      ).filter((line) => !line.startsWith('src/shell/')),
    ).toEqual([]);
  });

  it('a host imports nothing of another host, and below main.tsx only the bridge floor and what lies under it', () => {
    expect(
      breaches(
        ({ file }) => file.startsWith('hosts/'),
        (to, { file }) => {
          if (to.file === null || to.file.startsWith('#country/')) return false;
          // Fakes are in no bundle and stand on the imitated phone.
          if (to.file.startsWith('hosts/imitated/')) return !/^hosts\/(\w+\/fake\.ts$|imitated\/)/.test(file);
          if (to.file.startsWith('hosts/')) return to.file.split('/')[1] !== file.split('/')[1];
          if (isServerHalf(file)) return !/^(src\/(server|contract|domain|text)\/|country\/index\.ts$)/.test(to.file);
          if (file.endsWith('/main.tsx'))
            return !to.file.startsWith('src/shell/') && !/^src\/ui\/(base|tokens)\.css$/.test(to.file);
          return !['contract', 'domain', 'bridge'].includes(floorOf(to.file) ?? '') && to.file !== 'country/shape.ts';
        },
      ),
    ).toEqual([]);
  });

  it('a host is named in its own folder and by countries, and nowhere else in code', () => {
    const SPECIFIED = 'a path and a feature of the specification';
    const SHEET = "a browser's payment sheet, which knows nothing of the payment app's pages";
    const REASONS: Readonly<Record<string, string>> = {
      'src/contract/names.ts: GPAY': 'a payment mode, as countries list it',
      'src/contract/names.ts: PAYTM': 'a payment mode, as countries list it',
      'src/server/rules/assistants/quotes.ts: PAYTM': 'a payment mode, as countries list it',
      'src/server/environment.ts: GOOGLE_PAY': SHEET,
      'src/server/environment.ts: Google Pay': SHEET,
      'src/server/providers/paymentSheets.ts: Google Pay': SHEET,
      'src/shell/ownScreens.ts: paytm': SPECIFIED,
      'src/shell/routes.full.ts: paytm': SPECIFIED,
    };
    // A host's folder, and what its half on the server says that it is called.
    const names = sources.flatMap(({ file, code }) => {
      const [, folder] = /^hosts\/(\w+)\/server\.ts$/.exec(file) ?? [];
      const called = /\bapp: \{\s*name: '([^']+)'/.exec(code)?.[1];
      return folder === undefined ? [] : [folder, called ?? `${file} has no name`];
    });
    expect(names).toEqual(expect.arrayContaining(['gpay', 'Google Pay', 'paytm', 'Paytm']));
    const spelt = names.flatMap((name) => {
      const [lower, upper] = [name.toLowerCase(), name.toUpperCase()];
      const words = [name, lower, upper, `${upper[0]}${lower.slice(1)}`];
      return [...words, ...words.flatMap((word) => ['', '_', '-'].map((between) => word.replaceAll(' ', between)))];
    });
    // An ordinary word counts only where it is the whole text, or the folder.
    const ORDINARY = /^frame$/i;
    const pattern = new RegExp(
      [...new Set(spelt)]
        .map((word) => (ORDINARY.test(word) ? `['"\`]${word}['"\`]|hosts/${word}\\b` : word))
        .join('|'),
    );
    const found = new Set<string>();
    for (const source of sources.filter(({ file, text }) => file.startsWith('src/') && pattern.test(file + text))) {
      // Names, texts and patterns, wherever they stand; comments are no nodes.
      const see = (said: unknown) => {
        const [part] = (typeof said === 'string' && pattern.exec(said)) || [];
        if (part !== undefined) found.add(`${source.file}: ${part}`);
      };
      see(source.file.slice('src/'.length));
      visit(source, ({ name, raw, value }) => [name, raw, (value as { raw?: unknown } | null)?.raw].forEach(see));
    }
    expect([...found].sort()).toEqual(Object.keys(REASONS).sort());
  });

  it('a country is data: it imports its own folder and the shape', () => {
    expect(
      breaches(
        ({ file }) => /^country\/[^/]+\//.test(file),
        (to, { file }) =>
          to.package !== null ||
          !(
            to.file?.startsWith(`${file.split('/').slice(0, 2).join('/')}/`) ||
            /^country\/[^/]+\.ts$/.test(to.file ?? '') ||
            to.isType
          ) ||
          to.file === 'country/index.ts',
      ),
    ).toEqual([]);
  });

  it("nothing imports a host's half on the server: the server finds it in its folder", () => {
    expect(
      breaches(
        ({ file }) => !isServerHalf(file),
        (to) => isServerHalf(to.file ?? ''),
      ),
    ).toEqual([]);
  });

  it('the server imports contract, domain, country and itself', () => {
    expect(
      breaches(
        below('server'),
        (to) => to.file !== null && !/^(src\/(server|contract|domain|text)|country)\//.test(to.file),
      ),
    ).toEqual([]);
  });

  it('a catalogue of sentences imports nothing, and no page takes what compiles it', () => {
    expect(
      breaches(
        below('text'),
        (to, { file }) => to.file !== null || (to.package !== null && file !== 'src/text/compile.ts'),
      ),
    ).toEqual([]);
    expect(
      breaches(
        ({ file }) => !['server', 'build'].includes(floorOf(file) ?? ''),
        (to) => to.file === 'src/text/compile.ts',
      ),
    ).toEqual([]);
  });

  it('no floor imports the build; the build imports only food art, sums and numbers, page shells and the server’s menu', () => {
    expect(
      breaches(
        ({ file }) => floorOf(file) !== 'build',
        (to) => floorOf(to.file ?? '') === 'build',
      ),
    ).toEqual([]);
    expect(
      breaches(
        below('build'),
        (to) =>
          to.file !== null &&
          !to.isType &&
          !/^(src\/(build|text|ui\/food)\/|src\/domain\/(countryName|html|money|seo|time|writtenPhone)\.ts$|country\/(index|featurePaths)\.ts$|src\/server\/rules\/(?:\w+\/)?(menu|catalogue)\.ts$)/.test(
            to.file,
          ),
      ),
    ).toEqual([]);
  });

  it('nothing imports the simulator, and the simulator takes nothing of the app but its looks and its contract', () => {
    expect(
      breaches(
        ({ file }) => floorOf(file) !== 'simulator',
        (to) => floorOf(to.file ?? '') === 'simulator',
      ),
    ).toEqual([]);
    expect(
      breaches(
        below('simulator'),
        (to) => to.file !== null && !/^(src\/(simulator|contract|domain|text|ui)|country)\//.test(to.file),
      ),
    ).toEqual([]);
  });
});

/** The room of a screen: 'cart' for 'src/screens/cart/CartScreen.tsx'. */
const screenRoomOf = (file: string) => /^src\/screens\/(\w+)\//.exec(file)?.[1] ?? null;

describe('rooms of screens', () => {
  it('have no circle between them, and what all take is in the one below, which takes from none', () => {
    expect(files.filter((file) => /^src\/screens\/[^/]+$/.test(file))).toEqual([]);
    expect(circling(screenRoomOf)).toEqual([]);
    expect(
      breaches(
        ({ file }) => screenRoomOf(file) === 'base',
        (to) => !['base', null].includes(screenRoomOf(to.file ?? '')),
      ),
    ).toEqual([]);
  });

  it('that only a page of its own can show are reached from its journey alone', () => {
    expect(
      breaches(
        ({ file }) => screenRoomOf(file) !== 'external' && file !== 'src/shell/journeys/full.ts',
        (to) => screenRoomOf(to.file ?? '') === 'external',
      ),
    ).toEqual([]);
  });
});

/**
 * The floors of the server, and what each may use beside contract, domain, text and country. `db` is four files of the store's
 * folder that know no noun: a database, its two engines, and how much a statement writes. Beside the rules stand the clients of the outside world (providers),
 * which only the start puts in, and what is imitated of it (vendors), which knows of a rule as little as the real one would.
 */
const SERVER: Readonly<Record<string, readonly string[]>> = {
  proxies: [],
  trace: [],
  environment: ['proxies'],
  db: [],
  store: ['db'],
  call: ['store', 'db'],
  rules: ['call', 'store', 'db'],
  providers: ['call', 'store', 'db'],
  vendors: ['providers', 'call', 'store', 'db'],
  routes: ['rules', 'call', 'store', 'db'],
  http: ['proxies', 'routes', 'vendors', 'rules', 'call', 'store', 'db'],
  app: ['proxies', 'http', 'rules', 'providers', 'call', 'store', 'db'],
  operations: ['store', 'db'],
  main: ['app', 'rules'],
  // What an operator types.
  commands: ['rules', 'store', 'db'],
};
const serverFloorOf = (file: string) =>
  /^src\/server\/store\/(db|sqlite|snapshotReader|postgres|rowLines|written)\.ts$/.test(file)
    ? 'db'
    : (/^src\/server\/(\w+)(\/|\.ts$)/.exec(file)?.[1] ?? null);
const roomOf = (file: string) => /^src\/server\/rules\/(\w+)\//.exec(file)?.[1] ?? null;
const stateRoomOf = (file: string) => /^src\/state\/(\w+)\//.exec(file)?.[1] ?? null;
/** Lowest first, though not each on the one before it: what a page starts with, what one orders, the order, what follows it. */
const STATE_ROOMS = [
  ...['first', 'lib', 'base', 'consent', 'drafts', 'places', 'telemetry', 'menu', 'cart', 'group', 'offers', 'orders'],
  ...['trains', 'people', 'payment', 'checkout', 'after', 'shop'],
];

/** A file for each noun, called alike on every floor (`git ls-files '*coupons*'`): a folder inside would say the noun twice. */
const BY_NOUN = ['src/contract', 'src/domain', 'src/server/routes', 'src/server/store', 'src/server/store/migrations'];

it('no folder has more than 25 files beside each other, but those with a file for each noun', () => {
  const counts = new Map<string, number>();
  for (const file of files) {
    const folder = path.posix.dirname(file);
    if (/^src\/(decisions|text)\b/.test(folder)) continue;
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  expect([...counts].flatMap(([folder, count]) => (count > 25 ? [folder] : [])).toSorted()).toEqual(BY_NOUN);
});

describe('rooms of the state', () => {
  it('are these, and only the schemas lie outside', () => {
    const rooms = files.filter((file) => file.startsWith('src/state/')).map((file) => stateRoomOf(file) ?? file);
    expect([...new Set(rooms)].sort()).toEqual([...STATE_ROOMS, 'src/state/schemas.ts'].sort());
  });

  it('take only from rooms named before them, also for a type and lazily: no circle is left', () => {
    expect(
      breaches(below('state'), (to, { file }) => {
        const [own, other] = [stateRoomOf(file), stateRoomOf(to.file ?? '')];
        return own !== null && other !== null && STATE_ROOMS.indexOf(other) > STATE_ROOMS.indexOf(own);
      }),
    ).toEqual([]);
  });
});

describe('floors of the server', () => {
  it('are these and no others, and every rule is in a room', () => {
    expect([
      ...new Set(
        sources
          .map(({ file }) => serverFloorOf(file))
          .filter((floor) => floor !== null)
          .filter((floor) => !(floor in SERVER)),
      ),
    ]).toEqual([]);
    expect(files.filter((file) => /^src\/server\/rules\/[^/]+$/.test(file))).toEqual([]);
  });

  it('use only what is below them, also for a type', () => {
    expect(
      breaches(
        ({ file }) => serverFloorOf(file) !== null,
        (to, { file }) => {
          const [own, other] = [serverFloorOf(file) as string, serverFloorOf(to.file ?? '')];
          const isForAll = other === 'environment' || other === 'trace';
          return other !== null && other !== own && !isForAll && SERVER[own]?.includes(other) !== true;
        },
      ),
    ).toEqual([]);
  });

  it('have rooms for the rules, and no circle between them', () => {
    expect(circling(roomOf)).toEqual([]);
  });

  it('have thin routes: no transaction, no job, nothing that a login moves, and none takes from another', () => {
    const DEEPER =
      /^src\/server\/(routes\/|(store\/db|call\/jobs|rules\/login\/loginMoves|rules\/placing\/placed)\.ts$)/;
    expect(
      breaches(
        ({ file }) => serverFloorOf(file) === 'routes',
        (to) => !to.isType && DEEPER.test(to.file ?? ''),
      ),
    ).toEqual([]);
  });

  it('do what a key, a count or a transaction holds together in the rules', () => {
    const deeper: string[] = [];
    for (const source of sources.filter(({ file }) => serverFloorOf(file) === 'routes'))
      visit(source, (node) => {
        const { type, name } = node;
        if (
          type === 'Identifier' &&
          ['tx', 'Tx', 'once', 'answeredOnce', 'countUse', 'countWithin'].includes(String(name))
        )
          deeper.push(`${placeOf(source, node)} ${String(name)}`);
      });
    expect(deeper).toEqual([]);
  });

  it('keep whose something is in the rules: no route compares an owner, a number or a country of the caller', () => {
    const COMPARED = ['===', '!==', '==', '!='];
    const OWNER = /^(?:user_?id|userIdOf|session_?id|cart_?id|mobile|country|caller)$/i;
    const isKnown = ({ type, name }: Node) => type === 'Literal' || (type === 'Identifier' && name === 'undefined');
    const namesOwner = (side: Node) => {
      let isOwner = false;
      visitBelow(side, ({ type, name }) => {
        isOwner ||= type === 'Identifier' && OWNER.test(String(name));
      });
      return isOwner;
    };
    const compared: string[] = [];
    for (const source of sources.filter(({ file }) => serverFloorOf(file) === 'routes'))
      visit(source, (node) => {
        const [left, right] = [node['left'] as Node, node['right'] as Node];
        if (node.type !== 'BinaryExpression' || !COMPARED.includes(String(node['operator']))) return;
        if (!isKnown(left) && !isKnown(right) && (namesOwner(left) || namesOwner(right)))
          compared.push(placeOf(source, node));
      });
    expect(compared).toEqual([]);
  });

  it('have no two files of one name on one floor, nor have contract, domain, api, bridge and ui', () => {
    const FLAT = ['contract', 'domain', 'api', 'bridge', 'ui'];
    const seen = new Map<string, string>();
    const twice = sources.flatMap(({ file }) => {
      const floor = serverFloorOf(file) ?? FLAT.find((own) => own === floorOf(file));
      if (floor === undefined) return [];
      const key = `${floor} ${path.posix.basename(file).replace(/\..*$/, '')}`;
      const first = seen.get(key);
      seen.set(key, file);
      return first === undefined ? [] : [`${first} and ${file}`];
    });
    expect(seen.size).toBeGreaterThan(500);
    expect(twice).toEqual([]);
  });

  it('leave SQL to the store', () => {
    expect(
      breaches(
        ({ file }) => !file.startsWith('src/server/store/'),
        (to) => ['kysely', 'pg', 'node:sqlite'].includes(to.package ?? ''),
      ),
    ).toEqual([]);
    expect(
      sources
        .filter(
          ({ file, code }) =>
            !file.startsWith('src/server/store/') && /\.(selectFrom|insertInto|updateTable|deleteFrom)\(/.test(code),
        )
        .map(({ file }) => file),
    ).toEqual([]);
  });

  it('are open to the half of a host without rules, routes and http: nobody there says what an order is', () => {
    expect(
      breaches(
        ({ file }) => isServerHalf(file),
        (to) => ['rules', 'routes', 'http', 'app', 'main'].includes(serverFloorOf(to.file ?? '') ?? ''),
      ),
    ).toEqual([]);
  });
});

describe('package fences', () => {
  const FENCES: Readonly<Record<string, readonly string[]>> = {
    ky: ['api'],
    jotai: ['state', 'shell', 'screens'],
    wouter: ['shell', 'screens'],
    react: ['ui', 'state', 'screens', 'shell', 'simulator'],
    'react-dom': ['ui', 'shell', 'simulator'],
    '@noble/hashes': ['domain'],
    'pigeon-maps': ['ui'],
    'web-vitals': ['shell'],
    hono: ['server'],
    '@hono/node-server': ['server'],
    '@modelcontextprotocol/server': ['server'],
    kysely: ['server'],
    pg: ['server'],
    '@prometheus-io/client': ['server'],
    pino: ['server'],
    cockatiel: ['server'],
    jose: ['server'],
    'web-push': ['server'],
    pdfkit: ['server'],
    sharp: ['server'],
    fontkit: ['server'],
    harfbuzzjs: ['server'],
    '@formatjs/icu-messageformat-parser': ['text'],
    '@jridgewell/remapping': ['build'],
    '@jridgewell/trace-mapping': ['build', 'server'],
    esbuild: ['build'],
    'oxc-parser': ['build'],
    'oxc-minify': ['build'],
  };

  it.each(Object.entries(FENCES))('%s stays in %s', (name, floors) => {
    expect(
      breaches(
        ({ file }) => !floors.includes(standsOn(file)),
        (to) => to.package === name && !to.isType,
      ),
    ).toEqual([]);
  });

  it('Node stays in the server, the build and the list of countries that no page has', () => {
    expect(
      breaches(
        ({ file }) => !['server', 'build'].includes(standsOn(file)) && file !== 'country/index.ts',
        (to) => to.package?.startsWith('node:') ?? false,
      ),
    ).toEqual([]);
  });

  it('there are no other packages', () => {
    const known = [...Object.keys(FENCES), 'zod', 'uqr'];
    expect(
      breaches(
        () => true,
        (to) => to.package !== null && !to.package.startsWith('node:') && !known.includes(to.package),
      ),
    ).toEqual([]);
  });

  it("zod comes as `import * as z from 'zod/mini'` only", () => {
    expect(
      breaches(
        () => true,
        (to) => to.package === 'zod' && to.from !== 'zod/mini',
      ),
    ).toEqual([]);
    expect(
      sources
        .filter(({ code }) => /import\s+(?:type\s+)?\{[^}]*\}\s+from\s+['"]zod/.test(code))
        .map(({ file }) => file),
    ).toEqual([]);
  });
});
