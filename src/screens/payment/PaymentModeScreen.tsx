import { atom, useAtom, useAtomValue, useSetAtom } from 'jotai';
import { useState, type FormEvent } from 'react';
import { isEmail } from '../../domain/email.ts';
import {
  ADDRESS_MISSING, EMAIL_INVALID, FIELD_EMPTY, FIRST_NAME_MISSING, MOBILE_UNUSUAL, mobileInvalid, MODE_MISSING, TABLE_MISSING, TERMS_MISSING,
} from '../../domain/messages.ts';
import { isUnusualPhone, phoneNumber } from '../../domain/phone.ts';
import { cartAtom, cartCountAtom, setCartOptionsAtom } from '../../state/cart.ts';
import { clockAheadAtom } from '../../state/clock.ts';
import { offeredModeAtom } from '../../state/coupons.ts';
import {
  cardAtom, detailAtom, isPlacingAtom, optionsState, paymentModeAtom, placeOrderAtom, problemsAtom, quoteState, termsAcceptedAtom, type Detail,
} from '../../state/checkout.ts';
import { wholeModeOf, wishOf } from '../../state/funds.ts';
import { journalAtom } from '../../state/journal.ts';
import { deliveryPlaceAtom, deliveryTypeAtom } from '../../state/location.ts';
import { isOfflineAtom } from '../../state/network.ts';
import { isCardBusyAtom, savedCardsState, takeCardAtom } from '../../state/payments.ts';
import { sentenceOf } from '../../state/popup.ts';
import { countryAtom, hostAtom, navigateAtom } from '../../state/seams.ts';
import { seatAtom } from '../../state/seat.ts';
import { sheetsState } from '../../state/sheet.ts';
import { instructionChoices, slotsState } from '../../state/slots.ts';
import { ensureLoginAtom } from '../../state/vendorlogin.ts';
import { AppBar } from '../../ui/AppBar.tsx';
import { BillLines } from '../../ui/BillLines.tsx';
import { BottomBar } from '../../ui/BottomBar.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { CheckBox } from '../../ui/CheckBox.tsx';
import { Countdown } from '../../ui/Countdown.tsx';
import { EmptyPicture } from '../../ui/EmptyPicture.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Field } from '../../ui/Field.tsx';
import { href } from '../../ui/href.ts';
import { Column, Page } from '../../ui/Page.tsx';
import { Price } from '../../ui/Price.tsx';
import { Problems } from '../../ui/Problems.tsx';
import { RadioCards } from '../../ui/RadioCards.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { CardFields } from './CardFields.tsx';
import { Handover, useHandoverProblem } from './Handover.tsx';
import { ModeIcon } from './ModeIcon.tsx';
import { SheetButtons } from './SheetButtons.tsx';
import { loadFundsAtom, WalletFunds } from './WalletFunds.tsx';
import { WalletLinked } from './WalletLinked.tsx';
import { WalletSheets } from './WalletSheets.tsx';
import css from './PaymentModeScreen.module.css';

export const enter = atom(null, async (get, set) => {
  const seat = get(seatAtom);
  // In somebody's group order the host pays.
  if (seat) return get(navigateAtom).go(`/group/${seat.code}`, { replace: true });
  // What does not depend on who it is comes while the host asks: nothing moves under the customer's finger afterwards.
  void set(slotsState.load);
  if (get(deliveryTypeAtom) === 'DELIVERY') void set(instructionChoices.load);
  await set(ensureLoginAtom);
  void set(savedCardsState.load);
  void set(sheetsState.load);
  // An offer that asks for a mode was chosen with it.
  const offered = get(offeredModeAtom);
  if (offered) set(paymentModeAtom, offered);
  await Promise.all([set(optionsState.load).then(() => set(loadFundsAtom)), set(quoteState.load)]);
  const only = get(optionsState.atom).data?.options;
  // A host has one mode: there is nothing to choose, and nothing else to see.
  if (only?.length === 1 && only[0]) set(paymentModeAtom, only[0].id);
  else if (only && !only.some((option) => option.id === get(paymentModeAtom))) set(paymentModeAtom, null);
});

