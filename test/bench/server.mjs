// Requests per second of the menu and of order submit, beside a bare node:http that answers the same bytes.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import net from 'node:net';
import { countryConfig } from '../../country/index.ts';
import * as cart from '../../src/contract/cart.ts';
import * as development from '../../src/contract/development.ts';
import * as menu from '../../src/contract/menu.ts';
import * as orders from '../../src/contract/orders.ts';
import * as session from '../../src/contract/session.ts';
import { fillPath } from '../../src/contract/endpoint.ts';
import { spawnServer, testDatabase } from '../kit/server.ts';
import { median, pad } from './numbers.mjs';

const CONNECTIONS = 8;
const ROUND_MS = 2_000;
const SUBMITS_A_ROUND = 60;

/** Answers what it is told with nothing but node:http: what remains when all work is taken away. */
const BARE = `import http from 'node:http';
const body = Buffer.from(process.argv[1], 'base64');
const server = http.createServer((request, response) => {
  request.on('data', () => {}).on('end', () => response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body));
});
server.listen(0, '127.0.0.1', () => console.log('READY http://127.0.0.1:' + server.address().port));`;

function spawnBare(body) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', BARE, body.toString('base64')], { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.stdout.on('data', (chunk) => {
      const url = /READY (\S+)/.exec(chunk.toString())?.[1];
      if (url) resolve({ url, pid: child.pid, stop: () => child.kill() });
    });
  });
}

/** CPU seconds that a process has used, on Linux; null elsewhere. */
function cpuSeconds(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return null;
  }
}

/** One keep-alive connection that sends request after request; resolves to how many were answered with 200. */
function connection(url, nextRequest) {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), hostname);
    const counts = { answered: 0, refused: 0 };
    let held = Buffer.alloc(0);
    const send = () => {
      const request = nextRequest();
      if (request === null) { socket.end(); resolve(counts); } else socket.write(request);
    };
    socket.setNoDelay(true);
    socket.on('connect', send).on('error', reject);
    socket.on('data', (chunk) => {
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      const end = held.indexOf('\r\n\r\n');
      if (end === -1) return;
      const head = held.subarray(0, end).toString('latin1');
      const length = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? Number.NaN);
      if (Number.isNaN(length)) { reject(new Error(`An answer without a length:\n${head}`)); socket.destroy(); return; }
      if (held.length < end + 4 + length) return;
      if (head.startsWith('HTTP/1.1 2')) counts.answered += 1; else counts.refused += 1;
      held = held.subarray(end + 4 + length);
      send();
    });
  });
}

const raw = (method, where, headers, body = '') => Buffer.from(`${method} ${where} HTTP/1.1\r\nhost: localhost\r\n${Object.entries({
  accept: 'application/json', ...headers, ...(body ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) } : {}),
}).map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n${body}`);

/** Requests until `next` gives null, on several connections. */
async function load(server, next) {
  const cpuBefore = cpuSeconds(server.pid);
  const started = performance.now();
  const counts = await Promise.all(Array.from({ length: CONNECTIONS }, () => connection(server.url, next)));
  const seconds = (performance.now() - started) / 1000;
  const answered = counts.reduce((sum, one) => sum + one.answered, 0);
  const refused = counts.reduce((sum, one) => sum + one.refused, 0);
  if (refused > 0) throw new Error(`${refused} of ${answered + refused} requests were refused.`);
  const cpu = cpuSeconds(server.pid);
  return { perSecond: answered / seconds, perCpuSecond: cpu === null || cpu === cpuBefore ? Number.NaN : answered / (cpu - cpuBefore) };
}

const forAWhile = (request) => {
  const until = performance.now() + ROUND_MS;
  return () => (performance.now() < until ? request : null);
};

/** A guest with a pizza in the cart and the bill agreed: all that submit needs. */
async function readyOrder(server, country, number) {
  const guest = (await expectOk(server.call(session.anonymous, {}))).body;
  const auth = { authToken: guest.credentials.accessToken, userId: guest.attributes.userId, headers: { sessiontoken: guest.credentials.sessionToken, storeId: country.DEFAULT_STORE, deliveryType: 'PICKUP' } };
  const { cartId } = guest.attributes;
  const item = (await expectOk(server.call(menu.byStore, { storeId: country.DEFAULT_STORE, query: {} }))).body.menu.items.find((one) => one.kind === 'PIZZA' && !one.soldOut);
  await expectOk(server.call(cart.add, { cartId, body: {
    items: [{ operationId: `op-${number}`, line: { lineId: `line-${number}`, productId: item.id, quantity: 1 } }],
    options: { deliveryType: 'PICKUP', storeId: country.DEFAULT_STORE },
  } }, auth));
  const where = { cartId, storeId: country.DEFAULT_STORE, deliveryType: 'PICKUP' };
  const customer = { firstName: 'Asha', lastName: 'Rao', mobile: `98${String(10_000_000 + number)}` };
  const { quote, problems } = (await expectOk(server.call(orders.validations, { body: { ...where, customer, paymentMode: 'UPI' } }, auth))).body;
  if (problems.length > 0) throw new Error(`The order is not ready: ${problems.map((one) => one.displayMsg).join(' ')}`);
  const body = JSON.stringify({ ...where, customer, paymentMode: 'UPI', cartVersion: quote.cartVersion, total: quote.bill.total, termsAccepted: true });
  return { body, headers: { api_key: 'in-web', authToken: auth.authToken, userId: auth.userId, ...auth.headers, 'idempotency-key': `bench-${number}` } };
}

