import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import * as zod from 'zod/mini';
import * as compact from '../../src/build/rewrite/zodMini.ts';

const RUNS = 12;
type Schemas = typeof zod;
const own = compact as unknown as Schemas;

const read = (schema: zod.ZodMiniType, value: unknown) => {
  const { success, data } = schema.safeParse(value);
  if (success) expect(schema.parse(value)).toStrictEqual(data);
  else expect(() => schema.parse(value)).toThrow();
  return { success, data };
};

/** All endpoints, with the schemas of `zod/mini` or of what stands for it in a page. */
async function endpointsWith(isCompact: boolean) {
  vi.resetModules();
  // What only bodies use, which no page reads.
  if (isCompact) vi.doMock('zod/mini', () => ({ ...compact, partial: (schema: unknown) => schema }));
  const kit = await import('../kit/contract.ts');
  const found = await kit.allEndpoints();
  vi.doUnmock('zod/mini');
  return { ...kit, found };
}

test('a page reads every reply of the contract, and refuses what is none, as zod does', async () => {
  const { found: pages } = await endpointsWith(true);
  const { found, arbitraryOf, jsonSchemaOf, mutated } = await endpointsWith(false);
  expect([...pages.keys()]).toEqual([...found.keys()]);
  let refused = 0;
  for (const [name, { reply }] of found) {
    const valid = arbitraryOf(jsonSchemaOf(reply));
    fc.assert(
      fc.property(fc.oneof(valid, mutated(valid)), (value) => {
        const right = read(reply, value);
        if (!right.success) refused += 1;
        expect(read(pages.get(name)!.reply, value), name).toStrictEqual(right);
      }),
      { numRuns: RUNS, seed: 1 },
    );
  }
  expect(refused).toBeGreaterThan(found.size);
});

/** What hosts and the device's storage need beside. */
const SHAPES: readonly ((z: Schemas) => zod.ZodMiniType)[] = [
  (z) => z.object({ a: z._default(z.string(), 'none'), b: z.nullish(z.number()), c: z.unknown() }),
  (z) =>
    z.object({
      a: z.pipe(
        z.transform((value) => value ?? 'x'),
        z.string(),
      ),
      b: z.catch(z.optional(z.enum(['y'])), undefined),
    }),
  (z) =>
    z.looseObject({
      a: z.union([z.string().check(z.trim(), z.minLength(2)), z.optional(z.int())]),
      __proto__: z.string(),
    }),
  (z) => z.record(z.string().check(z.regex(/^a/g)), z.nullable(z.literal(['x', 1]))),
  (z) => z.partialRecord(z.enum(['a', 'b']), z.number().check(z.gte(0), z.lte(1))),
  (z) =>
    z.array(
      z.discriminatedUnion('a', [z.object({ a: z.literal('x') }), z.object({ a: z.literal('y'), b: z.boolean() })]),
    ),
  (z) => z.omit(z.extend(z.object({ a: z.string(), b: z.string() }), { c: z.optional(z.string()) }), { b: true }),
  (z) => z.pick(z.looseObject({ a: z.string(), b: z.string() }), { a: true }),
];
const PIECES = [
  undefined,
  null,
  '',
  ' x ',
  'x',
  'y',
  'abc',
  0,
  1,
  0.5,
  2 ** 60,
  Number.NaN,
  true,
  {},
  [],
  [{ a: 'x' }],
  [{ a: 'y', b: true, c: 1 }],
  [{ a: 'y' }],
];
const VALUES = [
  ...PIECES,
  ...PIECES.flatMap((one) => [{ a: one }, { a: one, b: one }, { b: one, c: one, d: one }, { a: 'x', b: 'y', c: one }]),
];

test('it reads the other shapes as zod does, and says what does not fit and where', () => {
  for (const [at, shape] of SHAPES.entries())
    for (const value of VALUES)
      expect(read(shape(own), value), `${at}: ${JSON.stringify(value)}`).toStrictEqual(read(shape(zod), value));
  const { error } = own.safeParse(own.object({ lines: own.array(own.object({ price: own.int() })) }), {
    lines: [{ price: 1 }, { price: '1' }],
  });
  expect((error as Error).message).toBe('.lines.1.price: expected int');
});
