import type { ReactNode } from 'react';
import * as t from '#text/first.ts';
import { Button } from '../forms/Button.tsx';
import css from './EmptyState.module.css';

/** The top-level error screen (specification section 2). `small` is for a request id. */
export function ErrorScreen({
  onRefresh,
  picture,
  small,
}: {
  onRefresh: () => void;
  picture?: ReactNode;
  small?: ReactNode;
}) {
  return (
    <div className={css.empty}>
      {picture}
      <div role="alert">
        <h1 id="main" tabIndex={-1}>
          {t.screenErrorTitle}
        </h1>
        <p className={css.text}>{globalThis.navigator?.onLine === false ? t.screenErrorOffline : t.screenErrorText}</p>
      </div>
      <Button onClick={onRefresh}>{t.refresh}</Button>
      {small}
    </div>
  );
}
