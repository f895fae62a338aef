/**
 * A pooler in transaction mode, imitated: it speaks PostgreSQL's protocol as PgBouncer 1.18 does, and is stricter. Every
 * transaction of a client goes to another backend than the one before, so that whatever a session is relied on for
 * (prepared statements with names, SET, locks of the session, temporary tables, LISTEN) is not there, and it refuses the
 * startup parameters that PgBouncer refuses. When a backend dies, the client that has it is cut off.
 */
import net from 'node:net';
import type { AddressInfo } from 'node:net';

const SSL_REQUEST = 80_877_103;
const PROTOCOL = 196_608;
/** What PgBouncer follows for every client; all else is an unsupported startup parameter. */
const KNOWN = new Set([
  ...['user', 'database', 'client_encoding', 'application_name', 'datestyle', 'timezone'],
  'standard_conforming_strings',
]);

export interface Pooler {
  /** As DATABASE_URL. */
  readonly url: string;
  /** How many transactions went to another backend than the one before of the same client. */
  readonly moved: () => number;
  /** Process ids of the backends that are open, for `pg_terminate_backend`; or of those in the middle of a transaction. */
  readonly backends: (which?: 'all' | 'busy') => readonly number[];
  /** Lets everybody wait, as a pooler does whose database is away; `false` lets them go on. */
  hold(isHeld: boolean): void;
  /** It is gone: nobody listens at its address. */
  close(): Promise<void>;
  /** It is back, at the same address. */
  open(): Promise<void>;
}

interface Backend {
  readonly socket: net.Socket;
  pid: number;
  /** Of the client that has it for its transaction. */
  client: Client | null;
}
interface Client {
  readonly socket: net.Socket;
  backend: Backend | null;
  last: Backend | null;
  /** Messages of the client that a ReadyForQuery has not answered yet. */
  unanswered: number;
  waiting: Buffer[];
}

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 0, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
const texts = (...all: string[]) => Buffer.from(all.map((one) => `${one}\0`).join(''));
const refusal = (code: string, text: string) =>
  message('E', Buffer.concat([texts('SFATAL', `C${code}`, `M${text}`), Buffer.from([0])]));

/** Cuts a stream of messages into whole ones. */
function framed(hear: (type: string, whole: Buffer) => void): (chunk: Buffer) => void {
  let held: Buffer = Buffer.alloc(0);
  return (chunk) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    while (held.length >= 5 && held.length >= held.readInt32BE(1) + 1) {
      const end = held.readInt32BE(1) + 1;
      const whole = held.subarray(0, end);
      held = held.subarray(end);
      hear(String.fromCharCode(whole[0]!), whole);
    }
  };
}

