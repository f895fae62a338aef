import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import * as places from '../../src/contract/places.ts';
import { startServer } from '../kit/server.ts';
import { during } from '../kit/during.ts';

const server = during(() => startServer({ settings: { quiet: true, distDir: null } }));
const suggest = async (apiKey: string, input: string, at: { latitude?: string; longitude?: string } = {}) =>
  (await server.call(places.autocomplete, { query: { input, ...at } }, { apiKey })).body.predictions;

/** What people type, the first place and town or district that they must see, and what goes into the form. */
type Row = [typed: string, name: string, around: string, house?: string | undefined, street?: string];

const INDIA: Row[] = [
  ['12, 80 feet road, Indiranagar', 'Indiranagar', 'Bengaluru', '12', '80 feet road'],
  ['12A, Indiranagar, Bengaluru, 560038', 'Indiranagar', 'Bengaluru', '12A'],
  ['indranagr', 'Indiranagar', 'Bengaluru'],
  ['indira nagar bangalore', 'Indiranagar', 'Bengaluru'],
  ['इंदिरानगर', 'Indiranagar', 'Bengaluru'],
  ['இந்திராநகர்', 'Indiranagar', 'Bengaluru'],
  ['ಇಂದಿರಾನಗರ', 'Indiranagar', 'Bengaluru'],
  ['flat 4B rose apartments koramangala', 'Koramangala', 'Bengaluru', 'flat 4B rose apartments'],
  ['No. 23, 5th Cross, HSR Layout, Bengaluru', 'HSR Layout', 'Bengaluru', 'No. 23', '5th Cross'],
  ['hsrlayout', 'HSR Layout', 'Bengaluru'],
  ['whitefeild', 'Whitefield', 'Bengaluru'],
  ['c/o sharma, 4th floor, brigade road', 'Brigade Road', 'Bengaluru', '4th floor'],
  ['B-12 sector 18 noida', 'Noida Sector 18', 'Noida', 'B-12'],
  ['14 linking road bandra west', 'Bandra West', 'Mumbai', '14', 'linking road'],
  ['301, Hiranandani Gardens, Powai, Mumbai 400076', 'Hiranandani Gardens', 'Mumbai', '301'],
  ['h no 45 saket new delhi', 'Saket', 'New Delhi', 'h no 45'],
  ['পার্ক স্ট্রিট', 'Park Street', 'Kolkata'],
  ['salt lake sector 5', 'Salt Lake Sector V', 'Kolkata'],
  ['t nagar', 'T. Nagar', 'Chennai'],
  ['hi-tec city', 'HITEC City', 'Hyderabad'],
];
const SRI_LANKA: Row[] = [
  ['45/2 Galle Road, Colombo 03', 'Kollupitiya', 'Colombo 03', '45/2', 'Galle Road'],
  ['colombo 7', 'Cinnamon Gardens', 'Colombo 07'],
  ['00400', 'Bambalapitiya', 'Colombo 04'],
  ['no 12, Duplication Road, Kollupitiya', 'Kollupitiya', 'Colombo 03', 'no 12', 'Duplication Road'],
  ['Apartment 3B, Marine Drive, Bambalapitya', 'Bambalapitiya', 'Colombo 04', 'Apartment 3B', 'Marine Drive'],
  ['කොල්ලුපිටිය', 'Kollupitiya', 'Colombo 03'],
  ['කොළඹ 03', 'Kollupitiya', 'Colombo 03'],
  ['கொள்ளுப்பிட்டி', 'Kollupitiya', 'Colombo 03'],
  ['galle fort', 'Galle Fort', 'Galle'],
  ['negambo', 'Negombo', 'Western'],
  ['mt lavinia', 'Mount Lavinia', 'Dehiwala'],
];
const BANGLADESH: Row[] = [
  ['House 5, Road 11, Banani, Dhaka', 'Banani', 'Dhaka', 'House 5', 'Road 11'],
  ['House 12 Road 27 Dhanmondi', 'Dhanmondi', 'Dhaka', 'House 12', 'Road 27'],
  ['dhanmandi 27', 'Dhanmondi 27', 'Dhaka'],
  ['রোড ১১, বনানী', 'Banani', 'Dhaka', undefined, 'রোড ১১'],
  ['ধানমন্ডি ২৭', 'Dhanmondi 27', 'Dhaka'],
  ['gulsan 2', 'Gulshan 2', 'Dhaka'],
  ['Sector 7, Uttara', 'Uttara', 'Dhaka', undefined, 'Sector 7'],
  ['flat 4b, house 23, road 7, sector 4, uttara', 'Uttara', 'Dhaka', 'flat 4b, house 23', 'road 7, sector 4'],
  ['bashundara r/a block c', 'Bashundhara', 'Dhaka', undefined, 'block c'],
  ['jinda bazar', 'Zindabazar', 'Sylhet'],
];

