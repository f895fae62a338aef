import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { withoutPackageParts } from '../../src/build/rewrite/packageParts.ts';
import { root } from '../architecture/sources.ts';
import { bundledPackage } from '../kit/bundledPackage.ts';

test.each([
  [
    'ky',
    'Retry-After',
    ['getBodySize', 'afterResponse)', 'new ForceRetryError', 'hasOwn', 'formData', 'onUploadProgress)'],
  ],
  ['jotai', 'no atom init', ['DEPRECATED', 'AbortController', 'promise.then', 'storeHooks.', 'useDebugValue']],
])('%s in a bundle holds nothing of the parts that nobody asks for', async (name, kept, gone) => {
  const text = await bundledPackage(name);
  expect(text).toContain(kept);
  expect(gone.filter((word) => text.includes(word))).toEqual([]);
});

test('another version of a package, which lacks one of their places, stops the build', () => {
  const file = 'ky/distribution/utils/options.js';
  const text = readFileSync(path.join(root, 'node_modules', file), 'utf8');
  expect(() => withoutPackageParts(file, text.replaceAll('findUnknownOptions', 'findOthers'))).toThrow(
    `${file} has no findUnknownOptions`,
  );
});
