import * as t from '#text/first.ts';
import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import { useCallback, useDeferredValue, useMemo, useRef, type MouseEvent } from 'react';
import { useLocation } from 'wouter';
import { categoryOf } from '../../domain/redirects.ts';
import { sideCartAtom } from '../../state/first/cart.ts';
import { clearFiltersAtom, sectionsAtom, taggedAtom, type Section } from '../../state/first/filters.ts';
import {
  currentCategoryAtom,
  isMenuDefaultAtom,
  loadMenuAtom,
  menuAtom,
  liveMenuAtom,
} from '../../state/first/menu.ts';
import { firstCountryAtom } from '../../state/first/seams.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { href } from '../../ui/href.ts';
import { NavTabs } from '../../ui/page/NavTabs.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { Block, BLOCK } from './Block.tsx';
import { Filters } from './Filters.tsx';
import { ItemCard } from './ItemCard.tsx';
import { TopBar } from './TopBar.tsx';
import css from './MenuScreen.module.css';

/** Blocks that are in the page from the start: the first screens full of dishes, which also need no script. */
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

/** The categories at the top of the page: they follow the scrolling, and a tapped one is scrolled to. */
function CategoryTabs({ sections, alone }: { sections: readonly Section[]; alone: string | null }) {
  const [spied, setCurrent] = useAtom(currentCategoryAtom);
  const current = spied ?? sections[0]?.id;
  const onClick = (event: MouseEvent<HTMLAnchorElement>, path: string) => {
    const section = alone === null && sections.find((one) => href(one.path) === path);
    const target = section && document.getElementById(section.id);
    if (!target) return;
    event.preventDefault();
    target.scrollIntoView();
    // Scrolled again two frames later: dishes above are drawn only now and may be higher than the room kept for them.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        target.scrollIntoView();
        // The last categories cannot be scrolled up to the line that the spy watches. It has reported by the next
        // frame, so the tapped one is set after that.
        requestAnimationFrame(() => setCurrent(section.id));
      }),
    );
    target.focus({ preventScroll: true });
  };
  // On the page of one category its tab is scrolled into view; on the whole menu the spy does that.
  const show = (element: HTMLElement | null) => {
    const tab = alone === null ? null : element?.querySelector<HTMLElement>('[aria-current]');
    tab?.parentElement?.scrollTo?.({ left: tab.offsetLeft - 60 });
  };
  return (
    <div className={css.tabs} ref={show}>
      <NavTabs
        label={t.categories}
        tabs={sections.map(({ id, label, path }) => ({
          href: href(path),
          text: label,
          current: id === (alone ?? current),
        }))}
        onClick={onClick}
      />
    </div>
  );
}

/** Follows which section is in the upper part of the screen. */
function useSpy() {
  const [, setCurrent] = useAtom(currentCategoryAtom);
  const spy = useRef<IntersectionObserver | null>(null);
  return useCallback(
    (element: HTMLElement) => {
      if (typeof IntersectionObserver === 'undefined') return;
      spy.current ??= new IntersectionObserver(
        (entries) => {
          const seen = entries.find((entry) => entry.isIntersecting)?.target;
          if (!seen) return;
          setCurrent(seen.id);
          const tab = document.querySelector<HTMLElement>(`.${css.tabs} a[href$="${seen.getAttribute('data-path')}"]`);
          // Sideways only: scrollIntoView would also scroll the page under the finger.
          tab?.parentElement?.scrollTo({ left: tab.offsetLeft - 60 });
        },
        { rootMargin: '-20% 0px -75%' },
      );
      spy.current.observe(element);
      return () => spy.current?.unobserve(element);
    },
    [setCurrent],
  );
}

