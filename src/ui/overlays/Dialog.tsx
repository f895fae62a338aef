import { useEffect, useRef, type ReactNode, type SyntheticEvent } from 'react';
import css from './Dialog.module.css';

export interface DialogProps {
  /** Id of the heading inside, or a name in words. */
  labelledBy?: string | undefined;
  label?: string | undefined;
  describedBy?: string | undefined;
  role?: 'dialog' | 'alertdialog';
  /** A tap outside closes it; false inside a host (specification section 2). Escape always closes. */
  closeOnOutside?: boolean;
  onClose: () => void;
  look?: 'popup' | 'sheet' | 'side';
  children: ReactNode;
}

/**
 * A native modal dialog, open for as long as it is mounted. Focus moves into it (to `data-first-focus` if there is
 * one), stays inside, and returns afterwards to where it was; if that is gone, to the heading of the page that is there
 * now.
 */
export function Dialog({
  labelledBy,
  label,
  describedBy,
  role,
  closeOnOutside = true,
  onClose,
  look = 'popup',
  children,
}: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    const element = dialog.current!;
    if (!element.open) element.showModal();
    element.querySelector<HTMLElement>('[data-first-focus]')?.focus();
    return () => {
      element.close();
      const back = before?.isConnected ? before : document.querySelector('main h1[tabindex]');
      if (back instanceof HTMLElement) back.focus();
    };
  }, []);
  const own = (act: (event: SyntheticEvent) => void) => (event: SyntheticEvent) => {
    if (event.target === dialog.current) act(event);
  };
  return (
    <dialog
      ref={dialog}
      className={css.dialog}
      data-look={look}
      role={role}
      aria-label={label}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      onCancel={own((event) => {
        event.preventDefault();
        onClose();
      })}
      // A browser may close the dialog on a second Escape without asking. In strict mode an old close is reported after
      // opening again, so `open` is checked.
      onClose={own(() => dialog.current?.open || onClose())}
      onClick={own(() => {
        if (closeOnOutside) onClose();
      })}
    >
      <div className={css.inside}>{children}</div>
    </dialog>
  );
}
