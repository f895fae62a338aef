import type { ReactNode } from 'react';
import { REFRESH, SCREEN_ERROR_TEXT, SCREEN_ERROR_TITLE } from '../domain/shellmessages.ts';
import { Button } from './Button.tsx';
import css from './EmptyState.module.css';

/** The top-level error screen (specification section 2). `small` is for a request id. */
export function ErrorScreen({ onRefresh, picture, small }: { onRefresh: () => void; picture?: ReactNode; small?: ReactNode }) {
  return (
    <div className={css.empty}>
      {picture}
      <div role="alert">
        <h1>{SCREEN_ERROR_TITLE}</h1>
        <p className={css.text}>{SCREEN_ERROR_TEXT}</p>
      </div>
      <Button onClick={onRefresh}>{REFRESH}</Button>
      {small}
    </div>
  );
}
