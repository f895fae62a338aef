import { readdirSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import * as z from 'zod/mini';
import type { Endpoint } from '../../src/contract/endpoint.ts';

const folder = path.resolve(import.meta.dirname, '../../src/contract');

function isEndpoint(value: unknown): value is Endpoint {
  const { method, path: where, access, reply } = (value ?? {}) as Partial<Endpoint>;
  return typeof method === 'string' && typeof where === 'string' && typeof access === 'string' && reply !== undefined;
}

/** Every endpoint that a file of src/contract exports, by `file.name`. */
export async function allEndpoints(): Promise<Map<string, Endpoint>> {
  const found = new Map<string, Endpoint>();
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .sort()) {
    const module = (await import(path.join(folder, file))) as Record<string, unknown>;
    for (const [name, value] of Object.entries(module))
      if (isEndpoint(value)) found.set(`${file.slice(0, -3)}.${name}`, value);
  }
  return found;
}

interface JsonSchema {
  readonly type?: string | string[];
  readonly enum?: unknown[];
  readonly const?: unknown;
  readonly anyOf?: JsonSchema[];
  readonly oneOf?: JsonSchema[];
  readonly allOf?: JsonSchema[];
  readonly properties?: Record<string, JsonSchema>;
  readonly required?: string[];
  readonly items?: JsonSchema;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly propertyNames?: JsonSchema;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

const plainText = fc.oneof(
  fc.string({ maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom('१२३४५६७८९०', '٣', '‮abc', 'a\'b"--', '<img src=x>', '%00', '../../etc', '0'),
);

function textOf(schema: JsonSchema): fc.Arbitrary<string> {
  const max = Math.min(schema.maxLength ?? 40, 60);
  const fits = (text: string) =>
    text.length >= (schema.minLength ?? 0) &&
    text.length <= max &&
    (schema.pattern === undefined || new RegExp(schema.pattern).test(text));
  const known = schema.pattern?.includes('\\d{4}')
    ? fc.stringMatching(/^\d{4}$/)
    : fc.stringMatching(/^[A-Za-z0-9_]{1,12}$/);
  return fc
    .oneof({ weight: 3, arbitrary: known }, { weight: 2, arbitrary: plainText })
    .map((text) => (fits(text) ? text : fits('abc1') ? 'abc1' : '1234'));
}

/** Arbitrary values that fit a schema. */
export function arbitraryOf(
  schema: JsonSchema,
  pools: Readonly<Record<string, readonly unknown[]>> = {},
  name = '',
): fc.Arbitrary<unknown> {
  const pool = pools[name];
  if (pool !== undefined && schema.type !== 'object')
    return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...pool) }, { weight: 1, arbitrary: arbitraryOf(schema) });
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) return fc.oneof(...branches.map((branch) => arbitraryOf(branch, pools, name)));
  if (schema.allOf !== undefined) return arbitraryOf(Object.assign({}, ...schema.allOf) as JsonSchema, pools, name);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'string') return textOf(schema);
  if (type === 'integer') {
    const [min, max] = [schema.minimum ?? Number.MIN_SAFE_INTEGER, schema.maximum ?? Number.MAX_SAFE_INTEGER];
    return fc.oneof(
      fc.integer({ min: Math.max(min, -10), max: Math.max(Math.min(max, 1_000), min) }),
      fc.constantFrom(min, max),
    );
  }
  if (type === 'number') return fc.double({ min: schema.minimum ?? -1e6, max: schema.maximum ?? 1e6, noNaN: true });
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  if (type === 'array')
    return fc.array(arbitraryOf(schema.items ?? {}, pools, name), {
      minLength: schema.minItems ?? 0,
      maxLength: Math.min(schema.maxItems ?? 4, 4),
    });
  if (type === 'object' && schema.properties !== undefined) {
    const required = Object.keys(schema.properties).filter((key) => schema.required?.includes(key));
    const shape = Object.fromEntries(
      Object.entries(schema.properties).map(([key, inner]) => [key, arbitraryOf(inner, pools, key)]),
    );
    return fc.record(shape, { requiredKeys: required });
  }
  if (type === 'object' && typeof schema.additionalProperties === 'object')
    return fc.dictionary(textOf(schema.propertyNames ?? {}), arbitraryOf(schema.additionalProperties), { maxKeys: 4 });
  return fc.jsonValue({ maxDepth: 2 });
}

export function jsonSchemaOf(schema: z.ZodMiniType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
}

const NONSENSE: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1.5,
  1e308,
  Number.MAX_SAFE_INTEGER,
  2 ** 53,
  '',
  ' ',
  'x'.repeat(5_000),
  'undefined',
  'null',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '１２３',
  '‮',
  "'; DROP TABLE users; --",
  '{{7*7}}',
  '${7*7}',
  [],
  [[]],
  {},
  { __proto__: null },
  JSON.parse('{"__proto__":{"admin":true},"constructor":{"prototype":{}}}'),
  [null],
  Array(200).fill(1),
  '9'.repeat(400),
  -2147483649,
  2147483648,
];

/** A value that does not fit: one or more places are wrong, missing or too many. */
export function mutated(valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(
      valid,
      fc.array(fc.tuple(fc.nat(), fc.constantFrom('replace', 'remove', 'add'), fc.constantFrom(...NONSENSE)), {
        minLength: 1,
        maxLength: 3,
      }),
    )
    .map(([value, changes]) => {
      let copy = structuredClone(value);
      for (const [seed, how, chosen] of changes) {
        // A copy, since a value that contains itself cannot be sent.
        const nonsense = structuredClone(chosen);
        const places: { holder: Record<string, unknown>; key: string }[] = [];
        const walk = (inner: unknown): void => {
          if (typeof inner !== 'object' || inner === null) return;
          for (const key of Object.keys(inner)) {
            places.push({ holder: inner as Record<string, unknown>, key });
            walk((inner as Record<string, unknown>)[key]);
          }
        };
        walk(copy);
        const place = places[seed % Math.max(places.length, 1)];
        if (place === undefined || seed % 11 === 0) {
          copy = nonsense;
          continue;
        }
        if (how === 'remove') delete place.holder[place.key];
        else place.holder[how === 'add' ? 'unasked' : place.key] = nonsense;
      }
      return copy;
    });
}
