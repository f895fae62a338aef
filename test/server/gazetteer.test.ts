import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { slips } from '../../src/domain/slips.ts';
import { findPlaces, gazetteerOf } from '../../src/server/rules/places/gazetteer.ts';
import { latinOf, placeWords, placeSound } from '../../src/server/rules/places/scripts.ts';
import type { SeedPlace } from '../../src/server/store/seeds.ts';

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'k', 'n'), minLength: 4, maxLength: 11 });
const most = (typed: string) => (typed.length < 8 ? 1 : 2);

test('finds every place that begins as typed with no more slips than are forgiven, and no other [LOC-11]', () => {
  fc.assert(
    fc.property(fc.uniqueArray(word, { minLength: 1, maxLength: 40 }), word, (names, typed) => {
      const places = names.map((name) => ({
        id: name,
        name,
        city: name,
        kind: 'city',
        aliases: [],
        latitude: 0,
        longitude: 0,
      }));
      const found = findPlaces(gazetteerOf(places), typed, null, 100).map(({ place }) => place.name);
      const fits = names.filter(
        (name) =>
          (name[0] === typed[0] || name[0] === typed[1]) &&
          Array.from(name, (_, end) => name.slice(0, end + 1)).some(
            (part) => slips(typed, part, most(typed)) <= most(typed),
          ),
      );
      expect(found.toSorted()).toEqual(fits.toSorted());
    }),
    { numRuns: 300 },
  );
});

test.each([
  ['कोलकाता', 'Kolkata'],
  ['কলকাতা', 'Kolkata'],
  ['ধানমন্ডি', 'Dhanmondi'],
  ['சென்னை', 'Chennai'],
  ['நுங்கம்பாக்கம்', 'Nungambakkam'],
  ['කොල්ලුපිටිය', 'Kollupitiya'],
  ['යාපනය', 'Yapanaya'],
  ['যশোর', 'Jashore'],
  ['হাওড়া', 'Howrah'],
  ['টাঙ্গাইল', 'Tangail'],
  ['ময়মনসিংহ', 'Mymensingh'],
  ['औरंगाबाद', 'Aurangabad'],
  ['बाँदा', 'Banda'],
  ['लखनऊ', 'Lucknow'],
  ['लक्ष्मी', 'Luxmi'],
  ['കോഴിക്കോട്', 'Kozhikode'],
  ['බංගලාව', 'Bangalawa'],
])('%s sounds like %s', (written, name) => {
  expect(placeSound(latinOf(written))).toBe(placeSound(name));
});

test('one spelling of many: nasals, nuktas, joiners, digits', () => {
  expect(placeWords('मुम्बई')).toEqual(placeWords('मुंबई'));
  expect(placeWords('बाँदा')).toEqual(placeWords('बांदा'));
  expect(placeWords('मिरপুর'.normalize('NFC'))).toEqual(placeWords('मिरপুর'.normalize('NFD')));
  expect(placeWords('মিরপুর ১০')).toEqual(placeWords('মিরপুর 10'));
  expect(placeWords('ফ‍রিদপুর')).toEqual(placeWords('ফরিদপুর'));
  expect(placeWords('Thākurgaon')).toEqual(['thakurgaon']);
});

test('signs that stand for none of a word, and letters that only look like digits or nasals', () => {
  expect(placeWords(', Delhi,')).toEqual(['delhi']);
  expect(placeWords('(Délhi)')).toEqual(['delhi']);
  expect(placeWords("Cox's Bazar")).toEqual(['coxs', 'bazar']);
  // The Assamese r comes after the nine.
  expect(placeWords('০৯ৰ')).toEqual(['09ৰ']);
  // A nasal is one sign with others only before a consonant.
  for (const word of ['रन्', 'दरन्', 'मन', 'मनल', 'लक्ष्मी', 'वन्a']) expect(placeWords(word)).toEqual([word]);
});

