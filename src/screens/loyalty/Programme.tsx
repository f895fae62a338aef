import * as t from '#text/loyalty.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { useState } from 'react';
import { programmeState } from '../../state/offers/loyalty.ts';
import { Card } from '../../ui/page/Card.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { LoadAgain } from '../base/LoadAgain.tsx';
import css from './RewardsScreen.module.css';

/** How the programme works, its questions and answers, and its terms: for guests, too. */
export function Programme() {
  const { data, status } = useAtomValue(programmeState.atom);
  const load = useSetAtom(programmeState.load);
  const [open, setOpen] = useState('');
  const toggle = (id: string) => (isOpen: boolean) => setOpen(isOpen ? id : '');
  if (data === null)
    return (
      <Card title={t.howTitle}>
        {status === 'failed' ? (
          <LoadAgain onRetry={() => void load()}>{t.programmeMissing}</LoadAgain>
        ) : (
          <div aria-busy="true">
            <Skeleton height="9rem" />
          </div>
        )}
      </Card>
    );
  return (
    <>
      <Card title={t.howTitle}>
        <ol className={css.how}>
          {data.info.map(({ title, text }) => (
            <li key={title}>
              <span>
                <b>{title}</b>
                <small>{text}</small>
              </span>
            </li>
          ))}
        </ol>
      </Card>
      <Card flush title={t.faqTitle}>
        {data.faq.map(({ q, a }) => (
          <Fold key={q} title={q} isOpen={open === q} onToggle={toggle(q)}>
            <p>{a}</p>
          </Fold>
        ))}
        <Fold title={t.termsTitle} isOpen={open === 'terms'} onToggle={toggle('terms')}>
          <ul className={css.terms}>
            {data.terms.map((term) => (
              <li key={term}>{term}</li>
            ))}
          </ul>
        </Fold>
      </Card>
    </>
  );
}
