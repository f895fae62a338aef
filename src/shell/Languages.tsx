import * as t from '#text/alive.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { languageAtom, languageLinksAtom } from '../state/language.ts';
import css from './Languages.module.css';

/** Links to the other languages, at the foot of the home screen. A tap is remembered for later visits. */
export default function Languages() {
  const links = useAtomValue(languageLinksAtom);
  const choose = useSetAtom(languageAtom);
  return (
    <nav className={css.languages} aria-label={t.languages}>
      {links.map(({ language, name, href }) => (
        <a key={language} href={href} lang={language} hrefLang={language} data-leave onClick={() => choose(language)}>
          {name}
        </a>
      ))}
    </nav>
  );
}
