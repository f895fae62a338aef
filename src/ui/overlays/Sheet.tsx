import * as t from '#text/alive.ts';
import { useId, type ReactNode } from 'react';
import { Dialog } from './Dialog.tsx';
import { IconButton } from '../forms/IconButton.tsx';
import { CloseIcon } from '../pictures/icons.ts';
import css from './Sheet.module.css';

interface SheetProps {
  title: ReactNode;
  onClose: () => void;
  closeOnOutside?: boolean;
  /** On desktop: at the right edge instead of in the centre. */
  side?: boolean;
  /** Stays at the lower edge while the content scrolls. */
  footer?: ReactNode;
  children: ReactNode;
}

/**
 * Slides up from the lower edge on a phone; on desktop a panel in the centre or at the side. Closed by its button,
 * Escape or a tap outside, never only by a drag.
 */
export function Sheet({ title, onClose, closeOnOutside = true, side, footer, children }: SheetProps) {
  const id = useId();
  return (
    <Dialog look={side ? 'side' : 'sheet'} labelledBy={id} onClose={onClose} closeOnOutside={closeOnOutside}>
      <header className={css.head}>
        <h2 id={id} tabIndex={-1} data-first-focus>
          {title}
        </h2>
        <IconButton label={t.close} onClick={onClose}>
          <CloseIcon />
        </IconButton>
      </header>
      {/* Its end is within reach of the keys, also where nothing there can be pressed. */}
      <div className={css.body} tabIndex={0} role="group" aria-labelledby={id}>
        {children}
      </div>
      {footer !== undefined && <footer className={css.foot}>{footer}</footer>}
    </Dialog>
  );
}
