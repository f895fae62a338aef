import * as t from '#text/payment.ts';
import { atom, useAtomValue, useSetAtom } from 'jotai';
import { useState, type FormEvent } from 'react';
import {
  areModesOpenAtom,
  instructionChoices,
  isCardBusyAtom,
  isPlacingAtom,
  isWholeAtom,
  optionsState,
  paymentModeAtom,
  placeOrderAtom,
  presetModeAtom,
  problemsAtom,
  quoteState,
  termsAcceptedAtom,
} from '../../state/checkout.ts';
import { STORE_NOT_AVAILABLE } from '../../domain/storeAlert.ts';
import { countryAtom } from '../../state/country.ts';
import { termsLinkAtom } from '../../state/documents.ts';
import { offeredModeAtom } from '../../state/coupons.ts';
import { cartCountAtom } from '../../state/first/cart.ts';
import { seatAtom } from '../../state/first/group.ts';
import { deliveryTypeAtom } from '../../state/first/location.ts';
import { hostAtom, navigateAtom } from '../../state/first/seams.ts';
import { journalAtom } from '../../state/journal.ts';
import { enterCardsAtom, takeCardAtom } from '../../state/payments.ts';
import { paymentSheetsState } from '../../state/paymentSheet.ts';
import { onTrainAtom } from '../../state/onTrain.ts';
import { storeSelectorPath } from '../../state/stores.ts';
import { slotsState } from '../../state/timeSlots.ts';
import { renewTripOrderAtom } from '../../state/trainOrders.ts';
import { checkTrainPhoneAtom } from '../../state/trainPhone.ts';
import { ensureLoginAtom } from '../../state/vendorlogin.ts';
import { AppBar } from '../../ui/AppBar.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { CheckBox } from '../../ui/CheckBox.tsx';
import { EmptyPicture } from '../../ui/EmptyPicture.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { href } from '../../ui/href.ts';
import { Column, Page } from '../../ui/Page.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Problems } from '../../ui/Problems.tsx';
import { useIsWaiting } from '../isWaiting.ts';
import { HostWait } from '../login/HostWait.tsx';
import { TrainCode } from '../trains/TrainCode.tsx';
import { BillFold } from './BillFold.tsx';
import { ModeCard } from './ModeCard.tsx';
import { PayBar } from './PayBar.tsx';
import { usePaymentForm, type PaymentForm } from './paymentForm.ts';
import { loadFundsAtom } from './WalletFunds.tsx';
import { WalletSheets } from './WalletSheets.tsx';
import { Where } from './Where.tsx';
import { Who } from './Who.tsx';
import { Wishes } from './Wishes.tsx';
import css from './PaymentModeScreen.module.css';

export const enter = atom(null, async (get, set) => {
  const seat = get(seatAtom);
  // In a group order only the host pays.
  if (seat) return get(navigateAtom).go(`/group/${seat.code}`, { replace: true });
  set(areModesOpenAtom, null);
  // What does not depend on the customer loads while the host logs them in, so that nothing moves under their finger
  // afterwards.
  const isOnTrain = get(onTrainAtom) !== null;
  if (TRAINS) void set(renewTripOrderAtom);
  if (!isOnTrain) void set(slotsState.load);
  if (get(deliveryTypeAtom) === 'DELIVERY' && !isOnTrain) void set(instructionChoices.load);
  await set(ensureLoginAtom);
  if (FULL_MODE) {
    void set(enterCardsAtom);
    void set(paymentSheetsState.load);
  }
  // An applied offer may require a payment mode: then it was chosen with the offer.
  const offered = get(offeredModeAtom);
  if (offered) set(paymentModeAtom, offered);
  await Promise.all([
    set(optionsState.load).then(() => (FULL_MODE ? set(loadFundsAtom) : undefined)),
    set(quoteState.load),
  ]);
  await set(presetModeAtom);
});

/** Codes of problems that only say that a field is not filled in yet: the field says so itself. */
const NOT_YET = /_MISSING$|^FIRST_NAME$|^INVALID_MOBILE$|^TRAIN_OTP$/;

function EmptyCart() {
  const journal = useAtomValue(journalAtom);
  return (
    <>
      <AppBar title={t.title} back={{ label: t.backToMenu, href: href('/menu') }} />
      <EmptyState
        picture={<EmptyPicture />}
        title={journal ? t.emptyPlacing : t.emptyTitle}
        action={
          <Button href={href(journal?.orderId ? `/order/${journal.orderId}` : '/menu')}>
            {journal?.orderId ? t.seeOrder : t.seeMenu}
          </Button>
        }
      />
    </>
  );
}

/**
 * The problems that the server reports. Those about fields that are still empty are left out: once the customer tries
 * to pay, each stands at its field. What the last try was refused for is said once, in its newest words.
 */
