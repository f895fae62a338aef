// What becomes of a connection whose answer goes on: nothing of HTTP is kept for it, and no other request comes on it.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import v8 from 'node:v8';
import vm from 'node:vm';
import { describe, expect, test, vi } from 'vitest';
import { fillPath } from '../../src/contract/endpoint.ts';
import * as tracking from '../../src/contract/tracking.ts';
import type { Sink } from '../../src/server/call/providers.ts';
import { beginStream, beLast, endWithCaller } from '../../src/server/http/streams.ts';
import { startServer } from '../kit/server.ts';
import { member, openShop, PICKUP } from './shop.ts';

async function shop() {
  const server = await startServer();
  await openShop(server);
  const customer = await member(server, 'IN', PICKUP);
  const { order } = await customer.order({ paymentMode: 'COD' });
  const path = (orderHistoryId: string) => fillPath(tracking.events.path, { orderHistoryId });
  const head = (where: string) =>
    `GET ${where} HTTP/1.1\r\nhost: localhost\r\napi_key: in-web\r\nauthtoken: ${customer.person.as.authToken}\r\nuserid: ${customer.userId}\r\n`;
  return { server, order, path, head };
}

/** A connection that has sent this; `until` settles once it has been answered so, `ended` with all that came. */
function line(url: string, text: string) {
  const { hostname, port } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  let said = '';
  const ended = new Promise<string>((done) => {
    socket.once('close', () => done(said));
  });
  socket.on('data', (chunk: Buffer) => (said += chunk.toString()));
  socket.write(text);
  return {
    socket,
    ended,
    async until(what: string): Promise<string> {
      while (!said.includes(what)) await new Promise((done) => void socket.once('data', done));
      return said;
    },
  };
}

/** A server that answers nothing but streams. */
async function bare() {
  const asked: string[] = [];
  const closed: string[] = [];
  const begun = Promise.withResolvers<Sink & { readonly socket: Socket }>();
  const server = http.createServer((request, response) => {
    asked.push(request.url!);
    response.once('close', () => closed.push(request.url!));
    if (request.url !== '/stream') return;
    beLast(request, response);
    setImmediate(() => begun.resolve(Object.assign(beginStream(request, response, {}), { socket: request.socket })));
  });
  server.on('upgrade', (request, socket) => endWithCaller(request, socket as Socket));
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const head = (path: string) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`;
  return { url, head, asked, closed, begun: begun.promise, stop: () => new Promise((done) => void server.close(done)) };
}

/** Takes away what nobody holds. */
function collector(): () => void {
  v8.setFlagsFromString('--expose-gc');
  return vm.runInNewContext('gc') as () => void;
}

describe('a connection on which an order is followed', () => {
  test('keeps neither the request that it began with nor its answer', async () => {
    const { server, order, path, head } = await shop();
    const held: WeakRef<object>[] = [];
    const note = (message: unknown) => {
      const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
      if (request.url === path(order.orderId)) held.push(new WeakRef(request), new WeakRef(response));
    };
    subscribe('http.server.request.start', note);
    const follower = line(server.url, `${head(path(order.orderId))}\r\n`);
    await follower.until('event: order');
    unsubscribe('http.server.request.start', note);
    const collect = collector();
    const left = () => held.filter((one) => one.deref() !== undefined).length;
    for (let turn = 0; turn < 100 && left() > 0; turn += 1) {
      await new Promise((done) => void setImmediate(done));
      collect();
    }
    expect([held.length, left()]).toEqual([2, 0]);
    expect(follower.socket.closed).toBe(false);
    await server.stop();
    expect(await follower.ended).toContain('event: bye');
  });

  test.each(['with it', 'later'])('has no other request, sent %s, and ends with its caller', async (when) => {
    const { server, order, path, head } = await shop();
    const other = `${head('/health')}\r\n`;
    const follower = line(server.url, `${head(path(order.orderId))}\r\n${when === 'later' ? '' : other}`);
    await follower.until('event: order');
    if (when === 'later') follower.socket.write(other);
    follower.socket.end();
    const said = await follower.ended;
    expect(said).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\nconnection: close\r\n[^]*\r\nretry: /i);
    expect(said.match(/HTTP\/1\.1/g)).toHaveLength(1);
    await server.stop();
  });

  test('may come behind another request', async () => {
    const { server, order, path, head } = await shop();
    const follower = line(server.url, `${head('/ready')}\r\n${head(path(order.orderId))}\r\n`);
    const said = await follower.until('event: order');
    expect(said.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
    follower.socket.destroy();
    await server.stop();
  });

  test('that ends while earlier requests of it have no answer ends all of them', async () => {
    const { url, head, asked, closed, begun, stop } = await bare();
    const follower = line(url, head('/first') + head('/second'));
    await vi.waitUntil(() => asked.length === 2);
    follower.socket.write(head('/stream'));
    const sink = await begun;
    const gone = new Promise<void>((done) => sink.onGone(done));
    follower.socket.destroy();
    await gone;
    await vi.waitUntil(() => closed.length === 3);
    await stop();
  });

  test('is cut off where its end is not read in time', async () => {
    const { url, head, begun, stop } = await bare();
    const follower = line(url, head('/stream'));
    const sink = await begun;
    follower.socket.pause();
    while (sink.unread() === 0) sink.write('x'.repeat(1_000_000));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    sink.close();
    expect(sink.socket.destroyed).toBe(false);
    vi.runAllTimers();
    vi.useRealTimers();
    expect(sink.socket.destroyed).toBe(true);
    follower.socket.destroy();
    await stop();
  });

  test('is closed where it is refused; and what asks for another protocol is answered in this one', async () => {
    const { server, path, head } = await shop();
    expect(await line(server.url, `${head(path('ord_nobodys'))}\r\n`).ended).toMatch(
      /^HTTP\/1\.1 404 [^]*\r\nconnection: close\r\n/i,
    );
    const other = line(server.url, `${head('/health')}connection: upgrade\r\nupgrade: h2c\r\n\r\n`);
    expect(await other.until('SUCCESS')).toContain('HTTP/1.1 200 OK');
    other.socket.destroy();
    await server.stop();
  });
});
