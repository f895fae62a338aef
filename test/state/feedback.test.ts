import * as errors from '#text/errors.ts';
import { createStore } from 'jotai';
import { beforeEach, describe, expect, test } from 'vitest';
import { countryConfig } from '../../country/index.ts';
import type { Api } from '../../src/api/api.ts';
import { Failure } from '../../src/api/failure.ts';
import * as contract from '../../src/contract/feedback.ts';
import { countryAtom } from '../../src/state/base/country.ts';
import {
  feedbackDraftAtom,
  feedbackTasks,
  isThankedAtom,
  openFeedbackAtom,
  openVisitAtom,
  sayVisitAtom,
  sendFeedbackAtom,
  sendWaitingAtom,
  templateState,
  visitDraftAtom,
  visitTasks,
  visitSaidAtom,
  writeFeedbackAtom,
} from '../../src/state/after/feedback.ts';
import { openStorage, wakeAtom } from '../../src/state/first/lib/kept.ts';
import { apiAtom, hostAtom, navigateAtom } from '../../src/state/first/seams.ts';
import { feedbackQueryAtom } from '../../src/state/people/login.ts';
import { networkAtom } from '../../src/state/base/network.ts';
import { popupAtom } from '../../src/state/base/popup.ts';
import { schemas } from '../../src/state/schemas.ts';
import { waitingVisitsAtom } from '../../src/state/after/queuedFeedback.ts';

const ID = 'ORD-1';
const LONG = 'A very good pizza, hot and on time.';
let store: ReturnType<typeof createStore>;
let went: unknown[][];
/** Every call, and how each path is answered: a failure is thrown. */
let calls: { readonly path: string; readonly input: Readonly<Record<string, unknown>>; readonly key: unknown }[];
let answers: Map<string, unknown>;
let devices = 0;
const refused = (code: string) =>
  new Failure('refused', { httpStatus: 422, errors: [{ code, displayMsg: `No: ${code}` }] });
const template = (more: object = {}) => ({
  order: { orderId: ID },
  template: { comment: { optional: false } },
  state: 'OPEN',
  isDismissed: false,
  feedback: null,
  ...more,
});
const rated = { feedbackId: 'F-1', overall: 4, nps: 9, aspects: ['taste'], comment: 'Said before, and long enough.' };

beforeEach(() => {
  openStorage(`feedback-${(devices += 1)}`, () => {});
  [store, went, calls] = [createStore(), [], []];
  answers = new Map<string, unknown>([[contract.template.path, template()]]);
  store.set(countryAtom, countryConfig('in'));
  store.set(hostAtom, { fullMode: true } as never);
  store.set(navigateAtom, { go: (...to) => void went.push(to) });
  store.set(apiAtom, {
    call: async ({ path, method }: { path: string; method: string }, input: object, options?: object) => {
      calls.push({ path, input: input as never, key: (options as { idempotencyKey?: string })?.idempotencyKey });
      const answer = answers.get(`${method} ${path}`) ?? answers.get(path);
      if (answer instanceof Failure) throw answer;
      return answer ?? {};
    },
  } as unknown as Api);
  store.set(wakeAtom, schemas);
});
const open = (query: string) => store.set(openFeedbackAtom, new URLSearchParams(query));
const draft = () => store.get(feedbackDraftAtom);
const to = ({ path }: { readonly path: string }) => calls.filter((one) => one.path === path);

describe('a link to rate an order', () => {
  test.each([
    ['rating=4&nps=9', 4, 9],
    ['rating=5&nps=0', 5, 0],
    ['rating=0&nps=11', null, null],
    ['rating=4.5&nps=', null, null],
  ])('brings what was tapped in the message, where it can be: %s', async (query, overall, nps) => {
    await open(`orderId=${ID}&token=t&${query}`);
    expect(draft()).toMatchObject({ orderId: ID, overall, nps, comment: '', aspects: [] });
    expect(to(contract.template).map(({ input }) => input)).toEqual([{ query: { orderId: ID, token: 't' } }]);
    expect(store.get(templateState.atom).data).toMatchObject({ token: 't', state: 'OPEN' });
  });

  test('asks nobody about an order that cannot be one, and leaves the token out where there is none', async () => {
    for (const id of ['', 'a b', 'x'.repeat(81), '<b>']) await open(`orderId=${encodeURIComponent(id)}`);
    expect(calls).toEqual([]);
    await open(`orderId=${'x'.repeat(80)}`);
    expect(calls[0]!.input).toEqual({ query: { orderId: 'x'.repeat(80) } });
  });

  test('keeps what was written about this order, and begins anew for another one', async () => {
    await open(`orderId=${ID}&rating=4`);
    store.set(writeFeedbackAtom, { comment: LONG });
    const { key } = draft();
    await open(`orderId=${ID}`);
    expect(draft()).toMatchObject({ overall: 4, comment: LONG, key });
    await open(`orderId=${ID}&rating=2`);
    expect(draft()).toMatchObject({ overall: 2, comment: LONG });
    await open('orderId=ORD-2');
    expect(draft()).toMatchObject({ orderId: 'ORD-2', overall: null, comment: '' });
    expect(draft().key).not.toBe(key);
  });

  test('leads whoever is not known to the login, and the link waits meanwhile', async () => {
    answers.set(contract.template.path, refused('LOGIN'));
    await open(`orderId=${ID}&rating=4`);
    expect(went).toEqual([['/login?redirectUrl=%2Fuf', { replace: true }]]);
    expect(store.get(feedbackQueryAtom)).toBe(`orderId=${ID}&rating=4`);
    answers.set(contract.template.path, template());
    await open(store.get(feedbackQueryAtom));
    expect([store.get(feedbackQueryAtom), went.length]).toEqual(['', 1]);
    answers.set(contract.template.path, refused('NO_ORDER'));
    await open(`orderId=${ID}`);
    expect([store.get(feedbackQueryAtom), went.length]).toEqual(['', 1]);
  });
});

