import { expect, test } from 'vitest';
import { visibleStores } from '../../src/server/rules/places/stores.ts';
import type { CountryCatalogue } from '../../src/server/call/catalogue.ts';
import type { SeedStore } from '../../src/server/store/seeds.ts';

const store = (id: string, locality: string, more: Partial<SeedStore> = {}) => ({ id, locality, ...more }) as SeedStore;

test('a store of the locality pokhra is left out for its locality alone, however that is written [LOC-28]', () => {
  const all = [
    store('1', 'Saket'),
    store('2', 'pokhra'),
    store('3', 'Pokhra'),
    store('4', 'Pokhara'),
    store('5', 'Saket', { fixture: true }),
  ];
  const catalogue = { stores: new Map(all.map((one) => [one.id, one])) } as unknown as CountryCatalogue;
  expect(visibleStores(catalogue).map(({ id }) => id)).toEqual(['1', '4']);
});
