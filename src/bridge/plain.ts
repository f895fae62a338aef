const DEEPEST = 40;
const MOST_VALUES = 20_000;
/** UTF-16 units of all texts together; a receipt has a few thousand. */
const LONGEST_TEXT = 500_000;

/**
 * A copy of what a host answered, as plain data. Made at once, since hosts have used an object again after they gave it away;
 * of an error it has what says something. @throws when a part cannot be read, or when there is too much of it
 */
export function plain(raw: unknown): unknown {
  let values = 0;
  let length = 0;
  const copy = (value: unknown, depth: number): unknown => {
    values += 1;
    if (typeof value === 'string') length += value.length;
    if (depth > DEEPEST || values > MOST_VALUES || length > LONGEST_TEXT) throw new RangeError('Too much');
    if (typeof value === 'function' || typeof value === 'symbol') return undefined;
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((one) => copy(one, depth + 1));
    const said = value as Record<string, unknown>;
    const keys = new Set(Object.keys(said));
    // Errors have these where a loop does not come by.
    for (const key of ['name', 'message', 'code']) if (typeof said[key] === 'string') keys.add(key);
    return Object.fromEntries([...keys].map((key) => [key, copy(said[key], depth + 1)]));
  };
  return copy(raw, 0);
}
