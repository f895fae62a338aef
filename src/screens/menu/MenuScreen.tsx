import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import { useCallback, useDeferredValue, useMemo, useRef, type MouseEvent } from 'react';
import { useLocation } from 'wouter';
import { categoryOf } from '../../domain/redirects.ts';
import { clearFiltersAtom, sectionsAtom, taggedAtom, type Section } from '../../state/filters.ts';
import { cardLookAtom, currentCategoryAtom, isMenuDefaultAtom, loadMenuAtom, menuAtom, menuStateAtom } from '../../state/menu.ts';
import { countryAtom } from '../../state/seams.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { href } from '../../ui/href.ts';
import { NavTabs } from '../../ui/NavTabs.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Block, BLOCK } from './Block.tsx';
import { Filters } from './Filters.tsx';
import { ItemCard } from './ItemCard.tsx';
import { TopBar } from './TopBar.tsx';
import css from './MenuScreen.module.css';

/** Blocks that are in the page from the start: the first screens, also without script. */
const OPEN_BLOCKS = 5;

function blocksOf(section: Section, from: number) {
  const blocks = [];
  for (let at = 0; at < section.items.length; at += BLOCK) {
    const items = section.items.slice(at, at + BLOCK);
    blocks.push(
      <Block key={items[0]!.id} count={items.length} open={from + blocks.length < OPEN_BLOCKS}>
        {() => items.map((item) => <ItemCard key={item.id} item={item} />)}
      </Block>,
    );
  }
  return blocks;
}

/** The categories, in view: follows the scrolling, and brings a tapped one up. */
function CategoryTabs({ sections, alone }: { sections: readonly Section[]; alone: string | null }) {
  const current = useAtomValue(currentCategoryAtom) ?? sections[0]?.id;
  const onClick = (event: MouseEvent<HTMLAnchorElement>, path: string) => {
    const section = alone === null && sections.find((one) => href(one.path) === path);
    const target = section && document.getElementById(section.id);
    if (!target) return;
    event.preventDefault();
    target.scrollIntoView();
    // The dishes above it come into the page now and may measure a little more than was kept for them.
    requestAnimationFrame(() => requestAnimationFrame(() => target.scrollIntoView()));
    target.focus({ preventScroll: true });
  };
  // The tab of the only category comes into view; on the whole menu the spy sees to it.
  const show = (element: HTMLElement | null) => {
    const tab = alone === null ? null : element?.querySelector<HTMLElement>('[aria-current]');
    tab?.parentElement?.scrollTo?.({ left: tab.offsetLeft - 60 });
  };
  return (
    <div className={css.tabs} ref={show}>
      <NavTabs
        label="Categories"
        tabs={sections.map(({ id, label, path }) => ({ href: href(path), text: label, current: id === (alone ?? current) }))}
        onClick={onClick}
      />
    </div>
  );
}

/** Which section lies under the upper part of the screen. */
function useSpy() {
  const [, setCurrent] = useAtom(currentCategoryAtom);
  const spy = useRef<IntersectionObserver | null>(null);
  return useCallback((element: HTMLElement) => {
    if (typeof IntersectionObserver === 'undefined') return;
    spy.current ??= new IntersectionObserver((entries) => {
      const seen = entries.find((entry) => entry.isIntersecting)?.target;
      if (!seen) return;
      setCurrent(seen.id);
      const tab = document.querySelector<HTMLElement>(`.${css.tabs} a[href$="${seen.getAttribute('data-path')}"]`);
      // Only sideways: scrollIntoView would move the page under the finger.
      tab?.parentElement?.scrollTo({ left: tab.offsetLeft - 60, behavior: 'smooth' });
    }, { rootMargin: '-20% 0px -75%' });
    spy.current.observe(element);
    return () => spy.current?.unobserve(element);
  }, [setCurrent]);
}

