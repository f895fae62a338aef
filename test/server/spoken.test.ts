import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import * as cart from '../../src/contract/cart.ts';
import * as coupons from '../../src/contract/coupons.ts';
import * as deletion from '../../src/contract/deletion.ts';
import * as documents from '../../src/contract/documents.ts';
import * as history from '../../src/contract/history.ts';
import * as menu from '../../src/contract/menu.ts';
import * as orders from '../../src/contract/orders.ts';
import { alertsAt } from '../../src/server/rules/catalogue/home.ts';
import { inLanguage } from '../../src/server/call/language.ts';
import { catalogueFromDisk } from '../../src/server/rules/catalogue/catalogue.ts';
import { countryConfig } from '../../country/index.ts';
import { member, visitor } from './shop.ts';
import { shopHere } from './shopHere.ts';

/** What the data of a country says, in each of its languages. */
const LANGUAGES = [
  { country: 'IN', language: 'hi', script: /\p{Script=Devanagari}/u, storeId: '10101', dealId: 'DL006' },
  { country: 'LK', language: 'si', script: /\p{Script=Sinhala}/u, storeId: '20101', dealId: 'DL014' },
  { country: 'LK', language: 'ta', script: /\p{Script=Tamil}/u, storeId: '20101', dealId: 'DL014' },
  { country: 'BG', language: 'bn', script: /\p{Script=Bengali}/u, storeId: '30101', dealId: 'DL016' },
] as const;
/** Names, which stand in one language: 'Pizza 1' is none. */
const LATIN = /[A-Za-z]{2,}/;

const shop = shopHere();

