import * as t from '#text/payment.ts';
import { isCardReturned } from '../../bridge/payment/cardFields.ts';
import { loadChunk } from '../../bridge/scripts.ts';
import { atom, useAtomValue, useSetAtom } from 'jotai';
import { useState, type FormEvent } from 'react';
import { areModesOpenAtom, optionsState, presetModeAtom } from '../../state/checkout/modes.ts';
import { placing, placeOrderAtom } from '../../state/checkout/placing.ts';
import { isWholeAtom, problemsAtom, quoteState } from '../../state/checkout/quote.ts';
import { termsAcceptedAtom } from '../../state/checkout/terms.ts';
import { cardTasks } from '../../state/drafts/card.ts';
import { paymentModeAtom } from '../../state/drafts/mode.ts';
import { instructionChoices } from '../../state/drafts/note.ts';
import { STORE_NOT_AVAILABLE } from '../../domain/storeAlert.ts';
import { countryAtom } from '../../state/base/country.ts';
import { termsLinkAtom } from '../../state/shop/documents.ts';
import { offeredModeAtom } from '../../state/offers/coupons.ts';
import { cartCountAtom } from '../../state/first/cart.ts';
import { seatAtom } from '../../state/first/group.ts';
import { deliveryTypeAtom } from '../../state/first/location.ts';
import { hostAtom, navigateAtom } from '../../state/first/seams.ts';
import { isSlowAtom } from '../../state/base/network.ts';
import { isLoggedInAtom } from '../../state/base/session.ts';
import { journalAtom } from '../../state/orders/journal.ts';
import { storeSelectorPath } from '../../state/places/stores.ts';
import { slotsState } from '../../state/drafts/timeSlots.ts';
import { onTrainAtom, renewTrainAtom } from '../../state/trains/onTrain.ts';
import { ensureLoginAtom } from '../../state/people/vendorLogin.ts';
import { areVouchersChosenAtom } from '../../state/payment/vouchers.ts';
import { AppBar } from '../../ui/page/AppBar.tsx';
import { Button } from '../../ui/forms/Button.tsx';
import { Card } from '../../ui/page/Card.tsx';
import { CheckBox } from '../../ui/forms/CheckBox.tsx';
import { EmptyPicture } from '../../ui/pictures/EmptyPicture.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { href } from '../../ui/href.ts';
import { part } from '../../ui/time/loaded.tsx';
import { Column, Page } from '../../ui/page/Page.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { Problems } from '../../ui/forms/Problems.tsx';
import { useIsWaiting } from '../base/isWaiting.ts';
import { HostWait } from '../login/HostWait.tsx';
import { BillFold } from './BillFold.tsx';
import { loadBelowMode, ModeCard } from './ModeCard.tsx';
import { PayBar } from './PayBar.tsx';
import { usePaymentForm, type PaymentForm } from './paymentForm.ts';
import { fundsSheetAtom } from '../funds/fundsSheet.ts';
import { loadFundsAtom } from '../funds/WalletFunds.tsx';
import { DeliveryCard } from './DeliveryCard.tsx';
import { ContactCard } from './ContactCard.tsx';
import { InstructionsCard } from './InstructionsCard.tsx';
import css from './PaymentModeScreen.module.css';
import { showWrong } from '../base/showWrong.ts';

export const enter = atom(null, async (get, set) => {
  const seat = get(seatAtom);
  // In a group order only the host pays.
  if (seat) return get(navigateAtom).go(`/group/${seat.code}`, { replace: true });
  set(areModesOpenAtom, null);
  // What does not depend on the customer loads while the host logs them in, so that nothing moves under their finger
  // afterwards.
  const isOnTrain = get(onTrainAtom) !== null;
  void set(renewTrainAtom);
  if (!isOnTrain) void set(slotsState.renew);
  if (get(deliveryTypeAtom) === 'DELIVERY' && !isOnTrain) void set(instructionChoices.load);
  await set(ensureLoginAtom);
  // Fields of a card: on a slow line only for customers who have one, or once it is chosen.
  if (loadBelowMode && (!get(isSlowAtom) || get(isLoggedInAtom) || isCardReturned(globalThis.window)))
    loadChunk(loadBelowMode).then(
      ({ enterCardModeAtom }) => set(enterCardModeAtom),
      () => undefined,
    );
  // An applied offer may require a payment mode: then it was chosen with the offer.
  const offered = get(offeredModeAtom);
  if (offered) set(paymentModeAtom, offered);
  const options = set(optionsState.load).then(() => (FULL_MODE ? set(loadFundsAtom) : undefined));
  // The bill counts the e-vouchers that were chosen before a page of the bank, and that can still pay.
  if (FULL_MODE && get(areVouchersChosenAtom)) await options;
  await Promise.all([options, set(quoteState.load)]);
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
  const isByCard = get(paymentModeAtom) === 'CARD' && !get(isWholeAtom);
  if (TRAINS && get(onTrainAtom) !== null) {
    const { checkTrainPhoneAtom } = await loadChunk(() => import('../../state/trains/trainPhone.ts'));
    if (!(await set(checkTrainPhoneAtom))) return true;
  }
  if (FULL_MODE && isByCard) {
    const { takeCardAtom } = await loadChunk(() => import('../../state/payment/payments.ts'));
    if (!(await set(takeCardAtom))) return false;
  }
  await set(placeOrderAtom);
  return true;
});

// Questions beside the form: of an e-voucher or a wallet, and of the phone for a train.
const WalletSheets = FULL_MODE ? part(() => import('../funds/WalletSheets.tsx')) : () => null;
const TrainCode = TRAINS ? part(() => import('./TrainCode.tsx')) : () => null;

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
  const isPlacing = useAtomValue(placing.isBusyAtom);
  const isCardBusy = useAtomValue(cardTasks.isBusyAtom);
  // Nobody knows before how many ways to pay there are; inside a payment app there is one.
  const isListWaiting = useIsWaiting(optionsState.atom) && hasList;
  // Notes of the store and the bill come above the ways to pay and open folds: the ways to pay wait for them.
  const isOnTrain = useAtomValue(onTrainAtom) !== null;
  const isStoreWaiting = useIsWaiting(slotsState.atom) && !isOnTrain;
  const isAwaited = useIsWaiting(quoteState.atom) || isStoreWaiting;
  // What is there once stays, whatever is asked for anew.
  const [isThere, setThere] = useState(!isAwaited);
  if (!isThere && !isAwaited) setThere(true);
  const isWaiting = !isThere;
  const isSheetOpen = useAtomValue(fundsSheetAtom) !== null;
  const pay = useSetAtom(payAtom);
  const form = usePaymentForm();
  const place = async () => {
    if (!(await pay())) showWrong();
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
            {HOSTED && <HostWait />}
            {isWaiting ? (
              <Bones />
            ) : (
              <>
                <ServerProblems />
                <Card flush>
                  <DeliveryCard form={form} />
                  <ContactCard form={form} />
                </Card>
                <ModeCard form={form} />
              </>
            )}
          </Column>
          {!isListWaiting && !isWaiting && (
            <Column>
              <Card flush>
                <BillFold />
                <InstructionsCard form={form} />
              </Card>
              <Terms form={form} />
            </Column>
          )}
        </Page>
        <PayBar />
      </form>
      {isSheetOpen && <WalletSheets />}
      {isOnTrain && <TrainCode onRight={() => void place()} />}
    </>
  );
}
