import * as t from '#text/search.ts';
import { atom, useAtom, useAtomValue, useSetAtom } from 'jotai';
import { QUERY_MOST } from '../../domain/recentQueries.ts';
import { writtenPhone } from '../../domain/writtenPhone.ts';
import { sectionsAtom, taggedAtom } from '../../state/first/filters.ts';
import { countryAtom } from '../../state/base/country.ts';
import {
  dietToMakeAtom,
  foundAtom,
  makeSoAtom,
  prepareSearchAtom,
  queryAtom,
  recentQueriesAtom,
  rememberQueryAtom,
} from '../../state/menu/search.ts';
import { canListenAtom, isListeningAtom, listenAtom } from '../../state/menu/voice.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { EmptyPicture } from '../../ui/pictures/EmptyPicture.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { useHeardAtOnce } from '../../ui/heard.ts';
import { href } from '../../ui/href.ts';
import { ClockIcon, CloseIcon, MicIcon, SearchIcon } from '../../ui/pictures/icons.ts';
import { IconButton } from '../../ui/forms/IconButton.tsx';
import { useTextCut } from '../../ui/forms/textCut.ts';
import { Block, BLOCK } from '../first/Block.tsx';
import { Filters } from '../first/Filters.tsx';
import { ItemCard } from '../first/ItemCard.tsx';
import { TopBar } from '../first/TopBar.tsx';
import type { Found } from '../../domain/search.ts';
import type { MenuItem } from '../../contract/menu.ts';
import css from './SearchScreen.module.css';

/** `/search?q=` opens with its results. An address without `q` keeps what was typed. */
export const enter = atom(null, (_get, set, { query }: { query: URLSearchParams }) => {
  set(prepareSearchAtom);
  const wanted = query.get('q');
  if (wanted !== null) set(queryAtom, wanted.slice(0, QUERY_MOST));
});

const NOTHING: Found<MenuItem> = { hits: [], near: [], cautions: [], unknown: [], missed: [] };

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

/** In one line. */
function useHelpNumber(): string {
  const country = useAtomValue(countryAtom);
  return writtenPhone(country.HELP_DESK_NO, country).replaceAll(' ', '\u00a0');
}

/** What has to be said with what is found. */
function Cautions({ cautions, missed }: Pick<Found<MenuItem>, 'cautions' | 'missed'>) {
  const number = useHelpNumber();
  const diet = useAtomValue(dietToMakeAtom);
  const makeSo = useSetAtom(makeSoAtom);
  return (
    <>
      {missed.length > 0 && (
        <p role="status" className={css.caution}>
          {t.missed({ words: missed.join(' '), number })}
        </p>
      )}
      {cautions.map((caution) => (
        <p key={caution} className={css.caution}>
          {caution === 'halal' ? t.halal({ number }) : t.caution({ caution })}
        </p>
      ))}
      {diet && (
        <Button kind="secondary" small onClick={() => makeSo(diet)}>
          {t.make({ diet })}
        </Button>
      )}
    </>
  );
}

function Diets() {
  const { dietsAsked } = useAtomValue(countryAtom);
  const setQuery = useSetAtom(queryAtom);
  return (
    <section aria-label={t.diets}>
      <header className={css.head}>
        <h2>{t.diets}</h2>
      </header>
      <ul className={css.categories}>
        {dietsAsked.map((diet) => (
          <li key={diet}>
            <button type="button" onClick={() => setQuery(t.diet({ diet }))}>
              {t.diet({ diet })}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
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
      <Diets />
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

/** Says why nothing is found, and shows what comes close. */
function Nothing({ near, unstated }: { near: readonly MenuItem[]; unstated: string | undefined }) {
  return (
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
        {unstated ?? (near.length > 0 ? t.close : t.anotherWord)}
      </EmptyState>
      <List items={near} />
    </>
  );
}

/**
 * Searches while the customer types and forgives typing errors. It works on the menu on the phone, also without a
 * network.
 */
export default function SearchScreen() {
  const [query, setQuery] = useAtom(queryAtom);
  const found = useAtomValue(foundAtom);
  const { hits, near, cautions, unknown, missed } = found ?? NOTHING;
  const remember = useSetAtom(rememberQueryAtom);
  const canListen = useAtomValue(canListenAtom);
  const isListening = useAtomValue(isListeningAtom);
  const listen = useSetAtom(listenAtom);
  const { cut, watched } = useTextCut(QUERY_MOST);
  const number = useHelpNumber();
  useHeardAtOnce();
  const isAsked = query.trim() !== '';
  const isAnswered = isAsked && found !== null;
  /** Why nothing is shown, where the menu knows nothing of what is left out. */
  const unstated = unknown.length > 0 ? t.unknown({ words: unknown.join(', '), number }) : undefined;
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
            {...watched}
            type="search"
            name="q"
            aria-label={t.title}
            placeholder={isListening ? t.listening : t.examples}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            enterKeyHint="search"
            maxLength={QUERY_MOST}
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
        <p role="status" className={cut ? css.caution : 'visually-hidden'}>
          {cut}
        </p>
        <Filters vegOnly />
        <p role="status" className={isAnswered && hits.length > 0 ? css.count : 'visually-hidden'}>
          {isAnswered && (hits.length > 0 ? t.found({ count: hits.length }) : (unstated ?? t.nothing))}
        </p>
        {!isAsked && <Start />}
        {isAnswered && <Cautions cautions={cautions} missed={missed} />}
        {hits.length > 0 && (
          <>
            <h2 className="visually-hidden">{t.foundTitle}</h2>
            <List items={hits} />
          </>
        )}
        {isAnswered && hits.length === 0 && <Nothing near={near} unstated={unstated} />}
      </div>
    </div>
  );
}
