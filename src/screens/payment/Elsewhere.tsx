import * as t from '#text/payment.ts';
import { useAtomValue } from 'jotai';
import { isElsewhereAtom } from '../../state/drafts/elsewhere.ts';
import css from './PaymentModeScreen.module.css';

/** Below the ways to pay of a page without an origin: why some do not work there, and the way to where they do. */
export function Elsewhere() {
  return useAtomValue(isElsewhereAtom) ? (
    <p className={css.news}>
      <span>{t.elsewhere}</span>{' '}
      <a href={location.href} target="_blank" rel="noopener">
        {t.elsewhereOpen}
      </a>
    </p>
  ) : null;
}
