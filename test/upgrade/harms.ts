/** Names as Kysely writes them; a schema in front does not count. */
const NAME = String.raw`(?:"\w+"\.)?"(\w+)"`;
const rule = (text: string) => new RegExp(`^${text.replaceAll('NAME', NAME)}`, 'i');
const CREATED = rule('create table (?:if not exists )?NAME');
const [DROPPED, ALTERED, UNIQUE] = [
  rule('drop table (?:if exists )?NAME'),
  rule('alter table NAME (.*)$'),
  rule('create unique index .*? on NAME'),
];

/**
 * What the statements of migrations do to a release that still serves, by the statements it is known to say. Tables that
 * are new with them may be anything.
 * @returns a line for each harm
 */
export function harms(said: readonly string[], known: readonly string[]): string[] {
  const made = new Set<string>();
  const uses = (...names: readonly string[]) => known.some((text) => names.every((name) => text.includes(`"${name}"`)));
  const found: string[] = [];
  for (const text of said) {
    const created = CREATED.exec(text)?.[1];
    if (created !== undefined) made.add(created);
    const dropped = DROPPED.exec(text)?.[1];
    if (dropped !== undefined && !made.has(dropped) && uses(dropped)) found.push(`the table ${dropped} goes: ${text}`);
    const unique = UNIQUE.exec(text)?.[1];
    if (unique !== undefined && !made.has(unique)) found.push(`what was allowed in ${unique} no longer is: ${text}`);
    const [, table, change = ''] = ALTERED.exec(text) ?? [];
    if (table === undefined || made.has(table)) continue;
    const gone = rule('(?:drop|rename) column NAME').exec(change)?.[1];
    if (gone !== undefined) {
      if (uses(table, gone)) found.push(`the column ${gone} of ${table} goes: ${text}`);
    } else if (/^rename to/i.test(change)) found.push(`the table ${table} goes: ${text}`);
    else if (/^add column/i.test(change)) {
      if (/\bnot null\b/i.test(change) && !/\bdefault\b/i.test(change))
        found.push(`nobody fills this column of ${table}: ${text}`);
    } else found.push(`${table} changes: ${text}`);
  }
  return found;
}