function Nothing({ isEdv, isFavourites }: { isEdv: boolean; isFavourites: boolean }) {
  const clear = useSetAtom(clearFiltersAtom);
  const load = useSetAtom(loadMenuAtom);
  const { status } = useAtomValue(liveMenuAtom);
  const isEmpty = useAtomValue(menuAtom).items.length === 0;
  if (!isEmpty && isFavourites) {
    return (
      <EmptyState
        title={t.favouritesEmpty}
        action={
          <Button kind="secondary" href={href('/menu')}>
            {t.seeMenu}
          </Button>
        }
      />
    );
  }
  if (!isEmpty) {
    return (
      <EmptyState
        title={t.filteredEmpty}
        action={
          <Button kind="secondary" onClick={() => clear()}>
            {t.showAll}
          </Button>
        }
      >
        {isEdv ? t.filteredEmptyValue : t.filteredEmptyText}
      </EmptyState>
    );
  }
  if (status === 'failed') {
    return (
      <EmptyState title={t.menuMissing} action={<Button onClick={() => load()}>{t.tryAgain}</Button>}>
        {t.menuMissingText}
      </EmptyState>
    );
  }
  return (
    <div className={css.bones} aria-busy>
      {[1, 2, 3, 4].map((one) => (
        <Skeleton key={one} height="11.75rem" />
      ))}
    </div>
  );
}

/** The whole menu, one category of it (`/menu/:category`), or everyday value (`/edv`). */
export default function MenuScreen({ params }: { params: Readonly<Record<string, string>> }) {
  // Deferred: a tapped filter shows first, its dishes follow, and the next tap need not wait for them.
  const all = useDeferredValue(useAtomValue(sectionsAtom));
  const tagged = useDeferredValue(useAtomValue(taggedAtom));
  const country = useAtomValue(firstCountryAtom);
  const names = useAtomValue(menuAtom).categories;
  const isDefault = useAtomValue(isMenuDefaultAtom);
  const isEdv = useLocation()[0] === '/edv';
  const beside = useAtomValue(sideCartAtom);
  const observe = useSpy();
  const category = params['category'] ? categoryOf(`/menu/${params['category']}`, country) : null;
  const single = isEdv || category !== null;
  const sections = useMemo(
    () =>
      isEdv
        ? [{ id: 'edv', label: t.everydayValueOffers, path: '/edv', items: tagged('everyday-value') }].filter(
            (one) => one.items.length > 0,
          )
        : category
          ? all.filter((one) => one.id === category.id)
          : all,
    [isEdv, tagged, category, all],
  );
  const title = isEdv
    ? t.everydayValueOffers
    : ((names.find(({ id }) => id === category?.id) ?? category)?.label ?? t.menu);
  const next = category && all[all.findIndex((one) => one.id === category.id) + 1];
  // Drawn again only when the dishes change, not when only the pressed filter does.
  const dishes = useMemo(() => {
    let block = 0;
    return sections.map((section) => {
      const from = block;
      block += Math.ceil(section.items.length / BLOCK);
      return (
        <section
          key={section.id}
          id={section.id}
          data-path={href(section.path)}
          aria-label={section.label}
          className={css.section}
          tabIndex={-1}
          ref={single ? null : observe}
        >
          <h2 className={single ? 'visually-hidden' : undefined}>
            {section.label} <small>{t.number({ count: section.items.length })}</small>
          </h2>
          {blocksOf(section, from)}
        </section>
      );
    });
  }, [sections, single, observe]);
  return (
    <div className={css.menu} data-menu>
      <TopBar current="/menu" />
      <div className={css.body}>
        <CategoryTabs sections={all} alone={isEdv ? 'edv' : (category?.id ?? null)} />
        <div className={css.dishes} data-beside>
          <div className={css.head}>
            <h1 tabIndex={-1}>{title}</h1>
            <p>{isDefault ? t.pricesMayDiffer : t.menuText}</p>
            <Filters />
          </div>
          {/* The skip link leads past the categories and the filters. */}
          <div id="main" role="group" aria-label={title} tabIndex={-1} className={css.list}>
            {sections.length === 0 && <Nothing isEdv={isEdv} isFavourites={params['category'] === 'favourite'} />}
            {dishes}
          </div>
          {single && (
            <p className={css.next}>
              {next && (
                <Button kind="secondary" href={href(next.path)}>
                  {t.nextCategory({ category: next.label })}
                </Button>
              )}
              <Button kind="quiet" href={href('/menu')}>
                {t.wholeMenu}
              </Button>
            </p>
          )}
        </div>
        <div className={css.beside}>{beside && <beside.Cart />}</div>
      </div>
    </div>
  );
}
