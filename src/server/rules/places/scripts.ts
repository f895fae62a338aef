/** The scripts of India, Sri Lanka and Bangladesh. All but Sinhala share one layout, 128 code points apart. */
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

// Offsets in a block of the shared layout.
const ANUSVARA = 0x02;
const NUKTA = 0x3c;
const NASALS: ReadonlySet<number> = new Set([0x19, 0x1e, 0x23, 0x28, 0x2e]);
const VIRAMA = 0x4d;
const DIGITS = 0x66;

/**
 * Turns the spellings of a word into one: without nuktas, with one sign for every nasal before a consonant, and with
 * Western digits.
 */
function oneSpelling(word: string): string {
  const codes = [...word].map((sign) => sign.codePointAt(0) as number);
  let text = '';
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] as number;
    if (!isShared(code)) {
      text += String.fromCodePoint(code);
      continue;
    }
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

/** Text that needs no more than lower case. */
const PLAIN = /^[a-z0-9 ,.-]*$/;

/**
 * The words of a name in the form in which they are compared: lower case, without Latin accents, Indian scripts in one
 * spelling.
 */
export function placeWords(text: string): string[] {
  const low = text.toLowerCase();
  if (PLAIN.test(low)) return low.split(/[ ,.-]+/).filter(Boolean);
  return low
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\u200b-\u200d'’]/gu, '')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean)
    .map(oneSpelling);
}

/** Consonants of the shared layout from KA to HA, in Latin letters. */
const CONSONANTS = [
  'k',
  'k',
  'g',
  'g',
  'n',
  'ch',
  'ch',
  'j',
  'j',
  'n',
  't',
  't',
  'd',
  'd',
  'n',
  't',
  't',
  'd',
  'd',
  'n',
  'n',
  'p',
  'p',
  'b',
  'b',
  'm',
  'y',
  'r',
  'r',
  'l',
  'l',
  'l',
  'v',
  's',
  's',
  's',
  'h',
];
/** The independent vowels of the shared layout, from A. Without the first one they are also the vowel signs. */
const VOWELS = ['a', 'a', 'i', 'i', 'u', 'u', 'r', 'l', 'e', 'e', 'e', 'ai', 'o', 'o', 'o', 'au'];
const VOWEL_SIGNS = VOWELS.slice(1);
/** The consonants of Sinhala, in Latin letters. */
const SINHALA_CONSONANTS = [
  'k',
  'k',
  'g',
  'g',
  'n',
  'ng',
  'ch',
  'ch',
  'j',
  'j',
  'n',
  'n',
  'j',
  't',
  't',
  'd',
  'd',
  'n',
  'd',
  't',
  't',
  'd',
  'd',
  'n',
  '',
  'd',
  'p',
  'p',
  'b',
  'b',
  'm',
  'b',
  'y',
  'r',
  '',
  'l',
  '',
  '',
  'v',
  's',
  's',
  's',
  'h',
  'l',
  'f',
];
const SINHALA_VOWELS = ['a', 'a', 'a', 'a', 'i', 'i', 'u', 'u', 'r', 'r', 'l', 'l', 'e', 'e', 'ai', 'o', 'o', 'au'];
const SINHALA_SIGNS: Readonly<Record<number, string>> = {
  0xdcf: 'a',
  0xdd0: 'a',
  0xdd1: 'a',
  0xdd2: 'i',
  0xdd3: 'i',
  0xdd4: 'u',
  0xdd6: 'u',
  0xdd8: 'r',
  0xdd9: 'e',
  0xdda: 'e',
  0xddb: 'ai',
  0xddc: 'o',
  0xddd: 'o',
  0xdde: 'au',
};

/**
 * How one sign sounds. After an open sign (a consonant) the vowel 'a' is spoken, unless a vowel sign follows. A virama
 * counts as a silent vowel sign.
 */
