import { useLayoutEffect, useRef, type ReactNode } from 'react';
import { useCounted } from '../money/counted.ts';
import css from './BottomBar.module.css';

/**
 * A bar fixed at the lower edge, within reach of the thumb: what it is about on the left, its one action on the right.
 */
export function BottomBar({ label, children, action }: { label: string; children?: ReactNode; action: ReactNode }) {
  const own = useRef<HTMLElement>(null);
  useCounted('bars');
  useLayoutEffect(() => {
    const { dataset } = own.current!.parentElement!;
    dataset['barred'] = '';
    return () => {
      delete dataset['barred'];
    };
  }, []);
  return (
    <section ref={own} className={css.bar} aria-label={label} data-bar>
      <div className={css.row}>
        {children !== undefined && <div className={css.words}>{children}</div>}
        <div className={css.action}>{action}</div>
      </div>
    </section>
  );
}

/** Keeps what a bar changes on a page whose bar comes with its answer, so that nothing moves then. */
export function BarToCome() {
  useCounted('bars');
  return null;
}
