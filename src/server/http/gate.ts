import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { errors, t } from '../call/language.ts';
import { networkOf, type Proxies } from '../proxies.ts';
import { browsingLine, isBrowsing } from './browsingLine.ts';
import { failedReply } from './reply.ts';
import { MINUTE_MS } from '../../domain/time.ts';

/** Most calls that are worked on at a time. More would only wait, so they get a 503 at once. */
const WORKING_AT_MOST = 2_000;
/** Most calls of all whose body has not arrived; each keeps what it has sent so far. */
const UNFINISHED_AT_MOST = 2_000;
/** A body on its way is late from then on. Phones on slow lines need a moment for each, and thousands share an address. */
const LATE_AFTER_MS = 1_000;
/** What an address may have open, as parts of its connections. */
const LATE_PART = 1 / 8;
const CALLS_PART = 1 / 2;
const STREAMS_PART = 1 / 2;
/** An answer that is not fetched by then is given up; a page of 500 KB needs 80 s where a phone has 2G. */
const FETCHED_WITHIN_MS = 2 * MINUTE_MS;
const SWEEP_MS = 5_000;

/** What one address has open. */
interface Guest {
  connections: number;
  calls: number;
  /** Bodies that are late. */
  late: number;
  streams: number;
  /** Connections without a call under way, those first that have been so for longest. */
  readonly idle: Set<Socket>;
}
interface Open {
  readonly response: ServerResponse;
  readonly guest: Guest | null;
  readonly since: number;
  isStream: boolean;
}

