import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as places from '../../src/contract/places.ts';
import { countryConfig } from '../../country/index.ts';
import { catalogueFromDisk } from '../../src/server/rules/catalogue/catalogue.ts';
import { suggest as suggestIn } from '../../src/server/rules/places/places.ts';
import type { SeedStore } from '../../src/server/store/seeds.ts';
import { startServer, type TestServer } from '../kit/server.ts';

describe('places', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(async () => {
    await server.stop();
  });
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
    ['in-web', 'কলকাতা', 'Kolkata'],
    ['in-web', 'கொல்கத்தா', 'Kolkata'],
    ['in-web', 'मुम्बई', 'Mumbai'],
    ['in-web', 'करोल बाग', 'Karol Bagh'],
    ['in-web', 'வேளச்சேரி', 'Velachery'],
    ['in-web', 'গড়িয়াহাট', 'Gariahat'],
    ['lk-web', 'මීගමුව', 'Negombo'],
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
      await server.call(places.autocomplete, { query: { input: 'x'.repeat(200) } }),
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
