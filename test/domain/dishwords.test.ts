import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { countries } from '../../country/index.ts';
import { CATALOGUES, GRAMMAR } from '../../src/domain/dishwords.ts';
import { find, indexOf, type Findable, type Index } from '../../src/domain/search.ts';
import { wordsOf } from '../../src/domain/slips.ts';
import { defaultMenu } from '../../src/server/rules/catalogue/menu.ts';

const codes = countries.map(({ COUNTRY_CODE }) => COUNTRY_CODE);
const indexes = new Map<string, Index<Findable>>();
function menuOf(code: string, language = 'en'): Index<Findable> {
  const key = `${code} ${language}`;
  const country = countries.find(({ COUNTRY_CODE }) => COUNTRY_CODE === code)!;
  const held = indexes.get(key);
  if (held) return held;
  const menu = defaultMenu(country, language);
  const labels = new Map(menu.categories.map(({ id, label }) => [id, label]));
  const made = indexOf<Findable>(menu.items, (id) => labels.get(id) ?? '');
  indexes.set(key, made);
  return made;
}
const pages = countries.flatMap(({ COUNTRY_CODE, languages }) =>
  languages.map((language) => [COUNTRY_CODE, language] as const),
);
const shown = (query: string, code: string, language = 'en') => {
  const { hits, near } = find(menuOf(code, language), query, Infinity);
  return { hits, near, all: [...hits, ...near] };
};
const names = (query: string, code: string, language = 'en') =>
  shown(query, code, language).hits.map(({ name }) => name);

/** Of all that is shown; none where nothing is. */
const foodTypes = (query: string, code: string) => [...new Set(shown(query, code).all.map(({ foodType }) => foodType))];
const spices = (query: string, code: string) => [...new Set(shown(query, code).all.map(({ spice }) => spice))];

const seedOf = (code: string, file: string) =>
  JSON.parse(
    readFileSync(new URL(`../../country/${code.toLowerCase()}/seed/${file}.json`, import.meta.url), 'utf8'),
  ) as {
    toppings: { id: string; onionGarlic?: boolean }[];
  };
/** What a dish names in its recipe: its toppings and its texts, without what these say that it is without. */
const recipeOf = ({ name, description, english, defaultToppings }: Findable) =>
  [name, english ?? description, ...defaultToppings]
    .join(' | ')
    .toLowerCase()
    // 'Without onion and garlic' names what is not in it.
    .replace(/\b(?:no|without) [\w ,]*|eggless|egg-free/g, '');

test('each language has a word for each meaning, and none twice in one', () => {
  for (const [language, catalogue] of Object.entries(CATALOGUES)) {
    expect(Object.keys(catalogue), language).toEqual(Object.keys(CATALOGUES['en']!));
    for (const [meaning, list] of Object.entries(catalogue)) {
      const phrases = list.split(', ').map((phrase) => wordsOf(phrase).join(' '));
      expect(phrases.every(Boolean), meaning).toBe(true);
      expect(new Set(list.split(', ')).size, meaning).toBe(phrases.length);
    }
  }
});

