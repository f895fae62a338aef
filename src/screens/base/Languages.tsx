import * as t from '#text/alive.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { languageAtom, languageLinksAtom, languageScrollAtom } from '../../state/base/language.ts';

/** Links to the same page in the other languages. A tap is remembered for later visits, and the page is where it was. */
export function Languages() {
  const links = useAtomValue(languageLinksAtom);
  const choose = useSetAtom(languageAtom);
  const leaveAt = useSetAtom(languageScrollAtom);
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
          onClick={() => {
            choose(language);
            leaveAt(scrollY);
          }}
        >
          {name}
        </a>
      ))}
    </nav>
  );
}
