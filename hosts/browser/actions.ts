import * as z from 'zod/mini';
import { type Calls, settle, SHEET_TIMEOUT_MS } from '../../src/bridge/call.ts';
import { type Base, webLink } from '../../src/bridge/defaults.ts';
import type { Feature, Page, HostActions } from '../../src/bridge/hostBridge.ts';
import { locate } from '../../src/bridge/locate.ts';
import { decimal, detailsOf, unknownOutcome } from '../../src/bridge/payment.ts';
import type { InstallPrompt } from './bridge.ts';

/** Whom a UPI link pays. */
const UpiDetails = z.object({
  payeeVpa: z.string(),
  payeeName: z.string(),
  mcc: z.string(),
  referenceUrl: z.string(),
  note: z.string(),
});

/** The calls that a tap may start in a plain browser. */
export function browserActions(
  win: Page | undefined,
  calls: Calls,
  base: Base,
  takeOffer: () => InstallPrompt | undefined,
): HostActions {
  const never = async (feature: Feature): Promise<never> => {
    throw calls.error('UNSUPPORTED', feature);
  };
  return {
    login: async () => ({ kind: 'web-session' }),
    getPhoneNumber: () => never('phoneNumber'),
    getLocation: (options) => locate('browser', win, options),
    pickAddress: () => never('address'),
    /** Opens a UPI app by a link. The app sends no reply to the page, so only the server can tell the outcome. */
    requestPayment: (order) =>
      calls.sheet('payment', async () => {
        if (!win) return never('payment');
        const { payeeVpa, payeeName, mcc, referenceUrl, note } = detailsOf(calls, UpiDetails, order);
        if (!Number.isSafeInteger(order.amount) || order.amount <= 0) throw calls.error('INVALID_ARGUMENT', 'payment');
        await base.storage.set('payment', order.orderId);
        win.location.assign(
          `upi://pay?${new URLSearchParams({
            pa: payeeVpa,
            pn: payeeName,
            mc: mcc,
            tr: order.transactionReferenceId,
            tid: order.transactionReferenceId,
            am: decimal(order.amount),
            cu: 'INR',
            mode: '04',
            tn: note.slice(0, 50),
            url: referenceUrl,
          })
            .toString()
            .replaceAll('+', '%20')}`,
        );
        return unknownOutcome('no-reply-channel');
      }),
    /** Copies the address where the browser has no share sheet. */
    share: ({ title, text, path }, { signal: given, timeoutMs = SHEET_TIMEOUT_MS } = {}) =>
      calls.sheet(
        'share',
        (signal) =>
          settle({
            host: 'browser',
            feature: 'share',
            timeoutMs,
            signal,
            start(reply, fail) {
              const url = webLink(win, path);
              const { navigator } = win!;
              if (navigator.share) {
                navigator.share({ title, url, ...(text ? { text } : {}) }).then(
                  () => reply('shared'),
                  (error: Error) => (error.name === 'AbortError' ? reply('dismissed') : fail(error)),
                );
              } else navigator.clipboard.writeText(url).then(() => reply('copied'), fail);
            },
          }),
        given,
      ),
    /** Rejects with UNAVAILABLE until the browser has offered to install the app. */
    offerShortcut: (_name, { signal: given, timeoutMs = SHEET_TIMEOUT_MS } = {}) =>
      calls.sheet(
        'shortcut',
        async (signal) => {
          const offer = takeOffer();
          if (!offer) throw calls.error('UNAVAILABLE', 'shortcut', { retryable: true });
          return settle({
            host: 'browser',
            feature: 'shortcut',
            timeoutMs,
            signal,
            start: (reply, fail) =>
              void offer
                .prompt()
                .then(() => offer.userChoice)
                .then(({ outcome }) => reply(outcome === 'accepted' ? 'added' : 'dismissed'), fail),
          });
        },
        given,
      ),
    close: () => never('close'),
  };
}
