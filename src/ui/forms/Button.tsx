import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import css from './Button.module.css';

export interface ButtonProps {
  children: ReactNode;
  kind?: 'primary' | 'secondary' | 'quiet' | 'danger';
  /** A small button keeps its 44 px target. */
  small?: boolean;
  full?: boolean;
  /** Shows a spinner, keeps the width and swallows taps, so a second tap does nothing. */
  busy?: boolean;
  /** With an address the button is a link. */
  href?: string;
  onClick?: (event: MouseEvent<HTMLElement>) => void;
}

type Rest = Omit<ComponentProps<'button'>, keyof ButtonProps | 'className'> & {
  [data: `data-${string}`]: string | boolean | undefined;
};

export function Button({
  kind = 'primary',
  small,
  full,
  busy,
  href,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps & Rest) {
  const looks = {
    className: css.button,
    'data-kind': kind,
    'data-small': small || undefined,
    'data-full': full || undefined,
    'aria-busy': busy,
    'aria-disabled': busy || rest.disabled || undefined,
    onClick: (event: MouseEvent<HTMLElement>) => {
      if (busy) event.preventDefault();
      else onClick?.(event);
    },
  };
  return href === undefined ? (
    <button type={type} {...rest} {...looks} />
  ) : (
    <a href={href} {...(rest as ComponentProps<'a'>)} {...looks} />
  );
}
