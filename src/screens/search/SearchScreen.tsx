import * as t from '#text/search.ts';
import { atom, useAtom, useAtomValue, useSetAtom } from 'jotai';
import { sectionsAtom, taggedAtom } from '../../state/first/filters.ts';
import { foundAtom, queryAtom, recentQueriesAtom, rememberQueryAtom } from '../../state/search.ts';
import { canListenAtom, isListeningAtom, listenAtom } from '../../state/voice.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyPicture } from '../../ui/EmptyPicture.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { useHeardAtOnce } from '../../ui/heard.ts';
import { href } from '../../ui/href.ts';
import { ClockIcon } from '../../ui/icons/ClockIcon.tsx';
import { CloseIcon } from '../../ui/icons/CloseIcon.tsx';
import { MicIcon } from '../../ui/icons/MicIcon.tsx';
import { SearchIcon } from '../../ui/icons/SearchIcon.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Block, BLOCK } from '../first/Block.tsx';
import { Filters } from '../first/Filters.tsx';
import { ItemCard } from '../first/ItemCard.tsx';
import { TopBar } from '../first/TopBar.tsx';
import type { MenuItem } from '../../contract/menu.ts';
import css from './SearchScreen.module.css';

/** `/search?q=` opens with its results. An address without `q` keeps what was typed. */
export const enter = atom(null, (_get, set, { query }: { query: URLSearchParams }) => {
  const wanted = query.get('q');
  if (wanted !== null) set(queryAtom, wanted.slice(0, 60));
});

function List({ items }: { items: readonly MenuItem[] }) {
  const remember = useSetAtom(rememberQueryAtom);
  const blocks = [];
  for (let at = 0; at < items.length; at += BLOCK) {
    const part = items.slice(at, at + BLOCK);
    blocks.push(
      <Block key={part[0]!.id} count={part.length} open={at < BLOCK * 3}>
        {() => part.map((item) => <ItemCard key={item.id} item={item} />)}
      </Block>,
    );
  }
  // A search whose result was tapped is remembered.
  return <div onClickCapture={() => remember()}>{blocks}</div>;
}

function Start() {
  const [recent, setRecent] = useAtom(recentQueriesAtom);
  const setQuery = useSetAtom(queryAtom);
  const sections = useAtomValue(sectionsAtom);
  const best = useAtomValue(taggedAtom)('bestseller');
  return (
    <>
      {recent.length > 0 && (
        <section aria-label={t.recent}>
          <header className={css.head}>
            <h2>{t.recent}</h2>
            <Button kind="quiet" small onClick={() => setRecent([])}>
              {t.clear}
            </Button>
          </header>
          <ul className={css.recent}>
            {recent.map((text) => (
              <li key={text}>
                <button type="button" onClick={() => setQuery(text)}>
                  <ClockIcon size={18} />
                  {text}
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section aria-label={t.categories}>
        <header className={css.head}>
          <h2>{t.categories}</h2>
        </header>
        <ul className={css.categories}>
          {sections.map(({ id, label, path }) => (
            <li key={id}>
              <a href={href(path)}>{label}</a>
            </li>
          ))}
        </ul>
      </section>
      {best.length > 0 && (
        <section aria-label={t.bestsellers}>
          <header className={css.head}>
            <h2>{t.bestsellers}</h2>
          </header>
          <List items={best.slice(0, 6)} />
        </section>
      )}
    </>
  );
}

/**
 * Searches while the customer types and forgives typing errors. It works on the menu on the phone, also without a
 * network.
 */
export default function SearchScreen() {
  const [query, setQuery] = useAtom(queryAtom);
  const { hits, near } = useAtomValue(foundAtom);
  const remember = useSetAtom(rememberQueryAtom);
  const canListen = useAtomValue(canListenAtom);
  const isListening = useAtomValue(isListeningAtom);
  const listen = useSetAtom(listenAtom);
  useHeardAtOnce();
  const isAsked = query.trim() !== '';
  return (
    <div className={css.page}>
      <TopBar current="/search" />
      <div className={css.body}>
        <h1 id="main" tabIndex={-1} className="visually-hidden">
          {t.title}
        </h1>
        <form
          role="search"
          className={css.box}
          action={href('/search')}
          onSubmit={(event) => {
            event.preventDefault();
            remember();
            (document.activeElement as HTMLElement | null)?.blur();
          }}
        >
          <SearchIcon />
          <input
            type="search"
            name="q"
            aria-label={t.title}
            placeholder={isListening ? t.listening : t.examples}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            enterKeyHint="search"
            maxLength={60}
            value={query}
            onChange={(event) => setQuery(event.target.value)}
          />
          {canListen && (
            <IconButton
              label={isListening ? t.stopListening : t.listen}
              aria-pressed={isListening}
              onClick={() => void listen()}
            >
              <MicIcon size={20} />
            </IconButton>
          )}
          {query && (
            <IconButton label={t.clear} onClick={() => setQuery('')}>
              <CloseIcon size={20} />
            </IconButton>
          )}
        </form>
        <Filters vegOnly />
        <p role="status" className={isAsked && hits.length > 0 ? css.count : 'visually-hidden'}>
          {isAsked && (hits.length > 0 ? t.found({ count: hits.length }) : t.nothing)}
        </p>
        {!isAsked && <Start />}
        {hits.length > 0 && (
          <>
            <h2 className="visually-hidden">{t.foundTitle}</h2>
            <List items={hits} />
          </>
        )}
        {isAsked && hits.length === 0 && (
          <>
            <EmptyState
              picture={<EmptyPicture />}
              title={t.nothing}
              action={
                near.length === 0 && (
                  <Button kind="secondary" href={href('/menu')}>
                    {t.menu}
                  </Button>
                )
              }
            >
              {near.length > 0 ? t.close : t.anotherWord}
            </EmptyState>
            <List items={near} />
          </>
        )}
      </div>
    </div>
  );
}
