import type { MouseEvent, ReactNode } from 'react';
import { ChevronIcon } from '../pictures/icons.ts';
import css from './ListRow.module.css';

interface ListRowProps {
  icon?: ReactNode;
  title: ReactNode;
  detail?: ReactNode;
  /** At the far end. A link or button without it gets an arrow. */
  end?: ReactNode;
  href?: string | undefined;
  onClick?: ((event: MouseEvent<HTMLElement>) => void) | undefined;
}

/** One line of a list: a link, a button, or plain text. */
export function ListRow({ icon, title, detail, end, href, onClick }: ListRowProps) {
  const inside = (
    <>
      {icon !== undefined && <span className={css.icon}>{icon}</span>}
      <span className={css.words}>
        <span className={css.title}>{title}</span>
        {detail !== undefined && <span className={css.detail}>{detail}</span>}
      </span>
      {end ?? ((href || onClick) && <ChevronIcon size={18} />)}
    </>
  );
  if (href !== undefined)
    return (
      <a className={css.row} href={href} onClick={onClick}>
        {inside}
      </a>
    );
  return onClick ? (
    <button type="button" className={css.row} onClick={onClick}>
      {inside}
    </button>
  ) : (
    <div className={css.row}>{inside}</div>
  );
}
