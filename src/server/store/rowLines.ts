// A row as a line, as PostgreSQL writes and reads it by itself (COPY, text): a tab between values, null as \N, and what would
// be taken for one of these behind a backslash. So a backup's rows go in and out there without anybody making values of them.

/** Some rows, each with a newline at its end, in UTF-8. */
export interface Lines {
  readonly lines: Buffer;
  readonly rows: number;
}

const NULL = String.raw`\N`;
const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const MEANT: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

const escaped = (text: string) => text.replaceAll(/[\\\n\r\t]/g, (sign) => ESCAPED[sign]!);

export const lineOf = (values: readonly (string | number | null)[]): string =>
  `${values.map((value) => (value === null ? NULL : escaped(String(value)))).join('\t')}\n`;

/** Its values as texts: a column of numbers makes numbers of them. */
export function valuesIn(line: string): (string | null)[] {
  const values: (string | null)[] = line.split('\t');
  if (!line.includes('\\')) return values;
  return values.map((value) =>
    value === NULL ? null : value!.replaceAll(/\\(.)/g, (_, sign: string) => MEANT[sign] ?? sign),
  );
}

// What stands between values, behind a row and for null while SQLite puts rows together: no text in UTF-8 has these bytes.
const [BETWEEN, BEHIND, NOTHING] = [0xff, 0xfe, 0xfd];
/** The first bits of four bytes. */
const NOT_ASCII = 0x80_80_80_80;
const PUT: Readonly<Record<number, number>> = { [BETWEEN]: 9, [BEHIND]: 10, [NOTHING]: 92 };
const sqlOf = (byte: number) => `cast(x'${byte.toString(16)}' as text)`;

/** In SQL of SQLite, a row as `linesOfSqlite` takes it. To replace what is not plain there would read each text four times. */
export const rowInSqlite = (columns: readonly string[]): string =>
  `concat_ws(${sqlOf(BETWEEN)}, ${columns.map((column) => `ifnull("${column}", ${sqlOf(NOTHING)} || 'N')`).join()}) || ${sqlOf(BEHIND)}`;

/** Such rows, as lines; in place where nothing in them has to be behind a backslash. */
export function linesOfSqlite(rows: Uint8Array<ArrayBuffer>): Buffer {
  const bytes = Buffer.from(rows.buffer, rows.byteOffset, rows.length);
  const isPlain = !Object.keys(ESCAPED).some((sign) => bytes.includes(sign));
  // As Latin 1, each byte is a sign, and stays what it is.
  const lines = isPlain ? bytes : Buffer.from(escaped(bytes.toString('latin1')), 'latin1');
  // Most text is ASCII: four bytes are looked at in one go.
  const fours = lines.byteOffset % 4 === 0 ? new Uint32Array(lines.buffer, lines.byteOffset, lines.length >> 2) : [];
  const put = (from: number, to: number): void => {
    for (let at = from; at < to; at += 1) if (lines[at]! >= NOTHING) lines[at] = PUT[lines[at]!]!;
  };
  for (let four = 0; four < fours.length; four += 1) if ((fours[four]! & NOT_ASCII) !== 0) put(4 * four, 4 * four + 4);
  put(4 * fours.length, lines.length);
  return lines;
}
