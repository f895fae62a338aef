import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import * as config from '../../src/contract/config.ts';
import { expect, test, watchTrouble } from '../kit/app.ts';
import { openPartner, partnersFile } from '../kit/partner.ts';
import { spawnServer, type SpawnedServer } from '../kit/server.ts';
import { acceptTerms, addFromMenu, chooseWhere, fillDoor, heading, look, noon, payButton } from './steps.ts';

/** A partner's site on an origin of its own: a page with the one line, and its server behind it. */
async function openSite(name: string, pageOf: (shop: string) => string) {
  const partner = await openPartner(name);
  let shop: SpawnedServer | undefined;
  const soon = async () => {
    const { body } = await shop!.call(config.app, {});
    return Math.floor(body.config.timestamp / 1000) + 60;
  };
  const site = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site');
    void (async () => {
      if (pathname !== '/token') return pageOf(shop!.url);
      return partner.sign({
        sub: 'mira',
        nonce: searchParams.get('nonce'),
        given_name: 'Mira',
        phone_number: `+91${searchParams.get('mobile')}`,
        phone_number_verified: true,
        exp: await soon(),
      });
    })().then((text) => {
      response.setHeader('content-type', 'text/html');
      response.end(text);
    });
  });
  await new Promise<void>((done) => {
    site.listen(0, '127.0.0.1', () => done());
  });
  return {
    partner,
    origin: `http://127.0.0.1:${(site.address() as AddressInfo).port}`,
    knows(server: SpawnedServer) {
      shop = server;
      partner.knows(server.url);
    },
    async close() {
      site.closeAllConnections();
      site.close();
      await partner.close();
    },
  };
}

const embedding = (mobile: string) => (shop: string) =>
  `<!doctype html>
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Acme</title>
<body style="margin:0; height:100dvh">
<script>
  window.requests = []
  window.acmePay = {
    login: ({ nonce }) => fetch('/token?mobile=${mobile}&nonce=' + nonce).then((reply) => reply.text()),
    // It says that it was paid before it was.
    pay: ({ request }) => (requests.push(request), { status: 'paid' }),
    ready: (app) => (window.app = app),
  }
</script>
<script src="${shop}/in/frame/acme/embed.js" data-host="acmePay"></script>`;

test('a partner’s page embeds the app with one line, logs in and pays; a page that is not listed gets nothing', async ({
  page,
  phone,
}) => {
  const mobile = phone('in');
  const site = await openSite('acme', embedding(mobile));
  const stranger = await openSite('stranger', embedding(mobile));
  const server = await spawnServer({
    settings: {
      environment: partnersFile([
        site.partner.row({ origins: [site.origin], vouchesForPhones: true }),
        stranger.partner.row({ origins: ['https://elsewhere.example'] }),
      ]),
    },
  });
  try {
    for (const one of [site, stranger]) one.knows(server);
    await noon(server);

    // Refused by the browser, because the page's own headers name who may frame it.
    const refused = page.waitForEvent('console', (message) => /frame-ancestors/.test(message.text()));
    await page.goto(stranger.origin);
    await refused;

    const troubles = watchTrouble(page);
    await page.goto(site.origin);
    const app = page.frames().find((frame) => frame.url().startsWith(server.url)) as unknown as Page;
    await chooseWhere(app, 'in');
    await fillDoor(app);
    await addFromMenu(app);
    await app.getByRole('link', { name: /^Cart/ }).click();
    await app.getByRole('link', { name: 'Go to payment' }).click();
    await expect(app.getByRole('group', { name: 'Payment mode' }).getByRole('radio')).toHaveCount(1);
    await acceptTerms(app);
    await look(page, 'in-a-page');
    await payButton(app).click();
    await expect.poll(() => page.evaluate('requests.length')).toBe(1);
    await expect.poll(() => site.partner.asked.map(({ action }) => action)).toContain('status');
    await expect(heading(app, 'Thank you! Your order is placed.')).toHaveCount(0);

    const request = await page.evaluate<string>('requests[0]');
    const reference = await site.partner.pay(request);
    expect((await site.partner.tell({ reference, state: 'SUCCESS' })).status).toBe(200);
    await expect(heading(app, 'Thank you! Your order is placed.')).toBeVisible();
    expect(troubles).toEqual([]);
  } finally {
    await server.stop();
    await Promise.all([site.close(), stranger.close()]);
  }
});
