import * as firstText from '#text/first.ts';
import type { Failure } from '../../api/failure.ts';
import type { ReactNode } from 'react';
import { sentenceOf } from '../../state/base/popup.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { Problems } from '../../ui/forms/Problems.tsx';

interface LoadAgainProps {
  failure?: Failure | null;
  isLoading?: boolean;
  onRetry: () => void;
  /** Said in place of the failure's own sentence. */
  children?: ReactNode;
}

/** In place of a part that did not load, while the rest of the page stands (NotLoaded.tsx is for a page). */
export function LoadAgain({ failure, isLoading, onRetry, children = sentenceOf(failure ?? null) }: LoadAgainProps) {
  return (
    <Problems>
      {children}
      <Button kind="quiet" small {...(isLoading && { busy: true })} onClick={onRetry}>
        {firstText.tryAgain}
      </Button>
    </Problems>
  );
}
