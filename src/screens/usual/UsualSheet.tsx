import * as errors from '#text/errors.ts';
import * as t from '#text/usual.ts';
import { useAtomValue, useSetAtom } from 'jotai';
import { useState } from 'react';
import type { CartLine } from '../../contract/cart.ts';
import type { Money } from '../../contract/price.ts';
import { inputOf } from '../../domain/lineInput.ts';
import { madeOf } from '../../domain/madeOf.ts';
import { addressLine } from '../../state/places/addresses.ts';
import { choiceOfAtom, isChoiceNeeded } from '../../state/drafts/paymentChoice.ts';
import { countryAtom } from '../../state/base/country.ts';
import { termsLinkAtom } from '../../state/shop/documents.ts';
import { chosenStoreAtom, deliveryPlaceAtom, deliveryTypeAtom } from '../../state/first/location.ts';
import { profileAtom } from '../../state/first/seams.ts';
import { isOfflineAtom } from '../../state/base/network.ts';
import {
  areTermsAcceptedAtom,
  besideAtom,
  checkoutUsualAtom,
  chooseUsualModeAtom,
  closeUsualAtom,
  costBeforeAtom,
  isUsualBusyAtom,
  openUsualAtom,
  orderUsualAtom,
  tickTermsAtom,
  turnOffersAtom,
  usualNewsAtom,
  usualState,
  type UsualNow,
} from '../../state/after/usualOrder.ts';
import { AmountSaid } from '../../ui/money/AmountSaid.tsx';
import { BillLines } from '../../ui/money/BillLines.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { CheckBox } from '../../ui/forms/CheckBox.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { FoodMark } from '../../ui/pictures/FoodMark.tsx';
import { href } from '../../ui/href.ts';
import { ReceiptIcon } from '../../ui/pictures/icons.ts';
import { Price } from '../../ui/money/Price.tsx';
import { Problems } from '../../ui/forms/Problems.tsx';
import { rich } from '../../ui/rich.ts';
import { Sheet } from '../../ui/overlays/Sheet.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { LinePicture } from '../base/LinePicture.tsx';
import { LoadAgain } from '../base/LoadAgain.tsx';
import { HostWait } from '../login/HostWait.tsx';
import { ModeList } from '../payment/ModeList.tsx';
import { PayWords } from '../payment/PayWords.tsx';
import css from './Usual.module.css';

function Where({ now }: { now: UsualNow }) {
  const type = useAtomValue(deliveryTypeAtom);
  const place = useAtomValue(deliveryPlaceAtom);
  const store = useAtomValue(chosenStoreAtom);
  const to = type === 'DELIVERY' ? place?.address && addressLine(place.address) : store?.name;
  return (
    <div className={css.row}>
      <p>
        <b>{t.to({ type, place: to ?? '' })}</b>
        {now.takes === 'now' && (
          <>
            <br />
            <span className={css.note}>{t.soon({ type, ...now.deliveryMinutes })}</span>
          </>
        )}
      </p>
      <a href={href('/postorder-ui/searchAddress?page=%2F')}>{t.change}</a>
    </div>
  );
}

function Dish({ line, before }: { line: CartLine; before: Money | null }) {
  const { name, foodType } = line.product;
  const made = madeOf(line);
  return (
    <li>
      <LinePicture line={{ ...inputOf(line), product: line.product }} />
      <div>
        <p>
          <FoodMark type={foodType} /> {line.quantity > 1 ? t.pieces({ count: line.quantity, name }) : name}
        </p>
        {made.length > 0 && <p className={css.made}>{made.join(' · ')}</p>}
        {before !== null && (
          <p className={css.before}>
            {rich(line.quantity > 1 ? t.beforeEach : t.before, { before: <Price amount={before} /> })}
          </p>
        )}
      </div>
      <Price amount={line.lineTotal} zero={t.free} />
    </li>
  );
}

