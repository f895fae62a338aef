import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { countries } from '../../country/index.ts';
import { picturesOf } from '../../src/build/pictures/pictures.ts';

test('every dish and combo of every country has a picture of its own, and a pizza of a menu costs few bytes', async () => {
  for (const country of countries) {
    const { files } = await picturesOf(country);
    expect(files.size).toBeGreaterThan(55);
    const svgs = [...files];
    expect(new Set(svgs.map(([, svg]) => svg)).size, country.COUNTRY_CODE).toBe(svgs.length);
    const sizes = svgs
      .filter(([name]) => name.startsWith('food-PZ'))
      .map(([, svg]) => gzipSync(svg, { level: 9 }).length)
      .sort((a, b) => a - b);
    expect(sizes[Math.floor(sizes.length / 2)], country.COUNTRY_CODE).toBeLessThan(2500);
    for (const [name, svg] of svgs) {
      // No id twice in one document, and none that is missing.
      const ids = [...svg.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      expect(new Set(ids).size, name).toBe(ids.length);
      const used = [...svg.matchAll(/(?:href="#|url\(#)([^")]+)/g)].map(([, id]) => id);
      expect(
        used.filter((id) => !ids.includes(id)),
        name,
      ).toEqual([]);
      expect(svg, name).not.toMatch(/NaN|undefined|null/);
    }
  }
});
