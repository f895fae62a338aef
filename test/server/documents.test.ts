import { describe, expect, test } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import * as documents from '../../src/contract/documents.ts';
import { writtenPhone } from '../../src/domain/writtenPhone.ts';
import { formatMoney } from '../../src/domain/money.ts';
import * as said from '#text/documents.ts';
import { inLanguage } from '../../src/server/call/language.ts';
import { documentOf } from '../../src/server/rules/documents/documents.ts';
import { readSeeds } from '../../src/server/store/seeds.ts';
import { startServer } from '../kit/server.ts';
import { openShop, visitor } from './shop.ts';
import { during } from '../kit/during.ts';

describe('texts to read', () => {
  const server = during(() => startServer());
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

test.each(['IN', 'LK', 'BG'])('%s: each text has its parts, one after the other, and who answers for them', (code) => {
  const country = countryConfig(code);
  const { legal } = readSeeds(code).content;
  const read = (id: 'terms' | 'privacy' | 'credits') => documentOf(id, country, legal, { orderNamesDays: 400 });
  const parts = ({ sections }: ReturnType<typeof read>) =>
    sections.map(({ heading, paragraphs }) => [heading, paragraphs.length]);
  const terms = read('terms');
  expect(parts(terms)).toEqual([
    [said.whoTitle, 2],
    [said.orderTitle, 2],
    ...[said.priceTitle, said.payTitle, said.promiseTitle, said.offersTitle, said.foodTitle, said.careTitle].map(
      (title) => [title, 1],
    ),
    [said.changeTitle, 1],
  ]);
  const privacy = read('privacy');
  expect(parts(privacy)).toEqual([
    [said.holdTitle, 3],
    [said.whyTitle, 1],
    [said.withTitle, 1],
    [said.longTitle, 2],
    [said.rightsTitle, 1],
  ]);
  const credits = read('credits');
  expect(parts(credits)).toEqual([
    [said.mapTitle, 3],
    [said.softwareTitle, 1],
    [said.picturesTitle, 1],
  ]);
  const { appName: app } = country;
  expect([terms, privacy, credits].map(({ id, title, intro, version }) => [id, title, intro, version])).toEqual([
    ['terms', said.terms, said.termsIntro({ app }), legal.version],
    ['privacy', said.privacy, said.privacyIntro({ app }), legal.version],
    ['credits', said.credits, said.creditsIntro({ app }), legal.version],
  ]);
  const text = (one: ReturnType<typeof read>) => one.sections.flatMap(({ paragraphs }) => paragraphs).join(' ');
  for (const one of [legal.operator, legal.address, legal.licence, legal.officer, legal.email, legal.authority])
    expect(text(terms)).toContain(one);
  expect(text(terms)).toContain(`${country.guarantee.bulkFromPizzas}`);
  expect(text(terms)).toContain(
    { INR: 'Indian rupees', LKR: 'Sri Lankan rupees', BDT: 'Bangladeshi takas' }[country.CURRENCY_CODE],
  );
  for (const one of [legal.officer, legal.email, legal.taxLaw, legal.dataLaw, legal.dataAuthority])
    expect(text(privacy)).toContain(one);
  expect(text(privacy)).toContain('ended 400 days ago');
});

test('who answers is named in the language of the reader, where the data names them so', () => {
  const { legal } = readSeeds('IN').content;
  const hindi = legal.said!['hi']!;
  const read = (id: 'terms' | 'privacy') =>
    JSON.stringify(documentOf(id, countryConfig('IN'), legal, { orderNamesDays: 400 }));
  expect(read('terms')).toContain(legal.authority);
  const [terms, privacy] = inLanguage('hi', () => [read('terms'), read('privacy')]);
  for (const name of [hindi.officer, hindi.authority]) expect(terms).toContain(name);
  for (const name of [hindi.taxLaw, hindi.dataLaw, hindi.dataAuthority]) expect(privacy).toContain(name);
  for (const name of [legal.operator, legal.email]) expect(terms).toContain(name);
});
