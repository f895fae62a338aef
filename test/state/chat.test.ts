import { createStore } from 'jotai';
import { beforeEach, expect, test } from 'vitest';
import { askAtom, chatAtom, chatDraftAtom, closeChatAtom, putAnswerAtom } from '../../src/state/menu/chat.ts';
import { openStorage } from '../../src/state/first/lib/kept.ts';

let store: ReturnType<typeof createStore>;
let devices = 0;
beforeEach(() => {
  openStorage(`chat-${(devices += 1)}`, () => {});
  store = createStore();
});
const ask = (text: string) => {
  store.set(askAtom, text, { do: 'typed', text });
  return store.get(chatAtom).at(-1)!.id;
};
const answer = (to: string, line: string) => store.set(putAnswerAtom, to, { lines: [line], choices: [] });
const said = () => store.get(chatAtom).map((entry) => (entry.by === 'customer' ? entry.text : entry.lines[0]));

test('a conversation that was closed is gone with what is being typed, and an answer that comes later opens it no more', () => {
  const asked = ask('where is my order');
  store.set(chatDraftAtom, 'and wh');
  store.set(closeChatAtom);
  answer(asked, 'On its way.');
  expect([said(), store.get(chatDraftAtom)]).toEqual([[], '']);
});

test('a long one keeps its last hundred and twenty lines', () => {
  for (let at = 1; at <= 60; at += 1) answer(ask(`question ${at}`), `answer ${at}`);
  expect(said()).toHaveLength(120);
  const last = ask('question 61');
  expect([said().length, said()[0], said().at(-1)]).toEqual([120, 'answer 1', 'question 61']);
  answer(last, 'answer 61');
  expect([said().length, said()[0], said().at(-1)]).toEqual([120, 'question 2', 'answer 61']);
});