function Dishes({ now }: { now: UsualNow }) {
  const costBefore = useAtomValue(costBeforeAtom);
  return (
    <ul className={css.dishes} aria-label={t.dishes}>
      {now.lines.map((line, at) => line && <Dish key={line.lineId} line={line} before={costBefore(at)} />)}
      {now.gifts.map((line) => (
        <Dish key={line.lineId} line={line} before={null} />
      ))}
    </ul>
  );
}

/** The best permitted offer is on; one tap takes it off or puts it back. */
function Offer({ now }: { now: UsualNow }) {
  const isOn = now.withOffers;
  const turn = useSetAtom(turnOffersAtom);
  if (!now.hasOffers) return null;
  const codes = now.offers.map(({ code }) => code).join(' + ');
  return (
    <div className={`${css.row} ${css.offer}`}>
      <p>
        {!isOn
          ? t.offerOff
          : now.saving > 0
            ? rich(t.offerOn, { codes, saving: <Price amount={now.saving} /> })
            : t.offerGift({ codes })}
      </p>
      <Button kind="quiet" small onClick={() => void turn()}>
        {isOn ? t.offerRemove : t.offerUse}
      </Button>
    </div>
  );
}

function Bill({ now: { bill } }: { now: UsualNow }) {
  const [isOpen, setOpen] = useState(false);
  const isWaiting = useAtomValue(usualState.atom).status === 'loading';
  return (
    <div className={css.edge}>
      <Fold
        icon={<ReceiptIcon size={20} />}
        title={t.toPay}
        detail={bill.savings > 0 ? rich(t.saved, { amount: <Price amount={bill.savings} /> }) : t.bill}
        end={<Price amount={bill.total} />}
        isOpen={isOpen}
        onToggle={setOpen}
      >
        <BillLines bill={bill} totalLabel={t.toPay} />
      </Fold>
      <AmountSaid amount={bill.total} isWaiting={isWaiting} text={t.totalSaid} />
    </div>
  );
}

/** The mode of the last order in one line; the others are a tap away. */
function Modes({ now: { modes, paymentMode } }: { now: UsualNow }) {
  const choose = useSetAtom(chooseUsualModeAtom);
  const [isOpen, setOpen] = useState(false);
  const chosen = modes.find(({ id }) => id === paymentMode);
  const open = () => {
    setOpen(true);
    // The list takes the button's place, and its focus. It stays open, so that arrow keys can go through it.
    requestAnimationFrame(() =>
      document.getElementById('usual-modes')?.querySelector<HTMLElement>('input:checked')?.focus(),
    );
  };
  if (chosen && !isOpen)
    return (
      <div className={css.row}>
        <b>{t.payWith({ label: chosen.label })}</b>
        {modes.length > 1 && (
          <Button kind="quiet" small onClick={open}>
            {t.changeMode}
          </Button>
        )}
      </div>
    );
  return (
    <div id="usual-modes" className={css.edge}>
      <ModeList
        options={modes}
        value={paymentMode}
        onChange={(id) => void choose(id)}
        reasonOf={({ disabledReason }) => disabledReason}
        isOpen
        onOpen={() => undefined}
      />
    </div>
  );
}

/** Accepted once for each version; shown only while this version is not. */
function Tick({ now }: { now: UsualNow }) {
  const isOrderable = useIsOrderable(now);
  const { TNC } = useAtomValue(countryAtom);
  const isAccepted = useAtomValue(areTermsAcceptedAtom);
  const tick = useSetAtom(tickTermsAtom);
  const link = useAtomValue(termsLinkAtom);
  const [wasAccepted] = useState(isAccepted);
  if (wasAccepted || !isOrderable) return null;
  return (
    <div className={css.tick} id="usual-terms">
      <CheckBox label={TNC} checked={isAccepted} onChange={tick} />
      <a href={href(link)}>{t.readTerms}</a>
    </div>
  );
}

