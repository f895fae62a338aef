import * as z from 'zod/mini';
import { settle } from '../../src/bridge/call.ts';
import { paymentsOf } from '../../src/bridge/defaults.ts';
import { webLink } from '../../src/bridge/web.ts';
import { hostCall, sheetCall } from '../../src/bridge/defineHost.ts';
import { decimal, detailsOf, unknownOutcome } from '../../src/bridge/payment/payment.ts';
import { upiLink } from '../../src/domain/upi.ts';
import { takeOffer } from './host.ts';

/** The payee of a UPI link. */
const UpiDetails = () =>
  z.object({
    payeeVpa: z.string(),
    payeeName: z.string(),
    mcc: z.string(),
    referenceUrl: z.string(),
    note: z.string(),
  });

export const login = /* @__PURE__ */ hostCall('login', async () => ({ kind: 'web-session' }) as const);

/** Opens a UPI app by a link. The app sends no reply to the page, so only the server can tell the outcome. */
export const requestPayment = /* @__PURE__ */ sheetCall('payment', async (host, order) => {
  const { payeeVpa, payeeName, mcc, referenceUrl, note } = detailsOf(host, UpiDetails(), order);
  if (!Number.isSafeInteger(order.amount) || order.amount <= 0) throw host.error('INVALID_ARGUMENT', 'payment');
  await paymentsOf(host).begun(order.orderId);
  host.window!.location.assign(
    upiLink({
      vpa: payeeVpa,
      name: payeeName,
      mcc,
      reference: order.transactionReferenceId,
      amount: decimal(order.amount),
      note,
      url: referenceUrl,
    }),
  );
  return unknownOutcome('no-reply-channel');
});

/** Copies the address where the browser has no share sheet, or does not let this page open it. */
export const share = /* @__PURE__ */ sheetCall('share', (host, { title, text, path }, options) =>
  settle({
    host: 'browser',
    feature: 'share',
    ...options,
    start(reply, fail) {
      const url = webLink(host.window, path);
      const { navigator } = host.window!;
      const copy = async () => {
        await navigator.clipboard.writeText(url);
        reply('copied');
      };
      if (navigator.share) {
        navigator.share({ title, url, ...(text ? { text } : {}) }).then(
          () => reply('shared'),
          (error: Error) => {
            if (error.name === 'AbortError') reply('dismissed');
            else if (error.name === 'NotAllowedError') copy().catch(fail);
            else fail(error);
          },
        );
      } else copy().catch(fail);
    },
  }),
);

/** Rejects with UNAVAILABLE until the browser has offered to install the app. */
export const offerShortcut = /* @__PURE__ */ sheetCall('shortcut', async (host, _name, options) => {
  const offer = takeOffer(host);
  if (!offer) throw host.error('UNAVAILABLE', 'shortcut', { retryable: true });
  return settle({
    host: 'browser',
    feature: 'shortcut',
    ...options,
    start: (reply, fail) =>
      void offer
        .prompt()
        .then(() => offer.userChoice)
        .then(({ outcome }) => reply(outcome === 'accepted' ? 'added' : 'dismissed'), fail),
  });
});
