import * as errors from '#text/errors.ts';
import { atom, type Atom, type Getter, type Setter, type WritableAtom } from 'jotai';
import * as z from 'zod/mini';
import { codeOf } from '../../api/failure.ts';
import { OTP_DIGITS, OTP_LIFE_SECONDS, OTP_RESEND_SECONDS, otpCode } from '../../domain/otp.ts';
import { latinDigits, typedText } from '../../domain/typedText.ts';
import { sentenceOf } from '../base/popup.ts';
import { saidAtom, tasks, type Problems, type Tasks } from '../base/task.ts';
import { customerAtom } from '../lib/forget.ts';
import { smsCodeAtom, smsQuestion } from '../lib/smsCode.ts';
import { proven, waitOf } from './challenge.ts';

// Every one-time code: it is sent, typed, pasted or taken from its SMS, checked, and sent again after a while. A noun says
// how it is sent and checked, and what follows.

/** When another code may be asked for, epoch ms of this device, and how many more. */
export interface SentCode {
  readonly resendAt: number;
  /** How long that was when it was sent: what is left is never more, however the phone's clock is put. */
  readonly waitMs?: number | undefined;
  readonly sendsLeft?: number | undefined;
}
/** The same where it outlasts the page. */
export const CodeSent = z.object({
  resendAt: z.number(),
  waitMs: z.optional(z.number()),
  sendsLeft: z.optional(z.number()),
});
/** How long until another code may be asked for. */
export const waitLeft = ({ resendAt, waitMs = OTP_RESEND_SECONDS * 1000 }: SentCode): number =>
  Math.max(0, Math.min(resendAt - Date.now(), waitMs));
interface Answer {
  readonly resendInSeconds: number;
  readonly sendsLeft?: number | undefined;
  /** What the check needs of it. */
  readonly also?: object;
}
type Call<R> = (headers: Readonly<Record<string, string>>) => Promise<R>;
/** Beside where the code goes, beside the code, and beside further fields of the same form. */
type Field<F extends string> = F | 'to' | 'code';

interface Options<To extends object, F extends string> {
  /** What was sent; given where it outlasts the page. */
  readonly sentAtom?: WritableAtom<(To & SentCode) | null, [(To & SentCode) | null], void>;
  /** Where the code goes. Another place needs another code. */
  readonly to: (get: Getter) => To;
  readonly wrongTo?: (get: Getter) => Problems<Field<F>>;
  /** Sends it. `ask` makes a call; a code that was sent a moment ago is still good, and no failure. */
  readonly send: (
    get: Getter,
    ask: <R extends Answer>(call: Call<R>) => Promise<R | Answer>,
    to: To,
    isAgain: boolean,
  ) => Promise<Answer>;
  /** `isNew`: not one of a moment ago. */
  readonly onSent?: (get: Getter, set: Setter, isAgain: boolean, isNew: boolean) => void;
  readonly sendFailed?: (get: Getter, set: Setter, thrown: unknown, isAgain: boolean) => Problems<Field<F>> | null;
  /** Problems of the other fields that are sent with the code. */
  readonly wrongBeside?: (get: Getter) => Problems<F>;
  readonly check: (
    get: Getter,
    set: Setter,
    prove: <R>(call: Call<R>) => Promise<R>,
    code: string,
    sent: To & SentCode,
  ) => Promise<void>;
  /** `again` checks the same code once more. */
  readonly checkFailed?: (
    get: Getter,
    set: Setter,
    thrown: unknown,
    again: WritableAtom<null, [], Promise<boolean>>,
  ) => Problems<Field<F>> | null;
  /** Something else is typed, or to be agreed to, before the code is sent: six digits alone do not. */
  readonly isSentByButton?: boolean;
  /** The note beside it says that a code was sent a moment ago; elsewhere the time until the next one says enough. */
  readonly saysWait?: boolean;
  /** What the code was sent with is needed to check it, so one of a moment ago must still be known here. */
  readonly isTied?: boolean;
  /** What is said of anything that is no code; otherwise that the field is empty, or that the code is not right. */
  readonly noCode?: () => string;
  /** Says every failure beside its field, in place of a popup for what was broken or ended. */
  readonly staysBeside?: boolean;
}

/** What its form needs. */
export interface OneTimeCode extends Pick<Tasks<Field<never>>, 'busyAtom' | 'problemsAtom'> {
  readonly typedAtom: Atom<string>;
  readonly sentAtom: Atom<SentCode | null>;
  readonly again: WritableAtom<null, [], Promise<boolean>>;
  readonly type: WritableAtom<null, [string], Promise<boolean>>;
  readonly check: WritableAtom<null, [], Promise<boolean>>;
  readonly listen: WritableAtom<null, [() => boolean], Promise<boolean>>;
}

/** The digits of a code in what was typed or pasted, in any script. */
export const codeDigits = (typed: string): string => latinDigits(typed).slice(0, OTP_DIGITS);
/** What is wrong with a typed code; '' for nothing. */
export const codeProblem = (typed: string, noCode?: () => string): string =>
  otpCode(typed) !== null ? '' : noCode ? noCode() : typedText(typed) === '' ? errors.fieldEmpty : errors.otpWrong;

