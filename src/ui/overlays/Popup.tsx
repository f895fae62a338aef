import * as t from '#text/alive.ts';
import { useId, type ReactNode } from 'react';
import { Button } from '../forms/Button.tsx';
import { Dialog } from './Dialog.tsx';
import { IconButton } from '../forms/IconButton.tsx';
import { CloseIcon } from '../pictures/icons.ts';
import css from './Popup.module.css';

interface PopupButton {
  text: string;
  onPress: () => void;
  /** What it does cannot be undone, so neither the focus nor the strong colour invites to press it. */
  isDestructive?: boolean;
}

export interface PopupProps {
  header?: ReactNode;
  message: ReactNode;
  secondMessage?: ReactNode;
  /** The button that goes back. */
  left?: PopupButton | undefined;
  /** The button that goes on. */
  right?: PopupButton | undefined;
  /** Neither button is prominent; the focus is on the one that goes back. */
  areEqual?: boolean;
  /** Whether a tap outside closes it: false inside a host (specification section 2). */
  closeOnOutside?: boolean;
  onClose: () => void;
}

/** The generic popup (specification sections 2 and 9). */
export function Popup({
  header,
  message,
  secondMessage,
  left,
  right,
  areEqual = false,
  closeOnOutside = true,
  onClose,
}: PopupProps) {
  const id = useId();
  const isLeftFirst = !right || (left !== undefined && (areEqual || right.isDestructive === true));
  return (
    <Dialog
      role="alertdialog"
      labelledBy={header === undefined ? `${id}-body` : id}
      describedBy={`${id}-body`}
      closeOnOutside={closeOnOutside}
      onClose={onClose}
    >
      <div className={css.popup}>
        <div className={css.body} id={`${id}-body`} tabIndex={0}>
          {header !== undefined && <h2 id={id}>{header}</h2>}
          <p>{message}</p>
          {secondMessage !== undefined && <p className={css.second}>{secondMessage}</p>}
        </div>
        {(left || right) && (
          <div className={css.buttons}>
            {left && (
              <Button
                data-first-focus={isLeftFirst || undefined}
                kind={isLeftFirst && !areEqual ? 'primary' : 'secondary'}
                onClick={left.onPress}
              >
                {left.text}
              </Button>
            )}
            {right && (
              <Button
                data-first-focus={!isLeftFirst || undefined}
                kind={isLeftFirst ? 'secondary' : 'primary'}
                onClick={right.onPress}
              >
                {right.text}
              </Button>
            )}
          </div>
        )}
        <div className={css.close}>
          <IconButton label={t.close} onClick={onClose}>
            <CloseIcon size={20} />
          </IconButton>
        </div>
      </div>
    </Dialog>
  );
}
