import { describe, expect, it } from 'vitest';
import { schemas } from '../../src/state/schemas.ts';
import { floorOf, sources } from './sources.ts';

const client = sources.filter(({ file }) => ['state', 'screens', 'shell'].includes(floorOf(file) ?? ''));

/** What a pattern finds, as [file, first group]. */
const found = (pattern: RegExp) =>
  client.flatMap(({ file, code }) => [...code.matchAll(pattern)].map((match) => [file, match[1] ?? ''] as const));
const twice = (names: readonly string[]) => names.filter((name, at) => names.indexOf(name) !== at);

describe('atoms', () => {
  it('an atom has one address: nobody exports what is another file’s, nor the same under a second name', () => {
    // A journey is nothing but what it joins.
    const passedOn = found(/^export (?:\{[^}]*\}|\*(?: as \w+)?) from '([^']+)'/gm);
    expect(passedOn.filter(([file]) => !file.startsWith('src/shell/journeys/'))).toEqual([]);
    expect(found(/^export const (\w+Atom) = \w+Atom;/gm)).toEqual([]);
    const exported = new Set(found(/^export const (\w+Atom)\b/gm).map(([, name]) => name));
    const sameUnderAnother = /^export const \w+Atom = atom\(\(get\) => get\((\w+Atom)\)\);/gm;
    expect(found(sameUnderAnother).filter(([, name]) => exported.has(name))).toEqual([]);
  });

  it('no two atoms have the same name', () => {
    expect(twice(found(/^export const (\w+Atom)\b/gm).map(([, name]) => name))).toEqual([]);
  });

  it('no two values are remembered under one key, and each that has its schema in state/schemas.ts is there', () => {
    const keys = found(/\bkept(?:<[^(]*>)?\(\{\s*key: '([^']+)'/g);
    expect(keys.length).toBe(found(/^(?:export )?const \w+ = (kept)\b/gm).length);
    expect(twice(keys.map(([, key]) => key))).toEqual([]);
    expect(
      keys
        .filter(([file]) => file.startsWith('src/state/first/'))
        .map(([, key]) => key)
        .toSorted(),
    ).toEqual(Object.keys(schemas).toSorted());
  });
});
