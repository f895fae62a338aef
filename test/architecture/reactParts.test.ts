import { expect, it } from 'vitest';
import { PARTS } from '../../src/build/rewrite/reactParts.ts';
import { sources } from './sources.ts';

// What a bundle's React cannot do (src/build/rewrite/reactParts.ts), nobody may ask of it. The server draws with the whole React.
const drawn = sources.filter(
  ({ file }) => /\.tsx?$/.test(file) && !/^(?:test|src\/(?:server|build)|hosts\/[^/]+\/server)\b/.test(file),
);

it.each(Object.entries(PARTS))('no page has %s', (_, { sign }) => {
  expect(drawn.length).toBeGreaterThan(500);
  expect(drawn.filter(({ code }) => sign.test(code)).map(({ file }) => file)).toEqual([]);
});
