import * as firstText from '#text/first.ts';
import type { Failure } from '../../api/failure.ts';
import { sentenceOf } from '../../state/base/popup.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { FailedPicture } from '../../ui/pictures/FailedPicture.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import css from './MissingList.module.css';

interface MissingListProps {
  /** Why the list did not load; null while it is loading. */
  failure: Failure | null;
  /** What is said when it did not load. */
  title: string;
  /** Height of one line of the list. */
  lineHeight: string;
  onRetry: () => void;
}

/** Shown in place of a list while it loads, and with another try when it did not load. */
export function MissingList({ failure, title, lineHeight, onRetry }: MissingListProps) {
  if (failure === null)
    return (
      <div className={css.bones} aria-busy="true">
        {[1, 2, 3, 4, 5, 6].map((one) => (
          <Skeleton key={one} height={lineHeight} />
        ))}
      </div>
    );
  return (
    <EmptyState
      picture={<FailedPicture />}
      title={title}
      action={
        <Button kind="secondary" onClick={onRetry}>
          {firstText.tryAgain}
        </Button>
      }
    >
      {sentenceOf(failure)}
    </EmptyState>
  );
}
