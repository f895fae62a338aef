/**
 * JSON that is the same for equal values: keys are sorted, and what is undefined is left out. Where the order of a list
 * does not matter, `sortsLists` sorts its entries, too.
 */
export function canonicalJson(value: unknown, sortsLists = false): string {
  const own = (inner: unknown) => canonicalJson(inner, sortsLists);
  if (Array.isArray(value)) return `[${(sortsLists ? value.map(own).sort() : value.map(own)).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return `{${entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => `${JSON.stringify(key)}:${own(inner)}`)
    .join()}}`;
}