/** @param target the database as DATABASE_URL says it; its `?schema` and `?options` are what the role would have set */
export async function pooler(target: string, size = 6): Promise<Pooler> {
  const address = new URL(target);
  const schema = address.searchParams.get('schema');
  const options = [address.searchParams.get('options') ?? '', schema === null ? '' : `-c search_path=${schema}`].join(
    ' ',
  );
  const backends = new Set<Backend>();
  const clients = new Set<Client>();
  const queue: Client[] = [];
  let isClosed = false;
  let isHeld = false;
  let moves = 0;

  async function opened(): Promise<void> {
    const socket = net.connect(Number(address.port || 5432), address.hostname);
    const backend: Backend = { socket, pid: 0, client: null };
    await new Promise<void>((ready, failed) => {
      socket.once('error', failed);
      socket.on(
        'data',
        framed((type, whole) => {
          const { client } = backend;
          if (type === 'K') backend.pid = whole.readInt32BE(5);
          if (client !== null) client.socket.write(whole);
          if (type !== 'Z') return;
          if (backend.pid !== 0 && !backends.has(backend)) {
            backends.add(backend);
            ready();
          }
          if (client === null) return;
          client.unanswered -= 1;
          // Idle: the transaction is over, and the backend goes to whoever is next.
          if (whole[5] !== 0x49 || client.unanswered > 0) return;
          client.backend = null;
          backend.client = null;
          // To the end of the line.
          backends.delete(backend);
          backends.add(backend);
          lend();
        }),
      );
      socket.once('connect', () => {
        const parameters = Buffer.concat([
          texts(
            'user',
            decodeURIComponent(address.username),
            'database',
            address.pathname.slice(1),
            'options',
            options,
          ),
          Buffer.from([0]),
        ]);
        const head = Buffer.alloc(8);
        head.writeInt32BE(parameters.length + 8, 0);
        head.writeInt32BE(PROTOCOL, 4);
        socket.write(Buffer.concat([head, parameters]));
      });
      socket.once('close', () => {
        failed(new Error('the backend closed the connection'));
        backends.delete(backend);
        backend.client?.socket.destroy();
        if (!isClosed) void opened().then(lend, () => {});
      });
    });
    socket.on('error', () => {});
  }

  function lend(): void {
    if (isHeld) return;
    for (const client of [...queue]) {
      const free = [...backends].filter((one) => one.client === null);
      const backend = free.find((one) => one !== client.last) ?? free[0];
      if (backend === undefined) return;
      queue.splice(queue.indexOf(client), 1);
      if (client.last !== null && client.last !== backend) moves += 1;
      client.backend = backend;
      client.last = backend;
      backend.client = client;
      for (const whole of client.waiting.splice(0)) backend.socket.write(whole);
    }
  }

  function heard(client: Client, type: string, whole: Buffer): void {
    if (type === 'X') return void client.socket.end();
    // A simple query and a Sync are each answered by one ReadyForQuery.
    if (type === 'Q' || type === 'S') client.unanswered += 1;
    if (client.backend !== null) return void client.backend.socket.write(whole);
    client.waiting.push(whole);
    if (!queue.includes(client)) queue.push(client);
    lend();
  }

  function welcomed(socket: net.Socket): void {
    const client: Client = { socket, backend: null, last: null, unanswered: 0, waiting: [] };
    clients.add(client);
    const hear = framed((type, whole) => heard(client, type, whole));
    let isKnown = false;
    socket.on('error', () => {});
    socket.on('close', () => {
      clients.delete(client);
      if (queue.includes(client)) queue.splice(queue.indexOf(client), 1);
      // Whatever it left open is not for the next one.
      client.backend?.socket.destroy();
    });
    // A startup message has no type, and comes in one piece.
    socket.on('data', (chunk: Buffer) => {
      if (isKnown) return hear(chunk);
      if (chunk.readInt32BE(4) === SSL_REQUEST) return void socket.write('N');
      const words = chunk.subarray(8, chunk.readInt32BE(0)).toString().split('\0');
      const strange = words.find((name, index) => index % 2 === 0 && name !== '' && !KNOWN.has(name.toLowerCase()));
      if (strange !== undefined) return void socket.end(refusal('08P01', `unsupported startup parameter: ${strange}`));
      isKnown = true;
      socket.write(
        Buffer.concat([
          message('R', Buffer.alloc(4)),
          message('S', texts('server_version', '15.0')),
          message('S', texts('client_encoding', 'UTF8')),
          message('K', Buffer.alloc(8)),
          message('Z', Buffer.from('I')),
        ]),
      );
    });
  }

  let port = 0;
  let server = net.createServer();
  async function open(): Promise<void> {
    isClosed = false;
    await Promise.all(Array.from({ length: size }, opened));
    server = net.createServer(welcomed);
    await new Promise<void>((done) => {
      server.listen(port, '127.0.0.1', done);
    });
    ({ port } = server.address() as AddressInfo);
  }
  await open();
  return {
    url: `postgres://${address.username}@127.0.0.1:${port}${address.pathname}`,
    moved: () => moves,
    backends: (which = 'all') =>
      [...backends].filter(({ client }) => which === 'all' || client !== null).map(({ pid }) => pid),
    hold(hold) {
      isHeld = hold;
      lend();
    },
    open,
    async close() {
      isClosed = true;
      for (const client of clients) client.socket.destroy();
      for (const { socket } of backends) socket.destroy();
      await new Promise<void>((done) => {
        server.close(() => done());
      });
    },
  };
}