test.each([
  ['कलकत्ता', 'kalakatta'],
  ['चाँद', 'chand'],
  ['मुंबई', 'munbai'],
  ['अयोध्या', 'ayodya'],
  ['सेक्टर १०', 'sektar10'],
  ['पin', 'pain'],
  ['যশোর', 'jasor'],
  ['ময়মন', 'mayaman'],
  ['ৰ', ''],
  ['ଓଡ଼ିଶା', 'orisa'],
  // A sign on both sides of its letter is one vowel.
  ['কোলকাতা ০৯', 'kolakata09'],
  ['கொழும்பு', 'kolumpu'],
  ['കോട്ടയം', 'kottayan'],
  ['බංගලාව', 'banagalav'],
  ['ඉඩම', 'idam'],
  ['කොළඹ', 'kolab'],
  ['ක්ෂ', 'ks'],
  ['ක෴', 'k'],
  ['गढ़', 'gar'],
])('%s is written %s in Latin letters', (written, latin) => {
  expect(latinOf(written)).toBe(latin);
});

test.each([
  ['Indiranagar', 'antrnkr'],
  ['Nagpur', 'nkpr'],
  ['Howrah', 'r'],
  ['Waltair', 'pltr'],
  ['Luxmi', 'lkCn'],
  ['Kozhikode', 'klkt'],
  ['Phulbari', 'plpr'],
  ['Chennai', 'Cn'],
  ['Schezwan', 'Cpn'],
  ['Shimla', 'Cnl'],
  ['City', 'Ct'],
  ['Quilon', 'kln'],
  ['Tangail', 'tnkl'],
  ['Tangla', 'tnl'],
  ['Fatehabad', 'ptpt'],
  ['Kolllur', 'klr'],
])('%s sounds as %s', (name, sound) => {
  expect(placeSound(name)).toBe(sound);
});

/** A place in a town of its own, unless it says otherwise. */
const place = (name: string, more: Partial<SeedPlace> = {}): SeedPlace => ({
  id: name.toLowerCase(),
  name,
  city: name,
  kind: 'city',
  aliases: [],
  latitude: 10,
  longitude: 80,
  ...more,
});
const find = (places: readonly SeedPlace[], typed: string, limit = 9) =>
  findPlaces(gazetteerOf(places), typed, null, limit);
const namesOf = (places: readonly SeedPlace[], typed: string) => find(places, typed).map(({ place: { id } }) => id);

