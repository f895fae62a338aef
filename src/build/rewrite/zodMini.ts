/**
 * Replaces `zod/mini` in the bundles: the same names, for what a page does with a schema, which is to read JSON by it. Each
 * answers what zod answers (test/api/zodMini.test.ts compares the two on every schema of the contract); of what does not
 * fit it says the first place alone. 1.3 KB brotli instead of 11.3 (src/decisions/2026-11-29-schemas-in-pages.md).
 */
const MISFIT = Symbol('misfit');
let problem = '';
const misfit = (expected: string, place = ''): typeof MISFIT => {
  problem = `${place}: expected ${expected}`;
  return MISFIT;
};
/** Puts the place of an inner value in front of what was said of it. */
const inside = (place: string | number): typeof MISFIT => {
  problem = `.${place}${problem}`;
  return MISFIT;
};

type Check = (value: never) => unknown;
type Shape = Readonly<Record<string, Schema>>;

interface Traits {
  /** An object may lack a value of this schema, and then it does without. */
  readonly isOptional?: boolean | undefined;
  /** What an object without it gets is read from nothing. */
  readonly takesNothing?: boolean | undefined;
  readonly shape?: Shape | undefined;
  readonly isLoose?: boolean | undefined;
  readonly options?: readonly unknown[] | undefined;
}

class Schema implements Traits {
  declare readonly isOptional?: boolean | undefined;
  declare readonly takesNothing?: boolean | undefined;
  declare readonly shape?: Shape | undefined;
  declare readonly isLoose?: boolean | undefined;
  declare readonly options?: readonly unknown[] | undefined;
  readonly read: (value: unknown) => unknown;
  constructor(readIt: (value: unknown) => unknown, traits?: Traits) {
    Object.assign(this, traits);
    this.read = readIt;
  }
  check(...checks: readonly Check[]): Schema {
    return new Schema(
      (value) => checks.reduce((now, one) => (now === MISFIT ? now : one(now as never)), this.read(value)),
      this,
    );
  }
  safeParse(value: unknown) {
    const data = this.read(value);
    return data === MISFIT ? { success: false, error: Error(problem) } : { success: true, data };
  }
  parse(value: unknown) {
    const { data, error } = this.safeParse(value);
    if (error) throw error;
    return data;
  }
}

export const safeParse = (schema: Schema, value: unknown) => schema.safeParse(value);

const plain = (name: string, fits: (value: unknown) => boolean) => () =>
  new Schema((value) => (fits(value) ? value : misfit(name)));
export const string = plain('string', (value) => typeof value === 'string');
export const boolean = plain('boolean', (value) => typeof value === 'boolean');
export const number = plain('number', Number.isFinite);
export const int = plain('int', Number.isSafeInteger);
export const unknown = plain('anything', () => true);

const oneOf = (options: readonly unknown[]) =>
  new Schema((value) => (options.includes(value) ? value : misfit(options.join('|'))), { options });
export const literal = (value: unknown) => oneOf([value].flat());
export { oneOf as enum };

export const optional = (inner: Schema) =>
  new Schema((value) => (value === undefined ? value : inner.read(value)), { takesNothing: true, isOptional: true });
export const nullable = (inner: Schema) =>
  new Schema((value) => (value === null ? value : inner.read(value)), {
    takesNothing: inner.takesNothing,
    isOptional: inner.isOptional,
  });
export const nullish = (inner: Schema) => optional(nullable(inner));

export const array = (inner: Schema) =>
  new Schema((value) => {
    if (!Array.isArray(value)) return misfit('array');
    const result: unknown[] = [];
    for (const [at, one] of value.entries()) {
      const data = inner.read(one);
      if (data === MISFIT) return inside(at);
      result.push(data);
    }
    return result;
  });

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const shaped = (shape: Shape, isLoose = false) =>
  new Schema(
    (value) => {
      if (!isObject(value)) return misfit('object');
      const result: Record<string, unknown> = {};
      for (const [key, inner] of Object.entries(shape)) {
        const isThere = key in value;
        if (!isThere && inner.takesNothing && inner.isOptional) continue;
        const data = isThere || inner.takesNothing ? inner.read(value[key]) : misfit('a value');
        if (data === MISFIT) return inside(key);
        if (isThere || data !== undefined) result[key] = data;
      }
      if (isLoose)
        for (const key of Object.keys(value)) if (!(key in shape) && key !== '__proto__') result[key] = value[key];
      return result;
    },
    { shape, isLoose },
  );
export const object = (shape: Shape) => shaped(shape);
export const looseObject = (shape: Shape) => shaped(shape, true);

type Mask = Readonly<Record<string, true>>;
const reshaped = (change: (shape: Shape, by: never) => Shape) => (from: Schema, by: never) =>
  shaped(change(from.shape as Shape, by), from.isLoose);
const only = (isWanted: (key: string, mask: Mask) => boolean) =>
  reshaped((shape, mask: Mask) => Object.fromEntries(Object.entries(shape).filter(([key]) => isWanted(key, mask))));
export const extend = reshaped((shape, by: Shape) => ({ ...shape, ...by }));
export const pick = only((key, mask) => key in mask);
export const omit = only((key, mask) => !(key in mask));

export const record = (names: Schema, values: Schema) =>
  new Schema((value) => {
    if (!isObject(value)) return misfit('record');
    const result: Record<string, unknown> = {};
    for (const key of Object.keys(value)) {
      if (key === '__proto__') continue;
      const [name, data] = [names.read(key), values.read(value[key])];
      if (name === MISFIT || data === MISFIT) return inside(key);
      result[name as string] = data;
    }
    return result;
  });
export { record as partialRecord };

export const union = (options: readonly Schema[]) =>
  new Schema(
    (value) => {
      for (const one of options) {
        const data = one.read(value);
        if (data !== MISFIT) return data;
      }
      return MISFIT;
    },
    { takesNothing: options.some((one) => one.takesNothing), isOptional: options.some((one) => one.isOptional) },
  );
export const discriminatedUnion = (_key: string, options: readonly Schema[]) => union(options);

export const transform = (change: (value: unknown) => unknown) => new Schema(change, { takesNothing: true });
export const pipe = (first: Schema, then: Schema) =>
  new Schema(
    (value) => {
      const data = first.read(value);
      return data === MISFIT ? data : then.read(data);
    },
    { takesNothing: first.takesNothing, isOptional: then.isOptional },
  );
const defaulted = (inner: Schema, otherwise: unknown) =>
  new Schema((value) => (value === undefined ? otherwise : inner.read(value)), { takesNothing: true });
export { defaulted as _default };
const caught = (inner: Schema, otherwise: unknown) =>
  new Schema(
    (value) => {
      const data = inner.read(value);
      return data === MISFIT ? otherwise : data;
    },
    { takesNothing: true, isOptional: inner.isOptional },
  );
export { caught as catch };

const checked =
  <V, B>(name: string, fits: (value: V, by: B) => boolean) =>
  (by: B) =>
  (value: V) =>
    fits(value, by) ? value : misfit(`${name} ${by}`);
type Long = { readonly length: number };
export const maxLength = checked('at most', ({ length }: Long, most: number) => length <= most);
export const minLength = checked('at least', ({ length }: Long, least: number) => length >= least);
export const gte = checked('at least', (value: number, least: number) => value >= least);
export const lte = checked('at most', (value: number, most: number) => value <= most);
export const regex = checked('text as', (value: string, pattern: RegExp) => value.search(pattern) >= 0);
export const trim = () => (value: string) => value.trim();
