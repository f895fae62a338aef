import { Buffer } from 'node:buffer';
import { InsertQueryNode, RawNode, UpdateQueryNode, ValuesNode, type CompiledQuery } from 'kysely';

/** Bytes of a new row besides its values: its head, and its places in indexes. */
const ROW_BYTES = 200;
/** A value that replaces another adds nothing, unless it is a long text. */
const LONG = 64;

const sizeOf = (value: unknown): number =>
  typeof value === 'string' ? Buffer.byteLength(value) : value instanceof Uint8Array ? value.byteLength : 8;

/** Counts of limits are few for each caller, most calls only add to one, and they go with their hour. */
const COUNTS = 'counters';

/** About how many bytes a statement adds to the database. What is deleted gives nothing back: it is there until then. */
export function bytesWritten({ query, parameters, sql }: CompiledQuery): number {
  const isInsert = InsertQueryNode.is(query);
  const isUpdate = UpdateQueryNode.is(query) || (isInsert && query.into?.table.identifier.name === COUNTS);
  if (!isInsert && !isUpdate && !(RawNode.is(query) && /^\s*(insert|update)\b/i.test(sql))) return 0;
  const rows = isInsert && query.values !== undefined && ValuesNode.is(query.values) ? query.values.values.length : 1;
  let bytes = isUpdate ? 0 : rows * ROW_BYTES;
  for (const value of parameters) {
    const size = sizeOf(value);
    if (!isUpdate || size > LONG) bytes += size;
  }
  return bytes;
}
