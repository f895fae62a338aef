import * as accountText from '#text/account.ts';
import * as t from '#text/chat.ts';
import * as customiseText from '#text/customise.ts';
import * as documents from '#text/documents.ts';
import * as firstText from '#text/first.ts';
import * as found from '#text/found.ts';
import * as groupText from '#text/group.ts';
import * as historyText from '#text/history.ts';
import * as locationText from '#text/location.ts';
import * as loyaltyText from '#text/loyalty.ts';
import * as paymentText from '#text/payment.ts';
import * as privacyText from '#text/privacy.ts';
import * as reorderText from '#text/reorder.ts';
import { atom } from 'jotai';
import { Failure, isFailure } from '../../api/failure.ts';
import type { Heard } from '../../contract/chat.ts';
import type { Intent } from '../../domain/chat/intents.ts';
import { withTimeout } from '../../domain/withTimeout.ts';
import { writtenPhone } from '../../domain/writtenPhone.ts';
import { typedText } from '../../domain/typedText.ts';
import {
  askAtom,
  chatAtom,
  chatDraftAtom,
  hearAtom,
  isMenuKnownAtom,
  lastAnswerAtom,
  noteActAtom,
  putAnswerAtom,
  unansweredAtom,
  understandAtom,
  type ChatAct,
  type ChatAnswer,
  type ChatAsked,
  type ChatChoice,
} from '../../state/menu/chat.ts';
import { countryAtom } from '../../state/base/country.ts';
import { navigateAtom } from '../../state/first/seams.ts';
import { customerAtom } from '../../state/lib/forget.ts';
import { sentenceOf } from '../../state/base/popup.ts';
import { awaitMenuAtom } from '../../state/menu/menu.ts';
import { loadSearchAtom } from '../../state/menu/searched.ts';
import { isOfflineAtom } from '../../state/base/network.ts';
import { copyTextAtom } from '../../state/base/share.ts';

import { aboutAccount, toAccount } from './aboutAccount.ts';
import { aboutFood } from './aboutFood.ts';
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

const menu = (): ChatChoice => ({ label: t.dishMenu, path: '/menu' });
const toAddress = (): ChatChoice => ({ label: t.chooseAddress, path: '/postorder-ui/searchAddress' });
/** What leads on from a question that was not understood, by what it may be about. */
const LEADS: readonly (readonly [intents: readonly Intent[], choice: () => ChatChoice])[] = [
  [['where', 'late', 'notDelivered', 'code', 'promise'], () => ({ label: t.askWhere, act: { do: 'where' } })],
  [
    ['missing', 'cold', 'damaged', 'taste', 'wrong', 'rider', 'bill', 'payment'],
    () => ({ label: t.askWrong, act: { do: 'issues' } }),
  ],
  [['cancel'], () => ({ label: t.askCancel, act: { do: 'cancel' } })],
  [['note'], () => ({ label: t.askNote, act: { do: 'note' } })],
  [['address'], () => ({ label: t.askAddress, act: { do: 'address' } })],
  [['invoice', 'tax'], () => ({ label: t.askInvoice, act: { do: 'invoice' } })],
  [['refund'], () => ({ label: t.askRefund, act: { do: 'refund' } })],
  [['offers', 'coupon'], () => ({ label: t.askOffers, act: { do: 'offers' } })],
  [['hours', 'pickup'], () => ({ label: t.askHours, act: { do: 'hours' } })],
  [['contains', 'made', 'free', 'allergens'], () => ({ label: t.askAllergens, act: { do: 'allergens' } })],
  [['dish', 'find', 'cheap', 'spicy', 'serves', 'calories'], menu],
  [['place', 'fees', 'minimum'], toAddress],
  [['account', 'phone', 'erase', 'login', 'language'], toAccount],
  [['anew'], () => ({ label: t.anewDo, act: { do: 'anew' } })],
  [['again'], () => ({ label: reorderText.orderAgain, act: { do: 'again' } })],
  [['receiver'], () => ({ label: locationText.receiver, act: { do: 'receiver' } })],
  [['half'], () => ({ label: customiseText.halvesTitle, act: { do: 'half' } })],
  [['popular'], () => ({ label: firstText.bestsellers, act: { do: 'popular' } })],
  [['notices'], () => ({ label: privacyText.consents, act: { do: 'notices' } })],
  [['points'], () => ({ label: loyaltyText.title, act: { do: 'points' } })],
  [['wallet'], () => ({ label: paymentText.wallet, act: { do: 'wallet' } })],
  [['pays', 'payer'], () => ({ label: paymentText.title, act: { do: 'pays' } })],
  [['group'], () => ({ label: groupText.orderWithOthers, act: { do: 'group' } })],
  [['train'], () => ({ label: found.train, act: { do: 'train' } })],
  [['privacy'], () => ({ label: documents.privacy, path: '/privacy' })],
  [['history', 'rating'], () => ({ label: historyText.title, path: '/postorder-ui/orderHistory' })],
  [['stolen'], () => ({ label: accountText.devicesTitle, path: '/postorder-ui/profile/devices' })],
  [['recipe', 'party'], menu],
  [['law'], () => ({ label: documents.terms, path: '/terms' })],
];
const MOST_LEADS = 3;
function leadsOf({ get, act }: Desk): ChatChoice[] {
  const { likely } = get(understandAtom)(act.text ?? '');
  const leads = likely.flatMap((intent) =>
    LEADS.filter(([intents]) => (intents as readonly string[]).includes(intent)).map(([, lead]) => lead),
  );
  return [...new Set(leads)].slice(0, MOST_LEADS).map((lead) => lead());
}

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
function handOver(desk: Desk, lines: readonly string[], leads: readonly ChatChoice[] = []): ChatAnswer {
  const country = desk.get(countryAtom);
  const number = writtenPhone(country.HELP_DESK_NO, country);
  const summary = summaryOf(desk);
  return said(
    [...lines, summary === '' ? t.callOnly({ number }) : t.callUs({ number })],
    [...leads, { label: t.askMore, act: { do: 'able' } }],
    { summary },
  );
}

