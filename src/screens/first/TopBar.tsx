import * as t from '#text/first.ts';
import { useAtomValue } from 'jotai';
import { clockAtom } from '../../state/first/clock.ts';
import { chosenStoreAtom, deliveryPlaceAtom, deliveryTypeAtom } from '../../state/first/location.ts';
import { href } from '../../ui/href.ts';
import { ChevronIcon, PinIcon } from '../../ui/pictures/icons.ts';
import { Dock } from './Dock.tsx';
import css from './TopBar.module.css';

/** Where the order goes to and how soon, and the main places of the app. */
export function TopBar({ current }: { current?: string }) {
  const type = useAtomValue(deliveryTypeAtom);
  const place = useAtomValue(deliveryPlaceAtom);
  const store = useAtomValue(chosenStoreAtom);
  const clock = useAtomValue(clockAtom);
  const where = type === 'DELIVERY' ? place?.text : store?.locality;
  return (
    <header className={css.top}>
      <a className={css.place} href={href('/postorder-ui/searchAddress?page=%2Fmenu')}>
        <PinIcon />
        <span>
          <small>{t.place({ type })}</small>
          <b>{where ?? t.placeMissing}</b>
        </span>
        {/* Beside another name it is another one, not one that moved. */}
        <ChevronIcon key={where} size={18} />
      </a>
      {where && (
        <p className={css.clock} data-urgent={clock?.isUrgent}>
          <small>{clock?.label}</small> <b>{clock?.time}</b>
        </p>
      )}
      <Dock {...(current ? { current } : {})} />
    </header>
  );
}
