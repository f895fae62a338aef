/** A bank in a process of its own that begins every charge at once: `node test/bench/bank.ts SECRET` prints `READY url`. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { sign } from '../../src/server/providers/signing.ts';

const secret = process.argv[2] ?? '';
const WAITING = {
  merchant: 'bench',
  reference: '',
  state: 'WAITING',
  code: null,
  captures: [],
  reversal: null,
};

const server = http.createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const question = JSON.parse(Buffer.concat(parts).toString()) as { reference: string; expiresAt?: number };
    const reply = JSON.stringify(
      request.url?.endsWith('/charges')
        ? { expiresAt: question.expiresAt, pageUrl: '/pay', isDecided: false }
        : { ...WAITING, reference: question.reference },
    );
    response
      .writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(reply),
        'x-bank-signature': sign(secret, 'reply', String(request.headers['x-bank-nonce']), '200', reply),
      })
      .end(reply);
  });
});
server.listen(0, '127.0.0.1', () => console.log(`READY http://127.0.0.1:${(server.address() as AddressInfo).port}`));
