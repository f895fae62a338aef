import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Meta } from '../../src/build/meta.ts';
import { root } from '../architecture/sources.ts';
import { atLength } from '../kit/engines.ts';
import { temporaryFolder } from '../kit/folder.ts';

/** A release as a phone sees it: one bundle of a copy of the project, built again after an edit. */
const copy = temporaryFolder('release');
const dist = path.join(copy, 'dist');

function build(): Meta {
  execFileSync(process.execPath, ['build.mjs', '--country', 'in', '--host', 'gpay'], { cwd: copy, stdio: 'pipe' });
  return JSON.parse(readFileSync(path.join(dist, 'in/gpay/meta.json'), 'utf8')) as Meta;
}

/** Builds with some files changed, and puts them back. */
function buildWith(...edits: readonly (readonly [file: string, change: (text: string) => string])[]): Meta {
  const undo = edits.map(([file, change]) => {
    const where = path.join(copy, file);
    const text = readFileSync(where, 'utf8');
    expect(change(text), `${file} is changed`).not.toBe(text);
    writeFileSync(where, change(text));
    return () => writeFileSync(where, text);
  });
  try {
    return build();
  } finally {
    for (const one of undo) one();
  }
}

const scripts = (meta: Meta) => Object.keys(meta.files).filter((name) => name.endsWith('.js') && name !== 'sw.js');
/** Names of units whose file is another one than before. */
const renamed = (before: Meta, after: Meta) => {
  const held = new Set(scripts(before));
  return scripts(after)
    .filter((name) => !held.has(name))
    .map((name) => name.replace(/[-.][0-9A-Z]{8}\.js$/, ''));
};
const unitOf = (meta: Meta, source: string) =>
  Object.entries(meta.units).find(([, { sources }]) => sources.includes(source))?.[0];

let before: Meta;
beforeAll(() => {
  for (const name of ['src', 'hosts', 'country', 'build.mjs', 'package.json', 'package-lock.json', 'tsconfig.json'])
    cpSync(path.join(root, name), path.join(copy, name), { recursive: true });
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  // Built here, although it stands in dist: packages that lie elsewhere come in another order.
  before = build();
});

const LATE = 'src/screens/memory/MemoryScreen.tsx';
const withAttribute = (text: string) => text.replace(/<main|<div|<section|<form|<Page/, '$& data-release="next"');

describe('a release of one line', () => {
  // Home and what holds a rule do not load the late screen, nor does it load them: a build with all three tells each.
  test('renames the script of a late screen, of home and of the changed rule alone; each comes as a small difference', () => {
    const [home, rule] = ['src/screens/first/HomeScreen.tsx', 'src/domain/countdown.ts'];
    const after = buildWith(
      [LATE, withAttribute],
      [home, withAttribute],
      [rule, (text) => text.replace('% 60', '% 61')],
    );
    expect(renamed(before, after).toSorted()).toEqual([LATE, home, rule].map((one) => unitOf(before, one)).toSorted());

    const unit = unitOf(before, LATE) as string;
    const [older, newer] = [before.units[unit]?.file ?? '', after.units[unit]?.file ?? ''];
    const held = readFileSync(path.join(dist, '.held/in/gpay', older));
    const digest = createHash('sha256').update(held).digest('hex');
    const difference = readFileSync(path.join(dist, 'in/gpay', `${newer}.${digest.slice(0, 16)}.dcz`));
    expect(difference.subarray(8, 40).toString('hex')).toBe(digest);
    const whole = readFileSync(path.join(dist, 'in/gpay', newer));
    expect(zstdDecompressSync(difference.subarray(40), { dictionary: held }).equals(whole)).toBe(true);
    expect(difference.length).toBeLessThan(1_000);
  });
});

atLength('the first load costs nothing more for ten more screens of a later journey', () => {
  const rows = Array.from({ length: 10 }, (_, at) => `  row('/more/${at}', account, 'login'),`).join('\n');
  const after = buildWith([
    'src/shell/routes.ts',
    (text) => text.replace("  row('/phones', account, 'memory'),", `$&\n${rows}`),
  ]);
  expect(after.firstLoad).toEqual(before.firstLoad);
  expect(renamed(before, after)).toEqual(['alive']);
});