describe('what is excluded is shown nowhere, on any page of a country that has it', () => {
  /** What is typed, and what no dish may name or declare that is shown. */
  const ONION = /onion/;
  /** In whole sentences, in lists, mistyped, and in the order that each language puts it. */
  const SAID: Readonly<Record<string, string>> = {
    onion: `minus onions | no onoin | dont want onion | bina pyaaz wala pizza | बगैर प्याज़ | प्याज मत | peyaj na | வெங்காயமில்லாமல் | ළූණු නැතිව
      | no red onions | without any of that onion | hold onions | hold the onion | skip the onion | avoid onion
      | anything except onions | pizza -onion | i can't eat onions | i cannot have onion | don't like onions | doesn't have onion
      | no onion & mushroom | no onion + mushroom | no onion/garlic | no onion,mushroom | no onion, garlic and mushrooms
      | no onion or tomato | neither onion nor garlic | no onion mushroom capsicum | pizza withuot onion | wihtout onion
      | noonion pizza | onion not needed | pizza w/o onion | কাঁচা পেঁয়াজ ছাড়া | pyaz dono nahi | nahii pyaz | withoutt oinon | bina piyaajj | pizza with out onion | onions? no | withoutonion | onion free veg pizza | no onion but extra cheese | no onion and extra cheese
      | i would like a pizza without onion and garlic please | onion allergy | allergic to onion | onion nahi | no root vegetables
      | प्याज मत डालना | पिज्जा में प्याज न हो | जिसमें प्याज ना हो वो दिखाओ | प्याज नहीं खाते हम | प्याज, टमाटर नहीं | नो अनियन
      | pizza mein pyaz nahi chahiye | pyaz mat dalna | na pyaz na lehsun | pyaz lehsun nahi khate | aloo pyaz nahi | bhai pyaz nhi
      | pyaz, tamatar, shimla mirch nahi chahiye | pyaz hata do | pyaz ke alawa | pyaznahi
      | আমি পেঁয়াজ খাই না | পেঁয়াজ দিবেন না | পেঁয়াজ যেন না থাকে | পেঁয়াজ নেই এমন পিৎজা | পেঁয়াজ আর রসুন ছাড়া | পেঁয়াজ বাদ দেন
      | peyaj khai na | peyaj diben na | peyaj sara pizza | peyaj ar rosun chara pizza chai
      | எனக்கு வெங்காயம் பிடிக்காது | வெங்காயம் சேர்க்காமல் | வெங்காயமும் பூண்டும் வேண்டாம் | வெங்காயத்தை தவிர்த்து | வெங்காயம் போடாதீங்க
      | vengayam podaama | enakku vengayam pidikkathu | pizza la vengayam venam
      | ලූනු දාන්න එපා | මම ලූනු කන්නේ නෑ | ලූනු අයින් කරලා | lunu danna epa | mama lunu kanne na`,
    garlic: `no onion, no garlic | bina pyaz lehsun | pyaz aur lehsun ke bina | पेप्सी बिना लहसुन | बिना प्याज-लहसुन | no onion or garlic | no onion, garlic and mushrooms | no onion & garlic | garlic-free | lehsun mat dalna | না রসুন
      | রসুন দিবেন না | பூண்டு சேர்க்காமல் | සුදුලූනු දාන්න එපා`,
    chicken: `avoid chicken | anything but chicken | i don't eat chicken | other than chicken | चिकन के अलावा कुछ भी | chicken ke alawa kuch bhi
      | মুরগি বাদে | চিকেন খাই না | கோழி சாப்பிட மாட்டேன் | චිකන් හැර | no beef, chicken or fish`,
    beef: `i don't eat beef | no pork or beef | beef nahi khate | গরুর মাংস খাই না | goru khai na | மாட்டிறைச்சி சாப்பிட மாட்டேன் | හරක් මස් කන්නේ නෑ`,
    mushroom: `skip the mushrooms | i hate musrooms | without mashrums | no onion, garlic and mushrooms | no onion mushroom | mushroom hata do | মাশরুম বাদ
      | காளான் தவிர | හතු දාන්න එපා | no onion/mushroom`,
    gluten: `free of gluten | wheat free | glutenfree | maida nahi | ग्लूटेन फ्री | celiac | i am coeliac | gluten intolerant | allergy to wheat | cannot have gluten`,
    egg: `eggless | egg allergy | cant eat egg | i am allergic to egg | non egg | ande se allergy hai | ডিমে এলার্জি | dim e allergy | முட்டை அலர்ஜி | මට බිත්තර ආසාත්මිකයි`,
    milk: `no cheese | cheese nahi | lactose intolerant | i am lactose intolerant | without any of that cheese | wihtout cheese | nocheese | non dairy | dairy-free
      | no dairy products | मुझे दूध से एलर्जी है | doodh nahi pita | দুধে এলার্জি | எனக்கு பால் ஒவ்வாமை | කිරි ආසාත්මිකයි`,
    nuts: `nut free | peanut free | without walnuts | नट फ्री | allergic to nuts | allergy to nuts | i have a nut allergy | my son is allergic to peanuts | no nuts or egg
      | मूंगफली से एलर्जी | আমার বাদামে এলার্জি আছে | நிலக்கடலை அலர்ஜி | රටකජු අසාත්මික | nutfree`,
    prawn: 'shellfish allergy | no prawns | চিংড়ি মাছে এলার্জি',
    soya: 'soy free | no soya',
    fish: `seafood allergy | no tuna | fish nahi khata | no seafood | machli nahi`,
  };
  const EXCLUDED: readonly (readonly [name: string, named: RegExp, allergen?: string])[] = [
    ['onion', ONION],
    ['garlic', /garlic/],
    ['chicken', /chicken|wings|drumstick|tikka blaze.*chicken/],
    ['beef', /beef/],
    ['mushroom', /mushroom|garden topping/],
    ['gluten', /pizza|bread|penne/, 'gluten'],
    ['egg', /\begg\b/, 'egg'],
    ['milk', /mozzarella|cheese|paneer/, 'milk'],
    ['nuts', /walnut|\bnut/, 'nuts'],
    ['prawn', /prawn|seafood/, 'crustacean'],
    ['soya', /soya/, 'soy'],
    ['fish', /tuna|seafood/, 'fish'],
  ];
  test.each(EXCLUDED.map((row) => [row[0], row] as const))('%s', (name, [, named, allergen]) => {
    const said = SAID[name]!.split('|').map((query) => query.trim());
    for (const [code, language] of pages)
      for (const query of said) {
        const { all, hits } = shown(query, code, language);
        expect(hits.length, `${query} in ${code} ${language} finds dishes`).toBeGreaterThan(0);
        const wrong = all.filter(
          (dish) => named.test(recipeOf(dish)) || (allergen !== undefined && dish.allergens!.includes(allergen)),
        );
        expect(
          wrong.map(({ name }) => name),
          `${query} in ${code} ${language}`,
        ).toEqual([]);
        // What a combo is filled with is not known before it is chosen.
        expect(
          all.filter(({ kind, foodType }) => kind === 'DEAL' && foodType !== 'VEG'),
          query,
        ).toEqual([]);
      }
  });

  /** How each language says it around any of its words for a food. */
  const AROUND: Readonly<Record<string, string>> = {
    en: "no _ | without _ | pizza without _ please | _-free | pizza, no _ | i can't eat _ | allergic to _ | skip the _ | no corn or _ | no fresh _",
    hi: 'बिना _ | _ नहीं चाहिए | _ के बिना पिज़्ज़ा | पिज़्ज़ा में _ मत डालना | bina _ | _ nahi chahiye | _ ke bina pizza | pizza mein _ mat dalna',
    bn: '_ ছাড়া | _ খাই না | _ ছাড়া পিৎজা চাই | _ বাদ দিন | _ chara | _ khai na | _ chara pizza chai | _ diben na',
    ta: '_ இல்லாமல் | _ வேண்டாம் | _ இல்லாத பீட்சா வேண்டும் | _ illamal | _ vendam | _ illatha pizza venum',
    si: '_ නැතුව | _ එපා | _ නැති පීසා එකක් ඕන | _ දාන්න එපා | _ nathuwa | _ epa | _ nathi pizza ekak ona',
  };
  /** Garlic bread is ordered, too: "garlic bread free with a pizza". */
  const isBread = (word: string) => Object.values(CATALOGUES).some(({ bread }) => bread.split(', ').includes(word));
  test.each(EXCLUDED.filter(([name]) => name !== 'soya').map((row) => [row[0], row] as const))(
    '%s by every word for it, in the sentences of each language',
    (name, [, named, allergen]) => {
      const shownWrongly: string[] = [];
      for (const [language, sentences] of Object.entries(AROUND))
        for (const word of CATALOGUES[language]![name as 'onion'].split(', ').filter((one) => !isBread(one)))
          for (const around of sentences.split(' | '))
            for (const code of codes) {
              const query = around.replace('_', word);
              const wrong = shown(query, code).all.filter(
                (dish) => named.test(recipeOf(dish)) || (allergen !== undefined && dish.allergens!.includes(allergen)),
              );
              if (wrong.length > 0) shownWrongly.push(`${query} in ${code}: ${wrong[0]!.name}`);
            }
      expect(shownWrongly).toEqual([]);
    },
  );

  test('no meat shows dishes of vegetables alone, and a meat that is not named rules out nothing else', () => {
    for (const query of ['no meat', 'meat free', 'bina maas', 'মাংস ছাড়া', 'இறைச்சி இல்லாமல்', 'මස් නැතුව'])
      for (const code of codes) expect(foodTypes(query, code), query).toEqual(['VEG']);
    expect(names('no beef', 'BG')).toEqual(
      expect.arrayContaining(['Chicken Tikka Blaze', 'Prawn & Chilli', 'Garden Four']),
    );
    expect(names('no chicken', 'BG')).toEqual(expect.arrayContaining(['Dark-Roast Beef', 'Prawn & Chilli']));
  });

  test('onion and garlic in a topping that does not name them count, whatever country sells it', () => {
    for (const code of codes) {
      const hot = new Set(
        seedOf(code, 'toppings').toppings.flatMap(({ id, onionGarlic }) => (onionGarlic === true ? [id] : [])),
      );
      for (const query of ['no onion', 'no garlic'])
        for (const { name, defaultToppings } of shown(query, code).all)
          expect(
            defaultToppings.filter((one) => hot.has(one) && (one !== 'onion' || query === 'no onion')),
            name,
          ).toEqual([]);
    }
  });

  test('what the kitchen says comes first, then what it makes so on request; nothing is guessed where it says which', () => {
    const { hits } = shown('no onion pizza', 'IN');
    const always = hits.filter(({ noOnionGarlic }) => noOnionGarlic === 'always');
    expect(always.map(({ name }) => name)).toContain('Jain Garden');
    expect(hits.slice(0, always.length)).toEqual(always);
    const others = hits.slice(always.length).map(({ noOnionGarlic }) => noOnionGarlic);
    expect(others).toEqual(others.map(() => 'onRequest'));
    expect(find(menuOf('IN'), 'no onion pizza').cautions).toEqual(['onRequest']);
    expect(find(menuOf('LK'), 'no onion pizza').cautions).toEqual(['unstated']);
    expect(names('no onion pizza', 'LK')).toContain('Tomato Basil Classic');
  });
});

