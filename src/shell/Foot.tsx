import * as t from '#text/alive.ts';
import * as documents from '#text/documents.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { termsLinkAtom } from '../state/documents.ts';
import { languageAtom, languageLinksAtom } from '../state/language.ts';
import { isHomeAtom } from '../state/path.ts';
import { href } from '../ui/href.ts';
import css from './Foot.module.css';

/** Links to the other languages. A tap is remembered for later visits. */
function Languages() {
  const links = useAtomValue(languageLinksAtom);
  const choose = useSetAtom(languageAtom);
  if (links.length === 0) return null;
  return (
    <nav aria-label={t.languages}>
      {links.map(({ language, name, href: address }) => (
        <a
          key={language}
          href={address}
          lang={language}
          hrefLang={language}
          data-leave
          onClick={() => choose(language)}
        >
          {name}
        </a>
      ))}
    </nav>
  );
}

/** The foot of every page without a bar of its own: what holds here, and on home the other languages. */
export default function Foot() {
  const isHome = useAtomValue(isHomeAtom);
  const terms = useAtomValue(termsLinkAtom);
  return (
    <footer className={css.foot}>
      {isHome && <Languages />}
      <p>
        <a href={href('/postorder-ui/profile')}>{t.account}</a>
        <a href={href(terms)}>{documents.terms}</a>
        <a href={href('/privacy')}>{documents.privacy}</a>
        <a href={href('/consents')}>{t.choices}</a>
        <a href={href('/credits')}>{documents.credits}</a>
      </p>
    </footer>
  );
}
