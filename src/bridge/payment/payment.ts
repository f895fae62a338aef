import * as z from 'zod/mini';
import type { Money } from '../../contract/price.ts';
import { paymentsOf } from '../defaults.ts';
import type { OpenHost, SheetOptions } from '../defineHost.ts';
import type { PaymentOrder, PaymentOutcome } from '../hostBridge.ts';
import type { HostError } from '../hostError.ts';

/** Minor units as rupees with two decimals, as hosts want them. Made from text, so that no floating point is involved. */
export function decimal(amount: Money): string {
  return String(amount)
    .padStart(3, '0')
    .replace(/(\d\d)$/, '.$1');
}

/** Whether a receipt is of the order's amount; one that does not say is of no other. Hosts write '649.50', '649.5' or 649.5. */
export function isAmountOf({ amount }: Pick<PaymentOrder, 'amount'>, said: string | number | undefined): boolean {
  return said === undefined || Number(said) === Number(decimal(amount));
}

export function unknownOutcome(because: Extract<PaymentOutcome, { status: 'unknown' }>['because']): PaymentOutcome {
  return { status: 'unknown', because };
}

/** Reads what the host's server.ts has sent with an order. @throws HostError INVALID_ARGUMENT when it is another host's */
export function detailsOf<S extends z.ZodMiniType>(
  host: OpenHost,
  schema: S,
  { details }: Pick<PaymentOrder, 'details'>,
): z.output<S> {
  const read = z.safeParse(schema, details);
  if (!read.success) throw host.error('INVALID_ARGUMENT', 'payment', { cause: read.error });
  return read.data;
}

/**
 * Asks the host to open its payment sheet, within sheetCall('payment'). The order is stored before it opens, so that a killed page can ask about it later; once the host was
 * called, every end is an outcome and no rejection. `read` turns the raw reply into an outcome; a HostError that it throws means
 * that the host refused to open the sheet.
 */
export async function payOnce(
  host: OpenHost,
  order: PaymentOrder,
  args: Readonly<Record<string, unknown>>,
  { signal, timeoutMs }: SheetOptions,
  read: (raw: unknown) => PaymentOutcome,
): Promise<PaymentOutcome> {
  const { calls } = host;
  const payments = paymentsOf(host);
  const left = order.expiresAt - Date.now();
  if (!Number.isSafeInteger(order.amount) || order.amount <= 0 || left <= 0)
    throw host.error('INVALID_ARGUMENT', 'payment');
  await calls.ready({ signal });
  await payments.begun(order.orderId);
  try {
    return read(
      await host.ask('payment', args, {
        signal,
        timeoutMs: Math.min(timeoutMs, left),
        stray: () => payments.news.emit(order.orderId),
      }),
    );
  } catch (error) {
    const code = (error as Partial<HostError>).code;
    if (code === 'TIMEOUT') return unknownOutcome('timeout');
    // The call failed on the way: whether a sheet was opened cannot be known.
    if (code === 'HOST_FAILURE') return unknownOutcome('unclassified-reply');
    // An answer that cannot be read came from a sheet all the same.
    if (code === 'MALFORMED_REPLY' || code === undefined) return unknownOutcome('malformed-reply');
    if (code !== 'ABORTED') await payments.settled(order.orderId);
    throw error;
  }
}
