import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import css from './IconButton.module.css';

interface IconButtonProps {
  /** What the button does, for everyone who cannot see the icon. */
  label: string;
  children: ReactNode;
  href?: string;
  onClick?: (event: MouseEvent<HTMLElement>) => void;
}

/** 44 px square around one icon; a link when it has an address. */
export function IconButton({
  label,
  href,
  ...rest
}: IconButtonProps & Omit<ComponentProps<'button'>, keyof IconButtonProps | 'className'>) {
  const looks = { className: css.icon, 'aria-label': label };
  return href === undefined ? (
    <button type="button" {...rest} {...looks} />
  ) : (
    <a href={href} {...(rest as ComponentProps<'a'>)} {...looks} />
  );
}