describe.each([
  ['in-web', INDIA],
  ['lk-web', SRI_LANKA],
  ['bg-web', BANGLADESH],
])('what people type in %s', (apiKey, rows) => {
  test.each(rows)('%s finds %s first [LOC-11]', async (typed, name, around, house, street) => {
    const [first] = await suggest(apiKey, typed);
    expect(first).toMatchObject({ main_text: name, delivery: 'YES' });
    expect(first?.secondary_text).toContain(around);
    expect([first?.house, first?.street]).toEqual([house, street]);
  });
});

/** A country, a whole address or a postcode as people write it, the place that it means, and what goes into the form. */
const ADDRESSES = readFileSync(path.join(import.meta.dirname, 'placeAddresses.tsv'), 'utf8')
  .trim()
  .split('\n')
  .map((row) => row.split('\t'));

test.each(['in', 'lk', 'bg'])('whole addresses as people write them in %s', async (country) => {
  const rows = ADDRESSES.filter(([own]) => own === country);
  expect(rows.length).toBeGreaterThan(40);
  for (const [, typed = '', name, house = '', street = '', landmark = ''] of rows) {
    const [first] = await suggest(`${country}-web`, typed.replaceAll('\\n', '\n'));
    const found = [first?.main_text, first?.house ?? '', first?.street ?? '', first?.landmark ?? ''];
    expect([typed, ...found]).toEqual([typed, name, house, street, landmark]);
  }
});

test.each([
  ['in-web', 'Indiranagar'],
  ['in-web', 'Saket'],
  ['lk-web', 'Nugegoda'],
  ['bg-web', 'Dhanmondi'],
])('no street and no landmark that nobody knows hides an area: in %s, %s', async (apiKey, area) => {
  const before = ['', '12, Zzyx Street, ', 'opp Zzyx ', 'Asha Rao 9876543210 ', '📍 12/A Qwxyz Lane '];
  const after = ['', ' Zzyx Road 45', ' road 5 house 12', ' near Qwxyz', ', Zzyx Circle'];
  for (const typed of before.flatMap((one) => after.map((other) => one + area + other)))
    expect((await suggest(apiKey, typed))[0]?.main_text, typed).toBe(area);
});

test('an address of three hundred characters is taken whole, and a longer one is refused', async () => {
  const address = `Asha Rao, Flat 1204, ${'Prestige Shantiniketan '.repeat(8)}, 80 Feet Road, near the metro, Koramangala, Bengaluru 560 034`;
  const [first] = await suggest('in-web', address.padEnd(300, ' .'));
  expect(first).toMatchObject({ main_text: 'Koramangala', street: '80 Feet Road', landmark: 'the metro' });
  const { status } = await server.call(
    places.autocomplete,
    { query: { input: 'x'.repeat(301) } },
    { apiKey: 'in-web' },
  );
  expect(status).toBe(400);
});

test('where somebody delivers comes before where nobody does, and each says so [LOC-11] [LOC-X01]', async () => {
  const said = (await suggest('in-web', 'indiranagar')).map(({ delivery }) => delivery);
  expect(said[0]).toBe('YES');
  expect(said).toContain('NO');
  expect(said).toEqual([...said].sort().reverse());
  // A big town that was typed in full is meant, though an Agram and a Srinagar Colony are delivered to.
  for (const town of ['Faridabad', 'Agra', 'Srinagar'])
    expect((await suggest('in-web', town))[0]).toMatchObject({ main_text: town, delivery: 'NO' });
  // Stores stand in the town, but none delivers to the middle of it: an area has to be chosen.
  expect((await suggest('in-web', 'bangalore'))[0]).toMatchObject({ main_text: 'Bengaluru', delivery: 'PARTLY' });
});

test('of several places with one name the nearer one comes first', async () => {
  const at = async (latitude: string, longitude: string) =>
    (await suggest('in-web', 'mg road', { latitude, longitude }))[0]?.main_text;
  expect(await at('12.97', '77.6')).toBe('MG Road Bengaluru');
  expect(await at('28.48', '77.08')).toBe('MG Road Gurugram');
});

test('words of a house and street alone find no place, and neither does nonsense', async () => {
  for (const typed of ['100 feet road', 'house 12, road', 'qqqq zzzz'])
    expect(await suggest('in-web', typed)).toEqual([]);
});
