import { useAtomValue, useSetAtom } from 'jotai';
import type { ReactNode } from 'react';
import type { MenuItem } from '../../contract/menu.ts';
import { DELIVERY_LABELS } from '../../domain/delivery.ts';
import { firstSize } from '../../domain/sizes.ts';
import { isOpenAtom } from '../../state/config.ts';
import { fitsAtom, sectionsAtom, taggedAtom } from '../../state/filters.ts';
import { deliveryTypeAtom } from '../../state/location.ts';
import { homeWidgetsAtom, itemsByIdAtom } from '../../state/menu.ts';
import { countryAtom } from '../../state/seams.ts';
import { addUsualAtom, DELIVERY_TYPES, placePath, switchTypeAtom, usualAtom } from '../../state/widgets.ts';
import { Button } from '../../ui/Button.tsx';
import { href } from '../../ui/href.ts';
import { BagIcon } from '../../ui/icons/BagIcon.tsx';
import { CarIcon } from '../../ui/icons/CarIcon.tsx';
import { ScooterIcon } from '../../ui/icons/ScooterIcon.tsx';
import { SearchIcon } from '../../ui/icons/SearchIcon.tsx';
import { TableIcon } from '../../ui/icons/TableIcon.tsx';
import { ItemPicture } from '../../ui/ItemPicture.tsx';
import { Price } from '../../ui/Price.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { Filters } from '../menu/Filters.tsx';
import { ItemCard } from '../menu/ItemCard.tsx';
import { TopBar } from '../menu/TopBar.tsx';
import css from './HomeScreen.module.css';

const ICONS = { DELIVERY: ScooterIcon, PICKUP: BagIcon, CURB: CarIcon, DINEIN: TableIcon };
const SHELF = 8;
/** A category is known by the first of its dishes, each by another one than its neighbours. */
const KNOWN_BY = 6;

/** How the order is received. Links: they work before the script does. */
function Types() {
  const current = useAtomValue(deliveryTypeAtom);
  const switchType = useSetAtom(switchTypeAtom);
  return (
    <nav className={css.types} aria-label="How do you want your order?">
      {DELIVERY_TYPES.map((type) => {
        const Symbol = ICONS[type];
        return (
          <a key={type} href={href(placePath(type))} aria-current={type === current || undefined} onClick={(event) => { if (switchType(type)) event.preventDefault(); }}>
            <Symbol size={22} />
            {DELIVERY_LABELS[type].split(' ')[0]}
          </a>
        );
      })}
    </nav>
  );
}

/** One thing, sold well. */
function Hero({ item, tag, pizza }: { item: MenuItem; tag: string; pizza: MenuItem }) {
  const { guarantee } = useAtomValue(countryAtom);
  const size = firstSize(item);
  const isDeal = item.kind === 'DEAL';
  return (
    <section className={css.hero} aria-label="Today's favourite">
      <div>
        <h1 tabIndex={-1}>Hot in {guarantee.minutes} minutes, or it’s free</h1>
        <p className={css.sell}><Tag tone="sun">{tag}</Tag> {item.name} {!isDeal && 'from '}<b><Price amount={item.prices[size]!} original={item.originalPrices?.[size]} /></b></p>
        <Button href={href(isDeal ? `/combo/${item.id}` : `/customise/${item.id}`)}>{isDeal ? 'Choose yours' : 'Make it yours'}</Button>
      </div>
      <div className={css.heroPizza}><ItemPicture item={pizza} /></div>
    </section>
  );
}

function Shelf({ title, text, more, children }: { title: string; text?: string; more?: string; children: ReactNode }) {
  return (
    <section className={css.shelf} aria-label={title}>
      <header>
        <h2>{title}</h2>
        {more && <a href={href(more)} aria-label={`See all: ${title}`}>See all</a>}
        {text && <p>{text}</p>}
      </header>
      {children}
    </section>
  );
}

const Row = ({ label, items }: { label: string; items: readonly MenuItem[] }) => (
  // A scrolling region has to be reachable by keyboard.
  <ul className={css.row} tabIndex={0} aria-label={label}>{items.slice(0, SHELF).map((item) => <ItemCard key={item.id} item={item} tile />)}</ul>
);