test('diets are said as far as the menu knows them', () => {
  expect(find(menuOf('BG'), 'halal').cautions).toEqual(['halal']);
  for (const query of ['halal', 'হালাল', 'හලාල්', 'ஹலால்', 'हलाल'])
    for (const code of codes) expect(foodTypes(query, code), query).toEqual(['VEG']);
  expect(names('halal chicken', 'BG')).toContain('Chicken Tikka Blaze');
  const vegan = find(menuOf('IN'), 'vegan', Infinity);
  expect(vegan.cautions).toEqual(['vegan']);
  expect(vegan.hits.length).toBeGreaterThan(0);
  for (const { foodType, allergens, kind } of vegan.hits) {
    expect([foodType, kind === 'DEAL']).toEqual(['VEG', false]);
    expect(allergens).not.toContain('milk');
    expect(allergens).not.toContain('egg');
  }
  expect(names('jain', 'IN')[0]).toBe('Jain Garden');
  expect(find(menuOf('IN'), 'jain').cautions).toEqual(['jainOnRequest']);
  expect(names('non veg pizza', 'IN')).not.toContain('Garden Four');
  for (const query of [
    ...[
      ...['not spicy', 'not too spicy', 'kam teekha', 'teekha mat banana', 'कम तीखा', 'ज्यादा तीखा नहीं'],
      ...['কম ঝাল', 'বেশি ঝাল না'],
    ],
    ...['jhal kom', 'සැර අඩු', 'සැර එපා', 'காரம் குறைவு', 'காரம் குறைவான உணவு', 'kaaram vendam'],
  ])
    for (const code of codes) expect(spices(query, code), query).toEqual([0]);
});

