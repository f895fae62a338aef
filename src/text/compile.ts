// Compiles sentences in ICU MessageFormat to modules with one binding per key, so that pages parse nothing at run time.
// src/decisions/2026-11-22-sentences.md says which library parses them, and why.
import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';

/** The content of one file of a language's folder: sentences by key. */
export type Sentences = Readonly<Record<string, string>>;

/**
 * What a placeholder takes: text, a number, a function that wraps text in an element, or one of the cases of a select.
 */
type Kind = 'text' | 'number' | 'element' | readonly string[];

/**
 * `{time, number, digits}`: a text such as '6:30' or '3-4', whose digits are written as the language writes them. For
 * those who type or read out what stands there, such as codes and phone numbers, digits stay as they are: `{code}`.
 */
const DIGITS = 'digits';

interface Message {
  readonly elements: readonly MessageFormatElement[];
  readonly kinds: ReadonlyMap<string, Kind>;
}

export interface Compilation {
  /** The catalogue's name: cart for en/cart.json. */
  readonly name: string;
  /** The folder's name: en, hi, pt-BR. */
  readonly language: string;
  /** The same catalogue in the language that the code is written against; it decides which keys exist. */
  readonly reference: Sentences;
  readonly sentences: Sentences;
  /** Whether to write TypeScript types; the code is checked against them. */
  readonly isTyped: boolean;
  /** In development a sentence that is not translated yet is said as the reference says it. */
  readonly isDraft?: boolean | undefined;
}

const RESERVED = new Set(
  'await break case catch class const continue debugger default delete do else enum export extends false finally for function if import in instanceof let new null return static super switch this throw true try typeof var void while with yield arguments eval plural digits'.split(
    ' ',
  ),
);

/** Returns the source text of one catalogue's module. @throws Error that names every wrong key */
export function compile({ name, language, reference, sentences: own, isTyped, isDraft = false }: Compilation): string {
  const sentences = isDraft && own !== reference ? { ...reference, ...own } : own;
  const wrong = reference === sentences ? problemsOf(sentences, language) : differences(reference, sentences, language);
  if (wrong.length > 0) throw new Error(wrong.map((one) => `${language}/${name}.json: ${one}`).join('\n'));
  const writer = writerOf(language);
  const lines = Object.keys(reference).map(
    (key) => `export const ${key} = ${writer.value(messageOf(sentences[key]!), isTyped)};`,
  );
  const head = isTyped ? [`// Made from ${language}/${name}.json by \`npm run texts\`.`] : [];
  return `${[...head, ...writer.constants(), ...lines].join('\n')}\n`;
}

/** Mistakes of one catalogue by itself. */
function problemsOf(sentences: Sentences, language: string): string[] {
  return Object.entries(sentences).flatMap(([key, sentence]) => {
    if (!/^[a-z][A-Za-z0-9]*$/.test(key) || RESERVED.has(key)) return [`${key} is no name of a key`];
    if (typeof sentence !== 'string' || sentence.trim() === '') return [`${key} says nothing`];
    try {
      writerOf(language).value(messageOf(sentence), false);
      return [];
    } catch (error) {
      return [`${key}: ${(error as Error).message}`];
    }
  });
}

/** Keys that are not translated yet. */
export const missingIn = (reference: Sentences, sentences: Sentences): string[] =>
  Object.keys(reference).filter((key) => !(key in sentences));

/**
 * Mistakes of a translation: missing keys, unknown keys, and sentences whose placeholders differ from the reference.
 */
export function differences(reference: Sentences, sentences: Sentences, language: string): string[] {
  const missing = missingIn(reference, sentences);
  const unknown = Object.keys(sentences).filter((key) => !(key in reference));
  const broken = problemsOf(sentences, language);
  const shared = broken.length > 0 ? [] : Object.keys(reference).filter((key) => key in sentences);
  return [
    ...missing.map((key) => `${key} is missing`),
    ...unknown.map((key) => `${key} is no key of en`),
    ...broken,
    ...shared.flatMap((key) => {
      const [wanted, given] = [signatureOf(reference[key]!), signatureOf(sentences[key]!)];
      return wanted === given ? [] : [`${key} takes ${given || 'nothing'}, and en takes ${wanted || 'nothing'}`];
    }),
  ];
}

