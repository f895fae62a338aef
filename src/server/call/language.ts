// Server messages in the caller's language. A rule just writes `errors.otpWrong`; the request decides which language
// that is.
import { AsyncLocalStorage } from 'node:async_hooks';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import * as englishAssistants from '#text/assistants.ts';
import * as englishBuild from '#text/build.ts';
import * as englishDocuments from '#text/documents.ts';
import * as englishErrors from '#text/errors.ts';
import * as englishFound from '#text/found.ts';
import * as englishInvoice from '#text/invoice.ts';
import * as englishOrders from '#text/orders.ts';
import * as englishRailway from '#text/railway.ts';
import * as englishServer from '#text/server.ts';
import * as englishShop from '#text/shop.ts';
import type { Money } from '../../contract/money.ts';
import { dayText as dayIn } from '../../domain/hours.ts';
import { formatMoney as moneyIn, type MoneyStyle } from '../../domain/money.ts';
import { compile, type Sentences } from '../../text/compile.ts';
import type { SentencesOf } from '../../text/spoken.ts';

/** The catalogues that the server uses. Copied: to read a module's export by its name takes ten times as long, and a price has many. */
const ENGLISH = {
  assistants: { ...englishAssistants },
  build: { ...englishBuild },
  documents: { ...englishDocuments },
  errors: { ...englishErrors },
  found: { ...englishFound },
  invoice: { ...englishInvoice },
  orders: { ...englishOrders },
  railway: { ...englishRailway },
  server: { ...englishServer },
  shop: { ...englishShop },
};
/** The language used when no other is asked for. */
const REFERENCE = 'en';
const FOLDER = path.resolve(import.meta.dirname, '../../text');

type Name = keyof typeof ENGLISH;
type Catalogue = Readonly<Record<string, unknown>>;
const asked = new AsyncLocalStorage<string>();

async function read(language: string, name: string): Promise<Sentences> {
  const text = readFile(path.join(FOLDER, language, `${name}.json`), 'utf8');
  return JSON.parse(language === REFERENCE ? await text : await text.catch(() => '{}')) as Sentences;
}

/** Compiles a catalogue the same way as for the pages. What a language lacks is said in English: the build has refused it, except for development. */
async function load(language: string, name: string): Promise<Catalogue> {
  const [reference, sentences] = await Promise.all([read(REFERENCE, name), read(language, name)]);
  const source = compile({ name, language, reference, sentences, isTyped: false, isDraft: true });
  return { ...((await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(source)}`)) as Catalogue) };
}

/** Loads all languages besides English that have a folder: by language, then by catalogue. */
async function loadAll(): Promise<ReadonlyMap<string, ReadonlyMap<string, Catalogue>>> {
  const entries = await readdir(FOLDER, { withFileTypes: true });
  const languages = entries.filter((entry) => entry.isDirectory() && !['made', REFERENCE].includes(entry.name));
  const whole = async (language: string) =>
    new Map(await Promise.all(Object.keys(ENGLISH).map(async (name) => [name, await load(language, name)] as const)));
  return new Map(await Promise.all(languages.map(async ({ name }) => [name, await whole(name)] as const)));
}

const others = await loadAll();

/** The first language in the caller's list that we have; English when there is none. */
export function languageFor(wanted: readonly string[]): string {
  const plain = wanted.map((one) => one.split('-')[0]!.toLowerCase());
  return plain.find((one) => one === REFERENCE || others.has(one)) ?? REFERENCE;
}

/** Runs `act` so that all texts it reads are in this language, also after an `await`. */
export function inLanguage<T>(language: string, act: () => T): T {
  return asked.run(language, act);
}

/** The language of the current request; for code that sends something to the same caller later. */
export function languageAsked(): string {
  return asked.getStore() ?? REFERENCE;
}

/** Texts of a country's data, in the language of the request where they are translated. */
export const translated = <T>(own: T, byLanguage: Readonly<Record<string, T>> | undefined): T =>
  byLanguage?.[languageAsked()] ?? own;

interface LocaleStyle {
  readonly locale: string;
  /** By language; without it there is only `locale`. */
  readonly locales?: Readonly<Record<string, string>>;
}
const localeOf = ({ locale, locales }: LocaleStyle): string => locales?.[languageAsked()] ?? locale;

/** Amounts that were written before: a cart's sentences name the same few again and again, and writing one takes long. */
const amounts = new Map<string, string>();
const AMOUNTS_KEPT = 2_000;

/** An amount as the country writes it in the language of the request. */
export function formatMoney(amount: Money, style: MoneyStyle & LocaleStyle): string {
  const { CURRENCY_CODE, CURRENCY_SYMBOL } = style;
  const locale = localeOf(style);
  const key = `${locale} ${CURRENCY_CODE} ${CURRENCY_SYMBOL} ${amount}`;
  let text = amounts.get(key);
  if (text === undefined) {
    if (amounts.size >= AMOUNTS_KEPT) amounts.clear();
    amounts.set(key, (text = moneyIn(amount, { CURRENCY_CODE, CURRENCY_SYMBOL, locale })));
  }
  return text;
}

/** A day in short, as the country writes it in the language of the request. */
export const dayText = (at: number, { timeZone, ...style }: LocaleStyle & { readonly timeZone: string }): string =>
  dayIn(at, { timeZone, locale: localeOf(style) });

/** A day with its year, for what is kept for long. */
export const dateText = (at: number, { timeZone, ...style }: LocaleStyle & { readonly timeZone: string }): string =>
  new Date(at).toLocaleDateString(localeOf(style), { dateStyle: 'long', timeZone });

/** A catalogue that is read in the language of the request, or in English outside a request. */
function spoken<N extends Name>(name: N): SentencesOf<(typeof ENGLISH)[N]> {
  return new Proxy({} as SentencesOf<(typeof ENGLISH)[N]>, {
    get: (_, key) => Reflect.get(others.get(languageAsked())?.get(name) ?? ENGLISH[name], key) as unknown,
  });
}

export const assistants = spoken('assistants');
export const documents = spoken('documents');
export const errors = spoken('errors');
export const invoice = spoken('invoice');
export const build = spoken('build');
export const orders = spoken('orders');
export const found = spoken('found');
export const railway = spoken('railway');
export const shop = spoken('shop');
export const t = spoken('server');
