import * as errors from '#text/errors.ts';
import { createStore } from 'jotai';
import { beforeEach, describe, expect, test } from 'vitest';
import { Failure, type FailureKind } from '../../src/api/failure.ts';
import { saidAtom, tasks } from '../../src/state/base/task.ts';
import { popupAtom } from '../../src/state/base/popup.ts';
import { hostAtom } from '../../src/state/first/seams.ts';
import { forgetCustomerAtom } from '../../src/state/lib/forget.ts';

const { atom: stateAtom, busyAtom, problemsAtom, clear, task } = tasks<'name' | 'email' | 'form'>();
let store: ReturnType<typeof createStore>;
let ran: string[];
let end: (fails?: unknown) => void;
const run = async (_get: unknown, _set: unknown, name: string) => {
  ran.push(name);
  await new Promise<void>((done, fail) => {
    end = (fails) => (fails === undefined ? done() : fail(fails));
  });
};
const save = task(run, {
  as: (name) => `save ${name}`,
  wrong: (_get, name) => ({ name: name === '' ? 'None.' : '', email: undefined }),
  failed: (_get, set, thrown) => ({ form: set(saidAtom, thrown) }),
});
const drop = task(run);
beforeEach(() => {
  [store, ran] = [createStore(), []];
  store.set(hostAtom, { fullMode: true } as never);
});

describe('tasks', () => {
  test('are done one at a time: another one meanwhile does nothing, and what the page is busy with is named', async () => {
    const saving = store.set(save, 'Asha');
    expect([store.get(stateAtom), store.get(busyAtom)]).toEqual([{ is: 'busy', with: 'save Asha' }, 'save Asha']);
    expect([await store.set(save, 'Usha'), await store.set(drop, 'x')]).toEqual([false, false]);
    end();
    expect([await saving, ran, store.get(stateAtom)]).toEqual([true, ['Asha'], { is: 'idle' }]);
    const dropping = store.set(drop, 'x');
    expect(store.get(busyAtom)).toBe('send');
    end();
    expect(await dropping).toBe(true);
  });

  test('of which something typed is wrong are not begun; what is said goes with typing, of that field or of all', async () => {
    expect([await store.set(save, ''), ran, store.get(problemsAtom)]).toEqual([false, [], { name: 'None.' }]);
    store.set(stateAtom, { is: 'refused', problems: { name: 'None.', email: 'None.' } });
    store.set(clear, 'email', 'form');
    expect(store.get(problemsAtom)).toEqual({ name: 'None.' });
    store.set(clear, 'name');
    expect(store.get(stateAtom)).toEqual({ is: 'idle' });
    store.set(stateAtom, { is: 'refused', problems: { name: 'None.', email: 'None.' } });
    store.set(clear);
    expect(store.get(stateAtom)).toEqual({ is: 'idle' });
  });

  test.each<[FailureKind, object, string | null]>([
    ['offline', { form: errors.connectionLost }, null],
    ['broken', {}, errors.internalServerError],
    ['unrefreshed', {}, errors.refreshFailed],
    ['aborted', {}, null],
  ])(
    'that fail (%s) say so beside the fields, or over the page, and can be begun again',
    async (kind, beside, over) => {
      const saving = store.set(save, 'Asha');
      end(new Failure(kind));
      expect([await saving, store.get(problemsAtom), store.get(popupAtom)?.message ?? null]).toEqual([
        false,
        beside,
        over,
      ]);
      const again = store.set(save, 'Asha');
      expect(store.get(problemsAtom)).toEqual({});
      end();
      expect(await again).toBe(true);
    },
  );

  test('that handle no failure leave it to the popup, and what says false itself is not done', async () => {
    const dropping = store.set(drop, 'x');
    end(new Failure('offline'));
    expect([await dropping, store.get(popupAtom)?.message]).toEqual([false, errors.connectionLost]);
    expect(await store.set(task(async () => false))).toBe(false);
  });

  test('are forgotten with their customer: one that ends later tells the next one nothing', async () => {
    const saving = store.set(save, 'Asha');
    store.set(forgetCustomerAtom);
    expect(store.get(busyAtom)).toBe('');
    end(new Failure('offline'));
    expect([await saving, store.get(stateAtom)]).toEqual([false, { is: 'idle' }]);
  });
});