describe('what is typed', () => {
  const towns = [place('Salem'), place('Chandigarh'), place('Pune'), place('Goa')];
  test.each([
    ['Salem', 'salem'],
    ['sal', 'salem'],
    // One slip from four letters on, two from eight.
    ['salme', 'salem'],
    ['slaem', 'salem'],
    ['salam', 'salem'],
    ['saallem', undefined],
    ['puna', 'pune'],
    ['pnue', 'pune'],
    ['gao', undefined],
    ['chandegerh', 'chandigarh'],
    // The first letter is hardly ever wrong, but two may be swapped.
    ['balem', undefined],
    ['aslem', 'salem'],
    ['ychandigarh', 'chandigarh'],
    ['xychandigarh', undefined],
    ['', undefined],
    [' ,.', undefined],
  ])('"%s" finds %s', (typed, id) => {
    expect(namesOf(towns, typed)[0]).toBe(id);
  });

  test('the whole name comes before a longer one, and what begins so before what has it elsewhere', () => {
    const list = [
      place('Park Street', { kind: 'locality', city: 'Kolkata' }),
      place('Park', { kind: 'locality', city: 'Kolkata' }),
      place('Deer Park', { kind: 'locality', city: 'Kolkata' }),
    ];
    expect(namesOf(list, 'park')).toEqual(['park', 'park street', 'deer park']);
    expect(namesOf(list, 'park s')[0]).toBe('park street');
  });
  test('a name comes before an alias, an alias is told, and a town of that name before a part of it', () => {
    const list = [
      place('Bengaluru', { aliases: ['Bangalore'] }),
      place('Bangalore Mall', { kind: 'area', city: 'Mysore' }),
      place('Koramangala', { kind: 'locality', city: 'Bengaluru' }),
    ];
    const [first] = find(list, 'bangalore');
    expect([first!.place.id, first!.alias]).toEqual(['bengaluru', 'Bangalore']);
    expect(find(list, 'bengaluru')[0]!.alias).toBeNull();
    // A part is found by every name of its town.
    expect(namesOf(list, 'koramangala bangalore')).toEqual(['koramangala']);
    expect(namesOf(list, 'bangalore koramangala')[0]).toBe('koramangala');
  });
  test('a name comes before an alias of a shorter one, and the shorter of two that begin so first', () => {
    expect(namesOf([place('Abc', { aliases: ['Better'] }), place('Better')], 'better')).toEqual(['better', 'abc']);
    expect(namesOf([place('Salempur', { id: 'a' }), place('Salemo', { id: 'b' })], 'sale')).toEqual(['b', 'a']);
    // What is heard of a whole name comes before what is heard of the beginning of another.
    expect(namesOf([place('Saalem'), place('Salempur')], 'सलेम')).toEqual(['saalem', 'salempur']);
  });
  test('a mistake counts for more than the end of a word that is missing, and the whole of a word for less than its beginning', () => {
    const list = [place('Pune'), place('Punerab'), place('Punerac'), place('Puntown', { kind: 'area' })];
    expect(namesOf(list, 'punt')).toEqual(['puntown', 'pune', 'punerab', 'punerac']);
    expect(namesOf([place('Salem'), place('Salempur', { id: 'a' })], 'salme')).toEqual(['salem', 'a']);
  });
  test('a mistake after which the word sounds the same counts for less, if there is enough of it to be heard', () => {
    const [town, city] = [{ kind: 'town' }, { population: 10_000_000 }] as const;
    expect(namesOf([place('Salampur', town), place('Salem', city)], 'salam')).toEqual(['salem', 'salampur']);
    expect(namesOf([place('Salam', { id: 'z' }), place('Salem', { id: 'a' })], 'salam')).toEqual(['z', 'a']);
    expect(namesOf([place('Saram'), place('Salempur')], 'salam')).toEqual(['salempur', 'saram']);
    // Of Pune no more than a p and an n are heard.
    expect(namesOf([place('Punatown', town), place('Pune', city)], 'puna')).toEqual(['punatown', 'pune']);
  });
  test.each([
    ['கலி', 'Gali', 'Kale'],
    ['தலி', 'Dali', 'Tale'],
    ['பலி', 'Bali', 'Pale'],
    ['வலி', 'Wali', 'Vale'],
    ['கலி', 'Kaly', 'Kale'],
    // What begins so is not the whole of it.
    ['கலி', 'Kolee', 'Kalip'],
  ])('of what sounds like %s, %s comes before %s: scripts do not tell these consonants apart', (typed, one, other) => {
    expect(namesOf([place(other, { id: 'a' }), place(one, { id: 'z' })], typed)).toEqual(['z', 'a']);
  });
  test('a single consonant of another script says too little', () => {
    expect(namesOf([place('Pune')], 'प')).toEqual([]);
  });
  test('two words are one name where enough of them is heard together, and the nearer spelling comes first', () => {
    expect(namesOf([place('Bhim'), place('Bhimtal')], 'bhim tal')).toEqual(['bhimtal']);
    expect(namesOf([place('Gari'), place('Gariahat')], 'gari ahat')).toEqual(['gari', 'gariahat']);
    // All of what was typed is the name, though its first word alone is none.
    expect(find([place('Koramangala')], 'kori mangala').map(({ beside }) => beside)).toEqual(['']);
    const spelled = [place('Indiranagar', { id: 'a' }), place('Indaranagar', { id: 'z' })];
    expect(namesOf(spelled, 'indara nagar')).toEqual(['z', 'a']);
  });
  test('of two that begin so, that of more words comes later, however short it is', () => {
    expect(namesOf([place('Koram Xy'), place('Koramangala')], 'kora')).toEqual(['koramangala', 'koram xy']);
  });
  test('only a town lends its other names to its parts', () => {
    const list = [
      place('Shivaji', { kind: 'area', city: 'Pune', aliases: ['Poona'] }),
      place('Kothrud', { kind: 'area', city: 'Pune' }),
    ];
    expect(namesOf([...list, place('Shivaji', { id: 'pune', kind: 'town' })], 'poona')).toEqual(['shivaji']);
    expect(namesOf([...list, place('Pune', { aliases: ['Poona'] })], 'poona')).toContain('kothrud');
  });
  test('of towns with one name that of the region is found which is typed', () => {
    const fort = (region: string) => place('Fort', { id: region, city: 'Aurangabad', region, kind: 'area' });
    expect(namesOf([fort('Bihar'), fort('Maharashtra')], 'fort maharashtra')).toEqual(['Maharashtra']);
  });
  test('a letter at the end is the beginning of a word', () => {
    const list = [place('Hauz Gate', { city: 'Delhi' }), place('Hauz Khas', { city: 'Delhi' })];
    expect(namesOf(list, 'hauz k')).toEqual(['hauz khas']);
  });
  test('a letter with a dot is an r in the name of one place, and a d in that of another', () => {
    const list = [place('Bheramara'), place('Bhiwadi')];
    expect(namesOf(list, 'ভেড়ামারা')[0]).toBe('bheramara');
    expect(namesOf(list, 'भिवाड़ी')[0]).toBe('bhiwadi');
  });
  test('a name of two words is found in one, and one of one word in two', () => {
    const list = [
      place('HSR Layout', { kind: 'locality', city: 'Bengaluru' }),
      place('Indiranagar', { kind: 'locality', city: 'Bengaluru' }),
      place('Kot Putli', { kind: 'town' }),
    ];
    expect(namesOf(list, 'hsrlayout')).toEqual(['hsr layout']);
    expect(namesOf(list, 'indira nagar')).toEqual(['indiranagar']);
    expect(namesOf(list, 'indranagar')).toEqual(['indiranagar']);
    // Of small towns and post offices there are too many.
    expect(namesOf(list, 'kotputli')).not.toContain('kot putli');
  });
  test('a postcode finds its area, its beginning too', () => {
    const list = [
      place('Powai', { kind: 'area', city: 'Mumbai', postcode: '400076' }),
      place('Vashi', { kind: 'area', city: 'Mumbai', postcode: '400703' }),
    ];
    expect(namesOf(list, '400076')).toEqual(['powai']);
    expect(namesOf(list, '40007')).toContain('powai');
    expect(namesOf(list, 'mumbai 400703')[0]).toBe('vashi');
    expect(namesOf(list, 'mumbai 4007')[0]).toBe('vashi');
    // The number of a house is no beginning of a postcode.
    expect(namesOf(list, '400 mumbai').length).toBeGreaterThan(1);
  });
});

