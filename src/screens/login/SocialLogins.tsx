import * as t from '#text/login.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { socialWantedAtom } from '../../state/people/loginCode.ts';
import {
  beginSocialAtom,
  leaveSocialAtom,
  socialLeavingAtom,
  socialProvidersAtom,
  socialTasks,
} from '../../state/people/social.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { Problems } from '../../ui/forms/Problems.tsx';
import { rich } from '../../ui/rich.ts';
import css from './LoginScreen.module.css';

/** Above the number: what came of a login with an account elsewhere. */
export function SocialNote() {
  const wanted = useAtomValue(socialWantedAtom);
  const isReturning = useAtomValue(socialTasks.isBusyAtom);
  const error = useAtomValue(socialTasks.problemsAtom).source;
  if (isReturning)
    return (
      <p className={css.note} role="status">
        {t.socialReturning}
      </p>
    );
  if (error !== undefined)
    return (
      <Problems>
        <p>{error}</p>
      </Problems>
    );
  if (wanted === null) return null;
  const { label, firstName: name } = wanted;
  return <p>{rich(t.socialNumber, { known: name ? 'NAME' : 'NOBODY', label, name, b: <b /> })}</p>;
}

/** Below the number: accounts elsewhere with which one can log in. */
export function SocialLogins() {
  const providers = useAtomValue(socialProvidersAtom);
  const wanted = useAtomValue(socialWantedAtom);
  const leaving = useAtomValue(socialLeavingAtom);
  const begin = useSetAtom(beginSocialAtom);
  const leave = useSetAtom(leaveSocialAtom);
  if (wanted !== null)
    return (
      <Button full kind="quiet" onClick={() => leave()}>
        {t.socialWithout({ label: wanted.label })}
      </Button>
    );
  if (providers.length === 0) return null;
  return (
    <div className={css.social}>
      <p className={css.or}>
        <span>{t.or}</span>
      </p>
      {providers.map(({ source, label }) => (
        <Button key={source} full kind="secondary" busy={leaving === source} onClick={() => void begin(source)}>
          {t.social({ label })}
        </Button>
      ))}
    </div>
  );
}