function Nothing({ isEdv, isFavourites }: { isEdv: boolean; isFavourites: boolean }) {
  const clear = useSetAtom(clearFiltersAtom);
  const load = useSetAtom(loadMenuAtom);
  const { status } = useAtomValue(menuStateAtom);
  const isEmpty = useAtomValue(menuAtom).items.length === 0;
  if (!isEmpty && isFavourites) {
    return <EmptyState title="You have no favourites yet" action={<Button kind="secondary" href={href('/menu')}>See the menu</Button>} />;
  }
  if (!isEmpty) {
    return <EmptyState title="Nothing fits these filters" action={<Button kind="secondary" onClick={() => clear()}>Show everything</Button>}>{isEdv ? 'No everyday value offer fits them right now.' : 'Take one off to see more dishes.'}</EmptyState>;
  }
  if (status === 'failed') {
    return <EmptyState title="The menu did not arrive" action={<Button onClick={() => void load()}>Try again</Button>}>Please check your connection.</EmptyState>;
  }
  return <div className={css.bones} aria-busy>{[1, 2, 3, 4].map((one) => <Skeleton key={one} height="11.75rem" />)}</div>;
}

/** The menu, whole or one category of it (`/menu/:category`), and everyday value (`/edv`). */
export default function MenuScreen({ params }: { params: Readonly<Record<string, string>> }) {
  // A tapped filter shows first; the dishes follow, and a further tap does not wait for them.
  const all = useDeferredValue(useAtomValue(sectionsAtom));
  const tagged = useDeferredValue(useAtomValue(taggedAtom));
  const country = useAtomValue(countryAtom);
  const isDefault = useAtomValue(isMenuDefaultAtom);
  const isEdv = useLocation()[0] === '/edv';
  const look = useAtomValue(cardLookAtom);
  const observe = useSpy();
  const category = params['category'] ? categoryOf(`/menu/${params['category']}`, country) : null;
  const single = isEdv || category !== null;
  const sections = useMemo(() => (isEdv
    ? [{ id: 'edv', label: 'Everyday value offers', path: '/edv', items: tagged('everyday-value') }].filter((one) => one.items.length > 0)
    : category ? all.filter((one) => one.id === category.id) : all), [isEdv, tagged, category, all]);
  const next = category && all[all.findIndex((one) => one.id === category.id) + 1];
  // Drawn again only when they are others: not for the chip that was pressed.
  const dishes = useMemo(() => {
    let block = 0;
    return sections.map((section) => {
      const from = block;
      block += Math.ceil(section.items.length / BLOCK);
      return (
        <section key={section.id} id={section.id} data-path={href(section.path)} aria-label={section.label} className={css.section} tabIndex={-1} ref={single ? null : observe}>
          <h2 className={single ? 'visually-hidden' : undefined}>{section.label} <small>{section.items.length}</small></h2>
          {blocksOf(section, from)}
        </section>
      );
    });
  }, [sections, single, observe]);
  return (
    <div className={css.menu} data-look={look}>
      <TopBar current="/menu" />
      <div className={css.body}>
        <CategoryTabs sections={all} alone={isEdv ? 'edv' : category?.id ?? null} />
        <div className={css.dishes}>
          <div className={css.head}>
            <h1 tabIndex={-1}>{isEdv ? 'Everyday value offers' : category?.label ?? 'Menu'}</h1>
            <p>{isDefault ? 'Prices may differ at your store.' : 'Calories and allergens are on every dish.'}</p>
            <Filters />
          </div>
          {sections.length === 0 && <Nothing isEdv={isEdv} isFavourites={params['category'] === 'favourite'} />}
          {dishes}
          {single && (
            <p className={css.next}>
              {next && <Button kind="secondary" href={href(next.path)}>Next: {next.label}</Button>}
              <Button kind="quiet" href={href('/menu')}>The whole menu</Button>
            </p>
          )}
        </div>
      </div>
    </div>
  );
}