export interface Gate {
  /** Keeps count of a server's connections. */
  watch(server: Server): void;
  /**
   * Lets a call in (`go`), or refuses it: 429 where its address has too much open, 503 where everybody has. One that only
   * looks around waits for its turn, and is refused first (browsingLine.ts).
   */
  enter(request: IncomingMessage, response: ServerResponse, go: () => void): void;
  /** A call is worked on from when its body is there, until `leave`. */
  work(request: IncomingMessage): { leave(): void };
  /** Whether the address of this call may open one more stream; it counts as one from then on. */
  mayStream(request: IncomingMessage): boolean;
  /** The stream of this call goes on by its connection: it is counted as long as that, and nothing of the call is kept. */
  goOn(request: IncomingMessage): void;
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Health checks and metrics are answered however busy the server is. */
const isForOperators = (request: IncomingMessage) =>
  (request.url === '/health' || request.url === '/ready') && request.method === 'GET' && !hasBody(request);

/**
 * Budgets of each address, so that no caller takes the server from the others: for connections, calls under way, bodies
 * that do not arrive, and streams. A proxy has none, and who calls through it is told by it.
 * @param most connections of one address
 */
export function gate(proxies: Proxies, most: number): Gate {
  const guests = new Map<string, Guest>();
  /** The connections that count, each with the address behind it and its calls under way. */
  const connections = new WeakMap<Socket, { readonly guest: Guest; calls: number }>();
  const open = new Map<IncomingMessage, Open>();
  const browsing = browsingLine();
  let working = 0;
  let unfinished = 0;

  function guestAt(address: string): Guest {
    const known = guests.get(address);
    if (known !== undefined) return known;
    const made = { connections: 0, calls: 0, late: 0, streams: 0, idle: new Set<Socket>() };
    guests.set(address, made);
    return made;
  }
  /** Null for a proxy that calls by itself: it may, as whoever watches us from there. */
  function guestOf({ socket, headers }: IncomingMessage): Guest | null {
    const own = connections.get(socket)?.guest;
    if (own !== undefined) return own;
    const client = proxies.clientOf(
      socket.remoteAddress ?? 'unknown',
      headers['x-forwarded-for'] as string | undefined,
    );
    return proxies.isOurs(client) ? null : guestAt(networkOf(client.slice(0, 64)));
  }

  function refuse(request: IncomingMessage, response: ServerResponse, status: 429 | 503): void {
    const code = status === 429 ? 'TOO_MANY' : 'BUSY';
    const displayMsg = status === 429 ? t.tooManyRequests : errors.internalServerError;
    const reply = failedReply(status, [{ code, displayMsg }], '');
    response.shouldKeepAlive = false;
    response.writeHead(status, reply.headers);
    response.end(reply.body);
    request.resume();
  }

  /** Counts a body as unfinished until it is there or given up, and one too many that is late is given up. */
  function waitFor(request: IncomingMessage, response: ServerResponse, guest: Guest | null): void {
    let has: 'begun' | 'late' | 'done' = 'begun';
    unfinished += 1;
    const lateness = setTimeout(() => {
      if (guest === null) return;
      if (guest.late >= most * LATE_PART) return void request.destroy();
      guest.late += 1;
      has = 'late';
    }, LATE_AFTER_MS).unref();
    const done = () => {
      if (has === 'done') return;
      clearTimeout(lateness);
      unfinished -= 1;
      if (guest !== null && has === 'late') guest.late -= 1;
      has = 'done';
    };
    request.once('end', done).once('close', done);
    response.once('close', done);
  }

  function note(request: IncomingMessage, response: ServerResponse, guest: Guest | null): void {
    const own: Open = { response, guest, since: Date.now(), isStream: false };
    open.set(request, own);
    if (guest !== null) guest.calls += 1;
    const connection = connections.get(request.socket);
    if (connection !== undefined) {
      connection.calls += 1;
      connection.guest.idle.delete(request.socket);
    }
    response.once('close', () => {
      if (!open.delete(request)) return;
      if (guest !== null) guest[own.isStream ? 'streams' : 'calls'] -= 1;
      if (connection !== undefined) {
        connection.calls -= 1;
        if (connection.calls === 0 && !request.socket.destroyed) connection.guest.idle.add(request.socket);
      }
    });
  }

  function sweep(): void {
    const late = Date.now() - FETCHED_WITHIN_MS;
    for (const { response, since } of open.values()) {
      if (since > late) break;
      response.destroy();
    }
    for (const { request, response } of browsing.late()) refuse(request, response, 503);
    for (const [address, { connections: kept, calls, streams }] of guests)
      if (kept + calls + streams === 0) guests.delete(address);
  }

  return {
    watch(server) {
      const sweeping = setInterval(sweep, SWEEP_MS).unref();
      server.once('close', () => clearInterval(sweeping));
      server.on('connection', (socket: Socket) => {
        const remote = socket.remoteAddress ?? 'unknown';
        if (proxies.isOne(remote)) return;
        const guest = guestAt(networkOf(proxies.clientOf(remote, undefined)));
        if (guest.connections >= most) {
          // Its own that wait for nothing make room first: many customers may share an address.
          const [idle] = guest.idle;
          if (idle === undefined) return void socket.destroy();
          guest.idle.delete(idle);
          idle.destroy();
        }
        guest.connections += 1;
        guest.idle.add(socket);
        connections.set(socket, { guest, calls: 0 });
        socket.once('close', () => {
          guest.connections -= 1;
          guest.idle.delete(socket);
        });
      });
    },
    enter(request, response, go) {
      const guest = guestOf(request);
      if (isForOperators(request)) {
        note(request, response, guest);
        return go();
      }
      const isOver = guest !== null && guest.calls >= most * CALLS_PART;
      note(request, response, guest);
      if (isOver || working >= WORKING_AT_MOST) return refuse(request, response, isOver ? 429 : 503);
      if (!hasBody(request)) {
        if (!isBrowsing(request)) return go();
        if (!browsing.enter(request, response, go)) refuse(request, response, 503);
        return;
      }
      // What came in one piece is whole after the parser's turn.
      process.nextTick(() => {
        if (!request.complete) {
          if (unfinished >= UNFINISHED_AT_MOST) return refuse(request, response, 503);
          waitFor(request, response, guest);
        }
        go();
      });
    },
    work(request) {
      let has: 'begun' | 'left' | null = null;
      const begin = () => {
        if (has !== null) return;
        has = 'begun';
        working += 1;
      };
      if (request.complete || !hasBody(request)) begin();
      else request.once('end', begin);
      return {
        leave() {
          if (has === 'begun') working -= 1;
          has = 'left';
          browsing.leave(request);
        },
      };
    },
    mayStream(request) {
      const own = open.get(request);
      if (own === undefined || own.isStream) return true;
      const { guest } = own;
      if (guest !== null) {
        if (guest.streams >= most * STREAMS_PART) return false;
        guest.calls -= 1;
        guest.streams += 1;
      }
      own.isStream = true;
      return true;
    },
    goOn(request) {
      const guest = open.get(request)?.guest ?? null;
      if (!open.delete(request) || guest === null) return;
      const leave = () => void (guest.streams -= 1);
      if (request.socket.closed) leave();
      else request.socket.once('close', leave);
    },
  };
}
