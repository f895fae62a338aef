// `npm run mutants`: changes the code a little, one place at a time, and counts the changes that some test notices.
// `-- --folder domain,bridge`: of these folders alone (FOLDERS below); all of them unless told.
// `-- --lines 400 --seed 7`: a random sample of so many lines a folder (400 unless told); `--lines all` takes hours.
// `-- --changed`: the lines changed since the last commit, or since `--since REF`; `-- --file src/domain/money.ts`: these files whole, or lines
// of them (`src/domain/money.ts:40-60`); `--tests 'test/domain/money.test.ts'`: by these tests alone.
// `--resume`: goes on with a run that was broken off.
// It ends as failed where a folder is below its aim. `-- --write`: puts the table into MUTANTS.md. Who lived is listed in dist/mutants/lived.md. No part of `npm test`.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { callsOf, pagesOf } from './nearest.ts';
import { type Lived, type Range, sampled, touched } from './ranges.ts';

const { values: flags } = parseArgs({
  options: {
    folder: { type: 'string' },
    file: { type: 'string' },
    lines: { type: 'string', default: '400' },
    seed: { type: 'string', default: '1' },
    changed: { type: 'boolean' },
    since: { type: 'string', default: 'HEAD' },
    tests: { type: 'string' },
    resume: { type: 'boolean' },
    write: { type: 'boolean' },
  },
});
const root = path.resolve(import.meta.dirname, '../..');
const out = path.join(root, 'dist/mutants');
/** The tool, by a package file of its own: it is a third of all packages, and nothing else needs it. */
const tool = path.join(import.meta.dirname, 'node_modules/@stryker-mutator');
if (!existsSync(tool))
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: import.meta.dirname, stdio: 'inherit' });

/**
 * A folder of the product, the tests nearest to it, and those that meet it from further away, if any: while the
 * near ones alone notice too few, whatever they let live is tried on them. `aim`: the share of mutants that tests are to notice, in per cent.
 */
interface Folder {
  readonly mutate: string;
  readonly near: TestsOf;
  readonly far?: TestsOf;
  readonly aim: number;
}
type TestsOf = Tests | ((file: string) => Tests);
interface Tests {
  /** Of vitest.config.ts, with commas. */
  readonly projects: string;
  /** Patterns, with blanks between them. */
  readonly files: string;
}
/** Without those whose pages come from the server, which has built none here. */
const PAGES: Tests = { projects: 'unit,dom,pages', files: 'test/{state,screens,shell,ui}/**/!(sheet).test.{ts,tsx}' };
const FOLDERS: Readonly<Record<string, Folder>> = {
  domain: {
    mutate: 'src/domain/**/*.ts',
    near: { projects: 'unit', files: 'test/domain/**/*.test.ts' },
    // What only the server uses is met by the server's tests of that name.
    far: {
      projects: 'unit,server',
      files:
        'test/{state,text,country}/**/*.test.ts test/server/{bank,chat,found,group,help,league,otp,search,session,trains}*.test.ts',
    },
    aim: 92,
  },
  bridge: {
    mutate: 'src/bridge/**/*.ts',
    near: { projects: 'unit,dom', files: 'test/{bridge,hosts}/**/*.test.{ts,tsx}' },
    far: PAGES,
    aim: 92,
  },
  rules: {
    mutate: 'src/server/rules/**/*.ts',
    // All tests of the server for each mutant would be hours.
    near: (file) => ({ projects: 'server,apart', files: callsOf(file) }),
    aim: 85,
  },
  state: {
    mutate: 'src/state/**/*.ts',
    near: { projects: 'unit,dom,pages', files: 'test/state/**/*.test.{ts,tsx}' },
    // All whole pages for each mutant that lives would be hours.
    far: (file) => ({ projects: 'unit,dom,pages', files: pagesOf(file) }),
    aim: 80,
  },
};

interface Mutant {
  readonly status: 'Killed' | 'Timeout' | 'Survived' | 'NoCoverage' | 'CompileError' | 'RuntimeError' | 'Ignored';
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly location: {
    readonly start: { readonly line: number; readonly column: number };
    readonly end: { readonly line: number; readonly column: number };
  };
}