describe('of places that fit as well', () => {
  const pair = (one: Partial<SeedPlace>, other: Partial<SeedPlace>) => [
    place('Same', { id: 'one', city: 'One', ...one }),
    place('Same', { id: 'other', city: 'Other', ...other }),
  ];
  test.each<[string, Partial<SeedPlace>, Partial<SeedPlace>]>([
    ['a city comes before a small town', { kind: 'city' }, { kind: 'town' }],
    ['a part of a city before a post office', { kind: 'locality' }, { kind: 'area' }],
    ['a landmark before a small town', { kind: 'landmark' }, { kind: 'town' }],
    ['the bigger one first', { kind: 'town', population: 900_000 }, { kind: 'town', population: 2000 }],
    ['else by their ids', { kind: 'town' }, { kind: 'town' }],
  ])('%s', (_, one, other) => {
    expect(namesOf(pair(one, other), 'same')).toEqual(['one', 'other']);
    expect(namesOf(pair(one, other).toReversed(), 'same')).toEqual(['one', 'other']);
  });
  test('the nearer one first, as far as that counts', () => {
    const list = pair({ kind: 'town', latitude: 20 }, { kind: 'town', latitude: 10 });
    const from = (latitude: number) =>
      findPlaces(gazetteerOf(list), 'same', { latitude, longitude: 80 }, 9).map(({ place: { id } }) => id);
    expect(from(20)).toEqual(['one', 'other']);
    expect(from(10)).toEqual(['other', 'one']);
    const some = pair({ kind: 'city', latitude: 10.8 + 15 / 111.2 }, { kind: 'town', latitude: 10.8 });
    expect(
      findPlaces(gazetteerOf(some), 'same', { latitude: 10.8, longitude: 80 }, 9).map(({ place: { id } }) => id),
    ).toEqual(['one', 'other']);
    // A big city is meant even from some way off.
    const city = pair({ kind: 'city', latitude: 11 }, { kind: 'town', latitude: 10.8 });
    expect(
      findPlaces(gazetteerOf(city), 'same', { latitude: 10.8, longitude: 80 }, 9).map(({ place: { id } }) => id),
    ).toEqual(['other', 'one']);
  });
  test('where somebody delivers first, unless it is typed worse, or the other is a big town', () => {
    const served =
      (...ids: number[]) =>
      (index: number) =>
        ids.includes(index) ? ('YES' as const) : ('NO' as const);
    const ask = (list: readonly SeedPlace[], typed: string, ...ids: number[]) =>
      findPlaces(gazetteerOf(list), typed, null, 9, served(...ids)).map(({ place: { id }, delivery }) => [
        id,
        delivery,
      ]);
    expect(ask(pair({ kind: 'town' }, { kind: 'town' }), 'same', 1)).toEqual([
      ['other', 'YES'],
      ['one', 'NO'],
    ]);
    const worse = [place('Salem', { kind: 'town' }), place('Salex', { kind: 'town' })];
    expect(ask(worse, 'salem', 1)[0]).toEqual(['salem', 'NO']);
    const big = pair({ kind: 'city', population: 100_000 }, { kind: 'locality' });
    expect(ask(big, 'same', 1)[0]).toEqual(['other', 'YES']);
    const bigger = pair({ kind: 'city', population: 1_000_000 }, { kind: 'locality' });
    expect(ask(bigger, 'same', 1)[0]).toEqual(['one', 'NO']);
    // It is big from a hundred thousand people on, and has to be typed in full.
    expect(ask(bigger, 'sam', 1)[0]).toEqual(['other', 'YES']);
    for (const [population, first] of [
      [100_000, ['one', 'NO']],
      [99_999, ['other', 'YES']],
    ] as const)
      expect(ask(pair({ kind: 'city', population }, { kind: 'town' }), 'same', 1)[0]).toEqual(first);
    // Where nobody says where somebody delivers, it is everywhere.
    expect(find(big, 'same')[0]!.delivery).toBe('YES');
  });
  test('one is shown of those with one name in one town, and no more than are asked for', () => {
    const twice = [place('Same', { id: 'a', city: 'One' }), place('Same', { id: 'b', city: 'One' })];
    expect(namesOf(twice, 'same')).toEqual(['a']);
    const many = ['Abc', 'Abd', 'Abe'].map((name) => place(name));
    expect(find(many, 'ab', 2)).toHaveLength(2);
    expect(find(many, 'ab', 3)).toHaveLength(3);
  });
});

