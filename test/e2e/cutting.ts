import { createServer, request as ask, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How a line ends in the middle of a file: it closes, brings nothing more, or brings a byte now and then. */
type Cut = 'closes' | 'stops' | 'trickles';

const TRICKLE_EVERY_MS = 500;

/**
 * A proxy in front of a server. Of files whose path fits `cut` it sends one half, and then does what `how` says; all else it
 * passes on. `asked` has how often each of these files was asked for.
 */
export async function cuttingProxy(backend: string) {
  const state: { cut: RegExp | null; how: Cut; asked: string[] } = { cut: null, how: 'closes', asked: [] };
  const timers = new Set<NodeJS.Timeout>();
  function half(whole: Buffer, response: ServerResponse) {
    let at = whole.length >> 1;
    response.write(whole.subarray(0, at), () => {
      if (state.how === 'closes') response.socket?.destroy();
    });
    if (state.how !== 'trickles') return;
    const timer = setInterval(() => {
      response.write(whole.subarray(at, (at += 1)));
    }, TRICKLE_EVERY_MS);
    timers.add(timer);
    response.on('close', () => clearInterval(timer));
  }
  const server = createServer((request, response) => {
    const isCut = state.cut?.test(request.url ?? '') ?? false;
    if (isCut) state.asked.push(request.url ?? '');
    const { method = 'GET', headers, url = '/' } = request;
    const onward = ask(new URL(url, backend), { method, headers: { ...headers, host: new URL(backend).host } });
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      if (!isCut) return void answer.pipe(response);
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => half(Buffer.concat(parts), response));
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** From now on. What was cut before stays so. */
    set(cut: RegExp | null, how: Cut) {
      Object.assign(state, { cut, how, asked: [] });
    },
    asked: () => state.asked,
    stop() {
      timers.forEach(clearInterval);
      server.closeAllConnections();
      server.close();
    },
  };
}
