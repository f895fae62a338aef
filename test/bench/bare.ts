/**
 * Answers what it is told with nothing but node:http: what remains of a server when all of its work is taken away.
 * `node test/bench/bare.ts BODY`, the body in base64; it prints `READY url`.
 */
import http from 'node:http';
import type { AddressInfo } from 'node:net';

const [text = ''] = process.argv.slice(2);
const body = Buffer.from(text, 'base64');
const server = http.createServer((request, response) => {
  request
    .on('data', () => {})
    .on('end', () =>
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body),
    );
});
server.listen(0, '127.0.0.1', () => console.log(`READY http://127.0.0.1:${(server.address() as AddressInfo).port}`));