test.each([
  ...(['i am vegetarian', 'we are vegetarians', 'im veg', 'pure veg please', 'main veg hu', 'मैं शाकाहारी हूँ'] as const),
  ...(['আমি নিরামিষ খাই', 'ami niramish khai', 'நான் சைவம்', 'naan saivam', 'i am not eating meat', 'no non veg'] as const),
])('%j asks for dishes without meat, and for no mango', (query) => {
  for (const code of codes) {
    expect(foodTypes(query, code)).toEqual(['VEG']);
    expect(names(query, code)).toEqual(expect.arrayContaining(['Garden Four', 'Cola 475 ml']));
  }
});

/** What is wanted beside what is excluded: dishes that are found, and such that are not. */
test.each<[string, string, string, string]>([
  ['IN', 'no onion corn pizza', 'Two-Cheese Corn', 'Tomato Basil Classic'],
  ['IN', 'corn pizza, no onion', 'Two-Cheese Corn', 'Corn & Capsicum Crunch'],
  ['IN', 'no onion and extra cheese', 'Double Cheese Melt', 'Jain Garden'],
  ['IN', 'paneer pizza minus capsicum', 'Paneer Tikka Blaze', 'Smoky Makhani Paneer'],
  ['IN', 'chicken not spicy', 'Three-Chicken Supreme', 'Hot Chilli Chicken'],
  ['BG', 'chicken not beef', 'Chicken Tikka Blaze', 'Dark-Roast Beef'],
  ['BG', 'beef chara onno kichu', 'Tomato Basil Classic', 'Dark-Roast Beef'],
  ['BG', 'কোন খাবারে বাদাম নেই', 'Garden Four', 'Walnut Brownie'],
  ['LK', 'pizza w/ paneer w/o prawns', 'Paneer Tikka Blaze', 'Prawn & Chilli'],
  ['IN', 'nut-free brownie', 'Molten Chocolate Cup', 'Walnut Brownie'],
  ['IN', 'paneer pizza bina shimla mirch', 'Paneer Tikka Blaze', 'Smoky Makhani Paneer'],
  ['IN', 'coke zero', 'Cola Zero Sugar 475 ml', 'Cola 475 ml'],
  ['IN', 'zero sugar', 'Cola Zero Sugar 475 ml', 'Cola 475 ml'],
  ['IN', 'no sugar cola', 'Cola Zero Sugar 475 ml', 'Cola 475 ml'],
  ['IN', 'चीनी के बिना कोक', 'Cola Zero Sugar 475 ml', 'Cola 475 ml'],
  ['IN', '2 cokes', 'Cola 475 ml', 'Gulab Jamun (2)'],
  ['IN', 'no cold drinks', 'Garden Four', 'Cola 475 ml'],
  ['IN', 'free coke', 'Cola 475 ml', 'Cold Coffee'],
  ['IN', 'coke free with pizza meal', 'Cola 475 ml', 'Cold Coffee'],
  ['IN', 'No. 1 paneer tikka', 'Paneer Tikka Blaze', 'Tomato Basil Classic'],
  ['IN', 'buy one get one free', 'Two Regulars', 'Cola 475 ml'],
  ['IN', 'pizza dikhao na', 'Garden Four', 'Cola 475 ml'],
  ['IN', 'no cheese burst pizza', 'Garden Four', 'Cola 475 ml'],
  ['LK', 'sara pizza', 'Hot Chilli Chicken', 'Tomato Basil Classic'],
])('in %s %j finds %j, and not %j', (code, query, found, other) => {
  const all = shown(query, code).all.map(({ name }) => name);
  expect(all).toContain(found);
  expect(all).not.toContain(other);
});

test('words in which a "no" only seems to stand deny nothing', () => {
  for (const query of ['know', 'none', 'noon', 'snow', 'free delivery', 'notable', 'no', 'not', 'without'])
    expect(names(query, 'IN'), query).toEqual([]);
  const dish = (id: string, name: string): Findable => ({
    ...menuOf('IN').rows[0]!.item,
    ...{ id, name, description: '', english: undefined, defaultToppings: [], tags: [], categoryIds: [] },
  });
  const menu = indexOf([dish('a', 'No Name Roll'), dish('b', 'Guilt Free Roll'), dish('c', 'Plain Roll')], () => '');
  const found = (query: string) => find(menu, query).hits.map(({ id }) => id);
  expect([found('no name'), found('guilt free'), found('no onion').length]).toEqual([['a'], ['b'], 3]);
  expect(find(menu, 'no msg').unknown).toEqual(['msg']);
});

