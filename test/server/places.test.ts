import { describe, expect, test } from 'vitest';
import * as places from '../../src/contract/places.ts';
import { countryConfig } from '../../country/index.ts';
import { catalogueFromDisk } from '../../src/server/rules/catalogue/catalogue.ts';
import {
  placeAt,
  placeById,
  placesOf,
  saysStreet,
  suggest as suggestIn,
} from '../../src/server/rules/places/places.ts';
import type { SeedStore } from '../../src/server/store/seeds.ts';
import { startServer } from '../kit/server.ts';
import { during } from '../kit/during.ts';

describe('places', () => {
  const server = during(() => startServer());
  const suggest = async (input: string, at: { latitude?: string; longitude?: string } = {}, apiKey = 'in-web') =>
    (await server.call(places.autocomplete, { query: { input, ...at } }, { apiKey })).body.predictions;

  test.each([
    ['Connau', 'Connaught Place'],
    ['conaught plase', 'Connaught Place'],
    ['CP', 'Connaught Place'],
    ['koramangla', 'Koramangala'],
    ['saket delhi', 'Saket'],
    ['400076', 'Powai'],
    ['hauz', 'Hauz Khas'],
  ])('finds %s: beginnings, slips, aliases, town and postcode [LOC-11] [API-58]', async (input, name) => {
    expect((await suggest(input))[0]?.main_text).toBe(name);
  });

  test.each([
    ['in-web', 'कोलकाता', 'Kolkata'],
    ['in-web', 'मुम्बई', 'Mumbai'],
    ['in-web', 'करोल बाग', 'Karol Bagh'],
    ['lk-web', 'நீர்கொழும்பு', 'Negombo'],
    ['lk-web', 'කොල්ලුපිටිය', 'Kollupitiya'],
    ['bg-web', 'ধানমণ্ডি', 'Dhanmondi'],
    ['bg-web', 'মুন্সিগঞ্জ', 'Munshiganj'],
    ['bg-web', 'মিরপুর ১০', 'Mirpur 10'],
  ])(
    '%s: %s is %s, as it is written there, nasals, nuktas and digits of every kind [LOC-11]',
    async (apiKey, input, name) => {
      const [first] = await suggest(input, {}, apiKey);
      expect(first?.main_text).toBe(name);
    },
  );

  test.each([
    ['in-web', 'वेलाचेरी', 'Velachery'],
    ['in-web', 'কোরমঙ্গলা', 'Koramangala'],
    ['lk-web', 'කුලියාපිටිය', 'Kuliyapitiya'],
    ['lk-web', 'ஹிக்கடுவ', 'Hikkaduwa'],
    // A dot below makes an r of a letter.
    ['bg-web', 'ভেড়ামারা', 'Bheramara'],
    ['in-web', 'सूरतगढ़', 'Suratgarh'],
    ['in-web', 'जोड़ासांको', 'Jorasanko'],
  ])('%s: %s is found as it is heard where no such spelling is kept [LOC-11]', async (apiKey, input, name) => {
    expect((await suggest(input, {}, apiKey))[0]?.main_text).toBe(name);
  });

  test('what was typed is said beside the name, so that it is recognised', async () => {
    expect((await suggest('bangalore'))[0]).toMatchObject({
      main_text: 'Bengaluru',
      secondary_text: 'Bangalore, Karnataka',
    });
    expect((await suggest('কলকাতা'))[0]?.secondary_text).toContain('কলকাতা');
  });

  test('thousands of towns and post offices, the big ones first; a last word nobody knows is left out [LOC-11]', async () => {
    expect((await suggest('gorakhpur'))[0]?.secondary_text).toMatch(/Uttar Pradesh/);
    expect((await suggest('hyder'))[0]).toMatchObject({ main_text: 'Hyderabad', secondary_text: 'Telangana' });
    expect((await suggest('Kallakurichi'))[0]?.secondary_text).toContain('Tamil Nadu');
    expect((await suggest('560034')).map((one) => one.main_text)).toContain('Koramangala');
    expect((await suggest('goregoan zzzz'))[0]?.main_text).toMatch(/^Goregaon/);
  });

  test('only in the country of the key, nearest first among equals, and nothing for nothing [LOC-11] [CFG-20]', async () => {
    expect((await suggest('gulshan', {}, 'bg-web'))[0]?.main_text).toMatch(/^Gulshan/);
    expect((await suggest('dhanmondi')).map((entry) => entry.main_text)).not.toContain('Dhanmondi');
    // A search is limited to the country that it names, too.
    const within = async (country: string) =>
      (await server.call(places.autocomplete, { query: { input: 'saket', country } })).body.predictions.length;
    const found = await within('in');
    expect(found).toBeGreaterThan(0);
    expect([await within('IN'), await within('lk')]).toEqual([found, 0]);
    expect(await suggest('   ')).toEqual([]);
    expect(await suggest('qqqqzzzz')).toEqual([]);
    const near = await suggest('sector', { latitude: '22.576', longitude: '88.433' });
    const far = await suggest('sector', { latitude: '28.57', longitude: '77.32' });
    expect(near[0]?.place_id).not.toBe(far[0]?.place_id);
  });

  test('details of a suggestion and the name of a point [LOC-12] [LOC-13] [API-58]', async () => {
    const [hit] = await suggest('powai');
    const { results } = (await server.call(places.details, { query: { place_id: hit?.place_id ?? '' } })).body;
    expect(results[0]).toMatchObject({ name: 'Powai' });
    expect(results[0]?.geometry.location.lat).toBeCloseTo(19.12, 1);
    const at = (await server.call(places.geocode, { body: { latitude: 19.1176, longitude: 72.906 } })).body.results[0];
    expect(at?.formatted_address).toMatch(/Powai/);
    expect(at?.geometry.location).toEqual({ lat: 19.1176, lng: 72.906 });
    expect((await server.call(places.geocode, { body: { latitude: 0, longitude: 0 } })).body.results).toEqual([]);
  });

  test('what is no place, no position and no text is refused with a message', async () => {
    const answers = [
      await server.call(places.details, { query: { place_id: 'nowhere' } }),
      await server.call(places.geocode, { body: { latitude: 91, longitude: 0 } }),
      await server.call(places.autocomplete, { query: { input: 'saket', latitude: 'here', longitude: 'there' } }),
      await server.call(places.autocomplete, { query: { input: 'x'.repeat(301) } }),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([404, 400, 400, 400]);
    for (const answer of answers) expect(answer.body.errors?.[0]?.displayMsg).toBeTruthy();
  });
});

test('a place is delivered to by a store that delivers, up to the edge of its circle to the north and the south [LOC-X01]', () => {
  const disk = catalogueFromDisk(countryConfig('IN'));
  const powai = disk.places.find(({ name }) => name === 'Powai')!;
  const KM = 1 / 111.2;
  /** What is said of Powai when the only store is so far to the north of it. */
  const said = (km: number, services: SeedStore['services'] = ['DELIVERY', 'PICKUP']) => {
    const { longitude } = powai;
    const [id, store] = [...disk.stores][0]!;
    const only = { ...store, deliveryRadiusKm: 4, latitude: powai.latitude + km * KM, longitude, services };
    return suggestIn({ ...disk, stores: new Map([[id, only]]) }, 'Powai', powai).find(
      (one) => one.main_text === 'Powai',
    )?.delivery;
  };
  for (const km of [3.9, -3.9]) expect(said(km)).toBe('YES');
  for (const km of [4.1, -4.1]) expect(said(km)).toBe('NO');
  expect(said(0, ['PICKUP'])).toBe('NO');
});

describe('the name of a point', () => {
  const india = catalogueFromDisk(countryConfig('IN'));
  const known = placesOf(india).places;
  const KM = 1 / 111.2;
  /** At so many kilometres from a place, to the north. */
  const at = (id: string, km: number) => {
    const { latitude, longitude } = known.find((one) => one.id === id)!;
    return placeAt(india, { latitude: latitude + km * KM, longitude });
  };
  // Nothing else is near them.
  test.each([
    ['in-new-town-kolkata', 1.19, 'New Town, Kolkata, 700156'],
    ['in-new-town-kolkata', -1.19, 'New Town, Kolkata, 700156'],
    ['in-new-town-kolkata', 1.21, 'Near New Town, Kolkata, 700156'],
    ['in-rajiv-gandhi-international-airport-hyderabad', 1.19, /^Rajiv Gandhi/],
    ['in-rajiv-gandhi-international-airport-hyderabad', 1.21, /^Near Rajiv Gandhi/],
    // A whole city, a small town and the area of a post office have to be nearer.
    ['in-bikaner', 0.39, 'Bikaner, Rajasthan'],
    ['in-bikaner', 0.41, 'Near Bikaner, Rajasthan'],
    ['in-campbell-bay-701-9389', 0.79, /^Campbell Bay, /],
    ['in-campbell-bay-701-9389', 0.81, /^Near Campbell Bay, /],
    ['in-po-441204-umred-project', 0.59, 'Umred Project, Nagpur, 441204'],
    ['in-po-441204-umred-project', 0.61, 'Near Umred Project, Nagpur, 441204'],
    ['in-campbell-bay-701-9389', 59, /^Near Campbell Bay, /],
  ])('%s, %d km away, is %s', (id, km, address) => {
    const found = at(id, km)!;
    expect(found.place_id).toBe(id);
    expect(found.formatted_address).toMatch(address);
    const { latitude, longitude } = known.find((one) => one.id === id)!;
    expect(found.geometry.location).toEqual({ lat: latitude + km * KM, lng: longitude });
  });
  test('says nothing of what is more than 60 km away', () => {
    expect(at('in-campbell-bay-701-9389', 61)).toBeNull();
  });

  const powai = { latitude: 19.1176, longitude: 72.906 };
  test.each([
    ['Powai, Mumbai', undefined, undefined, false],
    ['Mumbai 400076', undefined, undefined, false],
    ['Maharashtra', undefined, undefined, false],
    ['Andheri West', undefined, undefined, false],
    ['Linking Road, Powai', undefined, undefined, true],
    ['Powai', 'opposite the lake', undefined, true],
    ['Powai', 'Powai', undefined, false],
    ['Foo Heights', undefined, undefined, true],
    ['Foo Heights', undefined, 'Foo Heights', false],
    // A town that is far away is the name of something here.
    ['Pune', undefined, undefined, true],
  ])('that "%s" (%s, %s) says more than its area is %s', (address, landmark, area, says) => {
    expect(saysStreet(india, { ...powai, address, landmark, area })).toBe(says);
  });
});

describe('a place as it is written', () => {
  const of = (code: string) => catalogueFromDisk(countryConfig(code));
  const first = (code: string, typed: string) => suggestIn(of(code), typed, null)[0]!;
  test.each([
    ['LK', 'Kollupitiya', 'Kollupitiya', 'Colombo 03', 'Kollupitiya, Colombo 03'],
    ['LK', 'Kandy', 'Kandy', 'Central', /^Kandy, Central/],
    ['IN', 'Kolkata', 'Kolkata', 'West Bengal', 'Kolkata, West Bengal'],
    ['IN', 'Connaught Place', 'Connaught Place', 'New Delhi', 'Connaught Place, New Delhi, 110001'],
    ['IN', 'CP', 'Connaught Place', 'CP, New Delhi', 'Connaught Place, New Delhi, 110001'],
  ])('%s: %s is %s, %s', (code, typed, name, around, address) => {
    const found = first(code, typed);
    expect([found.main_text, found.secondary_text]).toEqual([name, around]);
    const whole = placeById(of(code), found.place_id)!;
    expect(whole.name).toBe(name);
    expect(whole.formatted_address).toMatch(address);
  });
  test('with the house and street that were typed beside it', () => {
    expect(first('IN', '12 MG Road Powai')).toMatchObject({ main_text: 'Powai', house: '12', street: 'MG Road' });
    expect(first('IN', 'Powai')).not.toHaveProperty('house');
    expect(first('IN', 'Powai')).not.toHaveProperty('street');
  });
  test('eight at most, none of another country, and nothing of what nobody knows', () => {
    expect(suggestIn(of('IN'), 'sector', null)).toHaveLength(8);
    expect(suggestIn(of('IN'), 'Powai', null, 'lk')).toEqual([]);
    expect(placeById(of('IN'), 'lk-kandy')).toBeNull();
  });
  test('a town with a store that does not reach its middle is delivered to in part', () => {
    const disk = of('IN');
    const mumbai = placesOf(disk).places.find(({ id }) => id === 'in-mumbai')!;
    const [id, store] = [...disk.stores][0]!;
    const said = (city: string, latitude: number) =>
      suggestIn(
        { ...disk, stores: new Map([[id, { ...store, city, latitude, longitude: mumbai.longitude }]]) },
        'Mumbai',
        null,
      ).find(({ main_text: name }) => name === 'Mumbai')?.delivery;
    expect(said('Mumbai', mumbai.latitude)).toBe('YES');
    expect(said('MUMBAI', mumbai.latitude + 1)).toBe('PARTLY');
    expect(said('Pune', mumbai.latitude + 1)).toBe('NO');
  });
});
