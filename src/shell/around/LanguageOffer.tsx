import * as t from '#text/alive.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { useLayoutEffect } from 'react';
import { languageAtom, languageOfferAtom, pageLanguageAtom } from '../../state/base/language.ts';
import { Button } from '../../ui/forms/Button.tsx';
import css from './LanguageOffer.module.css';

/**
 * Asks on home, in the phone's own language, whether the customer would rather read that language. Either answer is kept,
 * and the question does not come again. The card floats above the lower edge: nothing moves, and the place, the search and
 * the account at the top stay free. What the keyboard comes to is scrolled to above it.
 */
export default function LanguageOffer() {
  const other = useAtomValue(languageOfferAtom);
  const own = useAtomValue(pageLanguageAtom);
  const choose = useSetAtom(languageAtom);
  const isThere = other !== undefined;
  useLayoutEffect(() => {
    const { classList } = document.documentElement;
    if (isThere) classList.add(css.under!);
    return () => classList.remove(css.under!);
  }, [isThere]);
  if (!other) return null;
  return (
    <section className={css.offer} lang={other.language} aria-label={other.offer}>
      <p>{other.offer}</p>
      <Button full href={other.href} data-leave onClick={() => choose(other.language)}>
        {other.name}
      </Button>
      <span lang={own}>
        <Button full kind="secondary" onClick={() => choose(own)}>
          {t.languageStay}
        </Button>
      </span>
    </section>
  );
}
