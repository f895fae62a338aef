/** Scripts of India, Sri Lanka and Bangladesh; all but Sinhala share one layout, 128 code points apart. */
const FIRST = 0x900;
const LAST = 0xd7f;
const SINHALA = 0xd80;
const SINHALA_LAST = 0xdff;
const BENGALI = 1;

export function isIndic(text: string): boolean {
  return /[\u0900-\u0dff]/u.test(text);
}

const isShared = (code: number) => code >= FIRST && code <= LAST;
const isSinhala = (code: number) => code >= SINHALA && code <= SINHALA_LAST;

// Places in the shared layout.
const ANUSVARA = 0x02;
const NUKTA = 0x3c;
const NASALS: ReadonlySet<number> = new Set([0x19, 0x1e, 0x23, 0x28, 0x2e]);
const VIRAMA = 0x4d;
const DIGITS = 0x66;

/** One spelling of many: no nuktas and joiners, one sign for every nasal before a consonant, digits of everybody. */
function oneSpelling(word: string): string {
  const codes = [...word].map((sign) => sign.codePointAt(0) as number);
  let text = '';
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] as number;
    if (!isShared(code)) { text += String.fromCodePoint(code); continue; }
    const base = code & ~0x7f;
    const place = code & 0x7f;
    if (place === NUKTA) continue;
    if (place === 0x01) text += String.fromCodePoint(base + ANUSVARA);
    else if (place >= DIGITS && place <= DIGITS + 9) text += String(place - DIGITS);
    else if (NASALS.has(place) && codes[at + 1] === base + VIRAMA && isShared(codes[at + 2] ?? 0)) {
      text += String.fromCodePoint(base + ANUSVARA);
      at += 1;
    } else text += String.fromCodePoint(code);
  }
  return text;
}

/** Words of a name as they are compared: lower case, without Latin accents, and of Indian scripts one spelling of many. */
const PLAIN = /^[a-z0-9 ,.-]*$/;

