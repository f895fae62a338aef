// Typed and pasted text, in the one form in which it is checked, counted, compared and kept, on the page and by the server.
// A password alone is not trimmed.

/**
 * What nobody sees and no keyboard types: controls of direction, which turn round all that follows; controls of terminals;
 * blanks without width, and letters that are blanks. Tabs and ends of lines stay.
 */
const HIDDEN = /(?!\t|\n|\r|\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cc}\p{DI}\u2028\u2029\u2800\ufff9-\ufffb]/gu;
/** Invisible signs that stay: joiners of letters and emoji, and selectors of an emoji's look. */
const JOINERS = /(^|\P{DI})(\p{DI}+)/gu;
/** Conjuncts and emoji are written with joiners. Behind anything else nobody sees them. */
const JOINABLE = /(?!\p{Script=Latin})[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}]/u;
/** More marks on one letter than any language puts there; they run over the lines around. */
const HEAP = /(\p{M}{4})\p{M}+/gu;

/**
 * Where a fraction, a number in a circle or a sign for a word (№, ℅) stands next to a letter or a digit, and a raised or
 * lowered digit next to a digit. Without a blank, 12½ would become another house: 121/2.
 */
const TOUCHING =
  /[\p{L}\p{N}](?=\p{DI}{0,2}[¼-¾⅐-⅟↉①-⒛⓪㉑-㉟㊱-㊿℀℁℅℆№℡℻])|[¼-¾⅐-⅟↉①-⒛⓪㉑-㉟㊱-㊿℀℁℅℆№℡℻](?=\p{DI}{0,2}[\p{L}\p{N}])|\p{Nd}(?=\p{DI}{0,2}[²³¹⁰⁴-⁹₀-₉])|[²³¹⁰⁴-⁹₀-₉](?=\p{DI}{0,2}\p{Nd})/gu;
/** Letters as pictures, which stay pictures: ℹ️ is no i, Ⓜ️ a metro. */
const LETTER_PICTURE = /([\u2122\u2139\u24c2]\ufe0f)/;
/** Signs that say nothing of a name or a number: trade marks, and the key around 1️⃣. */
const TRIMMINGS = /[\u2120\u2122](?!\ufe0f)|\ufe0f?\u20e3/g;

/** In Unicode's one form for each sign (NFKC), which makes no other number or word of it, and without what nobody sees. */
export const cleaned = (text: string): string =>
  text
    .replace(HIDDEN, '')
    // NFKC makes a blank and a mark of the accent that many keyboards have in place of an apostrophe.
    .replace(/\u00b4/g, "'")
    .replace(TRIMMINGS, '')
    .replace(/(\p{Nd})[\u00aa\u00ba]/gu, '$1')
    .replace(TOUCHING, '$& ')
    .split(LETTER_PICTURE)
    .map((part) => (LETTER_PICTURE.test(part) ? part : part.normalize('NFKC')))
    .join('')
    .replace(/[\u2044\u2215]/g, '/')
    // NFKC makes of other accents that stand alone a blank and a mark, too.
    .replace(/ [\u0300-\u036f\p{DI}]+/gu, ' ')
    .replace(
      JOINERS,
      (_, before: string, joiners: string) => before + (JOINABLE.test(before) ? joiners.slice(0, 2) : ''),
    )
    .replace(HEAP, '$1')
    // What stood apart by something hidden may be one sign now.
    .normalize('NFC');

/** A field's text as it is checked, counted and sent. */
export const typedText = (typed: string): string => cleaned(typed).trim();

/** The same digit as 0-9. In Unicode, the ten of a script begin at a code point that ends in hexadecimal 0 or 6. */
function latinDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  const row = code - (code % 16);
  return String((/\p{Nd}/u.test(String.fromCodePoint(row)) ? code - row : code - row - 6) % 10);
}

/**
 * The digits of a text as 0-9, whatever their script (Devanagari, Bengali, Tamil, fullwidth ...); everything else is
 * dropped.
 */
export const latinDigits = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\P{Nd}/gu, '')
    .replace(/\p{Nd}/gu, latinDigit);

/** The text with its digits as 0-9; every other sign stays where it was. */
export const inLatinDigits = (text: string): string =>
  text.replace(/\p{Nd}/gu, (digit) => (digit.length === 1 ? latinDigit(digit) : digit));

/** A field's text where it holds a number: digits of every script as 0-9, each dash as a hyphen. */
export const typedNumber = (typed: string): string =>
  typedText(typed)
    .replace(/\p{Nd}/gu, latinDigit)
    .replace(/[\p{Pd}\u2212]/gu, '-');

/**
 * A code as it is kept: in capitals, without blanks and quotes, and without what stood around it in a sentence. Hyphens
 * inside stay.
 */
export function typedCode(typed: string): string {
  const text = typedNumber(typed).replace(/[\s"'`\u2018-\u201f\u2032\u2035\u00ab\u00bb\u2039\u203a]/g, '');
  // 'Use code: FLAT100'
  const last = text.slice(text.lastIndexOf(':') + 1);
  const own = /[\p{L}\p{N}]/u.test(last) ? last : text;
  return (/[\p{L}\p{N}](?:.*[\p{L}\p{M}\p{N}])?/u.exec(own)?.[0] ?? '').toUpperCase().normalize('NFC');
}
