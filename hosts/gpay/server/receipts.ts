import { MINUTE_MS } from '../../../src/domain/time.ts';
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import * as z from 'zod/mini';
import { minorOf } from '../../../src/domain/money.ts';
import type { HostContext } from '../../../src/server/call/hosts.ts';
import { type AttemptRecord, mustBe, NotBelieved, type ReceiptSays } from '../../../src/server/call/payments.ts';
import type { RawRoute } from '../../../src/server/call/route.ts';
import { httpAddress, provider, words } from '../../../src/server/environment.ts';
import type { Db } from '../../../src/server/store/db.ts';
import { secret } from '../../../src/server/store/system.ts';

// Receipts of Google Pay as its page on payment data cryptography describes them: protocol ECv1, ECDSA over P-256 and
// SHA-256 with one of Google's root keys, over sender, recipient, protocol and message, each after its length.

const ROOT_KEYS = 'https://payments.developers.google.com/paymentmethodtoken/keys.json';
const PROTOCOL = 'ECv1';
const DEADLINE_MS = 5_000;
const KEYS_KEPT_MS = 10 * MINUTE_MS;
/** The audience of the receipts that the imitation signs. */
const EMBEDDED_MERCHANT = 'BCR2EMBEDDED00000001';

export const merchantSettings = provider('Our merchant account at Google Pay', {
  merchantId: { name: 'GPAY_MERCHANT_ID', about: 'sent with each payment (none); its receipts are for it', as: words },
  keys: {
    name: 'GPAY_RECEIPT_KEYS_URL',
    about: 'who signs receipts (root keys of Google)',
    as: httpAddress,
    unset: ROOT_KEYS,
  },
});

const json = z.pipe(
  z.string(),
  z.transform((text): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      return null;
    }
  }),
);
const Receipt = z.pipe(
  json,
  z.object({
    paymentMethodData: z.object({
      tokenizationData: z.object({
        token: z.pipe(
          json,
          z.object({ protocolVersion: z.literal(PROTOCOL), signature: z.string(), signedMessage: z.string() }),
        ),
      }),
    }),
  }),
);
const Message = z.pipe(
  json,
  z.object({
    messageExpiration: z.string(),
    paymentMethodDetails: z.object({
      // Google's own pages spell it in two ways.
      status: z.optional(z.string()),
      Status: z.optional(z.string()),
      amount: z.string(),
      txnRef: z.string(),
      toVpa: z.string(),
    }),
  }),
);
const Keys = z.object({
  keys: z.array(z.object({ keyValue: z.string(), protocolVersion: z.string(), keyExpiration: z.optional(z.string()) })),
});
const SAYS: Readonly<Record<string, ReceiptSays>> = { SUCCESS: 'SUCCESS', SUBMITTED: 'PENDING', FAILURE: 'FAILED' };

function signedBytes(merchantId: string, message: string): Buffer {
  return Buffer.concat(
    ['Google', `merchant:${merchantId}`, PROTOCOL, message].flatMap((part) => {
      const bytes = Buffer.from(part);
      const length = Buffer.alloc(4);
      length.writeUInt32LE(bytes.length);
      return [length, bytes];
    }),
  );
}

function isSignedBy(keyValue: string, bytes: Buffer, signature: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(keyValue, 'base64'), format: 'der', type: 'spki' });
    return verify('SHA256', bytes, { key, dsaEncoding: 'der' }, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}

/** Judges what Google Pay has given to the page about a payment. `payee`: the UPI id that was to be paid. */
export function receipts(
  { environment, origin, outside }: Pick<HostContext, 'environment' | 'origin' | 'outside'>,
  payee: () => string,
) {
  const own = environment.read(merchantSettings);
  let held: { readonly at: number; readonly keys: z.output<typeof Keys>['keys'] } | undefined;
  async function rootKeys(now: number) {
    if (held !== undefined && Math.abs(now - held.at) < KEYS_KEPT_MS) return held.keys;
    const response = await outside.ask('gpay-receipt-keys', own?.keys ?? `${origin()}/vendors/google/receipt-keys`, {
      deadlineMs: DEADLINE_MS,
    });
    if (!response.ok) throw new Error(`the keys of Google's receipts answered ${response.status}`);
    const { keys } = Keys.parse(await response.json());
    held = { at: now, keys };
    return keys;
  }
  return async ({ reference, amount }: AttemptRecord, text: string, now: number): Promise<ReceiptSays> => {
    const receipt = Receipt.safeParse(text);
    if (!receipt.success) throw new NotBelieved('a receipt that is none of Google Pay');
    const { signature, signedMessage } = receipt.data.paymentMethodData.tokenizationData.token;
    const bytes = signedBytes(own?.merchantId ?? EMBEDDED_MERCHANT, signedMessage);
    const keys = (await rootKeys(now)).filter(
      ({ protocolVersion, keyExpiration }) => protocolVersion === PROTOCOL && Number(keyExpiration ?? Infinity) > now,
    );
    if (!keys.some(({ keyValue }) => isSignedBy(keyValue, bytes, signature)))
      throw new NotBelieved('a receipt that Google has not signed for us');
    const message = Message.safeParse(signedMessage);
    if (!message.success) throw new NotBelieved('a receipt that says nothing of a payment');
    const { messageExpiration, paymentMethodDetails: said } = message.data;
    if (!(Number(messageExpiration) > now)) throw new NotBelieved('a receipt that is too old');
    mustBe('reference', said.txnRef, reference);
    mustBe('amount', minorOf(said.amount), amount);
    mustBe('payee', said.toVpa, payee());
    const says = SAYS[said.status ?? said.Status ?? ''];
    if (says === undefined) throw new NotBelieved(`a receipt that says ${said.status ?? said.Status}`);
    return says;
  };
}

// ---- The imitation of Google, which signs them.

const embeddedKey = (db: Db): Promise<string> =>
  secret(db, 'google-receipts', () =>
    generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  );

/** The signature of the imitated Google under a message. */
export async function embeddedSignature(db: Db, message: string): Promise<string> {
  const key = createPrivateKey(await embeddedKey(db));
  return sign('SHA256', signedBytes(EMBEDDED_MERCHANT, message), { key, dsaEncoding: 'der' }).toString('base64');
}

export const receiptKeys: RawRoute = {
  method: 'GET',
  path: '/vendors/google/receipt-keys',
  embedded: true,
  async handler(_context, { db }) {
    const spki = createPublicKey(await embeddedKey(db)).export({ type: 'spki', format: 'der' });
    return Response.json({ keys: [{ keyValue: spki.toString('base64'), protocolVersion: PROTOCOL }] });
  },
};
