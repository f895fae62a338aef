import { atom, useAtom, useAtomValue, useSetAtom } from 'jotai';
import { NO_RESULT } from '../../domain/messages.ts';
import { sectionsAtom, taggedAtom } from '../../state/filters.ts';
import { foundAtom, forgetSearchesAtom, queryAtom, recentSearchesAtom, rememberSearchAtom } from '../../state/search.ts';
import { canListenAtom, isListeningAtom, listenAtom } from '../../state/voice.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyPicture } from '../../ui/EmptyPicture.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { href } from '../../ui/href.ts';
import { ClockIcon } from '../../ui/icons/ClockIcon.tsx';
import { CloseIcon } from '../../ui/icons/CloseIcon.tsx';
import { MicIcon } from '../../ui/icons/MicIcon.tsx';
import { SearchIcon } from '../../ui/icons/SearchIcon.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Block, BLOCK } from '../menu/Block.tsx';
import { Filters } from '../menu/Filters.tsx';
import { ItemCard } from '../menu/ItemCard.tsx';
import { TopBar } from '../menu/TopBar.tsx';
import type { MenuItem } from '../../contract/menu.ts';
import css from './SearchScreen.module.css';

/** `/search?q=` opens with an answer. */
/** An address without a search leaves what was typed. */
export const enter = atom(null, (_get, set, { query }: { query: URLSearchParams }) => {
  const wanted = query.get('q');
  if (wanted !== null) set(queryAtom, wanted.slice(0, 60));
});

function List({ items }: { items: readonly MenuItem[] }) {
  const remember = useSetAtom(rememberSearchAtom);
  const blocks = [];
  for (let at = 0; at < items.length; at += BLOCK) {
    const part = items.slice(at, at + BLOCK);
    blocks.push(<Block key={part[0]!.id} count={part.length} open={at < BLOCK * 3}>{() => part.map((item) => <ItemCard key={item.id} item={item} />)}</Block>);
  }
  // A search that led to a tap is one worth remembering.
  return <div onClickCapture={() => remember()}>{blocks}</div>;
}

function Start() {
  const [recent, forget] = [useAtomValue(recentSearchesAtom), useSetAtom(forgetSearchesAtom)];
  const setQuery = useSetAtom(queryAtom);
  const sections = useAtomValue(sectionsAtom);
  const best = useAtomValue(taggedAtom)('bestseller');
  return (
    <>
      {recent.length > 0 && (
        <section aria-label="Recent searches">
          <header className={css.head}><h2>Recent searches</h2><Button kind="quiet" small onClick={() => forget()}>Clear</Button></header>
          <ul className={css.recent}>
            {recent.map((text) => <li key={text}><button type="button" onClick={() => setQuery(text)}><ClockIcon size={18} />{text}</button></li>)}
          </ul>
        </section>
      )}
      <section aria-label="Categories">
        <header className={css.head}><h2>Categories</h2></header>
        <ul className={css.categories}>{sections.map(({ id, label, path }) => <li key={id}><a href={href(path)}>{label}</a></li>)}</ul>
      </section>
      {best.length > 0 && <section aria-label="Bestsellers"><header className={css.head}><h2>Bestsellers</h2></header><List items={best.slice(0, 6)} /></section>}
    </>
  );
}

/** Answers while one types, forgives slips, and works on the menu that is on the phone. */
export default function SearchScreen() {
  const [query, setQuery] = useAtom(queryAtom);
  const { hits, near } = useAtomValue(foundAtom);
  const remember = useSetAtom(rememberSearchAtom);
  const canListen = useAtomValue(canListenAtom);
  const isListening = useAtomValue(isListeningAtom);
  const listen = useSetAtom(listenAtom);
  const isAsked = query.trim() !== '';
  return (
    <div className={css.page}>
      <TopBar current="/search" />
      <div className={css.body}>
        <h1 tabIndex={-1} className="visually-hidden">Search the menu</h1>
        <form role="search" className={css.box} action={href('/search')} onSubmit={(event) => { event.preventDefault(); remember(); (document.activeElement as HTMLElement | null)?.blur(); }}>
          <SearchIcon />
          <input
            type="search" name="q" aria-label="Search the menu" placeholder={isListening ? 'Listening…' : 'Pizza, sides, drinks'} autoComplete="off" autoCapitalize="off" spellCheck={false} enterKeyHint="search" maxLength={60}
            value={query} onChange={(event) => setQuery(event.target.value)}
          />
          {canListen && <IconButton label={isListening ? 'Stop listening' : 'Search by voice'} aria-pressed={isListening} onClick={() => void listen()}><MicIcon size={20} /></IconButton>}
          {query && <IconButton label="Clear" onClick={() => setQuery('')}><CloseIcon size={20} /></IconButton>}
        </form>
        <Filters vegOnly />
        <p role="status" className={isAsked && hits.length > 0 ? css.count : 'visually-hidden'}>
          {isAsked && (hits.length > 0 ? `${hits.length} ${hits.length === 1 ? 'dish' : 'dishes'}` : NO_RESULT)}
        </p>
        {!isAsked && <Start />}
        {hits.length > 0 && <><h2 className="visually-hidden">Found</h2><List items={hits} /></>}
        {isAsked && hits.length === 0 && (
          <>
            <EmptyState picture={<EmptyPicture />} title={NO_RESULT} action={near.length === 0 && <Button kind="secondary" href={href('/menu')}>See the menu</Button>}>
              {near.length > 0 ? 'These come close:' : 'Try another word, or look through the menu.'}
            </EmptyState>
            <List items={near} />
          </>
        )}
      </div>
    </div>
  );
}