/** Runs Stryker on these places with these tests. Answers the mutants by file. */
function mutated(name: string, places: readonly string[], tests: Tests): ReadonlyMap<string, readonly Mutant[]> {
  const report = path.join(out, `${name}.json`);
  const config = path.join(out, `${name}.config.json`);
  const done = path.join(out, `${name}.done.json`);
  writeFileSync(
    config,
    JSON.stringify({
      testRunner: 'vitest',
      plugins: [path.join(tool, 'vitest-runner/dist/src/index.js')],
      vitest: { configFile: 'test/mutants/vitest.config.ts', related: false },
      mutate: places,
      concurrency: 2,
      // What runs once, when its module is loaded, is met by every test: each such mutant would need all of them.
      ignoreStatic: true,
      tempDirName: 'dist/mutants/tmp',
      ignorePatterns: ['dist', '.pictures'],
      // Stryker reads a tsconfig.json by an interface that TypeScript 7 has not; nothing here depends on that file's place.
      tsconfigFile: 'none',
      reporters: ['json', 'progress-append-only'],
      jsonReporter: { fileName: report },
      allowConsoleColors: false,
      timeoutMS: 60_000,
      dryRunTimeoutMinutes: 60,
    }),
  );
  // A run that was broken off goes on where it was (`--resume`), if nothing else is asked for.
  const asked = readFileSync(config, 'utf8') + JSON.stringify(tests);
  const isDone = flags.resume && existsSync(done) && readFileSync(done, 'utf8') === asked;
  const isTried = () =>
    spawnSync(process.execPath, [path.join(tool, 'core/bin/stryker.js'), 'run', config], {
      cwd: root,
      stdio: 'inherit',
      env: {
        ...process.env,
        MUTANTS_PROJECTS: tests.projects,
        MUTANTS_TESTS: tests.files,
        // Both engines run the same rules.
        WITHOUT_POSTGRES: 'mutants are tried on one engine',
        // So long a page is waited for that does not come any more, once for each mutant.
        WAIT_MS: '6000',
      },
    }).status === 0;
  // Whole pages fail now and then on a busy machine, and one failure ends the tool's first run.
  if (!isDone && ![1, 2, 3, 4].some(isTried)) throw new Error(`The mutants of ${name} could not be tried.`);
  writeFileSync(done, asked);
  const { files } = JSON.parse(readFileSync(report, 'utf8')) as {
    readonly files: Readonly<Record<string, { readonly mutants: readonly Mutant[] }>>;
  };
  return new Map(Object.entries(files).map(([file, { mutants }]) => [file, mutants]));
}

const testsFor = (tests: TestsOf, file: string): Tests => (typeof tests === 'function' ? tests(file) : tests);
/** Tries places of files that have the same tests together, each lot with its own. */
function apart<T extends { readonly file: string }>(
  name: string,
  tests: TestsOf,
  all: readonly T[],
  placed: (one: T) => string,
): (readonly [string, readonly Mutant[]])[] {
  const lots = Map.groupBy(all, ({ file }) => JSON.stringify(testsFor(tests, file)));
  return [...lots].flatMap(([own, those], index) => [
    ...mutated(`${name}-${index}`, [...new Set(those.map(placed))], JSON.parse(own) as Tests),
  ]);
}

const lives = ({ status }: Mutant): boolean => status === 'Survived' || status === 'NoCoverage';
const counts = ({ status }: Mutant): boolean =>
  lives({ status } as Mutant) || status === 'Killed' || status === 'Timeout';
/** Stryker reports columns from 1, and reads them from 0. */
const placeOf = ({ location: { start, end } }: Mutant): string =>
  `${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`;

/** Mutants of the same place and kind are one: a range of Stryker's takes those beside it along. */
const keyOf = (file: string, mutant: Mutant): string =>
  [file, placeOf(mutant), mutant.mutatorName, mutant.replacement].join('|');

