import type { MouseEvent, ReactNode } from 'react';
import { Button } from './forms/Button.tsx';
import css from './StoreCard.module.css';

interface AddressAction {
  text: string;
  /** What a screen reader announces: the text alone would be the same on every card. */
  name: string;
  onPress: () => void;
}

interface AddressCardProps {
  icon?: ReactNode;
  /** Home, Office, Other ... */
  label: string;
  address: ReactNode;
  /** For example that nobody delivers there. */
  note?: ReactNode;
  selected?: boolean;
  href?: string;
  onClick?: (event: MouseEvent<HTMLElement>) => void;
  edit?: AddressAction | undefined;
  remove?: AddressAction | undefined;
}

/** A saved address to choose, change or remove. */
export function AddressCard({ icon, label, address, note, selected, href, onClick, edit, remove }: AddressCardProps) {
  return (
    <article className={css.store} data-selected={selected}>
      <div className={css.top}>
        <h3 className={css.kind}>
          {icon}
          {href !== undefined ? (
            <a href={href} onClick={onClick}>
              {label}
            </a>
          ) : (
            <button type="button" onClick={onClick} aria-pressed={selected}>
              {label}
            </button>
          )}
        </h3>
      </div>
      <p className={css.address}>{address}</p>
      {note !== undefined && (
        <p className={css.facts}>
          <span className={css.hours}>{note}</span>
        </p>
      )}
      {(edit || remove) && (
        <div className={css.actions}>
          {edit && (
            <Button small kind="quiet" onClick={edit.onPress} aria-label={edit.name}>
              {edit.text}
            </Button>
          )}
          {remove && (
            <Button small kind="quiet" onClick={remove.onPress} aria-label={remove.name}>
              {remove.text}
            </Button>
          )}
        </div>
      )}
    </article>
  );
}
