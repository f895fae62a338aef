import { nicknameFault, nicknameKey, nicknameLetters, nicknameText } from '../../../domain/nickname.ts';
import { t } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';

/** Letters that numbers and signs stand for, where somebody wants to get past a list. */
const DISGUISES: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b' };
/** Words that nobody has to read on a pizza's page, in English and Hindi; they may stand within others. */
const RUDE =
  /fuck|shit|cunt|nigg|whore|slut|bitch|bastard|asshole|dickhead|penis|vagina|porn|rapist|nazi|hitler|chutiy|madarch|maderch|behench|bhosd|bhench|randi|gaand|lund|harami|kutiya|चूत|मादरच|बहनच|भोसड|रंडी|गांड|हराम/;
/** Names that would be taken for ours, also as they are written in Hindi, Bengali, Sinhala and Tamil. */
const OURS =
  /goldenoven|pizzaleague|^admin|^support|^official|moderator|^helpdesk|^एडमिन|^ऐडमिन|^सपोर्ट|^অ্যাডমিন|^এডমিন|^সাপোর্ট|^ඇඩ්මින්|^அட்மின்/;

/** A word as one would read it: numbers that stand for letters, and letters that stand for others. */
function readings(nickname: string): string[] {
  const letters = nicknameLetters(nickname);
  const plain = letters.replace(/\d/g, (digit) => DISGUISES[digit] ?? digit);
  return [letters, plain, plain.replaceAll('rn', 'm').replaceAll('vv', 'w').replaceAll('ph', 'f')];
}

/** The words with each letter drawn out as one likes, and each i as l and the other way round: `adm1n` and `admln` are read alike. */
const alike = (words: RegExp) =>
  new RegExp(
    words.source.replace(/\p{L}/gu, (letter) => (/[il]/.test(letter) ? '[il]+' : `${letter}+`)),
    'u',
  );
const [RUDE_ALIKE, OURS_ALIKE] = [alike(RUDE), alike(OURS)];

/** Takes a nickname that others may read. @throws Refusal 422 NICKNAME */
export function mustBeNickname(typed: string): { nickname: string; nickname_key: string } {
  const nickname = nicknameText(typed);
  const fault =
    nicknameFault(nickname) ??
    (readings(nickname).some((one) => RUDE_ALIKE.test(one) || OURS_ALIKE.test(one)) ? 'words' : null);
  if (fault !== null) refuse(422, 'NICKNAME', t.nicknameFault({ fault }), { field: 'nickname' });
  return { nickname, nickname_key: nicknameKey(nickname) };
}
