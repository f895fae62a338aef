import { useId, type ReactNode } from 'react';
import { Dialog } from './Dialog.tsx';
import { IconButton } from './IconButton.tsx';
import { CloseIcon } from './icons/CloseIcon.tsx';
import css from './Sheet.module.css';

interface SheetProps {
  title: ReactNode;
  closeLabel?: string;
  onClose: () => void;
  closeOnOutside?: boolean;
  /** On desktop at the right edge instead of the centre. */
  side?: boolean;
  /** Stays at the lower edge while the body scrolls. */
  footer?: ReactNode;
  children: ReactNode;
}

/** Rises from the lower edge on a phone, a centred or side panel on desktop. Closed by button, Escape or outside, never only by a drag. */
export function Sheet({ title, closeLabel = 'Close', onClose, closeOnOutside = true, side, footer, children }: SheetProps) {
  const id = useId();
  return (
    <Dialog look={side ? 'side' : 'sheet'} labelledBy={id} onClose={onClose} closeOnOutside={closeOnOutside}>
      <header className={css.head}>
        <h2 id={id} tabIndex={-1} data-first-focus>{title}</h2>
        <IconButton label={closeLabel} onClick={onClose}>
          <CloseIcon />
        </IconButton>
      </header>
      <div className={css.body}>{children}</div>
      {footer !== undefined && <footer className={css.foot}>{footer}</footer>}
    </Dialog>
  );
}
