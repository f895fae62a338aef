import { useState } from 'react';
import { Tag } from '../ui/Tag.tsx';
import { codeIn, type Message } from './server.ts';
import { MailIcon } from './MailIcon.tsx';
import { useCopy } from './useCopy.ts';
import { Plate } from './Plate.tsx';
import css from './Inbox.module.css';

const SHOWN_AT_FIRST = 3;

function CopyCode({ code }: { code: string }) {
  const { said, copy } = useCopy(code);
  return (
    <button type="button" className={css.copy} onClick={copy}>
      <b>{code}</b>
      <span aria-live="polite">{said ?? 'Copy'}</span>
    </button>
  );
}

/** Every SMS and email that the shop has sent, newest first. */
export function Inbox({
  messages,
  newIds,
  locale,
}: {
  messages: readonly Message[];
  newIds: ReadonlySet<string>;
  locale: string;
}) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? messages : messages.slice(0, SHOWN_AT_FIRST);
  const time = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' });
  return (
    <Plate
      id="messages"
      icon={<MailIcon size={20} />}
      title="Messages"
      about={
        messages.length === 0
          ? 'Nothing yet. When an app sends a code by SMS or email, it appears here and on the phone.'
          : undefined
      }
      end={newIds.size > 0 && <Tag tone="lime">{newIds.size} new</Tag>}
    >
      {messages.length > 0 && (
        <ul className={css.list} aria-live="polite" aria-relevant="additions">
          {shown.map(({ id, mobile, text, at }) => {
            const code = codeIn(text);
            return (
              <li key={id} data-new={newIds.has(id)}>
                <p className={css.meta}>
                  <span>To {mobile}</span>
                  <time dateTime={new Date(at).toISOString()}>{time.format(at)}</time>
                </p>
                <p className={css.text}>{text}</p>
                {code !== null && <CopyCode code={code} />}
              </li>
            );
          })}
        </ul>
      )}
      {messages.length > SHOWN_AT_FIRST && (
        <button type="button" className={css.more} aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Only the newest' : `${messages.length - SHOWN_AT_FIRST} older`}
        </button>
      )}
    </Plate>
  );
}
