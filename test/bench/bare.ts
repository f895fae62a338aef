/**
 * Answers what it is told with nothing but node:http, after as many durable writes to the same engine as it is told, on average:
 * what remains of a server when all of its work is taken away. `node test/bench/bare.ts BODY [COMMITS DATABASE]`, the body in
 * base64; it prints `READY url`.
 */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

const [text = '', commits = '0', target = ''] = process.argv.slice(2);
const body = Buffer.from(text, 'base64');
const PAGE = Buffer.alloc(4_096, 1);
const CONNECTIONS = 16;

async function writer(): Promise<() => unknown> {
  if (target.startsWith('postgres')) {
    const address = new URL(target);
    const schema = address.searchParams.get('schema');
    address.search = '';
    const pool = new pg.Pool({ connectionString: address.href, max: CONNECTIONS });
    await pool.query(`create table ${schema}.bare (page bytea)`);
    return () => pool.query(`insert into ${schema}.bare values ($1)`, [PAGE]);
  }
  const db = new DatabaseSync(target);
  db.exec('pragma journal_mode = wal; pragma synchronous = full; create table bare (page blob)');
  const insert = db.prepare('insert into bare values (?)');
  return () => insert.run(PAGE);
}

const write = Number(commits) > 0 ? await writer() : null;
let owed = 0;
const server = http.createServer((request, response) => {
  const answer = () =>
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
  async function durably(): Promise<void> {
    let own = 0;
    for (owed += Number(commits); owed >= 1; owed -= 1) own += 1;
    for (; own > 0; own -= 1) await write!();
    answer();
  }
  request.on('data', () => {}).on('end', () => (write === null ? answer() : void durably()));
});
server.listen(0, '127.0.0.1', () => console.log(`READY http://127.0.0.1:${(server.address() as AddressInfo).port}`));
