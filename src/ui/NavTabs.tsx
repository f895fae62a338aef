import { useRef, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react';
import css from './NavTabs.module.css';

interface NavTabsProps {
  label: string;
  tabs: readonly { href: string; text: ReactNode; picture?: ReactNode; current: boolean }[];
  onClick?: (event: MouseEvent<HTMLAnchorElement>, href: string) => void;
}

/** Links along the top of a page, scrolled sideways; arrow keys walk along them too. */
export function NavTabs({ label, tabs, onClick }: NavTabsProps) {
  const nav = useRef<HTMLElement>(null);
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const links = [...(nav.current?.querySelectorAll('a') ?? [])];
    links.at((links.indexOf(document.activeElement as HTMLAnchorElement) + step) % links.length)?.focus();
  };
  return (
    // A tab of which a corner shows is no place that a browser would scroll to by itself.
    <nav className={css.nav} aria-label={label} ref={nav} onKeyDown={move} onFocus={(event) => event.target.scrollIntoView?.({ inline: 'center', block: 'nearest' })}>
      {tabs.map(({ href, text, picture, current }) => (
        <a key={href} href={href} aria-current={current ? 'page' : undefined} onClick={(event) => onClick?.(event, href)}>
          {picture}
          {text}
        </a>
      ))}
    </nav>
  );
}
