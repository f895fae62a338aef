import type { ReactNode } from 'react';
import css from './Tag.module.css';

/** A small word on a card: good news (lime), a saving or a warning (red), information (blue), praise (sun), or plain. */
export function Tag({
  tone = 'plain',
  children,
}: {
  tone?: 'lime' | 'red' | 'blue' | 'sun' | 'plain';
  children: ReactNode;
}) {
  return (
    <span className={css.tag} data-tone={tone}>
      {children}
    </span>
  );
}