describe('of a whole address', () => {
  const list = [
    place('Bandra West', { kind: 'locality', city: 'Mumbai' }),
    place('Mumbai'),
    place('Galle'),
    place('Colombo 3', { kind: 'locality', city: 'Colombo' }),
    place('Colombo 7', { kind: 'locality', city: 'Colombo' }),
    place('Park Street', { kind: 'locality', city: 'Kolkata' }),
    place('Sector 3', { kind: 'locality', city: 'Noida' }),
    place('Sector 18', { kind: 'locality', city: 'Noida' }),
    place('Noida'),
    place('Koramangala', { kind: 'locality', city: 'Bengaluru' }),
  ];
  test.each([
    ['12, Linking Road, Bandra West', 'bandra west', '12, Linking Road'],
    ['flat 4b 80 feet road koramangala', 'koramangala', 'flat 4b 80 feet road'],
    ['koramangala, flat 12', 'koramangala', 'flat 12'],
    // 'Galle' is of the road's name.
    ['Galle Road, Colombo 03', 'colombo 3', 'Galle Road'],
    ['Galle', 'galle', ''],
    ['5 Park Street', 'park street', '5'],
    ['Colombo 7', 'colombo 7', ''],
    ['Sector 18 Noida', 'sector 18', ''],
    ['Sector 3 Noida', 'sector 3', ''],
    ['House 9, Sector 18, Noida', 'sector 18', 'House 9'],
    // There is no such sector: it is not another one.
    ['House 9, Sector 7, Noida', 'noida', 'House 9, Sector 7'],
    ['Hiranandani, Koramangala', 'koramangala', 'Hiranandani'],
    // Of two places that of the end, unless nothing but a street follows.
    ['Mumbai Koramangala', 'koramangala', 'Mumbai'],
    ['Bandra West, Hill Road, near the sea', 'bandra west', 'Hill Road'],
    ['Galle Road', 'galle', 'Galle Road'],
  ])('"%s" is %s, beside it "%s"', (typed, id, beside) => {
    const [first] = find(list, typed);
    expect([first?.place.id, first?.beside]).toEqual([id, beside]);
  });
  test('a number and a word that any address has do not name a place whose own word was not meant', () => {
    expect(namesOf([place('Salem Sector 3')], 'sector 3 salem')).toEqual(['salem sector 3']);
    expect(namesOf([place('Salem Sector 3')], 'salex sector 3')).toEqual([]);
  });
  const towns = [place('Salem'), place('Goa')];
  test('a name in that of a street is no place, unless something stands between them', () => {
    expect(namesOf(towns, 'Salem Road, Goa')).toEqual(['goa']);
    for (const typed of ['Salem, Hill Road, Goa', 'Salem 5 Road, Goa', 'Salem Flat Road, Goa'])
      expect([typed, namesOf(towns, typed).toSorted()]).toEqual([typed, ['goa', 'salem']]);
    const [first] = find(list, '12 zz, Park Street, Kolkata');
    expect([first?.place.id, first?.beside]).toEqual(['park street', '12 zz']);
  });
  test.each([
    ['salem x', 'x'],
    ['salem villa', 'villa'],
    ['salem lane', 'salem lane'],
    ['salem near', ''],
    ['salem zzzz', ''],
    ['salem 5', '5'],
    ['salem 1234', '1234'],
    ['salem 5th', '5th'],
    ['salem 1234ab', '1234ab'],
    ['salem 12345', ''],
    ['salem 12abc', ''],
    ['salem a12', ''],
    ['flat 12, salem, near lane 5', 'flat 12'],
  ])('of "%s" there stands "%s" beside the place', (typed, beside) => {
    expect(find(towns, typed).map((one) => [one.place.id, one.beside])).toEqual([['salem', beside]]);
  });
  test.each([
    // The number of an area is hardly left out, that of a house easily.
    ['pune 9, salem', ['salem 9', 'salem']],
    ['pune, 9, salem', ['salem', 'salem 9']],
    ['flat 9, salem', ['salem', 'salem 9']],
    ['5 9, salem', ['salem', 'salem 9']],
  ])('"%s" is %j', (typed, ids) => {
    expect(namesOf([place('Salem'), place('Salem 9')], typed)).toEqual(ids);
  });
  test('a word that no place has is left out for less than it costs to take it for another', () => {
    expect(namesOf([place('Goa Salem'), place('Goa')], 'goa salex')).toEqual(['goa', 'goa salem']);
  });
  test('a single letter is a whole word unless it is the last, and a number alone the beginning of a postcode', () => {
    expect(namesOf([place('Tambaram Nagar'), place('T Nagar')], 't nagar')).toEqual(['t nagar']);
    expect(namesOf([place('Powai', { postcode: '400076' })], '400')).toEqual(['powai']);
  });
  test('what only its town is called so comes after what is called so itself, and the first word before a later one', () => {
    const inTown = [place('Fort', { city: 'Salem' }), place('Salempur', { kind: 'area' })];
    expect(namesOf(inTown, 'salem')).toEqual(['salempur', 'fort']);
    const order = [place('Fort Sale Point'), place('Salem Fort')];
    expect(namesOf(order, 'sale fort')).toEqual(['salem fort', 'fort sale point']);
    const sectors = ['Sector Hill', 'Sector 3'].map((name) => place(name, { city: 'Noida' }));
    expect(namesOf(sectors, 'sector noida')).toEqual(['sector 3', 'sector hill']);
  });
  test('no more than forty-eight words are read', () => {
    const before = (count: number) => Array.from({ length: count }, (_, index) => `flat ${index % 9}`).join(' ');
    expect(namesOf(list, `${before(23)} koramangala`)).toEqual(['koramangala']);
    expect(namesOf(list, `${before(24)} koramangala`)).toEqual([]);
  });
  test('words of houses and streets alone are no place', () => {
    for (const typed of ['12 main road', 'flat 4, 3rd floor', 'near the block 5'])
      expect(namesOf(list, typed)).toEqual([]);
  });
});
