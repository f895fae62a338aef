// HTTP as bytes over kept connections: what a load generator needs, and so little that it does not measure itself.
import net from 'node:net';

export const raw = (method: string, where: string, headers: Readonly<Record<string, string>>, body = ''): Buffer =>
  Buffer.from(
    `${method} ${where} HTTP/1.1\r\nhost: localhost\r\n${Object.entries({
      accept: 'application/json',
      ...headers,
      ...(body ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) } : {}),
    })
      .map(([name, value]) => `${name}: ${value}`)
      .join('\r\n')}\r\n\r\n${body}`,
  );

interface Told {
  readonly head: string;
  readonly body: Buffer;
  readonly isOk: boolean;
}
interface Line {
  readonly send: (request: Buffer) => Promise<Told>;
  readonly close: () => void;
}

/** One keep-alive connection, one request at a time. `send` resolves to the head and the body of its answer. */
async function openLine(url: string): Promise<Line> {
  const { hostname, port } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  let held: Buffer = Buffer.alloc(0);
  let waiting: { resolve: (told: Told) => void; reject: (error: Error) => void } | null = null;
  const fail = (error: Error) => {
    waiting?.reject(error);
    waiting = null;
  };
  socket.setNoDelay(true);
  socket.on('close', () => fail(new Error('The server closed the connection.')));
  socket.on('data', (chunk: Buffer) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    const end = held.indexOf('\r\n\r\n');
    if (end === -1) return;
    const head = held.subarray(0, end).toString('latin1');
    const length = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? Number.NaN);
    if (Number.isNaN(length)) {
      fail(new Error(`An answer without a length:\n${head}`));
      socket.destroy();
      return;
    }
    if (held.length < end + 4 + length) return;
    const asked = waiting;
    waiting = null;
    const body = held.subarray(end + 4, end + 4 + length);
    held = held.subarray(end + 4 + length);
    asked?.resolve({ head, body, isOk: head.startsWith('HTTP/1.1 2') });
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', () => resolve()).once('error', reject);
  });
  socket.on('error', fail);
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        socket.write(request);
      }),
    close: () => socket.end(),
  };
}

/** The body of one answer, as it was sent. */
export async function rawBody(url: string, request: Buffer): Promise<Buffer> {
  const line = await openLine(url);
  const { head, body, isOk } = await line.send(request);
  line.close();
  if (!isOk) throw new Error(`${head}\n\n${body.toString().slice(0, 400)}`);
  return body;
}

function allRight(answers: number, refused: readonly string[]): void {
  if (refused.length > 0)
    throw new Error(
      `${refused.length} of ${answers + refused.length} requests were refused, the first with\n${refused[0]}`,
    );
}

/** Closed loop: every connection sends its next request when the last one was answered, until `next` gives null. */
export async function closedLoop(
  url: string,
  connections: number,
  next: () => Buffer | null,
): Promise<{ perSecond: number; times: number[] }> {
  const lines = await Promise.all(Array.from({ length: connections }, () => openLine(url)));
  const times: number[] = [];
  const refused: string[] = [];
  const started = performance.now();
  await Promise.all(
    lines.map(async (line) => {
      for (let request = next(); request !== null; request = next()) {
        const sent = performance.now();
        const { head, isOk } = await line.send(request);
        if (isOk) times.push(performance.now() - sent);
        else refused.push(head);
      }
      line.close();
    }),
  );
  allRight(times.length, refused);
  return { perSecond: times.length / ((performance.now() - started) / 1000), times };
}

/**
 * Open loop: requests come at random moments, `perSecond` of them in the mean, whether or not the last ones were answered;
 * each is timed from the moment it was due, so that a server that stands still cannot hide it.
 */
export async function openLoop(
  url: string,
  perSecond: number,
  requests: readonly Buffer[],
): Promise<{ times: number[] }> {
  const idle: Line[] = [];
  const times: number[] = [];
  const refused: string[] = [];
  let due = performance.now();
  const ask = async (request: Buffer, at: number) => {
    const line = idle.pop() ?? (await openLine(url));
    const { head, isOk } = await line.send(request);
    idle.push(line);
    if (isOk) times.push(performance.now() - at);
    else refused.push(head);
  };
  const asked: Promise<void>[] = [];
  for (const request of requests) {
    due += (-Math.log(1 - Math.random()) * 1000) / perSecond;
    const wait = due - performance.now();
    if (wait > 0)
      await new Promise((resolve) => {
        setTimeout(resolve, wait);
      });
    asked.push(ask(request, due));
  }
  await Promise.all(asked);
  for (const line of idle) line.close();
  allRight(times.length, refused);
  return { times };
}

/** Clients that each ask for one thing after another on a kept connection and look at it for `looksMs` in the mean, until stopped. */
export async function browsing(
  url: string,
  requests: readonly Buffer[],
  clients: number,
  looksMs: number,
): Promise<{ stop(): { perSecond: number } }> {
  const stopping = new AbortController();
  let answers = 0;
  const began = performance.now();
  const lines: Line[] = [];
  for (let client = 0; client < clients; client += 1) {
    const line = await openLine(url);
    // A connection that asks for nothing is closed.
    await line.send(requests[client % requests.length]!);
    lines.push(line);
  }
  for (const line of lines) {
    const look = () =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.random() * 2 * looksMs);
        stopping.signal.addEventListener('abort', () => {
          clearTimeout(timer);
          resolve();
        });
      });
    void (async () => {
      for (await look(); !stopping.signal.aborted; await look()) {
        const { head, isOk } = await line.send(requests[Math.floor(Math.random() * requests.length)]!);
        if (!isOk) throw new Error(head);
        answers += 1;
      }
      line.close();
    })();
  }
  return {
    stop() {
      stopping.abort();
      return { perSecond: answers / ((performance.now() - began) / 1000) };
    },
  };
}
