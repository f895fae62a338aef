import { useRef, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react';
import css from './NavTabs.module.css';

interface NavTabsProps {
  label: string;
  tabs: readonly { href: string; text: ReactNode; picture?: ReactNode; current: boolean }[];
  onClick?: (event: MouseEvent<HTMLAnchorElement>, href: string) => void;
}

/** Links along the top of a page that scroll sideways; arrow keys move between them as well. */
export function NavTabs({ label, tabs, onClick }: NavTabsProps) {
  const nav = useRef<HTMLElement>(null);
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const links = [...(nav.current?.querySelectorAll('a') ?? [])];
    const at = links.indexOf(document.activeElement as HTMLAnchorElement) + step;
    links[(at + links.length) % links.length]?.focus();
  };
  return (
    // With the keyboard, focus may go to a tab that is half out of view: it is scrolled in. Not after a touch: a tab
    // that moves between touch and click would not get the click.
    <nav
      className={css.nav}
      aria-label={label}
      ref={nav}
      onKeyDown={move}
      onFocus={({ target }) => {
        if (target.matches(':focus-visible')) target.scrollIntoView?.({ inline: 'center', block: 'nearest' });
      }}
    >
      {tabs.map(({ href, text, picture, current }) => (
        <a
          key={href}
          href={href}
          aria-current={current ? 'page' : undefined}
          onClick={(event) => onClick?.(event, href)}
        >
          {picture}
          {text}
        </a>
      ))}
    </nav>
  );
}
