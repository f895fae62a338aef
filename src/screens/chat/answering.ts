import * as t from '#text/chat.ts';
import * as firstText from '#text/first.ts';
import { atom } from 'jotai';
import { Failure, isFailure } from '../../api/failure.ts';
import type { Intent } from '../../domain/chat/intents.ts';
import { understand, type Understood } from '../../domain/chat/understand.ts';
import { MEANINGS } from '../../domain/chat/words.ts';
import { writtenPhone } from '../../domain/phone.ts';
import {
  askAtom,
  chatAtom,
  chatDraftAtom,
  chatMenuAtom,
  lastAnswerAtom,
  putAnswerAtom,
  unansweredAtom,
  type ChatAct,
  type ChatAnswer,
  type ChatChoice,
} from '../../state/chat.ts';
import { countryAtom } from '../../state/country.ts';
import { navigateAtom } from '../../state/first/seams.ts';
import { customerAtom } from '../../state/lib/forget.ts';
import { sentenceOf } from '../../state/popup.ts';
import { copyTextAtom } from '../../state/share.ts';

import { aboutHelp } from './aboutHelp.ts';
import { aboutOrders } from './aboutOrders.ts';
import { aboutShop } from './aboutShop.ts';
import { said, type Answerer, type Desk } from './desk.ts';

/** What can be asked by a tap. */
export const starters = (): ChatChoice[] => [
  { label: t.askWhere, act: { do: 'where' } },
  { label: t.askWrong, act: { do: 'issues' } },
  { label: t.askCancel, act: { do: 'cancel' } },
  { label: t.askNote, act: { do: 'note' } },
  { label: t.askAddress, act: { do: 'address' } },
  { label: t.askInvoice, act: { do: 'invoice' } },
  { label: t.askRefund, act: { do: 'refund' } },
  { label: t.askOffers, act: { do: 'offers' } },
  { label: t.askHours, act: { do: 'hours' } },
  { label: t.askAllergens, act: { do: 'allergens' } },
  { label: t.askPerson, act: { do: 'person' } },
];

const SAID_MOST = 5;
/** Says nothing to whoever is called. */
const SMALL_TALK = new Set(['person', 'hello', 'thanks', 'able', 'yes', 'no']);
/** What was said, short enough to be read out: the order that it is about, and the customer's own questions. */
function summaryOf({ get }: Desk): string {
  const entries = get(chatAtom);
  const about = [...entries].reverse().find((entry) => entry.by === 'assistant' && entry.about !== undefined);
  const questions = entries.flatMap((entry) =>
    entry.by === 'customer' && !SMALL_TALK.has(entry.act.do) ? [entry.text] : [],
  );
  return [
    about?.by === 'assistant' ? (about.about ?? '') : '',
    questions.length === 0
      ? ''
      : t.summaryAsked({
          questions: questions
            .slice(-SAID_MOST)
            .map((text) => t.quoted({ text }))
            .join(' '),
        }),
  ]
    .filter(Boolean)
    .join('\n');
}
function handOver(desk: Desk, lines: readonly string[]): ChatAnswer {
  const country = desk.get(countryAtom);
  const number = writtenPhone(country.HELP_DESK_NO, country);
  const summary = summaryOf(desk);
  return said(
    [...lines, summary === '' ? t.callOnly({ number }) : t.callUs({ number })],
    [{ label: t.askMore, act: { do: 'able' } }],
    { summary },
  );
}

const ANSWERERS: Readonly<Record<string, Answerer>> = {
  ...aboutOrders,
  ...aboutHelp,
  ...aboutShop,
  person: (desk) => handOver(desk, []),
  beyond: (desk) => handOver(desk, [t.cannot]),
  hello: () => said([t.hello], starters()),
  thanks: () => said([t.thanks]),
  able: () => said([t.able], starters()),
  yes: () => said([t.able], starters()),
  no: () => said([t.kept], [{ label: t.askMore, act: { do: 'able' } }]),
};

