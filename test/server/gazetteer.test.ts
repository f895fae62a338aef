import fc from 'fast-check';
import { expect, test } from 'vitest';
import { slips } from '../../src/domain/search.ts';
import { findPlaces, gazetteerOf } from '../../src/server/rules/places/gazetteer.ts';
import { latinOf, placeWords, soundOf } from '../../src/server/rules/places/scripts.ts';

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
])('%s sounds like %s', (written, name) => {
  expect(soundOf(latinOf(written))).toBe(soundOf(name));
});

test('one spelling of many: nasals, nuktas, joiners, digits', () => {
  expect(placeWords('मुम्बई')).toEqual(placeWords('मुंबई'));
  expect(placeWords('मिरপুর'.normalize('NFC'))).toEqual(placeWords('मिरপুর'.normalize('NFD')));
  expect(placeWords('মিরপুর ১০')).toEqual(placeWords('মিরপুর 10'));
  expect(placeWords('ফ‍রিদপুর')).toEqual(placeWords('ফরিদপুর'));
  expect(placeWords('Thākurgaon')).toEqual(['thakurgaon']);
});
