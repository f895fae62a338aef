import { nicknameFault, nicknameKey } from '../../../domain/league.ts';
import { t } from '../../call/language.ts';
import { refuse } from '../../call/refusal.ts';

/** Letters that numbers and signs stand for, where somebody wants to get past a list. */
const DISGUISES: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b' };
/** Words that nobody has to read on a pizza's page, in English and Hindi; they may stand within others. */
const RUDE =
  /fuck|shit|cunt|nigg|whore|slut|bitch|bastard|asshole|dickhead|penis|vagina|porn|rapist|nazi|hitler|chutiy|madarch|behench|bhosd|bhench|randi|gaand|lund|harami|kutiya|चूत|मादरच|बहनच|भोसड|रंडी|गांड|हराम/;
/** Names that would be taken for ours. */
const OURS = /goldenoven|pizzaleague|^admin|^support|^official|moderator|^helpdesk/;

/** Takes a nickname that others may read. @throws Refusal 422 NICKNAME */
export function mustBeNickname(nickname: string): { nickname: string; nickname_key: string } {
  const clean = nickname.replace(/\s+/g, ' ').trim();
  const fault = nicknameFault(clean);
  if (fault !== null) refuse(422, 'NICKNAME', t.nicknameFault({ fault }), { field: 'nickname' });
  const key = nicknameKey(clean);
  const plain = key.replace(/\d/g, (digit) => DISGUISES[digit] ?? digit);
  if ([key, plain].some((one) => RUDE.test(one) || OURS.test(one)))
    refuse(422, 'NICKNAME', t.nicknameFault({ fault: 'words' }), { field: 'nickname' });
  return { nickname: clean, nickname_key: key };
}
