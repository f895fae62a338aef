import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deliveryType, isServed, needsVehicle, pricedAs, storeQuery, takeawayType } from '../../src/domain/delivery.ts';
import { byDistance, distanceKm, EARTH_RADIUS_KM, shownKm } from '../../src/domain/geo.ts';
import {
  NEAREST_STORES,
  RECENT_LOCATIONS,
  RECENT_SEARCHES_SHOWN,
  RECENT_STORES,
  recentLocations,
  recentStores,
  withoutAddress,
} from '../../src/domain/recents.ts';

describe('delivery types', () => {
  it.each([
    ['LOC-01', 'DELIVERY'],
    ['LOC-02', 'PICKUP'],
    ['LOC-03', 'CURB'],
    ['LOC-04', 'DINEIN'],
  ])('%s: %s is one [LOC-01] [LOC-02] [LOC-03] [LOC-04]', (_, type) => {
    expect(deliveryType(type)).toBe(type);
  });

  it('are read however they are written; anything else is delivery [LOC-07]', () => {
    expect([deliveryType('pickup'), deliveryType(' Curb ')]).toEqual(['PICKUP', 'CURB']);
    for (const other of ['', 'TRAIN', 'constructor', '__proto__', 'toString', undefined, null, 3, {}])
      expect(deliveryType(other)).toBe('DELIVERY');
  });

  it('treat CURB as PICKUP for stores and prices, but keep it as the type and ask for the car [LOC-06] [LOC-47] [LOC-48]', () => {
    expect([pricedAs('CURB'), pricedAs('PICKUP'), pricedAs('DELIVERY')]).toEqual(['PICKUP', 'PICKUP', 'DELIVERY']);
    expect([storeQuery('CURB'), storeQuery('PICKUP'), storeQuery('DINEIN')]).toEqual([
      'PICKUP,CURB',
      'PICKUP,CURB',
      'DINEIN',
    ]);
    expect([takeawayType(['DELIVERY', 'PICKUP', 'CURB']), takeawayType(['DELIVERY', 'PICKUP'])]).toEqual([
      'CURB',
      'PICKUP',
    ]);
    expect([needsVehicle('CURB'), needsVehicle('PICKUP')]).toEqual([true, false]);
    expect([isServed(['DELIVERY'], 'DELIVERY'), isServed(['DELIVERY'], 'DINEIN')]).toEqual([true, false]);
  });
});

describe('recent lists', () => {
  it('are as long as specified [LOC-19] [LOC-20] [LOC-21]', () => {
    expect([RECENT_STORES, RECENT_LOCATIONS, RECENT_SEARCHES_SHOWN, NEAREST_STORES]).toEqual([4, 4, 3, 5]);
  });

  it('put the chosen store first, once, and keep four [LOC-18]', () => {
    expect(recentStores(['1', '2', '3', '4'], '5')).toEqual(['5', '1', '2', '3']);
    expect(recentStores(['1', '2', '3', '4'], '3')).toEqual(['3', '1', '2', '4']);
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')), (visits) => {
        const list = visits.reduce<string[]>((kept, id) => recentStores(kept, id), []);
        expect(list).toEqual([...new Set([...visits].reverse())].slice(0, 4));
      }),
    );
  });

  it('drop the oldest location, and an address by its id [LOC-19] [LOC-41]', () => {
    const entry = (id: string) => ({ recent: { id }, deliveryType: 'DELIVERY' });
    expect(recentLocations(['1', '2', '3', '4'].map(entry), entry('5')).map((item) => item.recent.id)).toEqual([
      '5',
      '1',
      '2',
      '3',
    ]);
    expect(withoutAddress([{ address_id: 'a' }, { address_id: 'b' }], 'a')).toEqual([{ address_id: 'b' }]);
  });
});

describe('distances [LOC-22]', () => {
  const delhi = { latitude: 28.6139, longitude: 77.209 };
  const mumbai = { latitude: 19.076, longitude: 72.8777 };
  it('are great-circle on a radius of 6371 km, shown to one decimal', () => {
    expect(EARTH_RADIUS_KM).toBe(6371);
    expect(distanceKm({ latitude: 0, longitude: 0 }, { latitude: 0, longitude: 90 })).toBeCloseTo(
      (6371 * Math.PI) / 2,
      6,
    );
    expect(shownKm(distanceKm(delhi, mumbai))).toBeCloseTo(1148.1, 0);
    expect([shownKm(1.04), shownKm(1.05), shownKm(0)]).toEqual([1, 1.1, 0]);
  });

  it('are the same both ways, zero to oneself and never longer than half round the earth', () => {
    const point = fc.record({
      latitude: fc.double({ min: -90, max: 90, noNaN: true }),
      longitude: fc.double({ min: -180, max: 180, noNaN: true }),
    });
    fc.assert(
      fc.property(point, point, (a, b) => {
        expect(distanceKm(a, b)).toBeCloseTo(distanceKm(b, a), 6);
        expect(distanceKm(a, a)).toBe(0);
        expect(distanceKm(a, b)).toBeLessThanOrEqual(6371 * Math.PI + 0.001);
      }),
    );
  });

  it('put the nearest first', () => {
    expect(
      byDistance(
        [
          { id: 'm', ...mumbai },
          { id: 'd', ...delhi },
        ],
        delhi,
      ).map(({ id, distanceKm: km }) => [id, km]),
    ).toEqual([
      ['d', 0],
      ['m', shownKm(distanceKm(delhi, mumbai))],
    ]);
  });
});
