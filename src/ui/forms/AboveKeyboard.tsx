import { useLayoutEffect, useRef, type ReactNode } from 'react';

/**
 * Tells its content by `--keyboard` how much of the page's lower edge a keyboard on the screen covers, where the browser
 * lays it over the page instead of making the page smaller.
 */
export function AboveKeyboard({ className, children }: { className?: string | undefined; children: ReactNode }) {
  const own = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const seen = globalThis.visualViewport;
    if (!seen) return;
    const measure = () => {
      // A page that is zoomed in is smaller too, without a keyboard.
      const covered = seen.scale > 1.01 ? 0 : Math.max(0, globalThis.innerHeight - seen.height - seen.offsetTop);
      own.current?.style.setProperty('--keyboard', `${Math.round(covered)}px`);
    };
    measure();
    seen.addEventListener('resize', measure);
    seen.addEventListener('scroll', measure);
    return () => {
      seen.removeEventListener('resize', measure);
      seen.removeEventListener('scroll', measure);
    };
  }, []);
  return (
    <div ref={own} className={className}>
      {children}
    </div>
  );
}
