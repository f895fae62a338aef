/**
 * What a word sounds like: its consonants, so that a name is found in whatever letters it is typed: टोमैटो, டொமேட்டோ and
 * tamato are tomato. In `plain` voiced and unvoiced ones are the same, as Tamil writes them; in `weak` an R that is hardly
 * heard is left out besides, as Sinhala and Bengali do.
 */
export interface Sound {
  readonly exact: string;
  readonly plain: string;
  readonly weak: string;
}

/** Consonants by their place in a block of Unicode; these blocks have one order, and Sinhala its own. */
const NAGARI: readonly string[] = [
  ...['K', 'K', 'G', 'G', 'N', 'S', 'S', 'S', 'S', 'N', 'T', 'T', 'D', 'D', 'N', 'T', 'T', 'D', 'D', 'N', 'N'],
  ...['P', 'F', 'B', 'B', 'M', '', 'R', 'R', 'L', 'L', 'L', 'V', 'S', 'S', 'S', 'H'],
];
/** Bengali writes V with the letter for BH. */
const BENGALI = NAGARI.map((sound, at) => (at === 24 ? 'V' : sound));
const SINHALA: readonly string[] = [
  ...['K', 'K', 'G', 'G', 'N', 'NG', 'S', 'S', 'S', 'S', 'N', 'N', 'N', 'T', 'T', 'D', 'D', 'N', 'ND', 'T', 'T'],
  ...[
    'D',
    'D',
    'N',
    '',
    'ND',
    'P',
    'F',
    'B',
    'B',
    'M',
    'MB',
    '',
    'R',
    '',
    'L',
    '',
    '',
    'V',
    'S',
    'S',
    'S',
    'H',
    'L',
    'F',
  ],
];
const BLOCKS = [
  { from: 0x0900, first: 0x0915, of: NAGARI },
  { from: 0x0980, first: 0x0995, of: BENGALI },
  { from: 0x0a00, first: 0x0a15, of: NAGARI },
  { from: 0x0a80, first: 0x0a95, of: NAGARI },
  { from: 0x0b00, first: 0x0b15, of: NAGARI },
  { from: 0x0b80, first: 0x0b95, of: NAGARI },
  { from: 0x0c00, first: 0x0c15, of: NAGARI },
  { from: 0x0c80, first: 0x0c95, of: NAGARI },
  { from: 0x0d00, first: 0x0d15, of: NAGARI },
  { from: 0x0d80, first: 0x0d9a, of: SINHALA },
];
const NASAL = /[\u0902\u0982\u0a02\u0a82\u0b02\u0c02\u0c82\u0d02\u0d82]/;
/** The sign that leaves a consonant without its vowel. */
const MUTE = /[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca]/;

function latin(word: string): string {
  return word
    .replace(/([a-z])\1/g, '$1')
    .replace(/t?ch|sh/g, 's')
    .replace(/gh(?=t)/g, '')
    .replace(/dg(?=[eiy])/g, 'j')
    .replace(/ck/g, 'k')
    .replace(/ph/g, 'f')
    .replace(/(?!^)h/g, '')
    .replace(/x/g, 'ks')
    .replace(/c(?=[eiy])|g(?=[ei])|[jz]/g, 's')
    .replace(/[cq]/g, 'k')
    .replace(/ng(?![aeiouy])/g, 'n')
    .replace(/[wy](?![aeiou])/g, '')
    .replace(/w/g, 'v')
    .replace(/r(?![aeiouy])/g, '~')
    .replace(/[^bdfghklmnprstv~]/g, '')
    .toUpperCase();
}

function indian(word: string): string {
  // Bengali has no letter for W and writes it with two vowels; Tamil none for F, and writes a P with a sign before it.
  const written = word
    .replace(/\u09b9?(?:\u0993|\u09c7\u09be)\u09af|(?:\u0989|\u09c1)\u0987/g, '\u09ad')
    .replace(/\u0b83\u0baa/g, '\u092b');
  const letters = [...written];
  let out = '';
  for (const [at, letter] of letters.entries()) {
    const code = letter.codePointAt(0)!;
    const block = BLOCKS.find(({ from }) => code >= from && code < from + 0x80);
    const sound = NASAL.test(letter) ? 'N' : (block?.of[code - block.first] ?? '');
    const isMute = MUTE.test(letters[at + 1] ?? '');
    if (sound === 'H' && at > 0) continue;
    if (isMute && letters[at + 2] === letter) continue;
    out += sound === 'R' && isMute ? '~' : sound;
  }
  return out;
}

const PLAIN: Readonly<Record<string, string>> = { G: 'K', D: 'T', B: 'P', F: 'P' };

export function soundOf(word: string): Sound {
  // An n before a lip is an m, however it is written.
  const heard = (/[a-z]/.test(word) ? latin(word) : indian(word)).replace(/N(?=[PBF])/g, 'M');
  const plain = heard.replace(/[GDBF]/g, (one) => PLAIN[one]!);
  return { exact: heard.replaceAll('~', 'R'), plain: plain.replaceAll('~', 'R'), weak: plain.replaceAll('~', '') };
}

/** Whether a word is typed in letters of one of these scripts. */
export const isIndian = (word: string): boolean => /[\u0900-\u0dff]/.test(word);
/** Whether its script leaves out what `plain` leaves out. */
export const isPlain = (word: string): boolean => /[\u0980-\u09ff\u0b80-\u0bff\u0d80-\u0dff]/.test(word);
