import * as t from '#text/chat.ts';
import { atom, useAtom, useAtomValue, useSetAtom } from 'jotai';
import { Fragment, useRef, type MouseEvent } from 'react';
import { writtenPhone } from '../../domain/writtenPhone.ts';
import { LONGEST_QUESTION } from '../../contract/chat.ts';
import { chatAtom, chatDraftAtom, closeChatAtom, lastAnswerAtom, type ChatChoice } from '../../state/menu/chat.ts';
import { countryAtom } from '../../state/base/country.ts';
import { popupAtom } from '../../state/base/popup.ts';
import { AboveKeyboard } from '../../ui/forms/AboveKeyboard.tsx';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { BottomBar } from '../../ui/page/BottomBar.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { Field } from '../../ui/forms/Field.tsx';
import { href } from '../../ui/href.ts';
import { IconButton } from '../../ui/forms/IconButton.tsx';
import { TrashIcon } from '../../ui/pictures/icons.ts';
import type { ScreenInput } from '../base/entered.ts';
import {
  copySummaryAtom,
  isAnsweringAtom,
  openChatAtom,
  openedAtom,
  pressAtom,
  sendAtom,
  starters,
} from './answering.ts';
import css from './Chat.module.css';

export const enter = atom(null, (_get, set, { query }: ScreenInput) => set(openChatAtom, query.get('orderId') ?? ''));

/** Scrolls to the end of what is new, but not past where it begins. */
function intoView(end: HTMLElement | null): void {
  if (!end) return;
  end.scrollIntoView({ block: 'end' });
  const asked = end.closest('[data-chat]')?.querySelectorAll('[data-by="customer"]');
  if (asked?.length) asked[asked.length - 1]!.scrollIntoView({ block: 'nearest' });
}

/** The numbers to call, and what to read out there. */
function HandOver({ summary, emergency }: { summary: string; emergency: string | undefined }) {
  const copy = useSetAtom(copySummaryAtom);
  const country = useAtomValue(countryAtom);
  const numbers = [...(emergency === undefined ? [] : [emergency]), writtenPhone(country.HELP_DESK_NO, country)];
  return (
    <>
      {summary !== '' && <blockquote className={css.summary}>{summary}</blockquote>}
      <div className={css.choices}>
        {numbers.map((number, at) => (
          <Button
            key={number}
            small
            kind={at === 0 ? 'primary' : 'secondary'}
            href={`tel:${number.replace(/\D/g, '')}`}
          >
            {t.call({ number })}
          </Button>
        ))}
        {summary !== '' && (
          <Button small kind="secondary" onClick={() => void copy(summary)}>
            {t.copy}
          </Button>
        )}
      </div>
    </>
  );
}

function Log() {
  const entries = useAtomValue(chatAtom);
  return (
    <div role="log" aria-label={t.log} aria-live="polite" className={css.log} tabIndex={-1}>
      <div className={css.said} data-by="assistant">
        <p>{t.hello}</p>
      </div>
      {entries.map((entry) => (
        <div key={entry.id} className={css.said} data-by={entry.by}>
          <span className="visually-hidden">{entry.by === 'customer' ? t.you : t.us}</span>
          {entry.by === 'customer' ? <p>{entry.text}</p> : entry.lines.map((line, at) => <p key={at}>{line}</p>)}
          {entry.by === 'assistant' && entry.summary !== undefined && (
            <HandOver summary={entry.summary} emergency={entry.emergency} />
          )}
        </div>
      ))}
    </div>
  );
}

/** The buttons of the last answer; of the greeting, as long as nothing was asked. */
function Choices({ onPressed }: { onPressed: (event: MouseEvent<HTMLElement>) => void }) {
  const entries = useAtomValue(chatAtom);
  const last = useAtomValue(lastAnswerAtom);
  const press = useSetAtom(pressAtom);
  const choices = entries.length === 0 ? starters() : (last?.choices ?? []);
  if (choices.length === 0) return null;
  const id = last?.id ?? '';
  return (
    <div key={id} role="group" aria-label={t.choices} className={css.choices}>
      {choices.map((choice: ChatChoice) => (
        <Button
          key={choice.label}
          small
          kind="secondary"
          {...(choice.path === undefined
            ? {
                onClick: (event: MouseEvent<HTMLElement>) => {
                  press(id, choice);
                  onPressed(event);
                },
              }
            : { href: href(choice.path) })}
        >
          {choice.label}
        </Button>
      ))}
    </div>
  );
}

function EndChat() {
  const entries = useAtomValue(chatAtom);
  const setPopup = useSetAtom(popupAtom);
  const close = useSetAtom(closeChatAtom);
  if (entries.length === 0) return null;
  const ask = () =>
    setPopup({
      header: t.closeAsk,
      message: t.closeText,
      left: { label: t.closeNot },
      right: { label: t.close, isDestructive: true, act: () => close() },
    });
  return (
    <IconButton label={t.close} onClick={ask}>
      <TrashIcon />
    </IconButton>
  );
}

/** A conversation: what is asked is answered below it, and the field stays where the thumb is. */
export default function ChatScreen() {
  const [draft, setDraft] = useAtom(chatDraftAtom);
  const entries = useAtomValue(chatAtom);
  const isAnswering = useAtomValue(isAnsweringAtom);
  const opened = useAtomValue(openedAtom);
  const send = useSetAtom(sendAtom);
  const page = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const newest = entries[entries.length - 1]?.id;
  // A finger's tap opens no keyboard; whoever types goes on typing.
  const stay = ({ detail }: MouseEvent<HTMLElement>) =>
    (detail === 0 ? field.current : page.current?.querySelector<HTMLElement>('[role="log"]'))?.focus({
      preventScroll: true,
    });
  return (
    <>
      <AppBar
        title={t.title}
        subtitle={t.subtitle}
        back={{ label: t.back, href: href(opened === '' ? '/postorder-ui/profile' : `/order/${opened}`) }}
      >
        <EndChat />
      </AppBar>
      <AboveKeyboard className={css.screen}>
        <div ref={page} className={css.page} data-chat>
          <Log />
          {isAnswering && (
            <p className={css.thinking} aria-hidden>
              {t.thinking}
            </p>
          )}
          {!isAnswering && <Choices onPressed={stay} />}
          {newest !== undefined && (
            <Fragment key={`${newest} ${String(isAnswering)}`}>
              <div ref={intoView} className={css.end} />
            </Fragment>
          )}
        </div>
        <BottomBar
          label={t.bar}
          action={
            <Button type="submit" form="chat">
              {t.send}
            </Button>
          }
        >
          <form
            id="chat"
            onSubmit={(event) => {
              event.preventDefault();
              send();
            }}
          >
            <Field
              ref={field}
              label={t.field}
              name="question"
              autoComplete="off"
              enterKeyHint="send"
              placeholder={t.example}
              maxLength={LONGEST_QUESTION}
              value={draft}
              onChange={({ target }) => setDraft(target.value)}
            />
          </form>
        </BottomBar>
      </AboveKeyboard>
    </>
  );
}
