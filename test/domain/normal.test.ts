import { expect, test } from 'vitest';
import { normalAt, normalBelow } from '../../src/domain/normal.ts';

test('shares of the normal distribution and the points below which they lie, as tables have them', () => {
  for (const [share, z] of [
    [0.001, -3.090232],
    [0.01, -2.326348],
    [0.024, -1.977368],
    [0.02425, -1.972961],
    [0.025, -1.959964],
    [0.1, -1.281552],
    [0.25, -0.67449],
    [0.5, 0],
    [0.75, 0.67449],
    [0.97, 1.880794],
    [0.97575, 1.972961],
    [0.98, 2.053749],
    [0.99, 2.326348],
    [0.999, 3.090232],
  ] as const) {
    expect(normalAt(share)).toBeCloseTo(z, 5);
    expect(normalBelow(z)).toBeCloseTo(share, 6);
  }
});
