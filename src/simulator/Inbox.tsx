import { useState } from 'react';
import { Button } from '../ui/forms/Button.tsx';
import { codeIn, type Message } from './server.ts';
import { Plate } from './Plate.tsx';
import css from './Panel.module.css';

const SHOWN = 4;

function CopyCode({ code }: { code: string }) {
  const [said, setSaid] = useState('Copy');
  const copy = async () => {
    // Absent on plain http: the code can still be selected there.
    await (navigator.clipboard as Clipboard | undefined)?.writeText(code);
    setSaid('Copied');
  };
  return (
    <Button kind="secondary" small onClick={() => void copy().catch((error: Error) => setSaid(error.message))}>
      <b>{code}</b> {said}
    </Button>
  );
}

/** The newest SMS and emails that the shop has sent. */
export function Inbox({ messages, locale }: { messages: readonly Message[]; locale: string }) {
  const time = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' });
  return (
    <Plate title="Messages" about={messages.length === 0 ? 'Codes that an app sends by SMS or email.' : undefined}>
      <ul className={css.messages} aria-live="polite" aria-relevant="additions">
        {messages.slice(0, SHOWN).map(({ id, mobile, text, at }) => {
          const code = codeIn(text);
          return (
            <li key={id}>
              <small>
                To {mobile}, {time.format(at)}
              </small>
              <p>{text}</p>
              {code !== null && <CopyCode code={code} />}
            </li>
          );
        })}
      </ul>
    </Plate>
  );
}