function signatureOf(sentence: string): string {
  return [...messageOf(sentence).kinds]
    .map(([name, kind]) => `${name}: ${typeof kind === 'string' ? kind : [...kind].sort().join(' or ')}`)
    .sort()
    .join(', ');
}

function messageOf(sentence: string): Message {
  const elements = parse(sentence, { captureLocation: false, shouldParseSkeletons: false });
  const kinds = new Map<string, Kind>();
  collect(elements, kinds);
  return { elements, kinds };
}

function collect(elements: readonly MessageFormatElement[], kinds: Map<string, Kind>): void {
  const note = (name: string, kind: Kind) => {
    const known = kinds.get(name);
    if (known !== undefined && String(known) !== String(kind))
      throw new Error(`{${name}} is ${String(known)} and ${String(kind)}`);
    kinds.set(name, kind);
  };
  for (const element of elements) {
    switch (element.type) {
      case TYPE.literal:
      case TYPE.pound:
        break;
      case TYPE.argument:
        note(element.value, 'text');
        break;
      case TYPE.number:
        if (element.style && element.style !== DIGITS) throw new Error(`{${element.value}, number} takes no style`);
        note(element.value, element.style === DIGITS ? 'text' : 'number');
        break;
      case TYPE.plural:
        if (element.offset || element.pluralType !== 'cardinal') throw new Error('only plain plurals are known');
        note(element.value, 'number');
        for (const option of Object.values(element.options)) collect(option.value, kinds);
        break;
      case TYPE.select:
        note(element.value, casesOf(element.options));
        for (const option of Object.values(element.options)) collect(option.value, kinds);
        break;
      case TYPE.tag:
        note(element.value, 'element');
        collect(element.children, kinds);
        break;
      default:
        throw new Error(`{${element.value}} is a date or a time: these come formatted`);
    }
  }
}

type Options = Readonly<Record<string, { readonly value: readonly MessageFormatElement[] }>>;

/** An empty `other` case means that the named cases are the only ones. */
const isClosed = (options: Options) => options['other']!.value.length === 0;
const casesOf = (options: Options) => Object.keys(options).filter((name) => name !== 'other' || !isClosed(options));

const TYPES = { text: 'string', number: 'number', element: '(inner: string) => string' };
const typeOf = (kind: Kind) =>
  typeof kind === 'string'
    ? TYPES[kind]
    : kind.map((name) => (name === 'other' ? '(string & {})' : quoted(name))).join(' | ');