export function placeWords(text: string): string[] {
  const low = text.toLowerCase();
  if (PLAIN.test(low)) return low.split(/[ ,.-]+/).filter(Boolean);
  return low.normalize('NFKD').replace(/[\u0300-\u036f\u200b-\u200d'’]/gu, '').split(/[^\p{L}\p{M}\p{N}]+/u).filter(Boolean)
    .map((word) => (isIndic(word) ? oneSpelling(word) : word));
}

/** Consonants of the shared layout from KA to HA, and the vowels' signs, in Latin letters. */
const CONSONANTS = ['k', 'k', 'g', 'g', 'n', 'ch', 'ch', 'j', 'j', 'n', 't', 't', 'd', 'd', 'n', 't', 't', 'd', 'd', 'n', 'n', 'p', 'p', 'b', 'b', 'm', 'y', 'r', 'r', 'l', 'l', 'l', 'v', 's', 's', 's', 'h'];
const VOWELS = ['a', 'a', 'i', 'i', 'u', 'u', 'r', 'l', 'e', 'e', 'e', 'ai', 'o', 'o', 'o', 'au'];
/** Sinhala from its first consonant and its first vowel sign. */
const SINHALA_CONSONANTS = ['k', 'k', 'g', 'g', 'n', 'ng', 'ch', 'ch', 'j', 'j', 'n', 'n', 'j', 't', 't', 'd', 'd', 'n', 'd', 't', 't', 'd', 'd', 'n', '', 'd', 'p', 'p', 'b', 'b', 'm', 'b', 'y', 'r', '', 'l', '', '', 'v', 's', 's', 's', 'h', 'l', 'f'];
const SINHALA_VOWELS = ['a', 'a', 'a', 'a', 'i', 'i', 'u', 'u', 'r', 'r', 'l', 'l', 'e', 'e', 'ai', 'o', 'o', 'au'];
const SINHALA_SIGNS: Readonly<Record<number, string>> = {
  0xdcf: 'a', 0xdd0: 'a', 0xdd1: 'a', 0xdd2: 'i', 0xdd3: 'i', 0xdd4: 'u', 0xdd6: 'u', 0xdd8: 'r', 0xdd9: 'e', 0xdda: 'e', 0xddb: 'ai', 0xddc: 'o', 0xddd: 'o', 0xdde: 'au',
};

/** How an Indian spelling sounds, roughly, in Latin letters: 'कलकत्ता' is 'kalakatta'. Inherent vowels are 'a' throughout. */
export function latinOf(word: string): string {
  const codes = [...word.normalize('NFKD')].map((sign) => sign.codePointAt(0) as number);
  let text = '';
  let isOpen = false;
  const consonant = (sound: string) => { text += (isOpen ? 'a' : '') + sound; isOpen = true; };
  const vowel = (sound: string) => { text += sound; isOpen = false; };
  for (const [at, code] of codes.entries()) {
    if (isSinhala(code)) {
      if (code >= 0xd9a && code <= 0xdc6) consonant(SINHALA_CONSONANTS[code - 0xd9a] ?? '');
      else if (code >= 0xd85 && code <= 0xd96) vowel((isOpen ? 'a' : '') + (SINHALA_VOWELS[code - 0xd85] ?? ''));
      else if (code === 0xdca) isOpen = false;
      else if (code === 0xd82) consonant('n');
      else if (SINHALA_SIGNS[code] !== undefined) vowel(SINHALA_SIGNS[code] ?? '');
      continue;
    }
    if (!isShared(code)) {
      if (/[a-z0-9]/.test(String.fromCodePoint(code))) vowel((isOpen ? 'a' : '') + String.fromCodePoint(code));
      continue;
    }
    const place = code & 0x7f;
    const block = (code - FIRST) >> 7;
    const isDotted = ((codes[at + 1] ?? 0) & 0x7f) === NUKTA && isShared(codes[at + 1] ?? 0);
    if (place === 0x21 && isDotted || place === 0x22 && isDotted) consonant('r');
    // Bengali writes one letter for the sounds j and, dotted, y.
    else if (place === 0x2f) consonant(block === BENGALI && !isDotted ? 'j' : 'y');
    else if (place >= 0x15 && place <= 0x39) consonant(CONSONANTS[place - 0x15] ?? '');
    else if (place >= 0x05 && place <= 0x14) vowel((isOpen ? 'a' : '') + (VOWELS[place - 0x05] ?? ''));
    else if (place >= 0x3e && place <= 0x4c) vowel(VOWELS[place - 0x3e + 1] ?? '');
    else if (place === VIRAMA) isOpen = false;
    else if (place === ANUSVARA || place === 0x01) { text += isOpen ? 'an' : 'n'; isOpen = false; }
    else if (place >= DIGITS && place <= DIGITS + 9) vowel(String(place - DIGITS));
  }
  return text;
}

/**
 * What is left of a Latin word when everything goes that scripts write differently: voice and breath of consonants, vowels
 * but the first, doubled letters. Two spellings of one name have the same.
 */
export function soundOf(word: string): string {
  const heard = word.toLowerCase()
    .replace(/(?<=[aeo])w(?![aeiou])/g, '').replace(/x/g, 'ks').replace(/zh/g, 'l').replace(/ph/g, 'p').replace(/s?ch|sh|[szj]/g, 'C')
    .replace(/c(?=[eiy])/g, 'C').replace(/[cq]/g, 'k').replace(/ng(?![aeioury])/g, 'n');
  const first = /^[aeiou]/.test(heard) ? 'a' : '';
  return first + heard.replace(/[aeiouyh]/g, '').replace(/g/g, 'k').replace(/d/g, 't').replace(/[bfvw]/g, 'p').replace(/m/g, 'n').replace(/(.)\1+/g, '$1');
}
