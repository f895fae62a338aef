import { EMBEDDED_BANK } from '../../src/server/providers/bank.ts';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** What makes a server ask the bank at this address, as the merchant of its own bank. */
export const bankAt = (url: string, secret: string) => ({
  environment: {
    BANK_URL: url,
    BANK_MERCHANT: EMBEDDED_BANK.merchant,
    BANK_SECRET: secret,
    BANK_VPA: EMBEDDED_BANK.payee.vpa,
  },
});

/**
 * Stands between the shop and its bank. `mood` decides what a question finds: the bank (`well`), nobody (`away`), one who
 * listens and says nothing (`mute`), or the bank so many milliseconds late.
 * @param bank where the bank is
 */
export async function bankBetween(bank: () => string, mood: (path: string) => 'well' | 'away' | 'mute' | number) {
  /** The questions that came, by path, and those among them that wait for an answer. */
  const asked: string[] = [];
  const waiting: ServerResponse[] = [];
  let gone = 0;
  const between = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const now = mood(path);
    if (now === 'away') return void request.socket.destroy();
    if (now === 'mute') {
      waiting.push(response);
      response.on('close', () => (gone += 1));
      return;
    }
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      if (typeof now === 'number') await pause(now);
      const headers = Object.entries(request.headers).filter(([name]) =>
        /^(content-type|accept-language|x-bank)/.test(name),
      );
      const answer = await fetch(bank() + path, {
        method: 'POST',
        headers: headers as [string, string][],
        body: Buffer.concat(chunks),
      });
      response.writeHead(answer.status, [...answer.headers].flat());
      response.end(await answer.text());
      // Who asks may be killed meanwhile.
    })().catch(() => response.destroy());
  });
  await new Promise<void>((done) => between.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(between.address() as AddressInfo).port}`,
    asked,
    waiting,
    /** How many of those that waited were given up. */
    gone: () => gone,
    stop() {
      between.closeAllConnections();
      between.close();
    },
  };
}
