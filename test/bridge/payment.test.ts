import { afterEach, beforeEach, expect, it, vi } from 'vitest';
// The code behind the sheets is loaded beforehand: a module fetch does not run on fake timers.
import '../../hosts/gpay/actions.ts';
import '../../hosts/paytm/actions.ts';
import { createGpay } from '../../hosts/gpay/bridge.ts';
import { createPaytm } from '../../hosts/paytm/bridge.ts';
import { fate, orderFor } from '../hosts/stage.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it.each([
  ['gpay', createGpay],
  ['paytm', createPaytm],
] as const)(
  '%s: giving up a payment while the bridge is awaited ends it at once, and no payment sheet opens later',
  async (id, create) => {
    const called: string[] = [];
    const arrival = Promise.withResolvers<void>();
    const bridge = create({
      window: undefined,
      transport: {
        id,
        hosted: true,
        present: () => false,
        whenPresent: () => arrival.promise,
        has: () => true,
        call: (method) => void called.push(method),
        listen: () => () => {},
      },
    });
    const stop = new AbortController();
    const paying = fate(bridge.requestPayment(orderFor(id), { signal: stop.signal }));
    await vi.advanceTimersByTimeAsync(0);
    await vi.dynamicImportSettled();
    stop.abort();
    await vi.advanceTimersByTimeAsync(0);
    expect(paying.error).toMatchObject({ code: 'ABORTED', retryable: false });
    arrival.resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect([called, await bridge.unfinishedPayment()]).toEqual([[], null]);
    bridge.dispose();
  },
);
