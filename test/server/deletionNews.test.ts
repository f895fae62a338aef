import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import * as serverText from '#text/server.ts';
import * as deletion from '../../src/contract/deletion.ts';
import * as login from '../../src/contract/login.ts';
import { writtenNumber } from '../../src/domain/funds.ts';
import { dateText, dayText, formatMoney } from '../../src/server/call/language.ts';
import { giveVoucher } from '../../src/server/rules/payment/vouchers.ts';
import { transact } from '../../src/server/store/db.ts';
import { now } from '../../src/server/store/system.ts';
import { engines } from '../kit/server.ts';
import { freshMobile, guest, person } from './people.ts';
import { openedShop, type Shop } from './shop.ts';

describe.each(await engines())('the news of a deletion, on %s', (engine) => {
  const sent: string[] = [];
  /** How many messages the server no longer waited to be taken. */
  let left = 0;
  let hangs = false;
  const held = new Set<() => void>();
  const gateway = createServer((asked, response) => {
    let body = '';
    asked.on('data', (chunk: Buffer) => (body += chunk.toString()));
    asked.on('end', () => {
      response.on('close', () => (left += response.writableFinished ? 0 : 1));
      const take = () => {
        if (response.closed) return;
        sent.push((JSON.parse(body) as { text: string }).text);
        response.end();
      };
      if (hangs) held.add(take);
      else take();
    });
  });
  let shop: Shop;
  beforeAll(async () => {
    await new Promise<void>((done) => {
      gateway.listen(0, '127.0.0.1', done);
    });
    const url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
    shop = await openedShop({ engine, settings: { environment: { SMS_URL: url } } });
  });
  afterAll(async () => {
    gateway.closeAllConnections();
    await shop.stop();
    gateway.close();
  });

  test('the answer does not wait for the messages: they are jobs, in which no number and pin of an e-voucher can be read', async () => {
    const { server, db } = shop;
    const [before, mobile] = [await guest(server), freshMobile()];
    const codeSent = () => /^\d{6}/.exec(sent.at(-1) ?? '')?.[0] ?? '';
    await server.call(login.sendOtp, { body: { mobile } }, before.as);
    const me = person((await server.call(login.validateOtp, { body: { mobile, code: codeSent() } }, before.as)).body);
    const at = await now(db);
    for (const amount of [12_300, 45_600])
      await transact(db, (tx) => giveVoucher(tx, { userId: me.userId, country: 'IN', amount, now: at }));
    await server.advance(31);
    await server.call(deletion.sendCode, { body: {} }, me.as);
    hangs = true;
    const done = await server.call(deletion.ask, { body: { code: codeSent() } }, me.as);
    expect([done.status, left]).toEqual([200, 0]);
    const told = done.body.vouchers!;
    expect(told).toHaveLength(2);
    const planned = await db.selectFrom('jobs').select('payload').where('kind', '=', 'owner.leaves').execute();
    expect(planned).toHaveLength(3);
    const payloads = planned.map(({ payload }) => payload).join('\n');
    for (const { number, pin } of told)
      for (const secret of [number, `"${pin}"`, ` ${pin}`]) expect(payloads).not.toContain(secret);
    hangs = false;
    for (const take of held) take();
    const india = countryConfig('IN');
    const { appName: app } = india;
    const news = [
      serverText.deleteNews({ app, day: dayText(done.body.deletesAt, india) }),
      ...told.map(({ number, pin, balance, expiresAt }) =>
        serverText.voucherKept({
          ...{ app, pin, number: writtenNumber(number), amount: formatMoney(balance, india) },
          day: dateText(expiresAt, india),
        }),
      ),
    ];
    await expect.poll(() => sent.filter((text) => !/^\d{6} /.test(text)).toSorted()).toEqual(news.toSorted());
  });
});
