import { describe, expect, it } from 'vitest';
import { compile, differences, type Sentences } from '../../src/text/compile.ts';

type Spoken = Record<string, string & ((values: object) => string)>;

/** The module as a page or a server has it. */
async function spoken(sentences: Sentences, language = 'en', reference = sentences) {
  const source = compile({ name: 'trial', language, reference, sentences, isTyped: false });
  return (await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(source)}`)) as Spoken;
}

describe('a sentence becomes script', () => {
  it('is said in English in development while nobody has translated it, and refused otherwise', async () => {
    const catalogue = { name: 'trial', language: 'hi', isTyped: false };
    const texts = { reference: { title: 'Cart', bag: 'A bag' }, sentences: { title: 'कार्ट' } };
    const draft = compile({ ...catalogue, ...texts, isDraft: true });
    expect(await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(draft)}`)).toMatchObject({
      title: 'कार्ट',
      bag: 'A bag',
    });
    expect(() => compile({ ...catalogue, ...texts })).toThrow('hi/trial.json: bag is missing');
  });

  it('stays letter by letter what it is', async () => {
    const quotes = "Don't \\ `go` ${away}, it’s 5 < 6";
    expect(await spoken({ plain: "Don't go", quotes: quotes.replace('{away}', "'{'away'}'") })).toMatchObject({
      plain: "Don't go",
      quotes,
    });
  });

  it('is filled with text, numbers and cases', async () => {
    const t = await spoken({
      where: '{type, select, home {Home} office {The office} other {}}: {place}',
      open: '{type, select, home {Home} other {Elsewhere}}',
      dishes: '{count, plural, =0 {nothing} one {# dish} other {# dishes}} for {name}',
      minutes: '{minutes, number} minutes',
      nested: '{count, plural, one {One of {name}} other {{sex, select, m {his} other {her}} #}}',
    });
    expect(t['where']!({ type: 'office', place: 'Delhi' })).toBe('The office: Delhi');
    expect(t['open']!({ type: 'ship' })).toBe('Elsewhere');
    expect([0, 1, 2].map((count) => t['dishes']!({ count, name: 'Asha' }))).toEqual([
      'nothing for Asha',
      '1 dish for Asha',
      '2 dishes for Asha',
    ]);
    expect(t['minutes']!({ minutes: 1200 })).toBe('1200 minutes');
    expect(t['nested']!({ count: 3, name: 'Asha', sex: 'm' })).toBe('his 3');
  });

  it('puts elements around its parts', async () => {
    const t = await spoken({ from: 'from <b>{price}</b>' });
    expect(t['from']!({ price: '5', b: (inner: string) => `*${inner}*` })).toBe('from *5*');
  });

  it('writes the digits of a text as the language writes them where it says so, and nowhere else', async () => {
    const reference = { clock: '{time} PM', code: 'Your code is {code}' };
    const own = { clock: 'রাত {time, number, digits}', code: 'কোড {code}' };
    const t = await spoken(own, 'bn', reference);
    expect(t['clock']!({ time: '6:30' })).toBe('রাত ৬:৩০');
    expect(t['code']!({ code: '123456' })).toBe('কোড 123456');
    const tamil = await spoken({ ...own, clock: '{time, number, digits}' }, 'ta', reference);
    expect(tamil['clock']!({ time: '6:30' })).toBe('6:30');
  });

  it('counts as the language counts, with its digits', async () => {
    const reference = { dishes: '{count, plural, one {# dish} other {# dishes}}' };
    const arabic = { dishes: '{count, plural, zero {z #} one {o #} two {t #} few {f #} many {m #} other {x #}}' };
    const t = await spoken(arabic, 'ar-EG', reference);
    expect([0, 1, 2, 3, 11, 100].map((count) => t['dishes']!({ count }))).toEqual([
      'z ٠',
      'o ١',
      't ٢',
      'f ٣',
      'm ١١',
      'x ١٠٠',
    ]);
    const hindi = await spoken({ dishes: '{count, plural, one {# वस्तु} other {# वस्तुएँ}}' }, 'hi', reference);
    expect([0, 1, 2].map((count) => hindi['dishes']!({ count }))).toEqual(['0 वस्तु', '1 वस्तु', '2 वस्तुएँ']);
  });

  it('says English plurals by a comparison, without a table of rules', () => {
    const sentences = { dishes: '{count, plural, one {# dish} other {# dishes}}' };
    const source = compile({ name: 'trial', language: 'en', reference: sentences, sentences, isTyped: true });
    expect(source).toContain('p.count === 1 ?');
    expect(source).not.toContain('Intl');
    expect(source).toContain('export const dishes = (p: { count: number }): string =>');
  });

  it('types a select by its cases, open where `other` says something', () => {
    const sentences = { a: '{of, select, x {1} y {2} other {}}', b: '{of, select, x {1} other {2}}' };
    const source = compile({ name: 'trial', language: 'en', reference: sentences, sentences, isTyped: true });
    expect(source).toContain("a = (p: { of: 'x' | 'y' })");
    expect(source).toContain("b = (p: { of: 'x' | (string & {}) })");
  });
});

describe('a wrong catalogue is not compiled', () => {
  const reference = {
    title: 'Cart',
    dishes: '{count, plural, one {# dish} other {# dishes}}',
    from: 'from <b>{price}</b>',
  };
  const whole = {
    title: 'Korb',
    dishes: '{count, plural, one {# Gericht} other {# Gerichte}}',
    from: 'ab <b>{price}</b>',
  };
  it.each([
    ['a key is missing', {}, { dishes: whole.dishes, from: whole.from }, 'title is missing'],
    ['a key is not known', {}, { ...whole, more: 'Mehr' }, 'more is no key of en'],
    ['a sentence is empty', {}, { ...whole, title: ' ' }, 'title says nothing'],
    [
      'a value is left out',
      {},
      { ...whole, from: 'ab <b>etwas</b>' },
      'from takes b: element, and en takes b: element, price: text',
    ],
    [
      'a value is used as another',
      {},
      { ...whole, dishes: '{count} Gerichte' },
      'dishes takes count: text, and en takes count: number',
    ],
    ['a sentence cannot be read', {}, { ...whole, from: 'ab <b>{price}' }, 'from: UNCLOSED_TAG'],
    [
      'a plural form is not one of the language',
      {},
      { ...whole, dishes: '{count, plural, few {#} other {#}}' },
      "dishes: de has no plural form 'few'",
    ],
    [
      'a date is not formatted',
      {},
      { ...whole, title: '{at, date}' },
      'title: {at} is a date or a time: these come formatted',
    ],
  ])('where %s', (_, __, sentences, said) => {
    expect(differences(reference, sentences, 'de')).toEqual([said]);
    expect(() => compile({ name: 'cart', language: 'de', reference, sentences, isTyped: false })).toThrow(
      `de/cart.json: ${said}`,
    );
  });

  it('where a key is no name in a script', () => {
    for (const key of ['delete', 'Title', 'add-more', 'digits'])
      expect(() =>
        compile({ name: 'cart', language: 'en', reference: { [key]: 'x' }, sentences: { [key]: 'x' }, isTyped: false }),
      ).toThrow(`${key} is no name of a key`);
  });
});