describe.each(LANGUAGES)('in $country, $language', ({ country, language, script, storeId, dealId }) => {
  const headers = { 'accept-language': `${language}, en;q=0.5` };
  const isSaid = (text: string | undefined) => {
    expect(text).toMatch(script);
    expect(text).not.toMatch(LATIN);
  };

  test('the menu’s descriptions, servings and combo parts come in the language asked for; English names are found too [QUAL-X03]', async () => {
    const who = await visitor(shop.server, country);
    const read = async (as: Record<string, string>) =>
      (await who.call(menu.byStore, { storeId, query: {} }, as)).body.menu!;
    const english = await read({});
    const own = await read(headers);
    expect(await read({})).toEqual(english);
    expect(own.version).not.toBe(english.version);
    expect(own.items.map(({ id, name }) => [id, name])).toEqual(english.items.map(({ id, name }) => [id, name]));
    for (const item of own.items) {
      isSaid(item.spoken);
      isSaid(item.description);
      if (item.serving !== undefined) isSaid(item.serving);
    }
    for (const id of new Set(own.items.flatMap(({ allergens }) => allergens))) isSaid(own.allergenNames?.[id]);
    expect(english.allergenNames).toBeUndefined();
    expect(english.items.filter((item) => item.spoken !== undefined)).toEqual([]);
    expect(own.items.map((item) => item.english)).toEqual(english.items.map(({ description }) => description));
    expect(english.items.filter((item) => item.english !== undefined)).toEqual([]);
    const { deal } = (await who.call(menu.deal, { storeId, dealId }, headers)).body;
    isSaid(deal.description);
    for (const { label } of deal.slots) isSaid(label);
    const { deals } = (await who.call(menu.deals, { storeId }, headers)).body;
    for (const { description } of deals) isSaid(description);
  });

  test('the kitchen’s ready notes and the notes for the rider come in it, at payment and on the order [QUAL-X03]', async () => {
    const who = await member(shop.server, country);
    const notes = async (as: Record<string, string>) => (await who.call(menu.toppings, { storeId }, as)).body.builder;
    const [english, own] = [await notes({}), await notes(headers)];
    expect(own.cookingNotes).toHaveLength(english.cookingNotes.length);
    for (const note of own.cookingNotes) isSaid(note);
    expect(own.version).not.toBe(english.version);
    expect(await notes({})).toEqual(english);
    const { instructions } = (await who.call(orders.instructions, {}, headers)).body;
    for (const { label } of instructions) isSaid(label);
    const { order } = await who.order({ paymentMode: 'COD', headers, body: { instructions: ['door', 'pet'] } });
    for (const label of order.instructions) isSaid(label);
    expect(order.instructions).toEqual(['door', 'pet'].map((id) => instructions.find((one) => one.id === id)?.label));
    // Who reads it in another language reads it in that one.
    expect((await who.read(order.orderId)).instructions).toEqual(['Leave at the door', 'There is a pet']);
  });

  test('sizes, crusts, sauces and toppings are named in it: in the price list, cart, refusals and order [QUAL-X03]', async () => {
    const who = await member(shop.server, country);
    const list = async (as: Record<string, string>) => (await who.call(menu.toppings, { storeId }, as)).body.builder;
    const [english, own] = [await list({}), await list(headers)];
    const partsOf = ({ sizes, crusts, sauces, toppings }: typeof own) => [...sizes, ...crusts, ...sauces, ...toppings];
    for (const [at, part] of partsOf(own).entries()) {
      isSaid(part.name);
      expect(part).not.toHaveProperty('names');
      expect({ ...part, name: '' }).toEqual({ ...partsOf(english)[at]!, name: '' });
    }
    const named = (of: typeof own, id: string) => partsOf(of).find((part) => part.id === id)!.name;
    const build = {
      sauce: { id: 'white', level: 'extra' as const },
      toppings: [{ id: 'mushroom', half: 'WHOLE' as const, amount: 'extra' as const }],
    };
    const put = async (line: object) =>
      await who.call(
        cart.add,
        {
          cartId: who.cartId,
          body: {
            items: [
              {
                operationId: randomUUID(),
                line: { lineId: randomUUID(), productId: 'PZ001', quantity: 1, size: 'M', ...line },
              },
            ],
            options: { storeId, deliveryType: who.where.deliveryType },
          },
        },
        headers,
      );
    await put({ crust: 'pan', build });
    const seen = async (as: Record<string, string>) =>
      (await who.call(cart.byId, { cartId: who.cartId, query: {} }, as)).body.cart.validItems[0]!;
    for (const [as, of] of [
      [headers, own],
      [{}, english],
    ] as const) {
      const { sizeName, crustName, choices } = await seen(as);
      expect([sizeName, crustName]).toEqual([named(of, 'M'), named(of, 'pan')]);
      expect(choices.join()).toContain(named(of, 'white'));
      expect(choices.join()).toContain(named(of, 'mushroom'));
    }
    const line = await seen(headers);
    for (const text of [line.sizeName, line.crustName, ...line.choices]) isSaid(text);
    const tooMany = own.toppings
      .slice(0, 12)
      .map(({ id }) => ({ id, half: 'WHOLE' as const, amount: 'extra' as const }));
    const refused = await put({ build: { toppings: tooMany } });
    expect(JSON.stringify(refused.body)).toContain(named(own, 'M'));
    const { order } = await who.order({ paymentMode: 'COD', headers });
    const { sizeName, crustName, choices } = order.lines.find(({ product }) => product.id === 'PZ001')!;
    expect({ sizeName, crustName, choices }).toEqual({
      sizeName: line.sizeName,
      crustName: line.crustName,
      choices: line.choices,
    });
  });

  test('a coupon says in it what it is, its terms and its congratulation, in the cart and by itself [QUAL-X03]', async () => {
    const who = await visitor(shop.server, country);
    await who.fill(3, 'M');
    const list = (await who.call(coupons.list, { query: { storeId } }, headers)).body.coupons;
    for (const { title, details, offerOptions = [], messages } of list) {
      expect(title).toMatch(script);
      for (const text of [...details, ...offerOptions.map(({ label }) => label)]) expect(text).toMatch(script);
      for (const { message } of messages) expect(message).toMatch(script);
    }
    const own = (await who.call(coupons.textOf, { code: 'FREECHOCO' }, headers)).body;
    isSaid(own.title);
    expect(own.text).toMatch(script);
    const { tncList } = (await who.call(coupons.terms, { code: 'FREEDIP' }, headers)).body;
    for (const term of tncList) expect(term).toMatch(script);
    const first = await member(shop.server, country);
    await first.fill(3, 'M');
    const applied = await first.call(coupons.apply, { cartId: first.cartId, code: 'WELCOME50', query: {} }, headers);
    const { confettiMessage, confettiSubMessage } = applied.body.explicitPromo!;
    for (const text of [confettiMessage, confettiSubMessage]) isSaid(text);
    const line = applied.body.cart!.bill.lines.find(({ id }) => id === 'discount:WELCOME50')!;
    expect(line.label).toBe(`${confettiSubMessage} (WELCOME50)`);
    expect(applied.body.cart!.offers.find((offer) => offer.code === 'WELCOME50')!.title).toBe(confettiSubMessage);
    // An order keeps what was said then.
    const { order } = (await first.submit({ paymentMode: 'COD', headers })).body;
    expect((await first.read(order.orderId)).bill.lines.find(({ id }) => id === line.id)!.label).toBe(line.label);
  });

  test('past orders are found by what a dish is in both languages, and laws are named in it [QUAL-X03]', async () => {
    const who = await member(shop.server, country);
    const { order } = await who.order({ paymentMode: 'COD', headers });
    const { description } = (await who.call(menu.byStore, { storeId, query: {} }, headers)).body.menu!.items.find(
      ({ id }) => id === who.productId,
    )!;
    for (const word of [description.split(/[ ,।.]+/)[0]!, 'torn'])
      expect(
        (await who.call(history.list, { query: { search: word } }, headers)).body.orders.map(({ orderId }) => orderId),
      ).toEqual([order.orderId]);
    const { standing } = (await who.call(deletion.look, {}, headers)).body;
    isSaid(standing.taxLaw);
    for (const document of ['terms', 'privacy'] as const) {
      const { sections } = (await who.call(documents.byId, { document }, headers)).body.document;
      const text = sections.flatMap(({ paragraphs }) => paragraphs).join('\n');
      expect(text).not.toMatch(/\b(the|Act|Board|care|officer|Authority)\b(?!@)/);
    }
  });

  test('an alert of the shop is told in it, and is the same alert [QUAL-X03]', () => {
    const catalogue = catalogueFromDisk(countryConfig(country));
    const rain = { id: 'rain', storeIds: [], message: 'Rain.', messages: { [language]: '☂' }, active: true };
    const told = {
      ...catalogue,
      seeds: { ...catalogue.seeds, content: { ...catalogue.seeds.content, alerts: [rain] } },
    };
    const [english, own] = ['en', language].map((one) => inLanguage(one, () => alertsAt(told, storeId, new Set(), 0)));
    expect(own).toEqual([{ id: english![0]!.id, message: '☂' }]);
    expect(english![0]!.message).toBe('Rain.');
  });
});
