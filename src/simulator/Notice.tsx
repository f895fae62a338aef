import { useState } from 'react';
import { CloseIcon } from '../ui/icons.ts';
import { codeIn, copyText, type Message } from './server.ts';
import css from './Notice.module.css';

/** An SMS that has just come in, over whatever the phone shows. The inbox reads it out; this one is for the eye and the thumb. */
export function Notice({ message, onDone }: { message: Message; onDone: () => void }) {
  const [copied, setCopied] = useState<string | null>(null);
  const code = codeIn(message.text);
  return (
    <div className={css.notice} role="group" aria-label="New message on this phone">
      <div className={css.words}>
        <b>Messages, now</b>
        <span>{message.text}</span>
      </div>
      {code !== null && (
        <button
          type="button"
          className={css.copy}
          onClick={() =>
            void copyText(code).then(
              () => setCopied('Copied'),
              (error: Error) => setCopied(error.message),
            )
          }
        >
          {copied ?? `Copy ${code}`}
        </button>
      )}
      <button type="button" className={css.close} aria-label="Put the message away" onClick={onDone}>
        <CloseIcon size={18} />
      </button>
    </div>
  );
}