function Usual() {
  const usual = useAtomValue(usualAtom);
  const items = useAtomValue(itemsByIdAtom);
  const add = useSetAtom(addUsualAtom);
  if (usual.length === 0) return null;
  return (
    <section className={css.usual} aria-label="Your usual">
      <div>
        <h2>Your usual</h2>
        <p>{usual.map((line) => `${line.quantity > 1 ? `${line.quantity} × ` : ''}${items.get(line.productId)!.name}`).join(', ')}</p>
      </div>
      <Button kind="secondary" small onClick={() => add()}>Add all</Button>
    </section>
  );
}

/** What else the store puts on its page; what stands above is not said twice. */
function Widgets({ taken }: { taken: readonly string[] }) {
  const items = useAtomValue(itemsByIdAtom);
  const fits = useAtomValue(fitsAtom);
  return useAtomValue(homeWidgetsAtom).filter(({ title }) => !taken.includes(title)).map(({ label, title, productIds }) => {
    const own = productIds.flatMap((id) => items.get(id) ?? []).filter(fits);
    return own.length > 0 && <Shelf key={label} title={title}><Row label={title} items={own} /></Shelf>;
  });
}

/** What the customer can rely on, with its conditions. */
function Trust() {
  const { guarantee, HELP_DESK_NO } = useAtomValue(countryAtom);
  const isOpen = useAtomValue(isOpenAtom);
  const number = <b>{HELP_DESK_NO}</b>;
  return (
    <section className={css.trust} aria-label="What you can rely on">
      <dl>
        <dt>{guarantee.minutes} minutes or free</dt>
        <dd>
          From confirmation to your gate. {guarantee.nightMinutes} minutes from {guarantee.nightFrom} to {guarantee.nightTo}. Not for {guarantee.bulkFromPizzas} or
          more pizzas; up to <Price amount={guarantee.maxLiability} />.
        </dd>
        <dt>The whole bill first</dt>
        <dd>Every charge and tax is in your cart before you log in. Nothing is added at payment.</dd>
        <dt>Know what you eat</dt>
        <dd>Veg mark, calories and allergens on every dish, and worked out again for the pizza you build.</dd>
        <dt>No account needed</dt>
        <dd>Hearts and addresses stay on this phone. <a href={href('/phones')}>Change phones</a></dd>
        <dt>Need a hand?</dt>
        <dd>Call {isOpen('support') ? <a href={`tel:${HELP_DESK_NO.replace(/\s/g, '')}`}>{number}</a> : number}</dd>
      </dl>
    </section>
  );
}

/** The first thing a customer sees; prerendered. */
export default function HomeScreen() {
  const isOpen = useAtomValue(isOpenAtom);
  const sections = useAtomValue(sectionsAtom);
  const tagged = useAtomValue(taggedAtom);
  const country = useAtomValue(countryAtom);
  const best = tagged('bestseller');
  const offers = isOpen('edv') ? tagged('everyday-value') : [];
  const hero = offers[0] ?? best[0];
  return (
    <div className={css.home}>
      <TopBar current="/" />
      <div className={css.page}>
        <div className={css.find}>
          <a className={css.search} href={href('/search')}><SearchIcon size={20} />Search the menu</a>
          <Filters vegOnly />
        </div>
        <Types />
        {hero ? <Hero item={hero} tag={offers[0] ? 'Everyday value' : 'Bestseller'} pizza={best.find((item) => item.defaultToppings.length > 3) ?? hero} /> : <h1 tabIndex={-1}>{country.appName}</h1>}
        <Usual />
        <Shelf title="What will it be?" more="/menu">
          <ul className={css.tiles}>
            {sections.map(({ id, label, path, items }, at) => (
              <li key={id}><a href={href(path)}><span><ItemPicture item={items[at % Math.min(items.length, KNOWN_BY)]!} /></span>{label}</a></li>
            ))}
          </ul>
        </Shelf>
        {best.length > 0 && <Shelf title="Bestsellers" text="What the neighbourhood orders most" more="/menu"><Row label="Bestsellers" items={best} /></Shelf>}
        {offers.length > 0
          ? <Shelf title="Everyday value" text="Small prices, every day" more="/edv"><Row label="Everyday value" items={offers} /></Shelf>
          : tagged('value').length > 0 && <Shelf title="Easy on the pocket"><Row label="Easy on the pocket" items={tagged('value')} /></Shelf>}
        {isOpen('offers') && <p className={css.coupons}><span><b>Have a coupon?</b> See what applies to your cart.</span><Button kind="secondary" small href={href('/offers')}>Coupons</Button></p>}
        <Widgets taken={['Bestsellers', offers.length > 0 ? 'Everyday value' : 'Easy on the pocket']} />
        <Trust />
      </div>
    </div>
  );
}
