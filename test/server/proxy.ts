import http from 'node:http';
import type { AddressInfo } from 'node:net';

const ASK_EVERY_MS = 100;

interface Back {
  readonly port: number;
  isReady: boolean;
  /** Calls that it has answered. */
  answered: number;
}

/**
 * A proxy in front of several servers: it asks each at `/ready` and keeps its connections open. It asks nobody a second
 * time, so that whatever a server does not answer is seen.
 */
export async function proxyOf(ports: readonly number[]) {
  const agent = new http.Agent({ keepAlive: true });
  const backs: Back[] = ports.map((port) => ({ port, isReady: false, answered: 0 }));
  let turn = 0;
  async function ask(back: Back): Promise<void> {
    const signal = AbortSignal.timeout(2_000);
    back.isReady = await fetch(`http://127.0.0.1:${back.port}/ready`, { signal }).then(
      ({ ok }) => ok,
      () => false,
    );
  }
  const asking = setInterval(() => void Promise.all(backs.map(ask)), ASK_EVERY_MS);

  function pass(request: http.IncomingMessage, response: http.ServerResponse) {
    const free = backs.filter((back) => back.isReady);
    const back = free[(turn += 1) % Math.max(free.length, 1)];
    if (back === undefined) return void response.writeHead(502).end();
    const { method = 'GET', url = '/', headers } = request;
    const onward = http.request({ port: back.port, host: '127.0.0.1', agent, method, path: url, headers });
    onward.on('response', (answer) => {
      back.answered += 1;
      response.writeHead(answer.statusCode ?? 502, { ...answer.headers, 'x-back': String(back.port) });
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
    onward.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  }

  const server = http.createServer(pass);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    backs,
    stop() {
      clearInterval(asking);
      agent.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}