/** What stands in the way, before anything is tapped. */
function News({ now }: { now: UsualNow }) {
  const news = useAtomValue(usualNewsAtom);
  const said = [...new Set([news, ...now.problems.map(({ displayMsg }) => displayMsg)])].filter(Boolean);
  const isRest = now.gone.length > 0 && now.lines.some(Boolean);
  if (said.length === 0 && now.gone.length === 0) return null;
  return (
    <Problems>
      {said.map((text) => (
        <p key={text}>{text}</p>
      ))}
      {now.gone.map(({ name, productId, reason }) => (
        <p key={productId}>{t.gone({ name, reason })}</p>
      ))}
      {isRest && <p>{t.goneRest}</p>}
    </Problems>
  );
}

/** Whether the sheet has everything that is needed; a card's number or a bank is asked for at the checkout. */
function useIsOrderable({ problems, paymentMode, modes }: UsualNow): boolean {
  const option = modes.find(({ id }) => id === paymentMode);
  const choice = useAtomValue(choiceOfAtom)(option);
  return problems.length === 0 && paymentMode !== 'CARD' && (choice !== null || !isChoiceNeeded(option));
}

/** The one button: it says what it does, and how much it costs. */
function Order({ now }: { now: UsualNow }) {
  const isBusy = useAtomValue(isUsualBusyAtom);
  const isLoading = useAtomValue(usualState.atom).status === 'loading';
  const isOffline = useAtomValue(isOfflineAtom);
  const isAccepted = useAtomValue(areTermsAcceptedAtom);
  const order = useSetAtom(orderUsualAtom);
  const goOn = useSetAtom(checkoutUsualAtom);
  const { paymentMode: mode, problems, bill } = now;
  const isOrderable = useIsOrderable(now);
  const option = now.modes.find(({ id }) => id === now.paymentMode);
  const choice = useAtomValue(choiceOfAtom)(option);
  const say = useSetAtom(usualNewsAtom);
  const look = { full: true, busy: isBusy || isLoading, disabled: isOffline };
  if (!now.lines.some(Boolean))
    return (
      <Button full href={href('/menu')}>
        {t.seeMenu}
      </Button>
    );
  const pay = () => {
    if (mode !== null && isAccepted) return void order();
    // The first thing that is missing.
    say(mode === null ? t.modeMissing : errors.termsMissing);
    document
      .getElementById(mode === null ? 'usual-modes' : 'usual-terms')
      ?.querySelector('input')
      ?.focus();
  };
  if (!isOrderable)
    return (
      <Button {...look} onClick={() => void goOn()}>
        {problems.length === 0 && mode === 'CARD' ? t.payCard : now.takes === 'later' ? t.chooseTime : t.goOn}
      </Button>
    );
  return (
    <Button {...look} onClick={pay}>
      <span>
        <PayWords mode={mode} label={choice?.label ?? option?.label ?? ''} amount={bill.total} />
      </span>
    </Button>
  );
}

/** Everything that an order needs, as it was last time, and the one tap that orders it again. */
export default function UsualSheet() {
  const close = useSetAtom(closeUsualAtom);
  const profile = useAtomValue(profileAtom);
  const { data: now, status, failure } = useAtomValue(usualState.atom);
  const beside = useAtomValue(besideAtom).reduce((sum, line) => sum + line.quantity, 0);
  const again = useSetAtom(openUsualAtom);
  return (
    <Sheet
      title={t.title}
      onClose={close}
      closeOnOutside={profile.fullMode}
      {...(now ? { footer: <Order now={now} /> } : {})}
    >
      {now ? (
        <div className={css.sheet} data-old={status === 'loading'} aria-busy={status === 'loading'}>
          {HOSTED && <HostWait />}
          <News now={now} />
          <Where now={now} />
          <Dishes now={now} />
          {beside > 0 && <p className={css.note}>{t.beside({ count: beside })}</p>}
          <Offer now={now} />
          <Bill now={now} />
          <Modes now={now} />
          <Tick now={now} />
        </div>
      ) : status === 'failed' ? (
        <LoadAgain failure={failure} onRetry={() => void again()} />
      ) : (
        <>
          {HOSTED && <HostWait />}
          <div aria-busy="true">
            <Skeleton height="18rem" />
          </div>
        </>
      )}
    </Sheet>
  );
}