const ANSWERERS: Readonly<Record<string, Answerer>> = {
  ...aboutOrders,
  ...aboutHelp,
  ...aboutShop,
  ...aboutFood,
  ...aboutAccount,
  harm: (desk) => {
    const { emergencyNumber: emergency } = desk.get(countryAtom);
    return {
      ...handOver(desk, [t.harm({ emergency })], [{ label: t.askAllergens, act: { do: 'allergens' } }]),
      emergency,
    };
  },
  kitchen: (desk) => handOver(desk, [t.kitchen]),
  access: (desk) => handOver(desk, [t.access]),
  person: (desk) => handOver(desk, []),
  beyond: (desk) => {
    const leads = leadsOf(desk);
    return handOver(desk, leads.length > 0 ? [t.unsure] : [t.cannot], leads);
  },
  hello: () => said([t.hello], starters()),
  thanks: () => said([t.thanks]),
  able: () => said([t.able], starters()),
  yes: () => said([t.able], starters()),
  no: () => said([t.kept], [{ label: t.askMore, act: { do: 'able' } }]),
};

/** A dish that is not on the menu is named in few words; what is longer is a question that is not understood. */
const DISH_WORDS_MOST = 2;
/** Said in few words, these are no note but what the customer wants now. */
const OTHER_WISHES: ReadonlySet<string> = new Set(['cancel', 'where', 'refund', 'invoice']);
const WISH_WORDS_MOST = 4;
/** Whether a text may answer what was asked last: a note or a message to the rider is any text, a dish is no other question. */
function answersIt(asks: ChatAct, { intent, isName, rest, place }: Heard, text: string): boolean {
  if (asks.do === 'noteSure') return intent !== 'no';
  if (asks.do === 'notePut')
    return (
      intent !== 'no' && !(intent !== null && OTHER_WISHES.has(intent) && text.split(/\s+/).length <= WISH_WORDS_MOST)
    );
  if (asks.do === 'place') return intent === null && place !== '';
  if (intent === 'dish') return isName;
  const count = rest === '' ? 0 : rest.split(' ').length;
  return intent === null && count > 0 && count <= DISH_WORDS_MOST;
}
const labelOf = (text: string) => typedText(text).toLowerCase();

