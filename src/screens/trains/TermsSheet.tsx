import * as firstText from '#text/first.ts';
import * as t from '#text/trains.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { useState } from 'react';
import { termsState } from '../../state/trains/trains.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { Sheet } from '../../ui/overlays/Sheet.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import css from './Trains.module.css';

/** A button that opens the terms of food on trains. */
export function TermsButton() {
  const [isOpen, setOpen] = useState(false);
  const { data, status } = useAtomValue(termsState.atom);
  const load = useSetAtom(termsState.load);
  const open = () => {
    setOpen(true);
    if (data === null) void load();
  };
  return (
    <>
      <Button kind="quiet" full onClick={open}>
        {t.terms}
      </Button>
      {isOpen && (
        <Sheet title={data?.title ?? t.terms} onClose={() => setOpen(false)}>
          {data ? (
            <div className={css.terms}>
              {data.terms.map(({ heading, text }) => (
                <section key={heading}>
                  <h3>{heading}</h3>
                  <p>{text}</p>
                </section>
              ))}
            </div>
          ) : status === 'failed' ? (
            <div className={css.stack} role="alert">
              <p>{t.termsFailed}</p>
              <Button kind="secondary" onClick={() => void load()}>
                {firstText.tryAgain}
              </Button>
            </div>
          ) : (
            <Skeleton height="14rem" />
          )}
        </Sheet>
      )}
    </>
  );
}
