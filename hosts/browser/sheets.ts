import { type Calls, settle, SHEET_TIMEOUT_MS } from '../../src/bridge/call.ts';
import { type Base, webLink } from '../../src/bridge/defaults.ts';
import type { Feature, Page, Sheets } from '../../src/bridge/hostBridge.ts';
import { locate } from '../../src/bridge/locate.ts';
import { decimal, unknownOutcome } from '../../src/bridge/payment.ts';
import type { InstallPrompt } from './bridge.ts';

/** What a tap may start on the plain web. */
export function browserSheets(
  win: Page | undefined, calls: Calls, base: Base, takeOffer: () => InstallPrompt | undefined,
): Sheets {
  const never = async (feature: Feature): Promise<never> => {
    throw calls.error('UNSUPPORTED', feature);
  };
  return {
    login: async () => ({ kind: 'web-session' }),
    getPhoneNumber: () => never('phoneNumber'),
    getLocation: (options) => locate('browser', win, options),
    pickAddress: () => never('address'),
    /** Opens the UPI app by its link; a web page gets no reply from it, so the outcome is always the server's to tell. */
    requestPayment: (order) => calls.sheet('payment', async () => {
      if (order.kind !== 'upi' || !win) return never('payment');
      if (!Number.isSafeInteger(order.amount) || order.amount <= 0) throw calls.error('INVALID_ARGUMENT', 'payment');
      await base.storage.set('payment', order.orderId);
      win.location.assign(`upi://pay?${new URLSearchParams({
        pa: order.payeeVpa, pn: order.payeeName, mc: order.mcc, tr: order.transactionReferenceId,
        tid: order.transactionReferenceId, am: decimal(order.amount), cu: 'INR', mode: '04',
        tn: (order.note ?? '').slice(0, 50), url: order.referenceUrl,
      }).toString().replaceAll('+', '%20')}`);
      return unknownOutcome('no-reply-channel');
    }),
    /** Without a share sheet the address is copied. */
    share: ({ title, text, path }, { signal, timeoutMs = SHEET_TIMEOUT_MS } = {}) => calls.sheet('share', () => settle({
      host: 'browser', feature: 'share', timeoutMs, signal,
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
    })),
    /** UNAVAILABLE until the browser has offered an installation. */
    offerShortcut: (_name, { signal, timeoutMs = SHEET_TIMEOUT_MS } = {}) => calls.sheet('shortcut', async () => {
      const offer = takeOffer();
      if (!offer) throw calls.error('UNAVAILABLE', 'shortcut', { retryable: true });
      return settle({
        host: 'browser', feature: 'shortcut', timeoutMs, signal,
        start: (reply, fail) => void offer.prompt()
          .then(() => offer.userChoice)
          .then(({ outcome }) => reply(outcome === 'accepted' ? 'added' : 'dismissed'), fail),
      });
    }),
    close: () => never('close'),
  };
}
