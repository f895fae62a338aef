/**
 * Letters of scripts that nobody writes here, and small capitals, by the Latin ones that they look like. They come from
 * fonts for show, from other keyboards, and from who wants to be misread.
 */
const LOOKS: ReadonlyMap<string, string> = new Map(
  [
    'аaАaвbВbсcСcԁdеeЕeёeһhнhНhіiІiїiјjЈjкkКkмmМmоoОoрpРpԛqѕsЅsтtТtуyУyхxХxԝwѵv',
    'αaΑaβbΒbεeΕeηnΗhιiΙiκkΚkμuΜmνvΝnοoΟoρpΡpτtΤtυuΥyχxΧxωwΖz',
    'ıiɑaɡgᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpʀrꜱsᴛtᴜuᴠvᴡwʏyᴢz',
  ].flatMap((pairs) => (pairs.match(/../gu) ?? []).map(([look, letter]) => [look!, letter!] as const)),
);
const LOOK = /[\u0131\u0251-\u02af\u0370-\u052f\u1d00-\u1d22\ua730\ua731]/gu;

/**
 * The words of a text in lower case, without accents and punctuation, and with letters for those that only look like them. The marks of Indian scripts are their vowels, and
 * stay; not so the dot below a letter and the sign that joins two, which one types and another leaves out, nor what tells
 * how a picture is drawn.
 */
export function wordsOf(text: string): string[] {
  return text
    .normalize('NFKD')
    .replace(LOOK, (letter) => LOOKS.get(letter) ?? letter)
    .toLowerCase()
    .replace(/[\u0300-\u036f\u093c\u09bc\ufe00-\ufe0f\p{Me}\p{Cf}]/gu, '')
    .split(/[^\p{L}\p{M}\p{N}]/u)
    .filter(Boolean);
}

/** How many typing mistakes are forgiven by length: below four letters none, below eight one, else two. */
export const forgiven = (length: number): number => (length < 4 ? 0 : length < 8 ? 1 : 2);

/** Three rows of the table, used again: this runs for every word of a menu while one types. */
let two: number[] = [];
let one: number[] = [];
let now: number[] = [];

/**
 * The number of typing mistakes between two words: letters added, left out, changed or swapped with their neighbour.
 * Anything above `most` is reported as `most` + 1 or more.
 */
export function slips(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  for (let j = 0; j <= b.length; j += 1) one[j] = j;
  for (let i = 1; i <= a.length; i += 1) {
    now[0] = i;
    let least = i;
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(one[j]! + 1, now[j - 1]! + 1, one[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, two[j - 2]! + 1);
      now[j] = cost;
      least = Math.min(least, cost);
    }
    if (least > most) return most + 1;
    [two, one, now] = [one, now, two];
  }
  return one[b.length]!;
}