/** The button of the last answer whose words, or whose meaning, are typed. It does what pressing it does. */
const pressedBy = (last: ChatAnswer | null, is: (choice: ChatChoice) => boolean) => last?.choices.find(is);
const isSaidBy = (text: string) => (choice: ChatChoice) => labelOf(choice.label) === labelOf(text);

/** What a typed text asks for, after the answer that it follows. */
const actOfAtom = atom(null, (get, _set, { id, act }: ChatAsked): ChatAct => {
  const text = act.text ?? '';
  const entries = get(chatAtom);
  const before = entries[entries.findIndex((entry) => entry.id === id) - 1];
  const last = before?.by === 'assistant' ? before : null;
  const heard = get(understandAtom)(text);
  const meant = pressedBy(last, (choice) => choice.is !== undefined && choice.is === heard.intent);
  if (meant?.act) return meant.act;
  const { asks } = last ?? {};
  if (asks && answersIt(asks, heard, typedText(text))) return { ...asks, text };
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

/** Whether the answer is about food, or may be: it needs the menu. */
const isOfFood = (what: string): boolean => what === 'typed' || what in aboutFood;
/** Whether the answer depends on the words of the text: which dish or place is meant, or what it may be about. */
const isOfWords = (what: string): boolean => isOfFood(what) || what === 'place' || what === 'beyond';
/** Longer than this no question waits for the menu and its words. */
const MENU_WAIT_MS = 15_000;
const awaitFoodAtom = atom(null, async (get, set): Promise<void> => {
  if (get(isMenuKnownAtom)) return;
  const coming = Promise.all([set(loadSearchAtom), set(awaitMenuAtom)]);
  await withTimeout(coming, MENU_WAIT_MS).catch(() => undefined);
});

/** @throws Failure where it is about food, or nothing known, and the menu did not come: that is no "nothing found" */
const answerAtom = atom(null, async (get, set, asked: ChatAsked): Promise<ChatAnswer> => {
  let desk: Desk = { get, set, act: asked.act, opened: get(openedHeldAtom) };
  try {
    const isTyped = asked.act.do === 'typed';
    await Promise.all([
      isOfFood(asked.act.do) && set(awaitFoodAtom),
      isOfWords(asked.act.do) && set(hearAtom, asked.act.text ?? ''),
    ]);
    const act = isTyped ? set(actOfAtom, asked) : asked.act;
    if (!get(isMenuKnownAtom) && (act.do in aboutFood || act.do === 'beyond'))
      throw new Failure(get(isOfflineAtom) ? 'offline' : 'timeout');
    if (isTyped) set(noteActAtom, asked.id, act);
    desk = { ...desk, act };
    return await (ANSWERERS[act.do] ?? ANSWERERS['beyond']!)(desk);
  } catch (thrown) {
    return failed(desk, isFailure(thrown) ? thrown : new Failure('broken', { cause: thrown }));
  }
});

/** Answers all that was asked, one after the other: what is typed meanwhile waits for its turn. */
const answerAllAtom = atom(null, async (get, set): Promise<void> => {
  if (get(isAnsweringHeldAtom)) return;
  set(isAnsweringHeldAtom, true);
  try {
    for (let asked = get(unansweredAtom)[0]; asked; asked = get(unansweredAtom)[0])
      set(putAnswerAtom, asked.id, await set(answerAtom, asked));
  } finally {
    set(isAnsweringHeldAtom, false);
  }
});

/** Opens the chat where it was left; what had no answer yet gets it now. */
export const openChatAtom = atom(null, (_get, set, orderId: string): void => {
  set(openedHeldAtom, orderId);
  // Without the words of the menu it still knows everything about orders.
  set(loadSearchAtom).catch(() => undefined);
  void set(answerAllAtom);
});

/** Asks what is typed; the field is empty then. A button's own words do what the button does. */
export const sendAtom = atom(null, (get, set): void => {
  const text = typedText(get(chatDraftAtom));
  if (text === '') return;
  set(chatDraftAtom, '');
  const pressed = pressedBy(get(lastAnswerAtom), isSaidBy(text));
  if (pressed?.path !== undefined) return get(navigateAtom).go(pressed.path);
  set(askAtom, text, pressed?.act ?? { do: 'typed', text });
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