const isSame = (to: object, sent: object) =>
  Object.entries(to).every(([key, value]) => (sent as Readonly<Record<string, unknown>>)[key] === value);

/** Sends and checks one kind of code; `send`, `again`, `type` and `check` say whether it is on its way, or was right. */
export function oneTimeCode<To extends object, F extends string = never>(options: Options<To, F>) {
  const { to: toOf, isTied = false, isSentByButton = false, saysWait = false, staysBeside = false } = options;
  const own = tasks<Field<F>>();
  const typedAtom = customerAtom('');
  const sentAtom = options.sentAtom ?? customerAtom<(To & SentCode) | null>(null);
  const beside = (set: Setter, thrown: unknown, field: 'to' | 'code') =>
    ({ [field]: staysBeside ? sentenceOf(thrown) : set(saidAtom, thrown) }) as Problems<Field<F>>;

  const heldFor = (get: Getter, to: To) => {
    const before = get(sentAtom);
    return before !== null && isSame(to, before) ? before : null;
  };
  /** Takes down that a code was sent. */
  const expectAtom = atom(null, (get, set, to: To, { resendInSeconds, sendsLeft, also }: Answer): void => {
    const held = heldFor(get, to);
    const waitMs = resendInSeconds * 1000;
    set(sentAtom, { ...to, ...held, ...also, sendsLeft, waitMs, resendAt: Date.now() + waitMs });
  });

  const sendAtom = (isAgain: boolean) =>
    own.task(
      async (get, set) => {
        const sending = get(own.atom);
        const before = get(sentAtom);
        const to = isAgain && before !== null ? before : toOf(get);
        let waiting: unknown = null;
        const answer = await options.send(
          get,
          async (call) => {
            try {
              return await proven(get, set, 'codes', call);
            } catch (thrown) {
              const held = heldFor(get, to);
              if (codeOf(thrown) !== 'OTP_WAIT' || (isTied && held === null)) throw thrown;
              waiting = thrown;
              return { resendInSeconds: waitOf(thrown, OTP_RESEND_SECONDS), sendsLeft: held?.sendsLeft };
            }
          },
          to,
          isAgain,
        );
        // Left meanwhile, or logged out: nobody waits for it any more.
        if (get(own.atom) !== sending) return false;
        set(expectAtom, to, answer);
        if (waiting === null) set(typedAtom, '');
        options.onSent?.(get, set, isAgain, waiting === null);
        if (saysWait && waiting !== null) throw waiting;
      },
      {
        as: isAgain ? 'again' : 'send',
        wrong: (get) => (isAgain && get(sentAtom) !== null ? {} : (options.wrongTo?.(get) ?? {})),
        failed: (get, set, thrown) =>
          saysWait && codeOf(thrown) === 'OTP_WAIT'
            ? beside(set, thrown, 'code')
            : options.sendFailed
              ? options.sendFailed(get, set, thrown, isAgain)
              : beside(set, thrown, isAgain ? 'code' : 'to'),
      },
    );

  const checkAtom: WritableAtom<null, [], Promise<boolean>> = own.task(
    async (get, set) => {
      const sent = get(sentAtom);
      if (sent === null) return false;
      const prove = <R>(call: Call<R>) => proven(get, set, 'guesses', call);
      await options.check(get, set, prove, get(typedAtom), sent);
      set(leaveAtom);
      return true;
    },
    {
      as: 'check',
      wrong: (get) =>
        get(sentAtom) === null
          ? {}
          : { ...options.wrongBeside?.(get), code: codeProblem(get(typedAtom), options.noCode) },
      failed: (get, set, thrown) =>
        options.checkFailed ? options.checkFailed(get, set, thrown, checkAtom) : beside(set, thrown, 'code'),
    },
  );

  /** Forgets the code, and what is under way about it. */
  const leaveAtom = atom(null, (get, set) => {
    set(smsQuestion.drop);
    set(sentAtom, null);
    set(typedAtom, '');
    // A check says itself how it ended, also where the page goes back for it.
    if (get(own.busyAtom) !== 'check') set(own.atom, { is: 'idle' });
  });

  /** Takes what was typed or pasted; six digits are sent at once. */
  const typeAtom = atom(null, async (get, set, typed: string): Promise<boolean> => {
    const digits = codeDigits(typed);
    if (digits === get(typedAtom)) return false;
    set(typedAtom, digits);
    set(own.clear);
    return digits.length === OTP_DIGITS && !isSentByButton && (await set(checkAtom));
  });

  /** Takes the code from its SMS where the browser can, as long as its field is there (requirement AUTH-X01). */
  const listenAtom = atom(null, async (get, set, isShown: () => boolean): Promise<boolean> => {
    const sent = get(sentAtom);
    if (sent === null) return false;
    const code = await set(smsCodeAtom, Date.now() + OTP_LIFE_SECONDS * 1000);
    const isLast = isSame(sent, get(sentAtom) ?? {});
    return code !== null && isLast && isShown() && (await set(typeAtom, code));
  });

  return {
    ...own,
    typedAtom,
    sentAtom,
    expect: expectAtom,
    send: sendAtom(false),
    again: sendAtom(true),
    check: checkAtom,
    type: typeAtom,
    listen: listenAtom,
    leave: leaveAtom,
  };
}