function ServerProblems() {
  const { data } = useAtomValue(quoteState.atom);
  const ofTheLastTry = useAtomValue(problemsAtom);
  const type = useAtomValue(deliveryTypeAtom);
  const now = (data?.problems ?? []).filter((problem) => !NOT_YET.test(problem.code));
  const problems = [
    ...now,
    ...ofTheLastTry.filter(({ code, field }) => !now.some((one) => one.code === code && one.field === field)),
  ];
  return problems.length === 0 ? null : (
    <Problems>
      {problems.map((problem) => (
        <p key={problem.code + problem.displayMsg}>
          {problem.displayMsg}
          {problem.code === STORE_NOT_AVAILABLE && (
            <>
              {' '}
              <a href={href(storeSelectorPath(type))}>{t.storeOther}</a>
            </>
          )}
          {problem.code === 'COUPON_LOGIN' && (
            <>
              {' '}
              <a href={href(`/login?redirectUrl=${encodeURIComponent('/payment')}`)}>{t.couponLogin}</a>
            </>
          )}
        </p>
      ))}
    </Problems>
  );
}

function Terms({ form }: { form: PaymentForm }) {
  const { TNC } = useAtomValue(countryAtom);
  const terms = useAtomValue(termsAcceptedAtom);
  const link = useAtomValue(termsLinkAtom);
  return (
    <div className={css.terms} id="pay-terms" tabIndex={-1}>
      <div className={css.accept}>
        <CheckBox label={TNC} checked={terms} error={form.errors.terms && 'pay-terms-error'} onChange={form.accept} />
        <a href={href(link)}>{t.readTerms}</a>
      </div>
      {form.errors.terms && (
        <p className={css.error} id="pay-terms-error">
          {form.errors.terms}
        </p>
      )}
    </div>
  );
}

/** Places the order; the data of a card is handed over first. @returns false where a field of the card is wrong */
const payAtom = atom(null, async (get, set): Promise<boolean> => {
  const isByCard = FULL_MODE && get(paymentModeAtom) === 'CARD' && !get(isWholeAtom);
  if (TRAINS && !(await set(checkTrainPhoneAtom))) return true;
  if (isByCard && !(await set(takeCardAtom))) return false;
  await set(placeOrderAtom);
  return true;
});

const Bones = () => (
  <>
    <Card>
      <Column>
        <Skeleton height="3rem" />
        <Skeleton height="2rem" />
      </Column>
    </Card>
    <Card>
      <Skeleton height="20rem" />
    </Card>
  </>
);

/** The last page before paying, on one screen: where and when, how, the same bill as in the cart, and one button. */
export default function PaymentModeScreen() {
  const count = useAtomValue(cartCountAtom);
  const hasList = useAtomValue(hostAtom).partner === '';
  const isPlacing = useAtomValue(isPlacingAtom);
  const isCardBusy = useAtomValue(isCardBusyAtom);
  // Nobody knows before how many ways to pay there are; inside a payment app there is one.
  const isListWaiting = useIsWaiting(optionsState.atom) && hasList;
  // What the store and the bill have to say comes above the ways to pay and opens folds: they wait for it.
  const isOnTrain = useAtomValue(onTrainAtom) !== null;
  const isStoreWaiting = useIsWaiting(slotsState.atom) && !isOnTrain;
  const isAwaited = useIsWaiting(quoteState.atom) || isStoreWaiting;
  // What is there once stays, whatever is asked for anew.
  const [isThere, setThere] = useState(!isAwaited);
  if (!isThere && !isAwaited) setThere(true);
  const isWaiting = !isThere;
  const pay = useSetAtom(payAtom);
  const form = usePaymentForm();
  const place = async () => {
    if (!(await pay())) document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isPlacing && !isCardBusy && form.isReady()) void place();
  };
  if (count === 0 && !isPlacing) return <EmptyCart />;
  return (
    <>
      <form noValidate onSubmit={submit}>
        <AppBar title={t.title} back={{ label: t.backToCart, href: href('/cart') }} />
        <Page columns="even">
          <Column>
            <HostWait />
            {isWaiting ? (
              <Bones />
            ) : (
              <>
                <ServerProblems />
                <Card flush>
                  <Where form={form} />
                  <Who form={form} />
                </Card>
                <ModeCard form={form} />
              </>
            )}
          </Column>
          {!isListWaiting && !isWaiting && (
            <Column>
              <Card flush>
                <BillFold />
                <Wishes form={form} />
              </Card>
              <Terms form={form} />
            </Column>
          )}
        </Page>
        <PayBar />
      </form>
      {FULL_MODE && <WalletSheets />}
      {TRAINS && <TrainCode onRight={() => void place()} />}
    </>
  );
}
