import { atom, createStore, Provider, type WritableAtom } from 'jotai';
import { act, type ReactNode } from 'react';
import { expect, test, vi } from 'vitest';
import { country } from '../../country/in/index.ts';
import { browserProfile } from '../../hosts/browser/profile.ts';
import { Slot, slotsAtom } from '../../src/shell/first/slots.tsx';
import { loaded } from '../../src/ui/time/loaded.tsx';
import { Watchers, watchersAtom, type Watcher } from '../../src/shell/first/watchers.tsx';
import { firstCountryAtom, profileAtom } from '../../src/state/first/seams.ts';
import { mount } from '../ui/mount.tsx';

function open(what: ReactNode) {
  const store = createStore();
  store.set(firstCountryAtom, { ...country, DISABLED_FEATURES: ['wheel'] });
  store.set(profileAtom, browserProfile(window as unknown as Parameters<typeof browserProfile>[0]));
  const { host, show } = mount(<Provider store={store}>{what}</Provider>);
  return { store, host, end: () => show(null) };
}

/** A row that says what becomes of it. */
function telling(told: string[], name: string, row: Omit<Watcher, 'run'> = {}): Watcher {
  return {
    ...row,
    run: ({ get }) => {
      const values = (row.when ?? []).map((one) => get(one));
      told.push(`${name}(${values.join()})`);
      return () => told.push(`end of ${name}`);
    },
  };
}

test('a watcher runs while its values exist and nothing forbids it, and ends before a rerun and with the page', () => {
  const told: string[] = [];
  const cartAtom = atom<string | null>(null);
  const timesAtom = atom(0);
  const isOfflineAtom = atom(false);
  const otherAtom = atom(0);
  const { store, end } = open(<Watchers />);
  const set = <T,>(target: WritableAtom<unknown, [T], void>, value: T) => act(() => store.set(target, value));
  set(watchersAtom, [telling(told, 'row', { when: [cartAtom, timesAtom], unless: [isOfflineAtom] })]);
  expect(told).toEqual([]);
  set(cartAtom, 'a');
  expect(told.splice(0)).toEqual(['row(a,0)']);
  set(otherAtom, 1);
  set(cartAtom, 'a');
  expect(told).toEqual([]);
  set(timesAtom, 1);
  expect(told.splice(0)).toEqual(['end of row', 'row(a,1)']);
  set(isOfflineAtom, true);
  expect(told.splice(0)).toEqual(['end of row']);
  set(timesAtom, 2);
  expect(told).toEqual([]);
  set(isOfflineAtom, false);
  expect(told.splice(0)).toEqual(['row(a,2)']);
  set(cartAtom, '');
  expect(told.splice(0)).toEqual(['end of row']);
  set(cartAtom, 'b');
  end();
  expect(told).toEqual(['row(b,2)', 'end of row']);
});

test('rows that a later script adds begin then; those that are there go on, and none is there twice', () => {
  const told: string[] = [];
  const { store } = open(<Watchers />);
  const [one, two] = [telling(told, 'one'), telling(told, 'two')];
  act(() => store.set(watchersAtom, [one]));
  act(() => store.set(watchersAtom, [one, two]));
  expect(told).toEqual(['one()', 'two()']);
});

test('a slot holds its own rows in order, each while it is wanted, and none of a blocked feature', () => {
  const isLateAtom = atom(false);
  const says = (text: string) => () => <p>{text}</p>;
  const { store, host } = open(
    <>
      <Slot name="above" />
      <hr />
      <Slot name="top" />
    </>,
  );
  act(() =>
    store.set(slotsAtom, [
      { slot: 'above', when: isLateAtom, widget: says('late') },
      { slot: 'above', widget: says('always') },
      { slot: 'above', feature: 'wheel', widget: says('blocked') },
      { slot: 'top', feature: 'groupOrder', widget: says('open') },
    ]),
  );
  const seen = () => [...host.querySelectorAll('p,hr')].map((one) => one.textContent || '-');
  expect(seen()).toEqual(['always', '-', 'open']);
  act(() => store.set(isLateAtom, true));
  expect(seen()).toEqual(['late', 'always', '-', 'open']);
});

test('a widget that cannot be loaded takes nothing else away, and comes once it can', async () => {
  vi.useFakeTimers();
  try {
    let isOnline = false;
    const widget = loaded(async () => {
      if (!isOnline) throw new TypeError('not fetched');
      return { default: () => <b>popup</b> };
    });
    const { store, host } = open(
      <>
        <p>screen</p>
        <Slot name="over" />
      </>,
    );
    const later = () => act(() => vi.advanceTimersByTimeAsync(60_000));
    act(() => store.set(slotsAtom, [{ slot: 'over', widget }]));
    await later();
    expect(host.textContent).toBe('screen');
    isOnline = true;
    await later();
    expect(host.textContent).toBe('screenpopup');
  } finally {
    vi.useRealTimers();
  }
});
