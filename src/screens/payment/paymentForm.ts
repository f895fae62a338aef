import * as errorText from '#text/errors.ts';
import * as t from '#text/payment.ts';
import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import { useState } from 'react';
import type { Country } from '../../../country/shape.ts';
import { isEmail } from '../../domain/email.ts';
import { phoneNumber } from '../../domain/phone.ts';
import { typedText } from '../../domain/typedText.ts';
import { areModesOpenAtom, choosePaymentModeAtom, chosenOptionAtom } from '../../state/checkout/modes.ts';
import { isWholeAtom, quoteState } from '../../state/checkout/quote.ts';
import { termsAcceptedAtom } from '../../state/checkout/terms.ts';
import { detailAtom, type Detail } from '../../state/drafts/detail.ts';
import { paymentModeAtom } from '../../state/drafts/mode.ts';
import { choiceOfAtom, isChoiceNeeded } from '../../state/drafts/paymentChoice.ts';
import { countryAtom } from '../../state/base/country.ts';
import { deliveryPlaceAtom, deliveryTypeAtom } from '../../state/first/location.ts';
import { onTrainAtom } from '../../state/trains/onTrain.ts';
import { useHandoverProblem } from './handover.ts';

type Errors = Partial<Record<keyof Detail | 'where' | 'mode' | 'choice' | 'terms' | 'handover', string | undefined>>;

/** In the order of the page: the first one with an error gets the focus. */
const ORDER: readonly (keyof Errors)[] = ['where', 'handover', 'fName', 'mobNo', 'email', 'choice', 'terms'];

/** The control to focus is inside the element with their id. */
const INSIDE: readonly (keyof Errors)[] = ['choice', 'terms'];

/** The lines of the page that unfold. */
type Folded = 'where' | 'vehicle' | 'who' | 'wishes';
/** Which line holds a field. */
const FOLD_OF: Partial<Record<keyof Errors, Folded>> = {
  fName: 'who',
  mobNo: 'who',
  email: 'wishes',
  handover: 'vehicle',
};

function detailErrors({ fName, mobNo, email }: Detail, country: Country): Errors {
  const errors: Errors = {};
  if (typedText(fName) === '') errors.fName = errorText.firstNameMissing;
  if (typedText(mobNo) === '') errors.mobNo = errorText.fieldEmpty;
  else if (phoneNumber(mobNo, country) === null)
    errors.mobNo = errorText.mobileInvalid({ digits: country.PHONE_DIGIT });
  if (typedText(email) !== '' && !isEmail(typedText(email))) errors.email = errorText.emailInvalid;
  return errors;
}

/** After the next frame: the field has to be unfolded, and its error drawn, before it is shown. */
function show(find: () => HTMLElement | null): void {
  requestAnimationFrame(() => {
    const field = find();
    field?.focus();
    // The bar at the foot lies over the lower edge.
    field?.scrollIntoView({ block: 'center' });
  });
}

/** The state of the payment page's form: its errors, and what happens when a field changes or is left. */
export function usePaymentForm() {
  const country = useAtomValue(countryAtom);
  const [detail, setDetail] = useAtom(detailAtom);
  const mode = useAtomValue(paymentModeAtom);
  const chooseMode = useSetAtom(choosePaymentModeAtom);
  const [areModesOpen, openModes] = useAtom(areModesOpenAtom);
  const [terms, setTerms] = useAtom(termsAcceptedAtom);
  const type = useAtomValue(deliveryTypeAtom);
  const place = useAtomValue(deliveryPlaceAtom);
  const isWhole = useAtomValue(isWholeAtom);
  const option = useAtomValue(chosenOptionAtom);
  const isChoiceMissing = useAtomValue(choiceOfAtom)(option) === null && isChoiceNeeded(option);
  const handover = useHandoverProblem();
  const isOnTrain = useAtomValue(onTrainAtom) !== null;
  const loadQuote = useSetAtom(quoteState.load);
  const [open, setOpen] = useState<Partial<Record<Folded, boolean>>>({});
  const [errors, setErrors] = useState<Errors>({});
  const [isTried, setTried] = useState(false);

  const check = (now: Detail = detail): Errors => ({
    ...detailErrors(now, country),
    ...(type === 'DELIVERY' && !isOnTrain && !place?.address?.houseNo ? { where: errorText.addressMissing } : {}),
    ...(mode === null && !isWhole ? { mode: t.modeMissing } : {}),
    ...(isChoiceMissing && !isWhole ? { choice: t.choiceMissing({ mode: mode ?? '' }) } : {}),
    ...(terms ? {} : { terms: errorText.termsMissing }),
    ...(handover ? { handover } : {}),
  });
  const put = (field: keyof Errors, problem: string | undefined) =>
    setErrors((before) => ({ ...before, [field]: problem }));

  return {
    errors,
    /** Lines that were unfolded or folded; the others are as they think best. */
    open,
    unfold: (line: Folded, isOpen: boolean) => setOpen((before) => ({ ...before, [line]: isOpen })),
    fill: (field: keyof Detail, value: string) => {
      const now = { ...detail, [field]: value };
      setDetail(now);
      if (isTried || errors[field]) setErrors(check(now));
    },
    leave: (field: keyof Detail) => {
      const problem = check()[field];
      put(field, problem);
      if (!problem && field === 'mobNo') void loadQuote();
    },
    choose: (id: string) => {
      setErrors((before) => ({ ...before, mode: undefined, choice: undefined }));
      openModes(areModesOpen);
      void chooseMode(id);
    },
    accept: (isAccepted: boolean) => {
      setTerms(isAccepted);
      if (isAccepted) put('terms', undefined);
    },
    /** Answers whether everything is filled in; if not, the first field with an error gets the focus. */
    isReady: (): boolean => {
      const now = check();
      // The button has said that a way to pay is missing, so it leads there first.
      if (now.mode) {
        openModes(true);
        put('mode', now.mode);
        show(() => document.getElementById('pay-mode')?.querySelector<HTMLElement>('input:not([disabled])') ?? null);
        return false;
      }
      setTried(true);
      setErrors(now);
      const first = ORDER.find((field) => now[field]);
      if (first === undefined) return true;
      const line = FOLD_OF[first];
      if (line) setOpen((before) => ({ ...before, [line]: true }));
      show(() => {
        const place = document.getElementById(`pay-${first}`);
        return (INSIDE.includes(first) && place?.querySelector<HTMLElement>('input:not([disabled])')) || place;
      });
      return false;
    },
  };
}

export type PaymentForm = ReturnType<typeof usePaymentForm>;
