import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createGpay } from '../../hosts/gpay/bridge.ts';
import { createPaytm } from '../../hosts/paytm/bridge.ts';
import type { Transport } from '../../src/bridge/hostBridge.ts';
import { orderFor } from '../hosts/stage.ts';

/** A host that answers every call with this. */
function saying(id: 'gpay' | 'paytm', raw: unknown): Transport {
  return {
    id,
    hosted: true,
    present: () => true,
    whenPresent: async () => {},
    has: () => true,
    call: (_method, _args, reply) => reply(raw),
    listen: () => () => {},
  };
}
const create = { gpay: createGpay, paytm: createPaytm };
const RUNS = 400;

const near = {
  paytm: fc.record(
    {
      data: fc.oneof(
        fc.anything(),
        fc
          .record(
            {
              STATUS: fc.oneof(fc.constantFrom('TXN_SUCCESS', 'PENDING', 'TXN_FAILURE'), fc.string()),
              ORDERID: fc.constantFrom('TR-1', 'other'),
              TXNAMOUNT: fc.constantFrom('649.05', '649.5', '1.00'),
              CHECKSUMHASH: fc.constantFrom('', 'c2ln'),
            },
            { requiredKeys: [] },
          )
          .map((fields) => JSON.stringify(fields)),
      ),
      error: fc.oneof(fc.anything(), fc.constant(undefined)),
    },
    { requiredKeys: [] },
  ),
  gpay: fc.record({
    value: fc.oneof(
      fc.anything(),
      fc.record({
        paymentMethodData: fc.record({
          tokenizationData: fc.record({
            token: fc
              .record(
                {
                  signature: fc.constantFrom('', 'sig'),
                  signedMessage: fc
                    .record({
                      paymentMethodDetails: fc.record(
                        {
                          Status: fc.oneof(fc.constantFrom('SUCCESS', 'FAILURE', 'SUBMITTED'), fc.string()),
                          amount: fc.constantFrom('649.05', '1.00'),
                          txnRef: fc.constantFrom('TR-1', 'x'),
                        },
                        { requiredKeys: [] },
                      ),
                    })
                    .map((message) => JSON.stringify(message)),
                },
                { requiredKeys: [] },
              )
              .map((token) => JSON.stringify(token)),
          }),
        }),
      }),
    ),
  }),
} as const;

describe('replies nobody would write', () => {
  for (const id of ['gpay', 'paytm'] as const) {
    it(`${id}: every payment reply ends as an outcome, and success needs a signature and our own amount and order`, async () => {
      let successes = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.oneof(
            fc.anything().map((value) => (id === 'gpay' ? { value } : value)),
            near[id],
          ),
          async (raw) => {
            const bridge = create[id]({ window: undefined, transport: saying(id, raw) });
            const outcome = await bridge.requestPayment(orderFor(id)).catch((error: { name: string }) => error);
            if ('name' in outcome) {
              expect(outcome.name).toBe('HostError');
              return;
            }
            if (outcome.status !== 'reported-success') {
              expect(['reported-pending', 'reported-failure', 'unknown']).toContain(outcome.status);
              return;
            }
            successes++;
            const text = JSON.stringify(outcome.receipt);
            expect(text).toMatch(id === 'gpay' ? /signature\\":\\"sig/ : /"CHECKSUMHASH":"c2ln"/);
            expect(text).not.toContain('1.00');
          },
        ),
        { numRuns: RUNS, seed: 7 },
      );
      expect(successes).toBeGreaterThan(0);
    });

    it(`${id}: every other reply is a value that fits or a HostError`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.anything(), async (raw) => {
          const bridge = create[id]({ window: undefined, transport: saying(id, id === 'gpay' ? { value: raw } : raw) });
          for (const call of [
            () => bridge.login({ nonce: 'n', interactive: true, clientId: 'c' }),
            () => bridge.getLocation(),
            () => bridge.pickAddress(),
            () => bridge.network.getNetworkType(),
          ]) {
            const ended = await call().catch((error: { name: string }) => error);
            if ('name' in ended && ended instanceof Error) expect(ended.name).toBe('HostError');
          }
        }),
        { numRuns: 100, seed: 11 },
      );
    });
  }
});
