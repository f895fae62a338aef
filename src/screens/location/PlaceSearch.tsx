import * as errors from '#text/errors.ts';
import * as t from '#text/location.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { useState, type ClipboardEvent, type KeyboardEvent } from 'react';
import { LONGEST_PLACE, type Prediction } from '../../contract/places.ts';
import { typedText } from '../../domain/typedText.ts';
import {
  choosePredictionAtom,
  findTasks,
  predictionsState,
  searchAtom,
  searchTextAtom,
} from '../../state/places/places.ts';
import { sentenceOf } from '../../state/base/popup.ts';
import { shownTypeAtom } from '../../state/places/stores.ts';
import { isComposing } from '../../ui/forms/composing.ts';
import { Field } from '../../ui/forms/Field.tsx';
import { IconButton } from '../../ui/forms/IconButton.tsx';
import { CloseIcon, PinIcon, SearchIcon } from '../../ui/pictures/icons.ts';
import css from './PlaceSearch.module.css';

const LIST = 'place-suggestions';

/** A name with the typed part highlighted. */
function Name({ text, typed }: { text: string; typed: string }) {
  const at = text.toLowerCase().indexOf(typedText(typed).toLowerCase());
  if (at < 0 || typedText(typed) === '') return <span>{text}</span>;
  const end = at + typedText(typed).length;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, end)}</mark>
      {text.slice(end)}
    </>
  );
}

/** A combobox with its own list: the focus stays in the field while arrow keys move along the suggestions. */
export function PlaceSearch({ label, autoFocus = false }: { label: string; autoFocus?: boolean }) {
  const text = useAtomValue(searchTextAtom);
  const search = useSetAtom(searchAtom);
  const { status, data, failure } = useAtomValue(predictionsState.atom);
  const finding = useAtomValue(findTasks.busyAtom);
  const type = useAtomValue(shownTypeAtom);
  const choose = useSetAtom(choosePredictionAtom);
  const [active, setActive] = useState(-1);
  const isTyped = typedText(text).length > 1;
  const list: readonly Prediction[] = isTyped ? (data?.predictions ?? []) : [];
  const at = Math.min(active, list.length - 1);
  const isEmpty = isTyped && status === 'ready' && list.length === 0;

  /** A note about a place before it is tapped; only a delivery depends on it. */
  const mark = ({ delivery }: Prediction): string =>
    type !== 'DELIVERY' ? '' : delivery === 'NO' ? t.deliveredNot : delivery === 'PARTLY' ? t.deliveredPartly : '';
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    if (event.key === 'Escape' && text !== '') {
      event.preventDefault();
      search('');
      setActive(-1);
    }
    if (list.length === 0) return;
    const to = { ArrowDown: at + 1 === list.length ? 0 : at + 1, ArrowUp: at <= 0 ? list.length - 1 : at - 1 }[
      event.key
    ];
    if (to !== undefined) {
      event.preventDefault();
      setActive(to);
      document.getElementById(`${LIST}-${to}`)?.scrollIntoView({ block: 'nearest' });
    }
    const chosen = event.key === 'Enter' ? list[Math.max(at, 0)] : undefined;
    if (chosen) {
      event.preventDefault();
      void choose(chosen, type);
    }
  };
  /** The browser would take the ends of a pasted address's lines away, and with them where its parts end. */
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const lines = event.clipboardData
      .getData('text')
      .split(/[\r\n]+/)
      .map(typedText)
      .filter(Boolean);
    if (lines.length < 2) return;
    event.preventDefault();
    const { value, selectionStart, selectionEnd } = event.currentTarget;
    search(value.slice(0, selectionStart ?? 0) + lines.join(', ') + value.slice(selectionEnd ?? value.length));
    setActive(-1);
  };

  return (
    <div className={css.search} role="search">
      <Field
        label={label}
        autoFocus={autoFocus}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        maxLength={LONGEST_PLACE}
        placeholder={t.searchExamples}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={list.length > 0}
        aria-controls={LIST}
        {...(at >= 0 ? { 'aria-activedescendant': `${LIST}-${at}` } : {})}
        prefix={<SearchIcon size={20} />}
        value={text}
        error={
          text.length > LONGEST_PLACE
            ? errors.textLong({ count: LONGEST_PLACE })
            : status === 'failed' && isTyped
              ? sentenceOf(failure)
              : undefined
        }
        onChange={(event) => {
          search(event.target.value);
          setActive(-1);
        }}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      >
        {text !== '' && (
          <IconButton
            label={t.searchClear}
            onClick={() => {
              search('');
              setActive(-1);
            }}
          >
            <CloseIcon size={18} />
          </IconButton>
        )}
      </Field>
      <p className="visually-hidden" role="status">
        {status === 'ready' && isTyped ? (list.length === 0 ? t.noResult : t.found({ count: list.length })) : ''}
      </p>
      <ul
        className={css.list}
        id={LIST}
        role="listbox"
        aria-label={t.suggestions}
        data-open={list.length > 0}
        data-busy={finding === 'place' || status === 'loading'}
      >
        {list.map((one, index) => (
          <li
            key={one.place_id}
            id={`${LIST}-${index}`}
            role="option"
            aria-selected={index === at}
            data-faint={type === 'DELIVERY' && one.delivery === 'NO'}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => void choose(one, type)}
          >
            <PinIcon size={20} />
            <span>
              <b>
                <Name text={one.main_text} typed={text} />
              </b>
              <small>
                {one.secondary_text}
                {mark(one) && <i>{mark(one)}</i>}
              </small>
            </span>
          </li>
        ))}
      </ul>
      {isEmpty && (
        <p className={css.none}>
          <b>{t.noResult}</b> {t.noResultHelp}
        </p>
      )}
    </div>
  );
}
