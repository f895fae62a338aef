import fc from 'fast-check';
import { arbitraryOf, type jsonSchemaOf } from './contract.ts';

/** What is known by the name of a field. */
export type Known = Readonly<Record<string, string | number | undefined>>;
type Schema = ReturnType<typeof jsonSchemaOf>;
/** Where a text is in a value. */
export interface Place {
  readonly path: readonly (string | number)[];
  /** How long a text may be to be read on. */
  readonly most: number;
}

/** One valid value with all that may be left out, and each place in it that takes a text which is not one of a list. */
export function exampleOf(schema: Schema, known: Known, places: Place[], path: Place['path'] = []): unknown {
  const name = path.at(-1);
  const all = schema.allOf === undefined ? schema : (Object.assign({}, schema, ...schema.allOf) as Schema);
  const branches = all.anyOf ?? all.oneOf;
  if (branches !== undefined) {
    const [first, ...others] = branches.map((branch) => {
      const own: Place[] = [];
      return { own, value: exampleOf(branch, known, own, path) };
    });
    const best = [first!, ...others].reduce((one, other) => (other.own.length > one.own.length ? other : one));
    places.push(...best.own);
    return best.value;
  }
  if (all.properties !== undefined)
    return Object.fromEntries(
      Object.entries(all.properties).map(([key, inner]) => [key, exampleOf(inner, known, places, [...path, key])]),
    );
  const type = Array.isArray(all.type) ? all.type[0] : all.type;
  if (type === 'array') return [exampleOf(all.items ?? {}, known, places, [...path, 0])];
  if (type === 'object' && typeof all.additionalProperties === 'object')
    return { key: exampleOf(all.additionalProperties, known, places, [...path, 'key']) };
  if (type === 'string' && all.enum === undefined && all.const === undefined)
    places.push({ path, most: all.maxLength ?? Infinity });
  if (typeof name === 'string' && known[name] !== undefined) return known[name];
  return fc.sample(arbitraryOf(all), { seed: 1, numRuns: 1 })[0];
}

/** The value with another text at this place. */
export function withText(value: unknown, [step, ...rest]: Place['path'], text: string): unknown {
  if (step === undefined) return text;
  if (Array.isArray(value)) return value.map((one, at) => (at === step ? withText(one, rest, text) : (one as unknown)));
  const object = value as Record<string, unknown>;
  return { ...object, [step]: withText(object[step], rest, text) };
}