/** A dish that is not on the menu is named in few words; what is longer is a question that is not understood. */
const DISH_WORDS_MOST = 2;
/** Said in few words, these are no note but what the customer wants now. */
const OTHER_WISHES: ReadonlySet<Intent> = new Set(['cancel', 'where', 'refund', 'invoice']);
const WISH_WORDS_MOST = 4;
/** Whether a text may answer what was asked last: a note or a message to the rider is any text, a dish is no other question. */
function answersIt(asks: ChatAct, { intent, score, rest }: Understood, text: string): boolean {
  if (asks.do === 'noteSure') return intent !== 'no';
  if (asks.do === 'notePut')
    return (
      intent !== 'no' && !(intent !== null && OTHER_WISHES.has(intent) && text.split(/\s+/).length <= WISH_WORDS_MOST)
    );
  if (intent === 'dish') return score < MEANINGS.price.weight;
  const count = rest === '' ? 0 : rest.split(' ').length;
  return intent === null && count > 0 && count <= DISH_WORDS_MOST;
}
const labelOf = (text: string) => text.trim().toLowerCase();

/** What a typed text asks for, after what was said last. A button's own words do what the button does. */
const actOfAtom = atom(null, (get, _set, text: string): ChatAct | { path: string } => {
  const last = get(lastAnswerAtom);
  const heard = understand(text, get(chatMenuAtom).words);
  const pressed = last?.choices.find((choice) => labelOf(choice.label) === labelOf(text) || choice.is === heard.intent);
  if (pressed?.act) return pressed.act;
  if (pressed?.path !== undefined) return { path: pressed.path };
  const { asks } = last ?? {};
  if (asks && answersIt(asks, heard, text.trim())) return { ...asks, text };
  return { do: heard.intent ?? 'beyond', text };
});

const openedHeldAtom = customerAtom('');
const isAnsweringHeldAtom = atom(false);
/** The order that the chat was opened from, '' for none. */
export const openedAtom = atom((get) => get(openedHeldAtom));
/** Whether an answer is being looked up. */
export const isAnsweringAtom = atom((get) => get(isAnsweringHeldAtom));

function failed(desk: Desk, failure: Failure): ChatAnswer {
  const isUnreached = ['offline', 'timeout', 'broken', 'aborted'].includes(failure.kind);
  const again: ChatChoice = { label: firstText.tryAgain, act: desk.act };
  const person: ChatChoice = { label: t.askPerson, act: { do: 'person' } };
  if (failure.kind === 'offline') return said([t.noNetwork], [again, person]);
  return said([isUnreached ? t.notReached({ why: sentenceOf(failure) }) : sentenceOf(failure)], [again, person]);
}

/** Answers all that was asked, one after the other: what is typed meanwhile waits for its turn. */
const answerAllAtom = atom(null, async (get, set): Promise<void> => {
  if (get(isAnsweringHeldAtom)) return;
  set(isAnsweringHeldAtom, true);
  try {
    for (let asked = get(unansweredAtom)[0]; asked; asked = get(unansweredAtom)[0]) {
      const desk: Desk = { get, set, act: asked.act, opened: get(openedHeldAtom) };
      const answer = await Promise.resolve((ANSWERERS[asked.act.do] ?? ANSWERERS['beyond']!)(desk)).catch(
        (thrown: unknown) => failed(desk, isFailure(thrown) ? thrown : new Failure('broken', { cause: thrown })),
      );
      set(putAnswerAtom, asked.id, answer);
    }
  } finally {
    set(isAnsweringHeldAtom, false);
  }
});

/** Opens the chat where it was left; what had no answer yet gets it now. */
export const openChatAtom = atom(null, (_get, set, orderId: string): void => {
  set(openedHeldAtom, orderId);
  void set(answerAllAtom);
});

/** Asks what is typed; the field is empty then. */
export const sendAtom = atom(null, (get, set): void => {
  const text = get(chatDraftAtom).trim();
  if (text === '') return;
  const act = set(actOfAtom, text);
  set(chatDraftAtom, '');
  if ('path' in act) return get(navigateAtom).go(act.path);
  set(askAtom, text, act);
  void set(answerAllAtom);
});

/** Presses a button of the answer `to`, '' for the first greeting. A second tap finds none: it is not the last one any more. */
export const pressAtom = atom(null, (get, set, to: string, { label, act }: ChatChoice): void => {
  const last = get(lastAnswerAtom);
  if (!act || (last?.id ?? '') !== to || (to === '' && get(chatAtom).length > 0)) return;
  set(askAtom, label, act);
  void set(answerAllAtom);
});

/** Copies what was said for whoever is called. */
export const copySummaryAtom = atom(null, (_get, set, summary: string): Promise<void> =>
  set(copyTextAtom, summary, t.copied, t.copyFailed),
);
