import * as errorText from '#text/errors.ts';
import * as t from '#text/payment.ts';
import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import { useState } from 'react';
import type { Country } from '../../../country/shape.ts';
import { isEmail } from '../../domain/email.ts';
import { phoneNumber } from '../../domain/phone.ts';
import { setCartOptionsAtom } from '../../state/cart.ts';
import {
  detailAtom,
  isWholeAtom,
  paymentModeAtom,
  quoteState,
  termsAcceptedAtom,
  type Detail,
} from '../../state/checkout.ts';
import { countryAtom } from '../../state/country.ts';
import { deliveryPlaceAtom, deliveryTypeAtom } from '../../state/first/location.ts';
import { useHandoverProblem } from './Handover.tsx';

type Errors = Partial<Record<keyof Detail | 'where' | 'mode' | 'terms' | 'handover', string | undefined>>;

/** In the order of the page: the first one with an error gets the focus. */
const ORDER: readonly (keyof Errors)[] = ['where', 'handover', 'fName', 'mobNo', 'email', 'mode', 'terms'];

function detailErrors({ fName, mobNo, email }: Detail, country: Country): Errors {
  const errors: Errors = {};
  if (fName.trim() === '') errors.fName = errorText.firstNameMissing;
  if (mobNo.trim() === '') errors.mobNo = errorText.fieldEmpty;
  else if (phoneNumber(mobNo, country) === null)
    errors.mobNo = errorText.mobileInvalid({ digits: country.PHONE_DIGIT });
  if (email.trim() !== '' && !isEmail(email.trim())) errors.email = errorText.emailInvalid;
  return errors;
}

/** The state of the payment page's form: its errors, and what happens when a field changes or is left. */
export function usePaymentForm() {
  const country = useAtomValue(countryAtom);
  const [detail, setDetail] = useAtom(detailAtom);
  const [mode, setMode] = useAtom(paymentModeAtom);
  const [terms, setTerms] = useAtom(termsAcceptedAtom);
  const type = useAtomValue(deliveryTypeAtom);
  const place = useAtomValue(deliveryPlaceAtom);
  const isWhole = useAtomValue(isWholeAtom);
  const handover = useHandoverProblem();
  const loadQuote = useSetAtom(quoteState.load);
  const setCartOptions = useSetAtom(setCartOptionsAtom);
  const [errors, setErrors] = useState<Errors>({});
  const [isTried, setTried] = useState(false);

  const check = (now: Detail = detail): Errors => ({
    ...detailErrors(now, country),
    ...(type === 'DELIVERY' && !place?.address?.houseNo ? { where: errorText.addressMissing } : {}),
    ...(mode === null && !isWhole ? { mode: t.modeMissing } : {}),
    ...(terms ? {} : { terms: errorText.termsMissing }),
    ...(handover ? { handover } : {}),
  });
  const put = (field: keyof Errors, problem: string | undefined) =>
    setErrors((before) => ({ ...before, [field]: problem }));

  return {
    errors,
    /** The customer has tried to pay: from now on errors show at once. */
    isTried,
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
      setMode(id);
      put('mode', undefined);
      // The server checks offers for a payment mode before it asks for the money.
      setCartOptions({ paymentMode: id });
      void loadQuote();
    },
    accept: (isAccepted: boolean) => {
      setTerms(isAccepted);
      if (isAccepted) put('terms', undefined);
    },
    /** Answers whether everything is filled in; if not, the first field with an error gets the focus. */
    isReady: (): boolean => {
      setTried(true);
      const now = check();
      setErrors(now);
      const first = ORDER.find((field) => now[field]);
      // After the next frame: the error has to be drawn before the field is shown.
      if (first)
        requestAnimationFrame(() => document.getElementById(`pay-${first === 'handover' ? 'where' : first}`)?.focus());
      return first === undefined;
    },
  };
}

export type PaymentForm = ReturnType<typeof usePaymentForm>;