test.each<[string, string]>([
  ...[
    ['no caffeine', 'caffeine'],
    ['coffee without caffeine', 'caffeine'],
    ['pizza no msg', 'msg'],
    ['no palm oil', 'palm oil'],
  ],
  ...[
    ['preservative free', 'preservative'],
    ['no blarg', 'blarg'],
    ['कैफीन नहीं', 'कैफीन'],
    ['ক্যাফেইন ছাড়া', 'ক্যাফেইন'],
  ],
  ...[
    ['காஃபின் இல்லாத', 'காஃபின்'],
    ['කැෆේන් නැති', 'කැෆේන්'],
    ['bina namak', 'namak'],
  ],
] as [string, string][])('%j excludes what no menu says: nothing is shown, and %j is named', (query, word) => {
  for (const [code, language] of pages) {
    const { hits, near, unknown } = find(menuOf(code, language), query);
    expect({ hits, near, unknown: unknown.map((one) => one.normalize('NFC')) }).toEqual({
      hits: [],
      near: [],
      unknown: wordsOf(word)
        .map((one) => one.normalize('NFC'))
        .join(' ')
        .split('|'),
    });
  }
});

test('of what the menu has no facts it says that recipes alone are known', () => {
  expect(find(menuOf('IN'), 'no mushroom').cautions).toEqual(['unstated']);
  expect(find(menuOf('IN'), 'no chicken').cautions).toEqual([]);
  expect(find(menuOf('IN'), 'no egg').cautions).toEqual(['allergens']);
});

test('a price is a limit, in every way of saying it', () => {
  for (const query of [
    ...['under 200', 'below ₹200', '< 200', '200 ke andar', '200 rupaye tak', '२०० से कम', '₹200 तक', '200 taka'],
    ...['২০০ টাকার মধ্যে', '200 takar niche', 'max 200', '200/-', 'under Rs. 200.00', '২০০৳', 'under rs. 200 veg'],
    ...['රු 200ට අඩු', 'ரூ 200க்குள்', '200 ரூபாய்க்கு கீழ்', 'pizza under 200'],
  ]) {
    const { hits } = shown(query, 'IN');
    expect(hits.length, query).toBeGreaterThan(5);
    expect(
      hits.filter(({ prices }) => Math.min(...Object.values(prices!).map(Number)) > 20_000),
      query,
    ).toEqual([]);
  }
  // The price is that of the size that is asked for.
  const mediums = shown('medium pizza under 350', 'IN').hits.map(({ prices }) => prices!['M']!);
  expect([mediums.length > 3, Math.max(...mediums) <= 35_000]).toEqual([true, true]);
  const { hits, near } = shown('pizza under 20', 'IN');
  expect([hits, near[0]!.name]).toEqual([[], 'Mini Tomato']);
  expect(names('cola 475', 'IN')[0]).toBe('Cola 475 ml');
});

const amounts = ({ prices }: Findable) => Object.values(prices!).map((price) => price! / 100);
test('amounts are read with their separators, as ranges and from one on', () => {
  const thousand = ['under 1,000', 'under 1000', '1k tak', '১,০০০ টাকার কম', '1,000 ரூபாய்க்குள்', '1 000 ට අඩු'];
  for (const query of thousand) {
    const { hits } = shown(query, 'LK');
    expect(hits.length, query).toBeGreaterThan(5);
    expect(
      hits.filter((dish) => Math.min(...amounts(dish)) > 1_000),
      query,
    ).toEqual([]);
  }
  expect(shown('under 1,00,000', 'IN').hits).toHaveLength(menuOf('IN').rows.length);
  const range = ['between 100 and 200', '100-200', '100 – 200', '₹100 - ₹200', '100 se 200 tak', '100 से 200 के बीच'];
  for (const query of [...range, '১০০ থেকে ২০০ টাকা', '100 theke 200 taka', '100 முதல் 200 வரை', '100 සිට 200 දක්වා']) {
    const { hits } = shown(query, 'IN');
    expect(hits.length, query).toBeGreaterThan(5);
    expect(
      hits.filter((dish) => !amounts(dish).some((one) => one >= 100 && one <= 200)),
      query,
    ).toEqual([]);
  }
  for (const query of ['above 500', '500 se zyada', '৫০০ টাকার বেশি', '500க்கு மேல்', '500ට වැඩි', '> 500']) {
    const { hits } = shown(query, 'IN');
    expect(hits.length, query).toBeGreaterThan(5);
    expect(
      hits.filter((dish) => Math.max(...amounts(dish)) < 500),
      query,
    ).toEqual([]);
  }
});

test('the cheapest come first where they are asked for', () => {
  for (const query of [
    ...['cheapest pizza', 'sabse sasta pizza', 'सबसे सस्ता पिज्जा', 'সবচেয়ে সস্তা পিৎজা', 'sosta pizza'],
    ...['மலிவான பீட்சா', 'ලාභම පීසා'],
  ])
    for (const code of codes) {
      const lowest = shown(query, code).hits.map((dish) => Math.min(...amounts(dish)));
      expect(lowest.length, query).toBeGreaterThan(5);
      expect(lowest, query).toEqual(lowest.toSorted((a, b) => a - b));
    }
});

test('in a sentence, words that fit no dish say nothing; two words do', () => {
  expect(names('i would like something with paneer for my neighbours', 'IN')).toEqual(names('paneer', 'IN'));
  expect(names('paneer rocket', 'IN')).toEqual([]);
  expect(names('please show me the rocket', 'IN')).toEqual([]);
});

