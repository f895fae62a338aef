import { countries } from '../../../../country/index.ts';
import { inLatinDigits } from '../../../domain/typedText.ts';
import { NEAR_WORDS } from '../../../domain/doorText.ts';
import { placeWords } from './scripts.ts';

// What a whole address has beside its place: its postcode in all the ways in which people write one, and a landmark.

/** A postcode in a text; `code` is as the places have it. */
export interface TypedPostcode {
  readonly start: number;
  readonly end: number;
  readonly code: string;
}

const LABEL =
  /(?:(?<!\p{L})(?:p\.?i\.?n\.?|post(?:al)?|zip)[\s.-]{0,3}(?:code)?[\s.-]{0,3}(?:no|number)?|(?:पिन|পিন|পোস্ট|পোস্টাল|పిన్|ಪಿನ್|પિન|പിൻ|ਪਿੰਨ|පින්|තැපැල්|பின்|அஞ்சல்)[\s-]{0,3}(?:कोड|नंबर|কোড|కోడ్|ಕೋಡ್|કોડ|കോഡ്|ਕੋਡ|කේතය|අංකය|கோடு|குறியீடு|எண்)?)[\s.:#=–-]{0,6}(?=\d)/giu;
/** What stands before a phone number, up to it. */
const PHONE_LABEL =
  /(?<![\p{L}\p{M}])(?:ph|phone|mob|mobile|tel|cell|call|contact|whatsapp|फ़?ोन|मोबाइल|ফোন|মোবাইল|দূরালাপনী|දු\.?\s?ක|දුරකථන(?:ය|යෙන්)?|தொ\.?\s?பே|தொலைபேசி)(?:\s{0,2}(?:me|us|on|at|no|number)){0,3}[\s.:#-]{0,4}$/iu;
const PREFIXES: ReadonlySet<string> = new Set(
  countries.flatMap(({ dialPrefix }) => [dialPrefix.slice(1), `00${dialPrefix.slice(1)}`]),
);
const PHONE_LABEL_AT_MOST = 30;
/** How people part the digits of a phone number; one that begins with a country's prefix, a 0 or a word for it has more. */
const PHONE_SHAPES = /^(?:5 5|9|1[0-2])$/;
const SURE_PHONE_SHAPES = /^(?:5 [56]|9|1[0-3]|3 [78]|4 [67]|2 8|3 3 4|3 4 [34]|4 3 [34]|2 3 4|2 7)$/;
/** The country at the end is no part of the address as we know it. */
const COUNTRY = /([,\d]\s{0,3})(?:india|bharat|bangladesh|sri\s?lanka|भारत|বাংলাদেশ|ශ්‍රී\s?ලංකාව|இலங்கை|இந்தியா)[\s.]{0,9}$/iu;
/** In two halves, as on an envelope: 560 038. */
const HALVES = /(?<![\d/])(\d{3})[\s.-]{1,3}(\d{3})(?![\d/])/g;
const WHOLE = /(?<![\d/])\d{4,6}(?![\d/])/g;

/** What people write around an address in a message. */
const ASIDES: readonly RegExp[] = [
  /^[\s,.!]{0,9}(?:hi|hello|hey|machan|namaste|नमस्ते|নমস্কার|வணக்கம்|ayubowan)(?![\p{L}\p{M}-]|\s?tec)[\s,.!]{0,9}/iu,
  /(?<![\p{L}\p{M}])(?:(?:pls|plz|please|kindly)\s{1,3})?(?:deliver|send|bring)(?:\s{1,3}it)?\s{1,3}(?:to|at)(?![\p{L}\p{M}])/giu,
  /(?<![\p{L}\p{M}])(?:(?:my|full|delivery|home|office)\s{1,3})?(?:address|addr|add|location|पता|ঠিকানা|ලිපිනය|முகவரி)(?:\s{1,3}is)?(?=[\s*_]{0,3}[:=\u2013-])/giu,
  /(?<![\p{L}\p{M}])(?:(?:ship|bill|deliver|sold)\s{0,3}to|name|recipient|consignee|attn)(?=[\s*_]{0,3}[:=\u2013-])/giu,
  /(?<![\p{L}\p{M}])my\s{1,3}(?:address|location)(?:\s{1,3}is)?(?![\p{L}\p{M}])/giu,
  /(?<![\p{L}\p{M}])(?:pls|plz|please|kindly)(?![\p{L}\p{M}])/giu,
  /(?<![\p{L}\p{M}])(?:call|ring|knock|msg|message|whatsapp)(?:\s{1,3}(?:me|us|the\s{1,3}bell|bell|when|once|before|after|on|at\s{1,3}the\s{1,3}gate|if|u|you|reach|reached|reaching|coming|come|here|delivery|arrival|this\s{1,3}number)(?![\p{L}\p{M}])){1,9}/giu,
  /(?<![\p{L}\p{M}])call(?=\s{0,9}(?:$|[,;.\n]))/giu,
];

const blank = (text: string) => ' '.repeat(text.length);

/** The text without phone numbers, and without the words that say that one follows; every other sign stays where it was. */
function withoutPhones(text: string): string {
  const groups = [...inLatinDigits(text).matchAll(/\d+/g)].map(({ 0: own, index }) => ({
    own,
    from: index,
    to: index + own.length,
  }));
  let rest = text;
  for (let at = 0; at < groups.length; at += 1) {
    const first = groups[at]!;
    const isAbroad = text[first.from - 1] === '+';
    const label = PHONE_LABEL.exec(
      text.slice(Math.max(0, first.from - PHONE_LABEL_AT_MOST), first.from - (isAbroad ? 1 : 0)),
    );
    if (/[\d/]/.test(text[first.from - 1] ?? '')) continue;
    // The longest stretch of groups, each one sign behind the other, that is written like a phone number.
    for (let to = Math.min(at + 3, groups.length - 1); to >= at; to -= 1) {
      const own = groups.slice(at, to + 1);
      if (own.some((group, index) => index > 0 && !/^[\s-]$/.test(text.slice(own[index - 1]!.to, group.from))))
        continue;
      const isPrefixed = own.length > 1 && PREFIXES.has(first.own);
      const shape = (isPrefixed ? own.slice(1) : own).map((group) => group.own.length).join(' ');
      if (
        !(isAbroad || isPrefixed || label || first.own.startsWith('0') ? SURE_PHONE_SHAPES : PHONE_SHAPES).test(shape)
      )
        continue;
      const from = first.from - (isAbroad ? 1 : 0) - (label?.[0].length ?? 0);
      const end = own.at(-1)!.to;
      rest = rest.slice(0, from) + blank(rest.slice(from, end)) + rest.slice(end);
      at = to;
      break;
    }
  }
  return rest;
}

/**
 * Finds postcodes, and blanks the words that say that one follows, phone numbers, the country and what is said around an
 * address; every other sign stays where it was.
 * @param isKnown whether a place has this postcode; a number behind "PIN" is one in any case
 */
export function postcodesIn(
  typed: string,
  isKnown: (code: string) => boolean,
): { readonly text: string; readonly codes: readonly TypedPostcode[] } {
  const labelled = new Set<number>();
  const spoken = ASIDES.reduce((text, aside) => text.replace(aside, blank), withoutPhones(typed)).replace(
    COUNTRY,
    (whole, before: string) => before + blank(whole.slice(before.length)),
  );
  const digits = inLatinDigits(spoken);
  let text = spoken;
  for (const { 0: label, index } of digits.matchAll(LABEL)) {
    labelled.add(index + label.length);
    text = text.slice(0, index) + blank(label) + text.slice(index + label.length);
  }
  const codes: TypedPostcode[] = [];
  const take = (start: number, written: string, code: string) => {
    const end = start + written.length;
    if (codes.some((one) => start < one.end && one.start < end)) return;
    if (labelled.has(start) || isKnown(code)) codes.push({ start, end, code });
  };
  for (const { 0: written, 1: one, 2: two, index } of digits.matchAll(HALVES)) take(index, written, `${one}${two}`);
  for (const { 0: written, index } of digits.matchAll(WHOLE)) take(index, written, written);
  return { text, codes };
}

interface Word {
  readonly word: string;
  /** The number of the part of the address, between commas, that it stands in. */ readonly part: number;
}
/** A landmark's words, from the first to the last one; after the `sure` ones the area may come, where no comma stands. */
export interface Landmark {
  readonly from: number;
  readonly to: number;
  readonly sure: number;
}
const NEAR_READ = 2;
const BEFORE = NEAR_WORDS.before.map(placeWords);
const BEHIND = NEAR_WORDS.behind.map(placeWords);

/** How many words at `at` say that a landmark follows or ends there. */
function saysNear(list: readonly (readonly string[])[], words: readonly Word[], at: number): number {
  const part = words[at]!.part;
  const found = list.filter((one) =>
    one.every((word, by) => words[at + by]?.word === word && words[at + by]?.part === part),
  );
  return Math.max(0, ...found.map(({ length }) => length));
}

/**
 * The stretches of words that name a landmark, in which "near" stands before it, or, in Indian languages, behind it. One that
 * begins with "near" goes on to the end of its part of the address.
 * @param isDoor whether a word is a number, or one of houses and streets: a landmark does not reach back beyond it
 */
export function landmarksIn(words: readonly Word[], isDoor: (index: number) => boolean): readonly Landmark[] {
  const found: Landmark[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const { part } = words[at]!;
    const before = saysNear(BEFORE, words, at);
    // 'SLIIT campus opposite': it stands behind the name.
    const isLast = before > 0 && words[at + before]?.part !== part && words[at - 1]?.part === part;
    const ends = isLast ? before : saysNear(BEHIND, words, at);
    if (ends > 0) {
      let from = at;
      while (from > 0 && words[from - 1]!.part === part && !isDoor(from - 1) && from - 1 > (found.at(-1)?.to ?? -1))
        from -= 1;
      if (from < at) found.push({ from, to: at + ends - 1, sure: at + ends - 1 });
      at += ends - 1;
    } else if (before > 0) {
      let to = at;
      while (words[to + 1]?.part === part) to += 1;
      found.push({ from: at, to, sure: Math.min(to, at + NEAR_READ) });
      at = to;
    }
  }
  return found;
}
