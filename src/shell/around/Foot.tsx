import * as t from '#text/alive.ts';
import * as documents from '#text/documents.ts';
import { useAtomValue } from 'jotai';
import { Languages } from '../../screens/base/Languages.tsx';
import { termsLinkAtom } from '../../state/shop/documents.ts';
import { isHomeAtom } from '../../state/base/path.ts';
import { href } from '../../ui/href.ts';
import css from './Foot.module.css';

/** The foot of every page without a bar of its own: what holds here, and on home the other languages. */
export function Foot() {
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