test.each<[string, string, string, RegExp]>([
  ['IN', 'marghrita', 'tomato', /tomato/],
  ['IN', 'corn n capsicum', 'both', /corn.*capsicum|capsicum.*corn/],
  ['IN', 'onoin', 'onion', /onion/],
  ['IN', 'chikn wings', 'wings', /wing|drumstick/],
  ['IN', 'peproni', 'pepperoni', /pepperoni/],
])('in %s %j finds %s alone', (code, query, _, pattern) => {
  const { hits } = shown(query, code);
  expect(hits.length).toBeGreaterThan(0);
  for (const dish of hits.slice(0, 3)) expect(recipeOf(dish)).toMatch(pattern);
});
test('a crust is found by what it is called, on dishes that have it', () => {
  for (const query of ['thin crust', 'thin crust pizza', 'पतला क्रस्ट', 'থিন ক্রাস্ট', 'තින් ක්‍රස්ට්', 'தின் க்ரஸ்ட்'])
    expect(new Set(shown(query, 'IN').hits.map(({ crusts }) => crusts!.includes('thin-crisp'))), query).toEqual(
      new Set([true]),
    );
  const large = shown('large pizza', 'IN')
    .hits.filter(({ kind }) => kind !== 'DEAL')
    .map(({ prices }) => prices!['L'] !== undefined);
  expect(new Set(large)).toEqual(new Set([true]));
});

/** Everyday words: the dish that is found, and what is in the recipe of each that is. */
test.each<[string, string, string, RegExp]>([
  ['IN', 'पनीर | paneer | panir | পনির | பனீர்', 'Paneer Tikka Blaze', /paneer|combo|meal/],
  ['IN', 'आलू | aloo | potato | আলু | உருளைக்கிழங்கு', 'Potato Wedges', /potato|wedges|fries/],
  ['IN', 'कोला | कोक | coke | cola | koka kola', 'Cola 475 ml', /cola/],
  ['LK', 'கோலா | කෝලා | කෝක් | கோக்', 'Cola 475 ml', /cola/],
  ['LK', 'கோழி | චිකන් | කුකුල් මස් | kozhi | kukul mas', 'Devilled Chicken', /chicken|wings|meatballs/],
  ['BG', 'কোলা | কোক | কোকাকোলা', 'Cola 475 ml', /cola/],
  ['BG', 'মুরগি | মুরগী | চিকেন | murgi', 'Chicken Tikka Blaze', /chicken|wings|drumsticks|meatballs/],
  ['BG', 'চীজ | চিজ | cheese', 'Double Cheese Melt', /chee|mozzarella|cheddar/],
])('in %s each of %j finds %j and its like on the page of every language', (code, words, name, like) => {
  for (const [, language] of pages.filter(([one]) => one === code))
    for (const word of words.split(' | ')) {
      const { hits } = shown(word, code, language);
      expect(
        hits.map((dish) => dish.name),
        `${word} ${language}`,
      ).toContain(name);
      expect(
        hits.filter((dish) => !like.test(recipeOf(dish))).map((dish) => dish.name),
        `${word} ${language}`,
      ).toEqual([]);
    }
});
test.each(['পিৎজা', 'পিজ্জা', 'পিজা', 'pizza'])('in BG %j finds pizzas on the page of every language', (word) => {
  for (const language of ['en', 'bn']) expect(names(word, 'BG', language)).toContain('Garden Four');
});