const quoted = (text: string) => `'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`;
const inTemplate = (text: string) => text.replace(/[\\`]|\$(?=\{)/g, '\\$&');

/** Whether this language tells one from many as English does. Then a plain comparison is enough. */
function isOneOrMany(rules: Intl.PluralRules): boolean {
  return [...Array(1_001).keys(), 1_000_000].every((count) => rules.select(count) === (count === 1 ? 'one' : 'other'));
}

interface Grammar {
  readonly pluralForms: readonly string[];
  readonly isPlain: boolean;
  readonly hasOwnDigits: boolean;
}
const grammars = new Map<string, Grammar>();

/** What a language's numbers need. Found once for each language, since asking for a thousand plural forms takes long. */
function grammarOf(language: string): Grammar {
  const known = grammars.get(language);
  if (known !== undefined) return known;
  const rules = new Intl.PluralRules(language);
  const grammar = {
    pluralForms: rules.resolvedOptions().pluralCategories,
    isPlain: isOneOrMany(rules),
    hasOwnDigits: new Intl.NumberFormat(language).resolvedOptions().numberingSystem !== 'latn',
  };
  grammars.set(language, grammar);
  return grammar;
}

/** Writes the messages of one language as expressions, and records which helper constants they need. */
function writerOf(language: string) {
  const { pluralForms, isPlain, hasOwnDigits } = grammarOf(language);
  const used = new Set<'plural' | 'digits'>();

  const number = (name: string) => {
    if (!hasOwnDigits) return `p.${name}`;
    used.add('digits');
    return `digits.format(p.${name})`;
  };

  const ownDigits = (name: string) => {
    if (!hasOwnDigits) return `p.${name}`;
    used.add('digits');
    return `String(p.${name}).replace(/\\d/g, digits.format)`;
  };

  const condition = (name: string, rule: string) => {
    if (rule.startsWith('=')) return `p.${name} === ${Number(rule.slice(1))}`;
    if (!pluralForms.includes(rule)) throw new Error(`${language} has no plural form '${rule}'`);
    if (isPlain) return `p.${name} === 1`;
    used.add('plural');
    return `plural.select(p.${name}) === '${rule}'`;
  };

  /** `counted` is the name of the number that `#` stands for. */
  const one = (element: MessageFormatElement, counted: string): string => {
    switch (element.type) {
      case TYPE.argument:
        return `p.${element.value}`;
      case TYPE.number:
        return element.style === DIGITS ? ownDigits(element.value) : number(element.value);
      case TYPE.pound:
        return number(counted);
      case TYPE.plural: {
        const rest = Object.entries(element.options).filter(([rule]) => rule !== 'other');
        const last = text(element.options['other']!.value, element.value);
        return choice(
          rest.map(([rule, { value }]) => [condition(element.value, rule), text(value, element.value)]),
          last,
        );
      }
      case TYPE.select: {
        const cases = casesOf(element.options).filter((name) => name !== 'other');
        const open = !isClosed(element.options);
        const last = text(element.options[open ? 'other' : cases.at(-1)!]!.value, counted);
        return choice(
          (open ? cases : cases.slice(0, -1)).map((name) => [
            `p.${element.value} === ${quoted(name)}`,
            text(element.options[name]!.value, counted),
          ]),
          last,
        );
      }
      case TYPE.tag:
        return `p.${element.value}(${text(element.children, counted)})`;
      default:
        throw new Error('a literal is no value');
    }
  };

  const text = (elements: readonly MessageFormatElement[], counted: string): string => {
    if (elements.every((element) => element.type === TYPE.literal))
      return quoted(elements.map((element) => element.value).join(''));
    const [only] = elements;
    // A plural, a select or a tag is already text. A value needs a template around it, because it may be an element
    // that stands in for text (ui/rich.ts).
    if (elements.length === 1 && [TYPE.plural, TYPE.select, TYPE.tag].includes(only!.type)) return one(only!, counted);
    return `\`${elements.map((element) => (element.type === TYPE.literal ? inTemplate(element.value) : `\${${one(element, counted)}}`)).join('')}\``;
  };

  return {
    value({ elements, kinds }: Message, isTyped: boolean): string {
      const body = text(elements, '');
      if (kinds.size === 0) return body;
      const types = [...kinds].map(([name, kind]) => `${name}: ${typeOf(kind)}`).join('; ');
      return isTyped ? `(p: { ${types} }): string => ${body}` : `(p) => ${body}`;
    },
    constants: () => [
      ...(used.has('plural') ? [`const plural = new Intl.PluralRules('${language}');`] : []),
      ...(used.has('digits') ? [`const digits = new Intl.NumberFormat('${language}', { useGrouping: false });`] : []),
    ],
  };
}

function choice(cases: readonly (readonly [condition: string, text: string])[], last: string): string {
  if (cases.length === 0) return last;
  return `(${cases.map(([condition, text]) => `${condition} ? ${text} : `).join('')}${last})`;
}
