import type { Money } from '../contract/price.ts';
import { PAYMENT_TIMEOUT_MS, type Calls } from './call.ts';
import type { Base } from './defaults.ts';
import type { CallOptions, PaymentOrder, PaymentOutcome } from './hostBridge.ts';
import type { HostError } from './hostError.ts';

/** Rupees with two decimals as both hosts want them; text work, so no fraction is ever computed. */
export function decimal(amount: Money): string {
  return String(amount).padStart(3, '0').replace(/(\d\d)$/, '.$1');
}

export function unknownOutcome(because: Extract<PaymentOutcome, { status: 'unknown' }>['because']): PaymentOutcome {
  return { status: 'unknown', because };
}

/**
 * One payment sheet: the order is written down before it opens, and once the host was called every end is an outcome.
 * `read` turns the raw reply into an outcome; a HostError thrown by it means that the host refused to open the sheet.
 */
export function payOnce(
  calls: Calls, base: Base, order: PaymentOrder, method: string,
  args: Readonly<Record<string, unknown>>, { signal, timeoutMs = PAYMENT_TIMEOUT_MS }: CallOptions,
  read: (raw: unknown) => PaymentOutcome,
): Promise<PaymentOutcome> {
  return calls.sheet('payment', async () => {
    const left = order.kind === 'upi' ? timeoutMs : order.expiresAt - Date.now();
    if (!Number.isSafeInteger(order.amount) || order.amount <= 0 || left <= 0) throw calls.error('INVALID_ARGUMENT', 'payment');
    await calls.ready({ signal });
    await base.storage.set('payment', order.orderId);
    try {
      return read(await calls.ask('payment', method, args, {
        signal, timeoutMs: Math.min(timeoutMs, left), stray: () => base.news.emit(order.orderId),
      }));
    } catch (error) {
      const code = (error as HostError).code;
      if (code === 'TIMEOUT') return unknownOutcome('timeout');
      // The call broke on the way: whether a sheet opened cannot be known from here.
      if (code === 'HOST_FAILURE') return unknownOutcome('unclassified-reply');
      if (code !== 'ABORTED') await base.paymentSettled(order.orderId);
      throw error;
    }
  });
}