describe('what is said of an order', () => {
  const write = () => store.set(writeFeedbackAtom, { overall: 4, nps: 9, aspects: ['taste'], comment: LONG });

  test('is sent once it is whole, with the key of what was written', async () => {
    expect(await store.set(sendFeedbackAtom)).toBe(false);
    await open(`orderId=${ID}&token=t`);
    expect(await store.set(sendFeedbackAtom)).toBe(false);
    expect(Object.keys(store.get(feedbackTasks.problemsAtom)).sort()).toEqual(['comment', 'nps', 'rating']);
    expect(to(contract.submit)).toEqual([]);
    write();
    answers.set(`${contract.submit.method} ${contract.submit.path}`, { feedback: rated });
    expect(await store.set(sendFeedbackAtom)).toBe(true);
    expect(to(contract.submit)).toEqual([
      {
        path: contract.submit.path,
        input: { body: { orderId: ID, token: 't', overall: 4, nps: 9, aspects: ['taste'], comment: LONG } },
        key: draft().key,
      },
    ]);
    expect(store.get(isThankedAtom)).toBe(true);
    expect(store.get(templateState.atom).data).toMatchObject({ state: 'RATED', feedback: rated, token: 't' });
  });

  test('that is refused stays as it was written; what was rated on another device meanwhile is shown', async () => {
    await open(`orderId=${ID}`);
    write();
    answers.set(`${contract.submit.method} ${contract.submit.path}`, refused('OTHER'));
    expect(await store.set(sendFeedbackAtom)).toBe(false);
    expect([draft().comment, store.get(isThankedAtom), store.get(feedbackTasks.isBusyAtom)]).toEqual([
      LONG,
      false,
      false,
    ]);
    expect([store.get(popupAtom), to(contract.template).length]).toMatchObject([{ message: 'No: OTHER' }, 1]);
    const { key } = draft();
    answers.set(`${contract.submit.method} ${contract.submit.path}`, refused('ALREADY_RATED'));
    expect(await store.set(sendFeedbackAtom)).toBe(false);
    expect([to(contract.submit).map((one) => one.key), to(contract.template).length]).toEqual([[key, key], 2]);
    store.set(writeFeedbackAtom, { overall: 1 });
    expect(draft().key).not.toBe(key);
  });
});

describe('a visit', () => {
  const visit = (more: object = {}) =>
    store.set(visitDraftAtom, { experience: ' Good pizza ', rating: 4, mobile: '98765 43210', ...more });
  const offline = () => store.set(networkAtom, { isConnected: false, networkType: 'none' });

  test('is told with a number and either words or stars; what is wrong stands at its field', async () => {
    visit({ experience: ' ', rating: null, mobile: '12' });
    expect(await store.set(sayVisitAtom)).toBe(false);
    expect(store.get(visitTasks.problemsAtom)).toEqual({
      experience: errors.offlineRatingMissing,
      mobile: errors.mobileInvalid({ digits: 10 }),
    });
    expect(calls).toEqual([]);
    visit();
    expect(await store.set(sayVisitAtom)).toBe(true);
    expect(to(contract.offline)).toMatchObject([
      {
        input: { body: { experience: 'Good pizza', rating: 4, mobile: '9876543210' } },
        key: expect.any(String) as string,
      },
    ]);
    expect([store.get(visitSaidAtom), store.get(waitingVisitsAtom), store.get(visitDraftAtom).experience]).toEqual([
      'SENT',
      [],
      '',
    ]);
    store.set(openVisitAtom);
    expect(store.get(visitSaidAtom)).toBe('');
  });

  test('that is refused is given up and says why; of twenty that wait none is given up for another', async () => {
    answers.set(contract.offline.path, refused('NO'));
    visit();
    expect(await store.set(sayVisitAtom)).toBe(false);
    expect([store.get(waitingVisitsAtom), store.get(visitTasks.problemsAtom)]).toEqual([[], { experience: 'No: NO' }]);
    expect(store.get(visitDraftAtom).experience).toBe(' Good pizza ');
    offline();
    for (let at = 0; at < 20; at += 1) {
      visit({ experience: `Visit ${at}` });
      expect(await store.set(sayVisitAtom)).toBe(true);
    }
    visit();
    expect(await store.set(sayVisitAtom)).toBe(false);
    expect([store.get(waitingVisitsAtom).length, Object.keys(store.get(visitTasks.problemsAtom))]).toEqual([
      20,
      ['experience'],
    ]);
    answers.delete(contract.offline.path);
    await store.set(sendWaitingAtom);
    expect(store.get(waitingVisitsAtom)).toEqual([]);
  });
});
