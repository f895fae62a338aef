import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Sink } from '../call/providers.ts';
import type { Route } from '../call/route.ts';

// Thousands of streams wait at a time. What HTTP keeps for each connection (a parser, the request, its answer) is several
// times what a stream needs, so a stream goes on by its connection alone.

/** What is written at the end has so long to leave, ms: who reads it slowly, or not, keeps nothing open. */
const LEFT_WITHIN_MS = 5_000;

/** Tells requests for a stream by their addresses. */
export function streamsAmong(routes: readonly Pick<Route, 'endpoint'>[]): (request: IncomingMessage) => boolean {
  const paths = routes
    .filter(({ endpoint }) => endpoint.stream)
    .flatMap(({ endpoint: { path, aliases = [] } }) => [path, ...aliases]);
  const pattern = new RegExp(`^(?:${paths.map((path) => path.replace(/\{\w+\}/g, '[^/?]+')).join('|')})/?(?:\\?|$)`);
  return ({ method, url = '', headers }) =>
    method === 'GET' &&
    pattern.test(url) &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined;
}

/**
 * Has this be the last request of its connection: Node takes its parser from there as soon as the request is whole, as it
 * does where another protocol follows. Not where yet another request came with it, nor where an earlier one has no answer
 * yet: without the parser, Node would not close answers that wait for their turn when the connection ends.
 */
export function beLast(request: IncomingMessage, response: ServerResponse): void {
  response.shouldKeepAlive = false;
  if (response.socket !== null) Object.assign(request, { upgrade: true });
}

/** Those on whose connection nothing is read any more. */
const last = new WeakSet<IncomingMessage>();

/** To be called for a request whose connection has no parser any more: its end is still to be heard. */
export function endWithCaller(request: IncomingMessage, socket: Socket): void {
  last.add(request);
  socket.on('error', () => socket.destroy());
  socket.on('end', () => socket.destroySoon());
  socket.resume();
}

class Line implements Sink {
  readonly #way: ServerResponse | Socket;
  constructor(way: ServerResponse | Socket) {
    this.#way = way;
  }
  write(text: string): void {
    this.#way.write(text);
  }
  unread(): number {
    return this.#way.writableLength;
  }
  close(): void {
    const late = setTimeout(() => this.#way.destroy(), LEFT_WITHIN_MS);
    this.onGone(() => clearTimeout(late));
    this.#way.end();
  }
  onGone(act: () => void): void {
    if (this.#way.closed) act();
    else this.#way.once('close', act);
  }
}

/** Sends the head of a stream, which lasts as long as its connection. */
export function beginStream(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  headers: Readonly<Record<string, string | number>>,
): Sink {
  const { socket } = outgoing;
  outgoing.shouldKeepAlive = false;
  outgoing.removeHeader('transfer-encoding');
  outgoing.writeHead(200, headers);
  outgoing.flushHeaders();
  if (socket === null || !last.has(incoming)) return new Line(outgoing);
  outgoing.detachSocket(socket);
  return new Line(socket);
}
