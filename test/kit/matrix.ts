/** `npm test -- --all`: every bundle, every loop, both engines. */
export const IS_ALL = Boolean(process.env['TEST_ALL']);

/** What a loop goes over: those that stand for the others, or all of them in the full matrix. */
export const sample = <T>(all: readonly T[], few: readonly T[]): readonly T[] => (IS_ALL ? all : few);
