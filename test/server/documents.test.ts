import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import * as documents from '../../src/contract/documents.ts';
import { writtenPhone } from '../../src/domain/phone.ts';
import { formatMoney } from '../../src/domain/money.ts';
import { startServer, type TestServer } from '../kit/server.ts';
import { openShop, visitor } from './shop.ts';

describe('texts to read', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(async () => {
    await server.stop();
  });
  test('an order keeps which terms were accepted, and other terms than those of today are not', async () => {
    await openShop(server);
    const customer = await visitor(server);
    await customer.fill();
    const { termsVersion } = (await customer.validate()).body;
    expect(termsVersion).toBe((await read('terms', 'IN')).body.document.version);
    const old = await customer.submit({ body: { termsVersion: '2020-01-01' } });
    expect([old.status, old.body.errors?.[0]?.code]).toEqual([422, 'TERMS']);
    const placed = await customer.submit({ body: { termsVersion } });
    expect(placed.body.order.termsVersion).toBe(termsVersion);
  });

  const read = (document: string, code: string) =>
    server.call(documents.byId, { document }, { apiKey: `${code.toLowerCase()}-web` });

  test.each(['IN', 'LK', 'BG'])(
    '%s: the address of the terms answers what the country promises and whom to turn to [CFG-22]',
    async (code) => {
      const country = countryConfig(code);
      const { status, body } = await read(country.DEFAULT_TNC_URL.split('/').pop()!, code);
      expect(status).toBe(200);
      const text = body.document.sections.flatMap(({ paragraphs }) => paragraphs).join(' ');
      const { guarantee } = country;
      for (const said of [
        formatMoney(country.cashLimit, country),
        formatMoney(guarantee.maxLiability, country),
        `${guarantee.minutes} minutes`,
        `${guarantee.nightMinutes} minutes between 11 PM and 3 AM`,
        writtenPhone(country.HELP_DESK_NO, country),
        country.label,
        country.tax.included ? `They include ${country.tax.name}` : `${country.tax.name} is added`,
      ])
        expect(text).toContain(said);
      expect(body.document.version).toMatch(/^\d{4}-\d\d-\d\d$/);
    },
  );

  test('privacy and credits are texts of their own, and there is no other one', async () => {
    const [privacy, credits, unknown] = await Promise.all(
      ['privacy', 'credits', 'imprint'].map((id) => read(id, 'LK')),
    );
    expect(JSON.stringify(privacy!.body)).toContain('Personal Data Protection Act, No. 9 of 2022');
    expect(JSON.stringify(credits!.body)).toContain('GeoNames');
    expect(unknown!.status).toBe(404);
  });
});