/** Problems of a page that is not filled in yet. */
const NOT_YET = /_MISSING$|^FIRST_NAME$|^INVALID_MOBILE$/;

type Errors = Partial<Record<keyof Detail | 'where' | 'mode' | 'terms' | 'handover', string | undefined>>;

/** As they stand on the page: the first that is wrong is shown. */
const ORDER: readonly (keyof Errors)[] = ['where', 'handover', 'fName', 'mobNo', 'email', 'mode', 'terms'];

/** Who, how and when: the last page before paying, with the same bill as the cart. */
export default function PaymentModeScreen() {
  const country = useAtomValue(countryAtom);
  const host = useAtomValue(hostAtom);
  const [detail, setDetail] = useAtom(detailAtom);
  const [mode, setMode] = useAtom(paymentModeAtom);
  const [terms, setTerms] = useAtom(termsAcceptedAtom);
  const type = useAtomValue(deliveryTypeAtom);
  const place = useAtomValue(deliveryPlaceAtom);
  const count = useAtomValue(cartCountAtom);
  const cart = useAtomValue(cartAtom);
  const journal = useAtomValue(journalAtom);
  const options = useAtomValue(optionsState.atom);
  const quote = useAtomValue(quoteState.atom);
  const problems = useAtomValue(problemsAtom);
  const isPlacing = useAtomValue(isPlacingAtom);
  const isCardBusy = useAtomValue(isCardBusyAtom);
  const isOffline = useAtomValue(isOfflineAtom);
  const [card, setCard] = useAtom(cardAtom);
  const loadQuote = useSetAtom(quoteState.load);
  const loadOptions = useSetAtom(optionsState.load);
  const setCartOptions = useSetAtom(setCartOptionsAtom);
  const takeCard = useSetAtom(takeCardAtom);
  const placeOrder = useSetAtom(placeOrderAtom);
  const [errors, setErrors] = useState<Errors>({});
  const [isTried, setTried] = useState(false);
  const aheadMs = useAtomValue(clockAheadAtom);
  const handoverProblem = useHandoverProblem();
  // Balances that pay for everything leave nothing to choose.
  const isWhole = wholeModeOf(quote.data?.funds) !== null;
  const bill = quote.data?.quote.bill ?? cart?.bill ?? null;
  // What a field of this page still misses is said there, once somebody tried to pay.
  const serverProblems = [...(quote.data?.problems ?? []).filter((problem) => isTried || !NOT_YET.test(problem.code)), ...problems];

  const check = (now: Detail = detail, chosen = mode, accepted = terms): Errors => ({
    ...(now.fName.trim() === '' ? { fName: FIRST_NAME_MISSING } : {}),
    ...(now.mobNo.trim() === '' ? { mobNo: FIELD_EMPTY } : phoneNumber(now.mobNo, country) === null ? { mobNo: mobileInvalid(country.PHONE_DIGIT) } : {}),
    ...(now.email.trim() !== '' && !isEmail(now.email.trim()) ? { email: EMAIL_INVALID } : {}),
    ...(type === 'DELIVERY' && !place?.address?.houseNo ? { where: ADDRESS_MISSING } : {}),
    ...(chosen === null && !isWhole ? { mode: MODE_MISSING } : {}),
    ...(accepted ? {} : { terms: TERMS_MISSING }),
    ...(handoverProblem ? { handover: handoverProblem } : {}),
  });
  const set = (field: keyof Detail, value: string) => {
    const now = { ...detail, [field]: value };
    setDetail(now);
    if (isTried || errors[field]) setErrors(check(now));
  };
  const blur = (field: keyof Detail) => {
    const problem = check()[field];
    setErrors((before) => ({ ...before, [field]: problem }));
    if (!problem && field === 'mobNo') void loadQuote();
  };
  const choose = (id: string) => {
    setMode(id);
    setErrors((before) => ({ ...before, mode: undefined }));
    // Payment-mode offers are judged before the money is asked for.
    setCartOptions({ paymentMode: id });
    void loadQuote();
  };
  const isReady = () => {
    setTried(true);
    const now = check();
    setErrors(now);
    const first = ORDER.find((field) => now[field]);
    // What is said about it has to be drawn before it can be shown.
    if (first) requestAnimationFrame(() => document.getElementById(`pay-${first === 'handover' ? 'where' : first}`)?.focus());
    return first === undefined;
  };
  const pay = async (event: FormEvent) => {
    event.preventDefault();
    if (isPlacing || isCardBusy || !isReady()) return;
    if (mode === 'CARD' && !isWhole && !(await takeCard())) {
      document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
      return;
    }
    await placeOrder();
  };

  if (count === 0 && !isPlacing) {
    return (
      <>
        <AppBar title="Payment" back={{ label: 'Back to the menu', href: href('/menu') }} />
        <EmptyState
          picture={<EmptyPicture />}
          title={journal ? 'Your order is on its way to us' : 'There is nothing to pay'}
          action={<Button href={href(journal?.orderId ? `/order/${journal.orderId}` : '/menu')}>{journal?.orderId ? 'See your order' : 'See the menu'}</Button>}
        />
      </>
    );
  }
  // A mini-app's page in a plain tab: there is nobody to pay through, and no other mode may be shown.
  const isStranded = !host.hosted && host.partner !== '';
  const unusual = phoneNumber(detail.mobNo, country);
  // What the chosen mode asks for or offers stands where it was chosen.
  const belowMode = mode !== null && options.data?.linkable.some((one) => one === mode) ? <WalletLinked provider={mode} />
    : mode !== 'CARD' ? null
    : card ? <p className={css.chosen}>{card.brand} card ending in {card.lastFour} <Button kind="quiet" small onClick={() => setCard(null)}>Use another card</Button></p>
    : <><SheetButtons amount={quote.data?.funds.rest ?? null} isReady={isReady} onCard={placeOrder} /><CardFields /></>;
  return (
    <>
    <form noValidate onSubmit={(event) => void pay(event)}>
      <AppBar title="Payment" back={{ label: 'Back to the cart', href: href('/cart') }} />
      <Page columns="even">
        <Column>
          {serverProblems.length > 0 && (
            <Problems>
              {serverProblems.map((problem) => <p key={problem.code + problem.displayMsg}>{problem.displayMsg}</p>)}
            </Problems>
          )}
          <div id="pay-where" tabIndex={-1}>
            <Handover error={errors.where ?? errors.handover} />
          </div>
          <Card title="Who is it for?">
            <div className={css.fields}>
              <Field id="pay-fName" label="First name" name="given-name" autoComplete="given-name" enterKeyHint="next" maxLength={60} value={detail.fName} error={errors.fName} onChange={(event) => set('fName', event.target.value)} onBlur={() => blur('fName')} />
              <Field id="pay-lName" label="Last name (optional)" name="family-name" autoComplete="family-name" enterKeyHint="next" maxLength={60} value={detail.lName} onChange={(event) => set('lName', event.target.value)} />
              <Field
                id="pay-mobNo" label="Mobile number" type="tel" inputMode="tel" name="tel" autoComplete="tel-national" enterKeyHint="next" maxLength={20}
                prefix={country.dialPrefix} value={detail.mobNo} error={errors.mobNo}
                hint={unusual !== null && isUnusualPhone(unusual, country) ? MOBILE_UNUSUAL : 'So that the store or the rider can reach you about this order.'}
                onChange={(event) => set('mobNo', event.target.value)} onBlur={() => blur('mobNo')}
              />
              <Field id="pay-email" label="Email (optional)" type="email" name="email" autoComplete="email" spellCheck={false} enterKeyHint="done" maxLength={120} value={detail.email} error={errors.email} hint="For the invoice." onChange={(event) => set('email', event.target.value)} onBlur={() => blur('email')} />
            </div>
          </Card>
        </Column>
        <Column>
          <Card title="How do you want to pay?">
            <div id="pay-mode" tabIndex={-1}>
              {options.data === null && options.status !== 'failed' && <div aria-busy="true"><Skeleton height="3.55rem" />{host.partner === '' && <Skeleton height="3.55rem" />}</div>}
              {options.data === null && options.status === 'failed' && (
                <Problems>{sentenceOf(options.failure)} <Button kind="quiet" small onClick={() => void loadOptions()}>Try again</Button></Problems>
              )}
              {options.data && <WalletFunds />}
              {options.data && !isWhole && (
                <RadioCards
                  legend="Payment mode" quietLegend value={mode} onChange={choose} error={mode === null ? errors.mode : undefined}
                  options={options.data.options.map((option) => {
                    const reason = quote.data?.modes.find((one) => one.id === option.id)?.disabledReason;
                    return {
                      value: option.id as string, title: option.label, detail: reason ?? option.about, disabled: reason !== undefined, icon: <ModeIcon mode={option.id} />,
                      ...(option.id === mode ? { below: belowMode } : {}),
                      ...(options.data?.last === option.id ? { end: <Tag tone="lime">Used last</Tag> } : {}),
                    };
                  })}
                />
              )}
              {isStranded && <p className={css.note}>This page belongs to a payment app. Open it there to sign in and pay; your cart is kept.</p>}
            </div>
          </Card>
          <Card title="Bill">
            <div aria-busy={quote.status === 'loading'} data-old={quote.status === 'loading'} className={css.bill}>
              {bill ? <BillLines bill={bill} totalLabel={quote.data && wishOf(quote.data.funds) ? 'Total' : 'To pay'} savingsText={(amount) => <>You save {amount} on this order.</>} /> : <Skeleton height="8rem" />}
            </div>
            {quote.data && cart && cart.bill.total !== quote.data.quote.bill.total && (
              <p className={css.note} role="status">Your cart showed <Price amount={cart.bill.total} />; it is <Price amount={quote.data.quote.bill.total} /> now.</p>
            )}
            {!quote.data && quote.status !== 'failed' && <p className={css.note}><Skeleton width="60%" height="1lh" /></p>}
            {quote.data && (
              <p className={css.note}>
                <Countdown
                  key={quote.data.quote.lockedUntil} endsAtMs={quote.data.quote.lockedUntil} nowMs={() => Date.now() + aheadMs}
                  text={(time) => <>This price is held for you for {time}.</>} expired="The price is being checked again." onExpire={() => void loadQuote()}
                />
              </p>
            )}
            {quote.status === 'failed' && (
              <Problems>{sentenceOf(quote.failure)} <Button kind="quiet" small onClick={() => void loadQuote()}>Try again</Button></Problems>
            )}
          </Card>
          <div className={css.terms} id="pay-terms" tabIndex={-1}>
            <CheckBox label={country.TNC} checked={terms} onChange={(accepted) => { setTerms(accepted); if (accepted) setErrors((before) => ({ ...before, terms: undefined })); }} />
            {errors.terms && <p className={css.error} role="alert">{errors.terms}</p>}
          </div>
        </Column>
      </Page>
      <BottomBar
        label="Pay"
        action={
          <Button type="submit" full busy={isPlacing || isCardBusy || quote.status === 'loading' || (options.data === null && options.status !== 'failed')} disabled={isOffline || isStranded}>
            {isOffline ? 'You are offline' : isStranded ? 'Open it in the payment app' : mode === 'COD' || isWhole ? 'Place order' : mode === 'LINK' ? 'Get the link' : 'Pay now'}
          </Button>
        }
      >
        {bill && <b className={css.total}><Price amount={quote.data?.funds.rest ?? bill.total} /></b>}
        {quote.data && <small>{quote.data.deliveryMinutes.from} to {quote.data.deliveryMinutes.to} minutes</small>}
      </BottomBar>
    </form>
    <WalletSheets />
    </>
  );
}
