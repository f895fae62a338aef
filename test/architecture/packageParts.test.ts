import { expect, it } from 'vitest';
import { PACKAGE_PARTS } from '../../src/build/rewrite/packageParts.ts';
import { sources } from './sources.ts';

// What the bundles' ky and Jotai cannot do (src/build/rewrite/packageParts.ts), nobody may ask of them.
it.each(Object.entries(PACKAGE_PARTS))('nobody asks a package for %s', (_, { callers, sign }) => {
  const all = sources.filter(({ file }) => callers.test(file));
  expect(all.length).toBeGreaterThan(5);
  expect(all.filter(({ code }) => sign.test(code)).map(({ file }) => file)).toEqual([]);
});
