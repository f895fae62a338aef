import { atom } from 'jotai';
import * as z from 'zod/mini';
import { Issue, MoneyWay } from '../../contract/help.ts';
import type { MenuItem } from '../../contract/menu.ts';
import { understand, type Heard } from '../../contract/chat.ts';
import { verdictOf, type Thing } from '../../domain/chat/verdict.ts';
import { newId } from '../first/lib/ids.ts';
import { kept } from '../first/lib/kept.ts';
import { menuAtom } from '../first/menu.ts';
import { apiAtom } from '../first/seams.ts';
import { customerAtom } from '../lib/forget.ts';
import { indexingAtom, searchUnitAtom } from './searched.ts';

// The conversation with the assistant. It stands on this device alone, until it is closed or the customer logs out.

/** What the assistant is asked to do: what was understood, with what has been chosen since. */
export const ChatAct = z.object({
  /** An intent of src/domain/chat, or a step after it; `typed`: text that is still to be understood. */
  do: z.string(),
  /** What was typed. */
  text: z.optional(z.string()),
  orderId: z.optional(z.string()),
  issue: z.optional(Issue),
  lineId: z.optional(z.string()),
  /** A dish that was chosen of several that `text` may mean. */
  dishId: z.optional(z.string()),
  way: z.optional(MoneyWay),
  /** The same for every try, so that whatever it does is done once. */
  key: z.optional(z.string()),
});
export type ChatAct = z.output<typeof ChatAct>;

/** A button below an answer: it asks for something, or leads somewhere. */
const ChatChoice = z.object({
  label: z.string(),
  act: z.optional(ChatAct),
  /** A path of the app. */
  path: z.optional(z.string()),
  /** What typing yes or no means. */
  is: z.optional(z.enum(['yes', 'no'])),
});
export type ChatChoice = z.output<typeof ChatChoice>;

const Asked = z.object({ by: z.literal('customer'), id: z.string(), text: z.string(), act: ChatAct });
const Answered = z.object({
  by: z.literal('assistant'),
  id: z.string(),
  /** The id of what it answers. */
  to: z.string(),
  lines: z.array(z.string()),
  choices: z.array(ChatChoice),
  /** What the next typed text goes on with. */
  asks: z.optional(ChatAct),
  /** The order that it is about, in words for whoever is called. */
  about: z.optional(z.string()),
  /** What was said, to be read out to whoever is called: the conversation is handed over. */
  summary: z.optional(z.string()),
  /** A number that is to be called before the shop's. */
  emergency: z.optional(z.string()),
});
export type ChatAnswer = Omit<z.output<typeof Answered>, 'by' | 'id' | 'to'>;
const Entry = z.discriminatedUnion('by', [Asked, Answered]);
export type ChatEntry = z.output<typeof Entry>;
export type ChatAsked = z.output<typeof Asked>;

/** The oldest lines go first: nobody scrolls back farther. */
const MOST = 120;

const NOTHING: ChatEntry[] = [];
export const chatAtom = kept<ChatEntry[]>({
  key: 'chat',
  schema: z.array(Entry),
  initial: NOTHING,
  forget: 'logout',
});

/** What is being typed. */
export const chatDraftAtom = kept({ key: 'chat-draft', schema: z.string(), initial: '', forget: 'logout' });

/** What waits for its answer, the oldest first. */
export const unansweredAtom = atom((get): ChatAsked[] => {
  const entries = get(chatAtom);
  const done = new Set(entries.map((entry) => (entry.by === 'assistant' ? entry.to : '')));
  return entries.filter((entry): entry is ChatAsked => entry.by === 'customer' && !done.has(entry.id));
});

/** The last answer, if nothing has been asked since: only its buttons can be pressed. */
export const lastAnswerAtom = atom((get) => {
  const entries = get(chatAtom);
  const last = entries[entries.length - 1];
  return last?.by === 'assistant' ? last : null;
});

export const askAtom = atom(null, (_get, set, text: string, act: ChatAct): void =>
  set(chatAtom, (entries) => [...entries, { by: 'customer' as const, id: newId(), text, act }].slice(-MOST)),
);

/** Puts an answer below the conversation, unless that was closed meanwhile. */
export const putAnswerAtom = atom(null, (get, set, to: string, answer: ChatAnswer): void => {
  if (!get(chatAtom).some(({ id }) => id === to)) return;
  set(chatAtom, (entries) => [...entries, { by: 'assistant' as const, id: newId(), to, ...answer }].slice(-MOST));
});

/** Notes what a typed text was understood as. */
export const noteActAtom = atom(null, (_get, set, id: string, act: ChatAct): void =>
  set(chatAtom, (entries) =>
    entries.map((entry) => (entry.by === 'customer' && entry.id === id ? { ...entry, act } : entry)),
  ),
);

export const closeChatAtom = atom(null, (_get, set): void => {
  set(chatAtom, NOTHING);
  set(chatDraftAtom, '');
});

/** Without the words of the menu, or with no dish on it, nothing can be said of food. */
export const isMenuKnownAtom = atom((get) => get(searchUnitAtom) !== null && get(menuAtom).items.length > 0);

const NOTHING_FOUND = { hits: [], near: [], cautions: [], unknown: [], missed: [] };
/** The whole menu as it is searched and talked about; nothing of it while the search is not there. */
export const chatMenuAtom = atom((get) => {
  const search = get(searchUnitAtom);
  const index = get(indexingAtom)?.(get(menuAtom).items);
  if (!search || !index) return { find: () => NOTHING_FOUND, verdictOf: () => 'unnamed' as const };
  return {
    find: (query: string, most: number) => search.find(index, query, most),
    verdictOf: ({ id }: MenuItem, meaning: Thing['meaning']) =>
      verdictOf(
        index.rows.find(({ item }) => item.id === id)!,
        meaning,
      ),
  };
});

const NOTHING_HEARD: Heard = {
  ...{ intent: null, likely: [], isName: false, rest: '', place: '' },
  ...{ dishes: [], things: [], unknown: [], without: '', facts: [], query: '' },
};
const heardHeldAtom = customerAtom<ReadonlyMap<string, Heard>>(new Map());
/** What was understood of a text that has been heard. */
export const understandAtom = atom((get) => {
  const heard = get(heardHeldAtom);
  return (text: string): Heard => heard.get(text) ?? NOTHING_HEARD;
});
/** What a text says of food, with the dishes of this menu. */
export const foodAtom = atom((get) => {
  const hear = get(understandAtom);
  const { items } = get(menuAtom);
  return (text: string) => {
    const { dishes, things, ...food } = hear(text);
    return {
      ...food,
      things: things as readonly Thing[],
      dishes: items.filter(({ id }) => dishes.includes(id)),
    };
  };
});
/** Has the server understand a text, which knows the words of all languages. @throws Failure */
export const hearAtom = atom(null, async (get, set, text: string): Promise<void> => {
  if (text === '' || get(heardHeldAtom).has(text)) return;
  const { heard } = await get(apiAtom).call(understand, { body: { text } });
  set(heardHeldAtom, (all) => new Map(all).set(text, heard));
});
