import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A push service of our own, and the browsers that it serves. */
export function pushService() {
  const got: { path: string; headers: IncomingHttpHeaders; body: Buffer }[] = [];
  const hanging: (() => void)[] = [];
  let answer = 201;
  const service = createServer((request, response) => {
    const parts: Buffer[] = [];
    request
      .on('data', (part: Buffer) => parts.push(part))
      .on('end', () => {
        got.push({ path: request.url!, headers: request.headers, body: Buffer.concat(parts) });
        if (request.url!.startsWith('/hanging'))
          hanging.push(() => {
            response.writeHead(201).end();
          });
        else response.writeHead(answer).end();
      });
  });

  /** A browser's side of RFC 8291: keys, and reading what was sent for them. */
  function browser(name: string) {
    const keys = createECDH('prime256v1');
    keys.generateKeys();
    const auth = randomBytes(16);
    return {
      subscription: {
        endpoint: `http://127.0.0.1:${(service.address() as AddressInfo).port}/${name}`,
        keys: { p256dh: keys.getPublicKey('base64url'), auth: auth.toString('base64url') },
      },
      read(body: Buffer): { title: string; body: string; path: string } {
        const salt = body.subarray(0, 16);
        const theirs = body.subarray(21, 21 + body[20]!);
        const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), theirs]);
        const ikm = Buffer.from(hkdfSync('sha256', keys.computeSecret(theirs), auth, info, 32));
        const derive = (what: string, length: number) =>
          Buffer.from(hkdfSync('sha256', ikm, salt, Buffer.from(`Content-Encoding: ${what}\0`), length));
        const sealed = body.subarray(21 + body[20]!);
        const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
        decipher.setAuthTag(sealed.subarray(-16));
        const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
        return JSON.parse(plain.subarray(0, plain.lastIndexOf(2)).toString()) as never;
      },
    };
  }

  return {
    /** What was sent, in order. */
    got,
    browser,
    answer: (status: number) => {
      answer = status;
    },
    /** Answers whoever waits at an address that begins with /hanging. */
    letGo: () => {
      for (const one of hanging.splice(0)) one();
    },
    listen: () =>
      new Promise<void>((done) => {
        service.listen(0, '127.0.0.1', done);
      }),
    close: () => {
      service.close();
    },
  };
}
