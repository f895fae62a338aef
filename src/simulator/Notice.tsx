import { CloseIcon } from '../ui/icons.ts';
import { codeIn, type Message } from './server.ts';
import { useCopy } from './useCopy.ts';
import css from './Notice.module.css';

/** An SMS that has just come in, over whatever the phone shows. The inbox reads it out; this one is for the eye and the thumb. */
export function Notice({ message, onDone }: { message: Message; onDone: () => void }) {
  const code = codeIn(message.text);
  const { said, copy } = useCopy(code ?? '');
  return (
    <div className={css.notice} role="group" aria-label="New message on this phone">
      <div className={css.words}>
        <b>Messages, now</b>
        <span>{message.text}</span>
      </div>
      {code !== null && (
        <button type="button" className={css.copy} onClick={copy}>
          {said ?? `Copy ${code}`}
        </button>
      )}
      <button type="button" className={css.close} aria-label="Put the message away" onClick={onDone}>
        <CloseIcon size={18} />
      </button>
    </div>
  );
}
