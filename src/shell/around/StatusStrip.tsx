import * as t from '#text/alive.ts';
import type { ReactNode } from 'react';
import { useCounted } from '../../ui/money/counted.ts';
import { href } from '../../ui/href.ts';
import css from './StatusStrip.module.css';

/** A strip above every screen with what is going on elsewhere, each with a link to it. */
export function StatusStrip({ label, children }: { label: string; children: ReactNode }) {
  return (
    <aside className={css.strip} aria-label={label}>
      {children}
    </aside>
  );
}

interface StatusLinkProps {
  /** A path of the app, or what a tap does. */
  to: string | (() => void);
  title: ReactNode;
  /** Something waits, for money or for the host of a group: the line is highlighted. */
  isOpen: boolean;
  children: ReactNode;
}

export function StatusLink({ to, title, isOpen, children }: StatusLinkProps) {
  useCounted('links');
  const inside = (
    <>
      <span className={css.dot} aria-hidden />
      <span className={css.text}>
        <b>{title}</b>
        {children}
      </span>
      <span className={css.go} aria-hidden>
        {t.view}
      </span>
    </>
  );
  if (typeof to === 'function')
    return (
      <button type="button" className={css.link} onClick={to}>
        {inside}
      </button>
    );
  return (
    <a className={css.link} href={href(to)} data-open={isOpen}>
      {inside}
    </a>
  );
}
