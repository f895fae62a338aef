import type { MouseEvent, ReactNode } from 'react';
import css from './StoreCard.module.css';

interface StoreCardProps {
  name: ReactNode;
  address: ReactNode;
  /** For example '1.2 km'. */
  distance?: ReactNode;
  isOpen: boolean;
  /** For example 'Open until 11 PM'. */
  hours: ReactNode;
  /** What the store offers, in words. */
  services?: readonly ReactNode[];
  selected?: boolean;
  href?: string;
  onClick?: (event: MouseEvent<HTMLElement>) => void;
  /** More content. Its buttons stay tappable beside the card itself. */
  children?: ReactNode;
}

/** A restaurant to choose: its name is the link or button, stretched over the whole card. */
export function StoreCard({
  name,
  address,
  distance,
  isOpen,
  hours,
  services = [],
  selected,
  href,
  onClick,
  children,
}: StoreCardProps) {
  return (
    <article className={css.store} data-selected={selected}>
      <div className={css.top}>
        <h3>
          {href !== undefined ? (
            <a href={href} onClick={onClick}>
              {name}
            </a>
          ) : (
            <button type="button" onClick={onClick} aria-pressed={selected}>
              {name}
            </button>
          )}
        </h3>
        {distance !== undefined && <span className={css.distance}>{distance}</span>}
      </div>
      <p className={css.address}>{address}</p>
      <p className={css.facts}>
        <span className={css.hours} data-open={isOpen}>
          {hours}
        </span>
        {services.map((service, at) => (
          <span key={at}>{service}</span>
        ))}
      </p>
      {children}
    </article>
  );
}
