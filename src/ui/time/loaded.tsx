import { lazy, Suspense, type ComponentType } from 'react';
import { loadChunk } from '../../bridge/scripts.ts';

/**
 * A part of a page whose script is loaded when it is first shown. Where that fails the page goes on without it, and it is
 * tried again for as long as it is wanted.
 */
export const loaded = <P extends object = object>(
  load: () => Promise<{ readonly default: ComponentType<P> }>,
): ComponentType<P> =>
  lazy(() =>
    loadChunk(load).catch(() => {
      const Again = loaded(load);
      return { default: (props: P) => <Again {...props} /> };
    }),
  );

const Nothing = () => null;

/** The same inside a screen, where `Meanwhile` stands until the script is there. */
export function part<P extends object>(
  load: () => Promise<{ readonly default: ComponentType<P> }>,
  Meanwhile: ComponentType<P> = Nothing,
): ComponentType<P> {
  const Part = loaded(load);
  return function Shown(props: P) {
    return (
      <Suspense fallback={<Meanwhile {...props} />}>
        <Part {...props} />
      </Suspense>
    );
  };
}