/** The words of dishes' names as they are written in each script by ear. */
const SPOKEN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  IN: {
    hi: `achari अचारी aloo आलू barbecue बारबेक्यू basil बेसिल bites बाइट्स blaze ब्लेज़ boneless बोनलेस bread ब्रेड
      brownie ब्राउनी capsicum कैप्सिकम caramel कैरेमल cheese चीज़ cheesy चीज़ी chettinad चेट्टिनाड chicken चिकन
      chilli चिली chocolate चॉकलेट cinnamon सिनेमन classic क्लासिक coffee कॉफ़ी cola कोला cold कोल्ड corn कॉर्न
      cream क्रीम creamy क्रीमी crispy क्रिस्पी crunch क्रंच crunchy क्रंची cup कप dip डिप double डबल drink ड्रिंक
      drumsticks ड्रमस्टिक egg एग family फ़ैमिली feast फ़ीस्ट finish फ़िनिश fire फ़ायर fizz फ़िज़ four फ़ोर fries फ्राइज़
      garden गार्डन garlic गार्लिक golden गोल्डन gulab गुलाब heat हीट hot हॉट jain जैन jalapeno जालापेनो jamun जामुन
      keema कीमा lassi लस्सी lemon लेमन loaded लोडेड makhani मखनी mango मैंगो masala मसाला mayo मेयो meal मील
      meatballs मीटबॉल्स mediums मीडियम melt मेल्ट midnight मिडनाइट mini मिनी mint मिंट molten मोल्टन mushroom मशरूम
      olive ऑलिव onion प्याज़ oven ओवन paneer पनीर parcel पार्सल party पार्टी pasta पास्ता penne पेने pepper पेपर
      pepperoni पेपरोनी peri पेरी pineapple पाइनएप्पल pizza पिज़्ज़ा pops पॉप्स potato पोटैटो red रेड regulars रेगुलर
      roast रोस्ट sausage सॉसेज six सिक्स smoked स्मोक्ड smoky स्मोकी solo सोलो soya सोया spice स्पाइस spicy स्पाइसी
      spinach स्पिनच sticks स्टिक्स still स्टिल stuffed स्टफ़्ड sugar शुगर supreme सुप्रीम sweet स्वीट table टेबल
      three थ्री tikka टिक्का tiramisu तिरामिसू tomato टोमैटो two टू veg वेज walnut वॉलनट water वॉटर wedges वेजेज़
      white व्हाइट wings विंग्स zero ज़ीरो`,
  },
  BG: {
    bn: `barbecue বারবিকিউ basil বেসিল beef বিফ bites বাইটস blaze ব্লেজ bread ব্রেড brownie ব্রাউনি capsicum ক্যাপসিকাম
      cheese চিজ cheesy চিজি chicken চিকেন chilli চিলি chocolate চকলেট cinnamon সিনামন classic ক্লাসিক cola কোলা
      corn কর্ন cream ক্রিম crispy ক্রিসপি crunch ক্রাঞ্চ cup কাপ dark ডার্ক dip ডিপ doi দই double ডাবল drink ড্রিংক
      drumsticks ড্রামস্টিক egg এগ feast ফিস্ট fire ফায়ার fizz ফিজ four ফোর fries ফ্রাইজ garden গার্ডেন garlic গার্লিক
      gulab গুলাব heat হিট hot হট iftar ইফতার jalapeno জালাপেনো jamun জামুন keema কিমা lassi লাচ্ছি lemon লেমন
      loaded লোডেড makhani মাখানি mango ম্যাঙ্গো masala মাসালা mayo মেয়ো meal মিল meatballs মিটবলস melt মেল্ট
      mint মিন্ট mishti মিষ্টি molten মোল্টেন mushroom মাশরুম naga নাগা olive অলিভ oven ওভেন paneer পনির
      parcel পার্সেল penne পেনে pepper পেপার pepperoni পেপারনি peri পেরি pineapple পাইনঅ্যাপল pops পপস potato পটেটো
      prawn প্রন red রেড regulars রেগুলার roast রোস্ট sausage সসেজ smoked স্মোকড smoky স্মোকি solo সোলো soya সয়া
      spice স্পাইস spicy স্পাইসি spinach স্পিনাচ sticks স্টিকস still স্টিল stuffed স্টাফড sugar সুগার supreme সুপ্রিম
      sweet সুইট three থ্রি tikka টিক্কা tomato টমেটো two টু veg ভেজ walnut ওয়ালনাট water ওয়াটার wedges ওয়েজেস
      white হোয়াইট wings উইংস zero জিরো`,
  },
  LK: {
    ta: `barbecue பார்பிக்யூ basil பேசில் beer பீர் bites பைட்ஸ் blaze பிளேஸ் bread பிரெட் brownie பிரவுனி
      capsicum கேப்சிகம் caramel கேரமல் cheese சீஸ் cheesy சீஸி chicken சிக்கன் chilli சில்லி chocolate சாக்லேட்
      classic கிளாசிக் coffee காபி cola கோலா cold கோல்ட் corn கார்ன் cream க்ரீம் creamy க்ரீமி crunch க்ரஞ்ச்
      cup கப் devilled டெவில்ட் dip டிப் double டபுள் egg எக் feast ஃபீஸ்ட் fire ஃபயர் fizz ஃபிஸ் four ஃபோர்
      fried ஃப்ரைட் garden கார்டன் garlic கார்லிக் ginger ஜிஞ்சர் heat ஹீட் hot ஹாட் jalapeno ஜலபெனோ lemon லெமன்
      loaded லோடட் makhani மக்கானி meal மீல் melt மெல்ட் mint மின்ட் molten மோல்டன் mushroom மஷ்ரூம் olive ஆலிவ்
      oven ஓவன் paneer பனீர் pasta பாஸ்தா penne பென்னே pepper பெப்பர் pepperoni பெப்பரோனி pizza பீட்சா
      potato உருளைக்கிழங்கு prawn இறால் red ரெட் rice ரைஸ் roast ரோஸ்ட் sambal சம்பல் sausage சாசேஜ் seafood மீன்
      smoked ஸ்மோக்ட் smoky ஸ்மோக்கி soup சூப் soya சோயா spice ஸ்பைஸ் spicy ஸ்பைசி spinach கீரை sticks ஸ்டிக்ஸ்
      still ஸ்டில் stuffed ஸ்டஃப்ட் sugar சுகர் supreme சுப்ரீம் sweet ஸ்வீட் three த்ரீ tikka டிக்கா tomato டொமேட்டோ
      tuna டூனா two டூ veg வெஜ் walnut வால்நட் watalappan வட்டலப்பம் water வாட்டர் wedges வெட்ஜஸ் white வைட்
      wings விங்ஸ் zero ஜீரோ`,
    si: `barbecue බාබකිව් basil බැසිල් beer බියර් bites බයිට්ස් blaze බ්ලේස් bread බ්‍රෙඩ් brownie බ්‍රවුනි
      capsicum කැප්සිකම් caramel කැරමල් cheese චීස් cheesy චීසි chicken චිකන් chilli චිලි chocolate චොක්ලට්
      classic ක්ලැසික් coffee කෝපි cola කෝලා cold කෝල්ඩ් corn කෝන් cream ක්‍රීම් crunch ක්‍රන්ච් cup කප්
      devilled ඩෙවල්ඩ් dip ඩිප් double ඩබල් egg එග් feast ෆීස්ට් fire ෆයර් fizz ෆිස් four ෆෝර් fried ෆ්‍රයිඩ්
      garden ගාඩන් garlic ගාලික් ginger ජින්ජර් heat හීට් hot හොට් lemon ලෙමන් loaded ලෝඩඩ් meal මීල් melt මෙල්ට්
      mushroom මෂ්රූම් olive ඔලිව් oven අවන් paneer පනීර් pasta පාස්තා penne පෙනේ pepper පෙපර් pepperoni පෙපරෝනි
      pizza පීසා red රෙඩ් rice රයිස් roast රෝස්ට් sambal සම්බල් smoky ස්මෝකි soup සුප් soya සෝයා spicy ස්පයිසි
      sticks ස්ටික්ස් sugar ෂුගර් supreme සුප්‍රීම් sweet ස්වීට් three ත්‍රී tikka ටික්කා tomato ටොමැටෝ tuna ටූනා
      two ටූ veg වෙජ් walnut වෝල්නට් watalappan වටලප්පන් water වෝටර් white වයිට් wings වින්ග්ස් zero සීරෝ`,
  },
};
const spoken = Object.entries(SPOKEN).flatMap(([code, all]) =>
  Object.entries(all).map(([language, text]) => {
    const words = text.trim().split(/\s+/);
    return [
      code,
      language,
      new Map(words.flatMap((word, at) => (at % 2 === 0 ? [[word, words[at + 1]!] as const] : []))),
    ] as const;
  }),
);
test.each(spoken)('in %s each dish is found by its name as %s writes it by ear, on every page', (code, _, words) => {
  const missed: string[] = [];
  for (const [, language] of pages.filter(([one]) => one === code))
    for (const { item } of menuOf(code, language).rows) {
      const said = wordsOf(item.name).filter((word) => words.has(word));
      if (said.length === 0 || item.kind === 'DEAL') continue;
      const query = said
        .slice(0, 8)
        .map((word) => words.get(word))
        .join(' ');
      const place = names(query, code, language).indexOf(item.name);
      if (place < 0 || (said.length > 2 && place > 7)) missed.push(`${language} ${item.name}: ${query} (${place})`);
    }
  expect(missed).toEqual([]);
});

