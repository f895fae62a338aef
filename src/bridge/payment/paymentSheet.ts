/** A payment sheet as the server describes it. */
export interface SheetMethod {
  readonly id: 'google' | 'apple';
  readonly label: string;
  readonly supportedMethods: string;
  readonly data: Readonly<Record<string, unknown>>;
}
export interface SheetAmount {
  readonly label: string;
  readonly currency: string;
  /** With its decimals, as text. */ readonly value: string;
}
export interface SheetAnswer {
  readonly details: Record<string, unknown>;
  done(isTaken: boolean): Promise<void>;
}

/** The browser's own event for a sheet that wants to hear from the shop first; type libraries miss it. */
interface ValidationEvent extends Event {
  readonly validationURL: string;
  complete(session: Promise<unknown>): void;
}

function requestFor(win: Window & typeof globalThis, method: SheetMethod, amount: SheetAmount): PaymentRequest | null {
  try {
    const { label, currency, value } = amount;
    const total = { label, amount: { currency, value } };
    // Some methods want the amount in their own data too.
    const data =
      method.id === 'google'
        ? {
            ...method.data,
            transactionInfo: {
              ...(method.data['transactionInfo'] as object),
              totalPriceStatus: 'FINAL',
              totalPrice: value,
            },
          }
        : method.data;
    return new win.PaymentRequest([{ supportedMethods: method.supportedMethods, data }], { total });
  } catch {
    // No such interface here, or a page that may not use it.
    return null;
  }
}

/** Whether this browser has the sheet and the customer a way to pay in it. Never rejects. */
export async function hasSheet(
  win: (Window & typeof globalThis) | undefined,
  method: SheetMethod,
  amount: SheetAmount,
): Promise<boolean> {
  const request = win && requestFor(win, method, amount);
  return (await request?.canMakePayment().catch(() => false)) ?? false;
}

/** Opens the sheet; must be called while a tap is handled. Null when the customer closed it, or `signal` did. @throws when it cannot be opened */
export async function openSheet(
  win: Window & typeof globalThis,
  method: SheetMethod,
  amount: SheetAmount,
  session: (validationUrl: string) => Promise<unknown>,
  signal: AbortSignal,
): Promise<SheetAnswer | null> {
  const request = requestFor(win, method, amount);
  if (!request) throw new Error('This browser has no payment sheet.');
  request.addEventListener('merchantvalidation', (event) => {
    const { validationURL } = event as ValidationEvent;
    (event as ValidationEvent).complete(session(validationURL));
  });
  const left = new Promise<null>((resolve) => {
    signal.addEventListener('abort', () => {
      resolve(null);
      request.abort().catch(() => undefined);
    });
  });
  try {
    const answer = await Promise.race([request.show(), left]);
    if (answer === null) return null;
    return {
      details: answer.details as Record<string, unknown>,
      done: (isTaken) => answer.complete(isTaken ? 'success' : 'fail'),
    };
  } catch (thrown) {
    if ((thrown as Error).name === 'AbortError') return null;
    throw thrown;
  }
}
