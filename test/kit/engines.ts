import { describe, test } from 'vitest';
import { IS_ALL } from './matrix.ts';
import type { Engine } from './server.ts';

const none = Object.assign(() => {}, { each: () => none }) as unknown;

/** What is raced among others stands without them. */
const inside = ((_name: string, body: () => void) => body()) as unknown;

/** For what only the full matrix runs; README.md says where every run proves it. */
export const atLength = IS_ALL ? test : (none as typeof test);

/**
 * For a block that runs on both engines. `raced`: who wins where many come at once, or the same comes twice, is the engine's
 * decision, and proven on each. `test` and `describe` take what none decides: SQLite alone, whose statements are then
 * proven on PostgreSQL (test/statements); the full matrix runs them on both.
 */
export function on(engine: Engine): {
  readonly raced: typeof test;
  readonly test: typeof test;
  readonly describe: typeof describe;
} {
  return engine === 'sqlite' || IS_ALL
    ? { raced: test, test, describe }
    : { raced: test, test: none as typeof test, describe: inside as typeof describe };
}
