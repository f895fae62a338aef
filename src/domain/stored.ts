/** A stored text, or null: 'undefined', 'null' and 'false' count as absent, and so does nothing at all (specification section 5). */
export function stored(value: string | null | undefined): string | null {
  return value === null || value === undefined || value === '' || value === 'undefined' || value === 'null' || value === 'false' ? null : value;
}