async function expectOk(answer) {
  const { status, body } = await answer;
  if (status !== 200) throw new Error(`Refused with ${status}: ${JSON.stringify(body).slice(0, 400)}`);
  return { status, body };
}

async function compare(title, rounds, ours, bare) {
  const runs = { ours: [], bare: [] };
  for (let round = 0; round < rounds; round += 1) {
    runs.ours.push(await ours());
    runs.bare.push(await bare());
  }
  const of = (name, key) => median(runs[name].map((run) => run[key]));
  const line = (name) => `${of(name, 'perSecond').toFixed(0).padStart(10)}${of(name, 'perCpuSecond').toFixed(0).padStart(14)}`;
  console.log(`${pad(title, 16)}${line('ours')}${line('bare')}${(of('ours', 'perSecond') / of('bare', 'perSecond')).toFixed(3).padStart(10)}`);
}

/** A database whose clock stands at lunch time of India, so that stores are open whenever this runs. */
async function atLunchTime(engine) {
  const database = await testDatabase(engine);
  const server = await spawnServer({ database });
  const { now } = (await server.call(development.clock, {})).body;
  const DAY_S = 86_400;
  await server.advance(Math.round((((12.5 - 5.5) * 3600 - (now / 1000) % DAY_S) % DAY_S + DAY_S) % DAY_S));
  await server.stop();
  return database;
}

export async function benchServer({ rounds, engine }) {
  const country = countryConfig('india');
  const database = await atLunchTime(engine);
  // As in production: replies are not checked against their schemas.
  const server = await spawnServer({ database, settings: { development: false } });
  console.log(`\nRequests a second on ${engine}, ${CONNECTIONS} connections, medians of ${rounds} alternated rounds, beside bare node:http with the same bytes`);
  console.log(`${pad('', 16)}      ours  a CPU second      bare  a CPU second     ratio`);
  try {
    const target = fillPath(menu.byStore.path, { storeId: country.DEFAULT_STORE });
    for (const [title, accept] of [['menu', {}], ['menu, brotli', { 'accept-encoding': 'br' }]]) {
      const reply = await rawBody(server.url, raw('GET', target, { api_key: 'in-web', ...accept }));
      const bareMenu = await spawnBare(reply);
      const request = raw('GET', target, { api_key: 'in-web', ...accept });
      await compare(title, rounds, () => load(server, forAWhile(request)), () => load(bareMenu, forAWhile(request)));
      bareMenu.stop();
    }
    let number = 0;
    const ready = async () => {
      const made = [];
      for (let index = 0; index < SUBMITS_A_ROUND; index += 1) made.push(await readyOrder(server, country, number++));
      return made.map(({ headers, body }) => raw('POST', orders.submit.path, headers, body));
    };
    const [sample] = await ready();
    const bareSubmit = await spawnBare(await rawBody(server.url, sample));
    await compare('order submit', rounds, async () => {
      const requests = await ready();
      return load(server, () => requests.pop() ?? null);
    }, () => load(bareSubmit, forAWhile(sample)));
    bareSubmit.stop();
  } finally {
    await server.stop();
    await database.drop();
  }
}

/** The body of one answer, as it was sent. */
function rawBody(url, request) {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(port), hostname, () => socket.write(request));
    let held = Buffer.alloc(0);
    socket.on('error', reject).on('data', (chunk) => {
      held = Buffer.concat([held, chunk]);
      const end = held.indexOf('\r\n\r\n');
      const length = Number(/content-length: *(\d+)/i.exec(held.subarray(0, end).toString('latin1'))?.[1] ?? Number.NaN);
      if (end === -1 || held.length < end + 4 + length) return;
      socket.destroy();
      const head = held.subarray(0, end).toString('latin1');
      if (!head.startsWith('HTTP/1.1 200')) reject(new Error(`${head}\n\n${held.subarray(end + 4).toString().slice(0, 400)}`));
      else resolve(held.subarray(end + 4, end + 4 + length));
    });
  });
}
