import * as t from '#text/first.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import type { ReactNode } from 'react';
import type { MenuItem } from '../../contract/menu.ts';
import { DELIVERY_TYPES } from '../../domain/delivery.ts';
import { writtenPhone } from '../../domain/writtenPhone.ts';
import { firstSize } from '../../domain/sizes.ts';
import { clockAtom } from '../../state/first/clock.ts';
import { isOpenAtom } from '../../state/first/config.ts';
import { fitsAtom, sectionsAtom, taggedAtom } from '../../state/first/filters.ts';
import { deliveryTypeAtom } from '../../state/first/location.ts';
import { allergensTextAtom, homeWidgetsAtom, itemsByIdAtom } from '../../state/first/menu.ts';
import { firstCountryAtom } from '../../state/first/seams.ts';
import { usualAtom, usualCardAtom } from '../../state/first/usual.ts';
import { placePath, switchTypeAtom } from '../../state/first/location.ts';
import { Button } from '../../ui/forms/Button.tsx';
import { href } from '../../ui/href.ts';
import { BagIcon, CarIcon, ScooterIcon, SearchIcon, TableIcon } from '../../ui/pictures/icons.ts';
import { ItemPicture } from '../../ui/pictures/ItemPicture.tsx';
import { Price } from '../../ui/money/Price.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { Filters } from './Filters.tsx';
import { factsOf, ItemCard } from './ItemCard.tsx';
import { hourText } from './hour.ts';
import { TopBar } from './TopBar.tsx';
import { rich } from '../../ui/rich.ts';
import css from './HomeScreen.module.css';

const ICONS = { DELIVERY: ScooterIcon, PICKUP: BagIcon, CURB: CarIcon, DINEIN: TableIcon };
const SHELF = 8;
/** A category shows the picture of one of its first dishes, a different one than its neighbours. */
const KNOWN_BY = 6;

/** The delivery types. They are links, so that they work before the script does. */
function Types() {
  const current = useAtomValue(deliveryTypeAtom);
  const switchType = useSetAtom(switchTypeAtom);
  return (
    <nav className={css.types} aria-label={t.typesLabel}>
      {DELIVERY_TYPES.map((type) => {
        const Symbol = ICONS[type];
        return (
          <a
            key={type}
            href={href(placePath(type))}
            aria-current={type === current || undefined}
            onClick={(event) => {
              if (switchType(type)) event.preventDefault();
            }}
          >
            <Symbol size={22} />
            {t.deliveryTypeShort({ type })}
          </a>
        );
      })}
    </nav>
  );
}

/** One dish with a large picture; what was ordered before, once that is known. */
function Hero({ item, tag }: { item: MenuItem; tag: string }) {
  const card = useAtomValue(usualCardAtom);
  const [mine] = useAtomValue(usualAtom);
  const usual = mine && card;
  const pictured = useAtomValue(itemsByIdAtom).get(usual ? mine.productId : '') ?? item;
  const minutes = useAtomValue(clockAtom)?.promise;
  const { guarantee } = useAtomValue(firstCountryAtom);
  const size = firstSize(item);
  const isDeal = item.kind === 'DEAL';
  const allergens = useAtomValue(allergensTextAtom)(item.allergens);
  return (
    <section className={css.hero} aria-label={usual ? undefined : t.heroLabel}>
      {/* It keeps its room under what takes its place: nothing below moves. */}
      <div className={css.words} aria-hidden={usual ? true : undefined}>
        <h1 {...(!usual && { id: 'main' })} tabIndex={-1}>
          {minutes
            ? rich(t.heroTitle, { minutes, amount: <Price amount={guarantee.maxLiability} />, small: <small /> })
            : t.heroPlain}
        </h1>
        <p className={css.sell}>
          <Tag tone="sun">{tag}</Tag>{' '}
          {rich(isDeal ? t.heroDeal : t.heroDish, {
            name: <span lang="en">{item.name}</span>,
            price: <Price amount={item.prices[size]!} original={item.originalPrices?.[size]} />,
            b: <b />,
          })}
        </p>
        {factsOf(item, size, allergens)}
        <Button href={href(isDeal ? `/combo/${item.id}` : `/customise/${item.id}`)}>
          {isDeal ? t.chooseYours : t.makeYours}
        </Button>
      </div>
      {usual && (
        <div className={css.words}>
          <usual.Card />
        </div>
      )}
      <div className={css.heroPizza}>
        <ItemPicture item={pictured} />
      </div>
    </section>
  );
}

interface ShelfProps {
  title: string;
  text?: string;
  more?: string;
  /** What there is more of, where the title does not say it. */
  of?: string;
  children: ReactNode;
}

function Shelf({ title, text, more, of = title, children }: ShelfProps) {
  return (
    <section className={css.shelf} aria-label={title}>
      <header>
        <h2>{title}</h2>
        {more && (
          <a href={href(more)} aria-label={t.seeAllOf({ title: of })}>
            {t.seeAll}
          </a>
        )}
        {text && <p>{text}</p>}
      </header>
      {children}
    </section>
  );
}

