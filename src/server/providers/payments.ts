import type { PaymentMode } from '../../contract/names.ts';
import type { HostContext, HostSide } from '../call/hosts.ts';
import {
  mustBe,
  type AttemptRecord,
  type PaymentGateway,
  type PaymentProvider,
  type ProviderStatus,
  type Webhook,
} from '../call/payments.ts';
import type { bankGateway } from './bank.ts';
import { makersAddress, sheetMethods } from './paymentSheets.ts';

/**
 * Gateway of a pay link itself. Payments made through the link have references of their own, so no money moves under
 * the link's reference, and it can always be cancelled.
 */
const nobody: PaymentGateway = {
  start: () => Promise.resolve({ kind: 'none' }),
  status: ({ reference }) => Promise.resolve({ state: 'WAITING', reference, captures: [], reversal: null, code: null }),
  cancel: ({ reference }) =>
    Promise.resolve({ state: 'CANCELLED', reference, captures: [], reversal: null, code: 'CANCELLED' }),
  refund: () => Promise.reject(new Error('nothing was paid under a link itself')),
};

/** @throws NotBelieved when the answer is about another attempt */
async function about({ reference }: AttemptRecord, answer: Promise<ProviderStatus>): Promise<ProviderStatus> {
  const status = await answer;
  if (status.state !== 'NONE' || status.reference !== null) mustBe('reference', status.reference, reference);
  return status;
}

/**
 * All payments of this server: a host's gateway takes its own mode, the bank takes all others. Several hosts share the
 * mode `HOST`, so for it the attempt names the host.
 */
export function paymentProvider(options: {
  readonly around: HostContext;
  readonly bank: ReturnType<typeof bankGateway>;
  readonly hosts: readonly HostSide[];
}): PaymentProvider {
  const { around, bank, hosts } = options;
  const gateways = new Map<string, PaymentGateway>();
  const webhooks = new Map<string, Webhook>([['bank', bank.webhook]]);
  function ofHost({ name, payment }: HostSide): PaymentGateway {
    const gateway = gateways.get(name) ?? payment.gateway?.(around) ?? bank;
    gateways.set(name, gateway);
    return gateway;
  }
  const hostNamed = (name: string): HostSide => {
    const side = hosts.find((own) => own.name === name);
    if (side === undefined) throw new Error(`there is no host ${name}`);
    return side;
  };
  const of = (mode: PaymentMode, host: () => string): PaymentGateway => {
    if (mode === 'LINK') return nobody;
    const side = mode === 'HOST' ? hostNamed(host()) : hosts.find(({ payment }) => payment.mode === mode);
    return side === undefined ? bank : ofHost(side);
  };
  const asked = ({ mode, details }: Pick<AttemptRecord, 'mode' | 'details'>) =>
    of(mode, () => (JSON.parse(details) as { host: string }).host);
  return {
    isAway: (mode, host) => mode !== 'COD' && of(mode, () => host).isAway?.() === true,
    start: (attempt) => of(attempt.mode, () => attempt.host).start(attempt),
    status: (attempt) => about(attempt, asked(attempt).status(attempt)),
    cancel: (attempt) => about(attempt, asked(attempt).cancel(attempt)),
    collect: (attempt, vpa) => about(attempt, bank.collect(attempt, vpa)),
    receipt: async (attempt, receipt, now) => (await asked(attempt).receipt?.(attempt, receipt, now)) ?? null,
    refund: ({ mode, details, ...refund }) => asked({ mode, details }).refund(refund),
    take: bank.take,
    again: bank.again,
    keep: bank.keep,
    forget: bank.forget,
    sheets: (country) => sheetMethods(country, around.environment),
    sheetToken: bank.sheetToken,
    async sheetSession(sheet, validationUrl) {
      const address = makersAddress(sheet, validationUrl);
      return address === null ? null : await bank.sheetSession(sheet, address);
    },
    async webhook(from, delivery) {
      const webhook = webhooks.get(from) ?? hostNamed(from).webhook?.(around);
      if (webhook === undefined) return null;
      webhooks.set(from, webhook);
      return await webhook(delivery);
    },
  };
}
