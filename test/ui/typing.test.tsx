import * as errors from '#text/errors.ts';
import { createStore, Provider } from 'jotai';
import { act, useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { PaymentOption } from '../../src/contract/payments.ts';
import { LONGEST_PLACE } from '../../src/contract/places.ts';
import { Choices } from '../../src/screens/payment/Choices.tsx';
import { PlaceSearch } from '../../src/screens/location/PlaceSearch.tsx';
import { apiAtom } from '../../src/state/first/seams.ts';
import { choiceOfAtom } from '../../src/state/drafts/paymentChoice.ts';
import { predictionsState, searchTextAtom } from '../../src/state/places/places.ts';
import { Field } from '../../src/ui/forms/Field.tsx';
import { TextArea } from '../../src/ui/forms/TextArea.tsx';
import { sources } from '../architecture/sources.ts';
import { mount } from './mount.tsx';

// React hears of a typed letter in two ways. This is how it does in Firefox, which had no such event for long.
vi.hoisted(() => Reflect.deleteProperty(globalThis, 'TextEvent'));

let store: ReturnType<typeof createStore>;
beforeEach(() => {
  store = createStore();
});
const input = () => document.querySelector<HTMLInputElement | HTMLTextAreaElement>('input:not([type=radio]),textarea')!;
const said = () => document.getElementById(`${input().id}-error`)!;

/** Enter as it ends a composition: browsers say so in one of two ways. */
const COMPOSING = [{ isComposing: true }, { keyCode: 229 }];
const enter = (more: KeyboardEventInit & { keyCode?: number } = {}) =>
  act(() => {
    const event = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...more });
    // happy-dom does not know the old number.
    if (more.keyCode !== undefined) Object.defineProperty(event, 'keyCode', { value: more.keyCode });
    if (more.isComposing !== undefined) Object.defineProperty(event, 'isComposing', { value: more.isComposing });
    input().dispatchEvent(event);
  });
function write(text: string): void {
  act(() => {
    const box = input();
    const proto = box instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype;
    Object.getOwnPropertyDescriptor(proto, 'value')!.set!.call(box, text);
    box.dispatchEvent(new Event('input', { bubbles: true }));
  });
}
const bring = (type: 'paste' | 'drop', holder: 'clipboardData' | 'dataTransfer') => (text: string) =>
  act(() => {
    const event = new Event(type, { bubbles: true, cancelable: true });
    Object.defineProperty(event, holder, { value: { getData: () => text } });
    input().dispatchEvent(event);
  });
const paste = bring('paste', 'clipboardData');
const drop = bring('drop', 'dataTransfer');
/** One letter, by the press of its key alone. */
const press = (letter: string) =>
  act(() => {
    const event = new KeyboardEvent('keypress', { key: letter, bubbles: true, cancelable: true });
    for (const code of ['charCode', 'which', 'keyCode'])
      Object.defineProperty(event, code, { value: letter.charCodeAt(0) });
    input().dispatchEvent(event);
  });

test('Enter that ends a composition chooses no place; the next one does', () => {
  const asked: unknown[] = [];
  store.set(apiAtom, {
    call: (_: unknown, wanted: { query: { place_id: string } }) => {
      asked.push(wanted.query.place_id);
      return new Promise(() => undefined);
    },
  } as never);
  store.set(searchTextAtom, 'साकेत');
  store.set(predictionsState.put, {
    text: 'साकेत',
    predictions: [{ place_id: 'saket', main_text: 'Saket', secondary_text: 'New Delhi', delivery: 'YES' }],
  });
  mount(
    <Provider store={store}>
      <PlaceSearch label="Area" />
    </Provider>,
  );
  for (const composing of COMPOSING) enter(composing);
  expect(asked).toEqual([]);
  enter();
  expect(asked).toEqual(['saket']);
});

test('Enter that ends a composition chooses no bank; the next one does', () => {
  const option = {
    id: 'NETBANKING',
    choices: [
      { id: 'sbi', label: 'State Bank', isPopular: false },
      { id: 'hdfc', label: 'HDFC Bank', isPopular: true },
    ],
  } as unknown as PaymentOption;
  mount(
    <Provider store={store}>
      <Choices option={option} />
    </Provider>,
  );
  write('Sta\u200bte');
  for (const composing of COMPOSING) enter(composing);
  expect(store.get(choiceOfAtom)(option)).toBeNull();
  enter();
  expect(store.get(choiceOfAtom)(option)?.id).toBe('sbi');
});

test('each part of a page that hears Enter asks whether a keyboard still composes', () => {
  const hearing = sources.filter(
    ({ file, code }) => /^src\/(?:ui|screens|full|shell)\//.test(file) && /'Enter'/.test(code),
  );
  expect(hearing.map(({ file }) => file).toSorted()).toEqual([
    'src/screens/location/PlaceSearch.tsx',
    'src/screens/payment/Choices.tsx',
    'src/shell/forms.ts',
  ]);
  expect(hearing.filter(({ code }) => !/isComposing/.test(code)).map(({ file }) => file)).toEqual([]);
});

test('a field that a typed, pasted or dropped text does not fit into says so at once, until there is room again', () => {
  function Note({ area }: { area: boolean }) {
    const [value, set] = useState('');
    const all = {
      label: 'Note',
      maxLength: 10,
      value,
      onChange: (event: { target: { value: string } }) => set(event.target.value),
    };
    return area ? <TextArea {...all} /> : <Field {...all} />;
  }
  for (const area of [false, true]) {
    const { show } = mount(<Note area={area} />);
    paste('0123456789');
    expect(said().textContent).toBe('');
    paste('0123456789A');
    write('0123456789');
    expect([said().textContent, said().getAttribute('aria-live')]).toEqual([errors.textCut({ count: 10 }), 'polite']);
    write('012345678');
    expect([said().textContent, said().getAttribute('aria-live')]).toEqual(['', 'off']);
    press('9');
    write('0123456789');
    expect(said().textContent).toBe('');
    press('A');
    expect(said().textContent).toBe(errors.textCut({ count: 10 }));
    write('0123');
    input().setSelectionRange(0, 4);
    paste('0123456789');
    expect(said().textContent).toBe('');
    drop('0123456');
    expect(said().textContent).toBe(errors.textCut({ count: 10 }));
    write('0123');
    show(null);
  }
});

test('each box that takes only so many characters says what it left out', () => {
  const limited = sources.filter(({ code }) => /<(?:input|textarea)\b[^<]*maxLength=/.test(code));
  expect(limited.map(({ file }) => file)).toContain('src/screens/search/SearchScreen.tsx');
  expect(limited.filter(({ code }) => !/useTextCut\(/.test(code)).map(({ file }) => file)).toEqual([]);
});

test('an address of several lines is pasted with a comma for each end of a line, and one that is too long is said', () => {
  mount(
    <Provider store={store}>
      <PlaceSearch label="Area" />
    </Provider>,
  );
  paste('Asha Rao\r\n12, MG Road\n\n \u200bKoramangala\nBengaluru 560034\n');
  expect(store.get(searchTextAtom)).toBe('Asha Rao, 12, MG Road, Koramangala, Bengaluru 560034');
  expect(input().maxLength).toBe(LONGEST_PLACE);
  act(() => store.set(searchTextAtom, ''));
  paste(`${'x'.repeat(200)}\n${'y'.repeat(200)}`);
  expect(store.get(searchTextAtom)).toHaveLength(402);
  expect(said().textContent).toContain(errors.textLong({ count: LONGEST_PLACE }));
});