test('each dish is found by every everyday word for what it is and has, in every language of its country and in Latin letters', () => {
  const missed: string[] = [];
  for (const { COUNTRY_CODE: code, languages } of countries)
    for (const page of languages)
      for (const { item, meanings } of menuOf(code, page).rows)
        for (const meaning of meanings.keys()) {
          if (GRAMMAR.has(meaning) || ['veg', 'nonveg', 'jain', 'halal', 'vegan', 'mild'].includes(meaning)) continue;
          for (const language of languages)
            for (const phrase of CATALOGUES[language]![meaning].split(',')) {
              const key = `${code} ${page} ${phrase}`;
              const held = FOUND.get(key) ?? new Set(shown(phrase, code, page).hits.map(({ id }) => id));
              FOUND.set(key, held);
              if (!held.has(item.id)) missed.push(`${code} ${page} ${item.name} by ${phrase} (${meaning})`);
            }
        }
  expect(missed).toEqual([]);
});
const FOUND = new Map<string, Set<string>>();

test('a keystroke costs little: what is typed is compared with each word of the menu once, however many dishes have it', () => {
  const dishes = menuOf('IN').rows.map(({ item }) => item);
  const many = Array.from({ length: 1_000 }, (_, at) => ({ ...dishes[at % dishes.length]!, id: String(at) }));
  const index = indexOf<Findable>(many, () => '');
  let looked = 0;
  const counting = {
    ...index,
    vocabulary: new Proxy(index.vocabulary, {
      get: (target, key) => {
        if (/^\d+$/.test(String(key))) looked += 1;
        return Reflect.get(target, key) as unknown;
      },
    }),
  };
  const query = 'onoin margheritta choklate pananeer thinncrust bredstick jalapenoz mushroum';
  find(counting, query);
  expect(index.vocabulary.length).toBeLessThan(500);
  expect(looked).toBeLessThanOrEqual(2 * 8 * index.vocabulary.length);
});

test('among all dishes a word finds those that it finds alone', () => {
  const dishes = menuOf('IN').rows.map(({ item }) => item);
  for (const word of ['onion', 'प्याज', 'panner', 'chilli', 'dessert']) {
    const alone = dishes.filter(
      (one) =>
        find(
          indexOf([one], () => ''),
          word,
        ).hits.length > 0,
    );
    expect(alone.length, word).toBeGreaterThan(3);
    const { hits } = find(
      indexOf(dishes, () => ''),
      word,
      Infinity,
    );
    expect(new Set(hits.map(({ id }) => id)), word).toEqual(new Set(alone.map(({ id }) => id)));
  }
});