interface Heard {
  readonly sound: string;
  readonly isOpen: boolean;
  readonly isSign: boolean;
}
const consonant = (sound: string): Heard => ({ sound, isOpen: true, isSign: false });
const vowel = (sound: string): Heard => ({ sound, isOpen: false, isSign: false });
const vowelSign = (sound: string): Heard => ({ sound, isOpen: false, isSign: true });
const SILENT = vowelSign('');

function heardSinhala(code: number): Heard | null {
  if (code === 0xdca) return SILENT;
  if (code === 0xd82) return consonant('n');
  const [standing, alone, sign] = [SINHALA_CONSONANTS[code - 0xd9a], SINHALA_VOWELS[code - 0xd85], SINHALA_SIGNS[code]];
  if (standing !== undefined) return consonant(standing);
  if (alone !== undefined) return vowel(alone);
  return sign === undefined ? null : vowelSign(sign);
}

/**
 * With a dot below, two letters become R. Bengali writes the sounds j and y with one letter, and marks y with a dot.
 */
function heardConsonant(place: number, block: number, isDotted: boolean): string | undefined {
  if (isDotted && (place === 0x21 || place === 0x22)) return 'r';
  if (place === 0x2f) return block === BENGALI && !isDotted ? 'j' : 'y';
  return CONSONANTS[place - 0x15];
}

function heardShared(code: number, next: number): Heard | null {
  const place = code & 0x7f;
  const isDotted = isShared(next) && (next & 0x7f) === NUKTA;
  if (place === VIRAMA) return SILENT;
  if (place === ANUSVARA || place === 0x01) return vowel('n');
  if (place >= DIGITS && place <= DIGITS + 9) return vowelSign(String(place - DIGITS));
  const standing = heardConsonant(place, (code - FIRST) >> 7, isDotted);
  if (standing !== undefined) return consonant(standing);
  const [alone, sign] = [VOWELS[place - 0x05], VOWEL_SIGNS[place - 0x3e]];
  if (alone !== undefined) return vowel(alone);
  return sign === undefined ? null : vowelSign(sign);
}

function heardOf(code: number, next: number): Heard | null {
  if (isSinhala(code)) return heardSinhala(code);
  if (isShared(code)) return heardShared(code, next);
  const letter = String.fromCodePoint(code);
  return /[a-z0-9]/.test(letter) ? vowel(letter) : null;
}

/**
 * Roughly how an Indian spelling sounds, in Latin letters: 'कलकत्ता' becomes 'kalakatta'. Every inherent vowel is
 * written 'a'.
 */
export function latinOf(word: string): string {
  // Composed, a vowel sign that is written on both sides of its letter is one, and a dot below stays a sign of its own.
  const codes = [...word.normalize('NFKC')].map((sign) => sign.codePointAt(0) as number);
  let text = '';
  let isOpen = false;
  for (const [at, code] of codes.entries()) {
    const heard = heardOf(code, codes[at + 1] ?? 0);
    if (heard === null) continue;
    text += (isOpen && !heard.isSign ? 'a' : '') + heard.sound;
    isOpen = heard.isOpen;
  }
  return text;
}

/**
 * What is left of a Latin word without everything that scripts write differently: voicing and aspiration of consonants,
 * all vowels but the first, and doubled letters. Two spellings of one name give the same result. Dishes, which are typed in
 * fewer scripts, have another one (domain/sound.ts).
 */
export function placeSound(word: string): string {
  const heard = word
    .toLowerCase()
    .replace(/(?<=[aeo])w(?![aeiou])/g, '')
    .replace(/x/g, 'ks')
    .replace(/zh/g, 'l')
    .replace(/s?ch|sh|[szj]/g, 'C')
    .replace(/c(?=[eiy])/g, 'C')
    .replace(/[cq]/g, 'k')
    .replace(/ng(?![aeioury])/g, 'n');
  const first = /^[aeiou]/.test(heard) ? 'a' : '';
  return (
    first +
    heard
      .replace(/[aeiouyh]/g, '')
      .replace(/g/g, 'k')
      .replace(/d/g, 't')
      .replace(/[bfvw]/g, 'p')
      .replace(/m/g, 'n')
      .replace(/(.)\1+/g, '$1')
  );
}
