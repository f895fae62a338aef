import * as firstText from '#text/first.ts';
import type { Failure } from '../../api/failure.ts';
import type { ReactNode } from 'react';
import { Button } from '../../ui/forms/Button.tsx';
import { EmptyPicture } from '../../ui/pictures/EmptyPicture.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { href } from '../../ui/href.ts';

interface NotLoadedProps {
  title: string;
  failure: Failure | null;
  /** Where the button to the menu leads. */
  menu?: '/menu' | '/';
  onRetry: () => void;
  /** What it means for the customer. */
  children?: ReactNode;
}

/**
 * Shown in place of what did not load. What the server refused it would refuse again, so then there is a way to the
 * menu instead of another try.
 */
export function NotLoaded({ title, failure, menu = '/menu', onRetry, children }: NotLoadedProps) {
  return (
    <EmptyState
      picture={<EmptyPicture />}
      title={title}
      action={
        failure?.kind === 'refused' ? (
          <Button href={href(menu)}>{firstText.seeMenu}</Button>
        ) : (
          <Button kind="secondary" onClick={onRetry}>
            {firstText.tryAgain}
          </Button>
        )
      }
    >
      {children && <p>{children}</p>}
    </EmptyState>
  );
}
