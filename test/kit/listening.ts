import { afterAll } from 'vitest';
import { NodeSqliteDialect } from '../../src/server/store/sqlite.ts';
import { keep, listen } from './statements.ts';

// What the server's tests send to SQLite is prepared on PostgreSQL afterwards (test/statements).
const LISTENS = Symbol.for('statements are written down');
const prototype: object = NodeSqliteDialect.prototype;
if (!(LISTENS in prototype)) {
  listen(NodeSqliteDialect.prototype);
  Object.assign(prototype, { [LISTENS]: true });
}
afterAll(keep);