const Row = ({ label, items }: { label: string; items: readonly MenuItem[] }) => (
  // A scrolling region has to be reachable by keyboard.
  <ul className={css.row} tabIndex={0} aria-label={label}>
    {items.slice(0, SHELF).map((item) => (
      <ItemCard key={item.id} item={item} tile />
    ))}
  </ul>
);

/** The store's own shelves, except those that are on the page already, by label. */
function Widgets({ taken }: { taken: readonly string[] }) {
  const items = useAtomValue(itemsByIdAtom);
  const fits = useAtomValue(fitsAtom);
  return useAtomValue(homeWidgetsAtom)
    .filter(({ label }) => !taken.includes(label))
    .map(({ label, title, productIds }) => {
      const own = productIds.flatMap((id) => items.get(id) ?? []).filter(fits);
      return (
        own.length > 0 && (
          <Shelf key={label} title={title}>
            <Row label={title} items={own} />
          </Shelf>
        )
      );
    });
}

/** What the customer can rely on, with its conditions. */
function Trust() {
  const country = useAtomValue(firstCountryAtom);
  const { guarantee, HELP_DESK_NO } = country;
  const isOpen = useAtomValue(isOpenAtom);
  const clock = useAtomValue(clockAtom);
  const number = <b translate="no">{writtenPhone(HELP_DESK_NO, country)}</b>;
  return (
    <section className={css.trust} aria-label={t.trust}>
      <dl>
        {/* Not where the store gives none now. */}
        {clock?.promise !== null && (
          <>
            <dt>{t.trustTime({ minutes: guarantee.minutes })}</dt>
            <dd>
              {rich(t.trustTimeText, {
                nightMinutes: guarantee.nightMinutes,
                nightFrom: hourText(guarantee.nightFrom),
                nightTo: hourText(guarantee.nightTo),
                pizzas: guarantee.bulkFromPizzas,
                amount: <Price amount={guarantee.maxLiability} />,
              })}
            </dd>
          </>
        )}
        <dt>{t.trustBill}</dt>
        <dd>{t.trustBillText}</dd>
        <dt>{t.trustFood}</dt>
        <dd>{t.trustFoodText}</dd>
        <dt>{t.trustAccount}</dt>
        <dd>{rich(t.trustAccountText, { link: <a href={href('/postorder-ui/profile')} /> })}</dd>
        <dt>{t.trustHelp}</dt>
        <dd>
          {rich(t.trustHelpText, {
            number: isOpen('support') ? <a href={`tel:${HELP_DESK_NO.replace(/\s/g, '')}`}>{number}</a> : number,
          })}
        </dd>
      </dl>
    </section>
  );
}

/** The home page; prerendered. */
export default function HomeScreen() {
  const isOpen = useAtomValue(isOpenAtom);
  const sections = useAtomValue(sectionsAtom);
  const tagged = useAtomValue(taggedAtom);
  const country = useAtomValue(firstCountryAtom);
  const best = tagged('bestseller');
  const offers = isOpen('edv') ? tagged('everyday-value') : [];
  const hero = offers[0] ?? best[0];
  return (
    <div className={css.home}>
      <TopBar current="/" />
      <div className={css.page}>
        <div className={css.find}>
          <a className={css.search} href={href('/search')}>
            <SearchIcon size={20} />
            {t.searchMenu}
          </a>
          <Filters vegOnly />
        </div>
        <Types />
        {hero ? (
          <Hero item={hero} tag={offers[0] ? t.everydayValue : t.bestseller} />
        ) : (
          <h1 id="main" tabIndex={-1}>
            {country.appName}
          </h1>
        )}
        <Shelf title={t.shelfCategories} more="/menu" of={t.categories}>
          <ul className={css.tiles}>
            {sections.map(({ id, label, path, items }, at) => (
              <li key={id}>
                <a href={href(path)}>
                  <span>
                    <ItemPicture item={items[at % Math.min(items.length, KNOWN_BY)]!} />
                  </span>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </Shelf>
        {best.length > 0 && (
          <Shelf title={t.bestsellers} text={t.bestsellersText} more="/menu">
            <Row label={t.bestsellers} items={best} />
          </Shelf>
        )}
        {offers.length > 0 ? (
          <Shelf title={t.everydayValue} text={t.everydayValueText} more="/edv">
            <Row label={t.everydayValue} items={offers} />
          </Shelf>
        ) : (
          tagged('value').length > 0 && (
            <Shelf title={t.pocket}>
              <Row label={t.pocket} items={tagged('value')} />
            </Shelf>
          )
        )}
        {isOpen('offers') && (
          <p className={css.coupons}>
            <span>{rich(t.couponAsk, { b: <b /> })}</span>
            <Button kind="secondary" small href={href('/offers')}>
              {t.coupons}
            </Button>
          </p>
        )}
        <Widgets taken={['bestsellers', offers.length > 0 ? 'everyday_value_offer' : 'value']} />
        <Trust />
      </div>
    </div>
  );
}