/** The mutants of these lines of a folder: how many count, and which of them the near tests do not notice, nor, below its aim, the far ones. */
function tried(
  name: string,
  { near, far, aim }: Folder,
  ranges: readonly Range[],
): { readonly all: number; readonly lived: readonly Lived[] } {
  const first = apart(name, near, ranges, ({ file, from, to }) => `${file}:${from}-${to}`);
  const all = first.flatMap(([, mutants]) => mutants.filter(counts)).length;
  const living = first.flatMap(([file, mutants]) => mutants.filter(lives).map((mutant) => ({ file, mutant })));
  // Whole pages take most of the time: they are not asked where the near ones alone are as good as all are to be.
  const isShort = 100 * (all - living.length) < aim * all;
  const second =
    far && isShort && !flags.tests
      ? apart(`${name}-far`, far, living, ({ file, mutant }) => `${file}:${placeOf(mutant)}`)
      : [];
  const killed = new Set(
    second.flatMap(([file, mutants]) =>
      mutants.filter((mutant) => !lives(mutant)).map((mutant) => keyOf(file, mutant)),
    ),
  );
  return {
    all,
    lived: living
      .filter(({ file, mutant }) => !killed.has(keyOf(file, mutant)))
      .map(({ file, mutant }) => ({
        file,
        line: mutant.location.start.line,
        kind: mutant.mutatorName,
        to: mutant.replacement ?? '',
        unmet: mutant.status === 'NoCoverage',
      })),
  };
}

/** The lines asked for, of a folder's files. */
function rangesOf({ mutate }: Folder): readonly Range[] {
  const files = globSync(mutate, { cwd: root })
    .filter((file) => !file.endsWith('.d.ts'))
    .sort();
  const length = (file: string): number => readFileSync(path.join(root, file), 'utf8').split('\n').length;
  if (flags.file)
    return flags.file.split(',').flatMap((asked) => {
      const [, file = '', from, to] = /^(.*?)(?::(\d+)-(\d+))?$/.exec(asked) ?? [];
      return files.includes(file) ? [{ file, from: Number(from ?? 1), to: Number(to ?? length(file)) }] : [];
    });
  if (flags.changed)
    return touched(
      execFileSync('git', ['diff', '-U0', flags.since, '--', 'src'], { cwd: root, encoding: 'utf8' }),
    ).filter(({ file }) => files.includes(file));
  const whole = files.map((file) => ({ file, from: 1, to: length(file) }));
  return flags.lines === 'all' ? whole : sampled(whole, Number(flags.lines), Number(flags.seed));
}

mkdirSync(out, { recursive: true });
const rows: string[] = [];
const lists: string[] = [];
for (const [name, folder] of Object.entries(FOLDERS)) {
  if (flags.folder && !flags.folder.split(',').includes(name)) continue;
  const ranges = rangesOf(folder);
  const asked = flags.tests;
  const named = asked
    ? { ...folder, near: (file: string) => ({ ...testsFor(folder.near, file), files: asked }) }
    : folder;
  if (ranges.length === 0) continue;
  const { all, lived } = tried(name, named, ranges);
  const score = all === 0 ? 100 : (100 * (all - lived.length)) / all;
  if (score < folder.aim) process.exitCode = 1;
  rows.push(`| ${name} | ${all} | ${all - lived.length} | ${lived.length} | ${score.toFixed(1)} % | ${folder.aim} % |`);
  lists.push(
    `## ${name}\n`,
    ...lived.map(
      ({ file, line, kind, to, unmet }) =>
        `- ${file}:${line} ${kind}${unmet ? ', met by no test' : ''}: \`${to.replaceAll(/\s+/g, ' ').slice(0, 120)}\``,
    ),
    '',
  );
}
const tableOf = (of: readonly string[]) =>
  ['| folder | tried | noticed | lived | score | aim |', '|---|---:|---:|---:|---:|---:|', ...of].join('\n');
console.log(`\n${tableOf(rows)}\n\nWho lived: dist/mutants/lived.md`);
writeFileSync(path.join(out, 'lived.md'), lists.join('\n'));
if (flags.write) {
  const file = path.join(import.meta.dirname, 'MUTANTS.md');
  const text = readFileSync(file, 'utf8');
  // A folder that was not tried now keeps its row.
  const [, before = ''] = /<!-- table -->\n([\s\S]*?)<!-- end -->/.exec(text) ?? [];
  const all = Object.keys(FOLDERS).flatMap((name) => {
    const isOf = (row: string) => row.startsWith(`| ${name} |`);
    return [...rows.filter(isOf), ...before.split('\n').filter(isOf)].slice(0, 1);
  });
  writeFileSync(
    file,
    text.replace(before, () => `\n${tableOf(all)}\n\n`),
  );
}
