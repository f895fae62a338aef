import { describe, expect, it } from 'vitest';
import { files, floorOf, sources, type Import, type Source } from './sources.ts';

/** The house: an import goes to a lower floor or stays in its folder. */
const FLOORS: Readonly<Record<string, number>> = { contract: 0, domain: 1, bridge: 2, api: 3, ui: 3, state: 4, screens: 5, full: 5, shell: 6 };
const BESIDE = ['server', 'simulator'];
const CLIENT = Object.keys(FLOORS);
/** A host's half on the server is a guest there; no bundle has it. */
const isServerHalf = (file: string) => /^hosts\/[^/]+\/server\.ts$/.test(file);
const standsOn = (file: string) => (isServerHalf(file) ? 'server' : floorOf(file) ?? '');

/** Every import that breaks a rule, as 'from -> to'. */
function breaches(where: (source: Source) => boolean, isBreach: (to: Import, source: Source) => boolean): string[] {
  return sources.filter(where).flatMap((source) => source.imports.filter((to) => isBreach(to, source)).map((to) => `${source.file} -> ${to.from}`));
}
const inClient = ({ file }: Source) => CLIENT.includes(floorOf(file) ?? '');
const below = (floor: string) => ({ file }: Source) => floorOf(file) === floor;

describe('floors', () => {
  it('src holds the floors and what stands beside them, and nothing else', () => {
    expect([...new Set(files.filter((file) => file.startsWith('src/')).map((file) => floorOf(file) ?? file))].filter((name) => !CLIENT.includes(name) && !BESIDE.includes(name))).toEqual([]);
  });

  it('imports only go down', () => {
    expect(breaches(inClient, (to, { file }) => {
      if (to.file === null) return false;
      const own = floorOf(file) as string;
      const other = floorOf(to.file);
      if (other === null) return to.file !== 'country/shape.ts';
      if (other === own) return false;
      // Screens of the full mode are reached from shell/routes.full.ts alone.
      if (other === 'full') return file !== 'src/shell/routes.full.ts';
      return !(other in FLOORS) || (FLOORS[other] as number) >= (FLOORS[own] as number);
    })).toEqual([]);
  });

  it('every file that is imported exists', () => {
    expect(breaches(() => true, (to) => to.file !== null && to.file !== '#country' && !files.includes(to.file))).toEqual([]);
  });

  it('nothing imports itself in a circle', () => {
    const graph = new Map(sources.map(({ file, imports }) => [file, imports.filter((to) => !to.isType && !to.isLazy && to.file !== null).map((to) => to.file as string)]));
    const circles: string[] = [];
    const done = new Set<string>();
    const visit = (file: string, trail: readonly string[]): void => {
      if (trail.includes(file)) { circles.push([...trail.slice(trail.indexOf(file)), file].join(' -> ')); return; }
      if (done.has(file)) return;
      for (const next of graph.get(file) ?? []) visit(next, [...trail, file]);
      done.add(file);
    };
    for (const file of graph.keys()) visit(file, []);
    expect(circles).toEqual([]);
  });

  it('only a host\'s main.tsx brings the country, its bridge and the routes', () => {
    expect(breaches(({ file }) => !/^hosts\/[^/]+\/main\.tsx$/.test(file), (to) => to.file === '#country' || /^src\/shell\/(routes(\.full)?|start)\.tsx?$/.test(to.file ?? ''))
      .filter((line) => !line.startsWith('src/shell/'))).toEqual([]);
  });

  it('a host imports nothing of another host, and below main.tsx only the bridge floor and what lies under it', () => {
    expect(breaches(({ file }) => file.startsWith('hosts/'), (to, { file }) => {
      if (to.file === null || to.file === '#country') return false;
      // Fakes are in no bundle and share the imitated device.
      if (to.file.startsWith('hosts/')) return to.file.split('/')[1] !== file.split('/')[1] && !file.endsWith('/fake.ts');
      if (isServerHalf(file)) return !/^src\/(server|contract|domain)\//.test(to.file);
      if (file.endsWith('/main.tsx')) return !to.file.startsWith('src/shell/') && !/^src\/ui\/(base|tokens)\.css$/.test(to.file);
      return !['contract', 'domain', 'bridge'].includes(floorOf(to.file) ?? '') && to.file !== 'country/shape.ts';
    })).toEqual([]);
  });

  it('a country is data: it imports its own folder and the shape', () => {
    expect(breaches(({ file }) => /^country\/[^/]+\//.test(file), (to, { file }) => to.package !== null
      || !(to.file?.startsWith(`${file.split('/').slice(0, 2).join('/')}/`) || /^country\/[^/]+\.ts$/.test(to.file ?? '') || to.isType)
      || to.file === 'country/index.ts')).toEqual([]);
  });

  it('nothing imports a host\'s half on the server: the server finds it in its folder', () => {
    expect(breaches(() => true, (to) => isServerHalf(to.file ?? ''))).toEqual([]);
  });

  it('the server imports contract, domain, country and itself', () => {
    expect(breaches(below('server'), (to) => to.file !== null && !/^(src\/(server|contract|domain)|country)\//.test(to.file))).toEqual([]);
  });

  it('nothing imports the simulator, and the simulator takes nothing of the app but its looks and its contract', () => {
    expect(breaches(({ file }) => floorOf(file) !== 'simulator', (to) => floorOf(to.file ?? '') === 'simulator')).toEqual([]);
    expect(breaches(below('simulator'), (to) => to.file !== null && !/^(src\/(simulator|contract|domain|ui)|country)\//.test(to.file))).toEqual([]);
  });
});

describe('package fences', () => {
  const FENCES: Readonly<Record<string, readonly string[]>> = {
    ky: ['api'], jotai: ['state', 'shell', 'screens', 'full'], wouter: ['shell', 'screens', 'full'],
    react: ['ui', 'state', 'screens', 'full', 'shell', 'simulator'], 'react-dom': ['ui', 'shell', 'simulator'],
    'pigeon-maps': ['ui'], hono: ['server'], '@hono/node-server': ['server'], kysely: ['server'], pg: ['server'], pino: ['server'], jose: ['server'], 'web-push': ['server'],
  };

  it.each(Object.entries(FENCES))('%s stays in %s', (name, floors) => {
    expect(breaches(({ file }) => !floors.includes(standsOn(file)), (to) => to.package === name && !to.isType)).toEqual([]);
  });

  it('Node stays in the server', () => {
    expect(breaches(({ file }) => standsOn(file) !== 'server', (to) => to.package?.startsWith('node:') ?? false)).toEqual([]);
  });

  it('there are no other packages', () => {
    const known = [...Object.keys(FENCES), 'zod', 'uqr'];
    expect(breaches(() => true, (to) => to.package !== null && !to.package.startsWith('node:') && !known.includes(to.package))).toEqual([]);
  });

  it('zod comes as `import * as z from \'zod/mini\'` only', () => {
    expect(breaches(() => true, (to) => to.package === 'zod' && to.from !== 'zod/mini')).toEqual([]);
    expect(sources.filter(({ code }) => /import\s+(?:type\s+)?\{[^}]*\}\s+from\s+['"]zod/.test(code)).map(({ file }) => file)).toEqual([]);
  });
});
