import * as z from 'zod/mini';
import * as assistants from '../../../contract/assistants.ts';
import { Id } from '../../../contract/names.ts';
import * as orders from '../../../contract/orders.ts';
import type { OrderView } from '../../../contract/orders.ts';
import { money } from '../../../contract/price.ts';
import type { JsonObject, UnreadReason } from '../../call/documents.ts';
import { assistants as says, formatMoney } from '../../call/language.ts';
import type { Refusal } from '../../call/refusal.ts';
import type { Tool, ToolCall } from '../assistants/assistantTools.ts';
import {
  messagesOf,
  NO_TOTALS,
  totalsOf,
  ucpCode,
  type Message,
  type Quote,
  type OrderRequest,
} from './ucpCheckout.ts';
import { PROTOCOL, type UcpService } from './ucpService.ts';

// The operations of a checkout of the Universal Commerce Protocol, over its own REST and over MCP. A checkout is a quote:
// no operation buys anything, and `complete_checkout` says where its customer confirms it.

type FaultCode =
  | 'invalid_profile_url'
  | 'profile_mismatch'
  | 'profile_unreachable'
  | 'profile_malformed'
  | 'profile_busy'
  | 'version_unsupported';

/** What keeps a request from being looked at: an error of the protocol, and no outcome of ours. Recognised by its name. */
export class UcpFault extends Error {
  override readonly name = 'UcpFault';
  readonly code: FaultCode;
  /** Over HTTP. */
  readonly status: 400 | 403 | 422 | 424 | 503;
  constructor(code: FaultCode, status: UcpFault['status'], content: string) {
    super(content);
    this.code = code;
    this.status = status;
  }
}

export const UNREAD = {
  address: () => new UcpFault('invalid_profile_url', 400, 'The profile has to be an open https address'),
  unreachable: () => new UcpFault('profile_unreachable', 424, 'The profile could not be read'),
  malformed: () => new UcpFault('profile_malformed', 422, 'The profile is not one'),
  busy: () => new UcpFault('profile_busy', 503, 'Too many profiles were asked for'),
} as const satisfies Record<UnreadReason, () => UcpFault>;

const Profile = z.object({
  ucp: z.object({
    version: z.string(),
    capabilities: z.optional(z.record(z.string(), z.array(z.object({ version: z.string() })))),
  }),
});

/** The capabilities that a platform and we both know in one version; none without the root. @throws UcpFault */
function activeOf<R>({ version, capabilities }: UcpService<R>, profile: JsonObject): readonly string[] {
  const parsed = Profile.safeParse(profile);
  if (!parsed.success) throw UNREAD.malformed();
  const { ucp } = parsed.data;
  if (ucp.version !== PROTOCOL)
    throw new UcpFault('version_unsupported', 422, `This business speaks version ${PROTOCOL}`);
  const active = Object.keys(capabilities).filter((name) =>
    ucp.capabilities?.[name]?.some((one) => one.version === version),
  );
  return active.includes(Object.keys(capabilities)[0]!) ? active : [];
}

const failure = (at: ToolCall, messages: readonly Message[]) => ({
  ucp: { version: PROTOCOL, status: 'error' },
  messages,
  continue_url: at.page(''),
});
const unrecoverable = (code: string, content: string): Message => ({
  type: 'error',
  code,
  content,
  severity: 'unrecoverable',
});

/** Paid, or to be paid at the door. */
const SETTLED: ReadonlySet<string> = new Set(['CAPTURED', 'DUE_AT_DOOR']);
const ENDED: ReadonlySet<string> = new Set(['CANCELLED', 'FAILED']);

function statusOf({ isCurrent, state, problems }: Quote, order: OrderView | null): string {
  if (order !== null) {
    if (ENDED.has(order.orderStatus)) return 'canceled';
    return SETTLED.has(order.payment.state) ? 'completed' : 'complete_in_progress';
  }
  if (!isCurrent) return 'canceled';
  if (problems.length > 0) return 'incomplete';
  return state === 'OPEN' ? 'requires_escalation' : 'canceled';
}

/** Where its customer goes on, while there is something to go on with. */
function continueUrl(at: ToolCall, status: string, { quoteId, orderId }: Quote): string | undefined {
  if (status === 'complete_in_progress') return at.page(`payment/${orderId}`);
  return status === 'incomplete' || status === 'requires_escalation' ? at.page(`assistant/${quoteId}`) : undefined;
}

function sayings(at: ToolCall, status: string, quote: Quote, order: OrderView | null): Message[] {
  if (status !== 'requires_escalation') return order === null && status !== 'canceled' ? messagesOf(quote, at) : [];
  const total = formatMoney(money(quote.bill.total), at.country);
  return [
    {
      type: 'error',
      code: 'buyer_confirmation',
      content: says.confirm({ total }),
      severity: 'requires_buyer_review',
    },
    ...messagesOf(quote, at),
  ];
}

/** A checkout as the protocol shows it. */
async function shown<R>(
  service: UcpService<R>,
  at: ToolCall,
  quote: Quote,
  { active, codes, warnings }: CodesSaid & { readonly active: readonly string[] },
) {
  const order = quote.orderId === null ? null : (await at.call(orders.byId, { orderId: quote.orderId })).order;
  const status = statusOf(quote, order);
  const isGone = status === 'canceled' && order === null;
  const messages = [...sayings(at, status, quote, order), ...warnings];
  const url = continueUrl(at, status, quote);
  const { capabilities, version } = service;
  return {
    ucp: {
      version: PROTOCOL,
      status: 'success',
      capabilities: Object.fromEntries(
        active.map((name) => {
          const { extends: parent } = capabilities[name]!;
          return [name, [{ version, ...(parent === undefined ? {} : { extends: parent }) }]];
        }),
      ),
      // Money is paid by the customer in their own app, never by a platform.
      payment_handlers: {},
    },
    id: quote.checkoutId,
    status,
    currency: quote.bill.currencyCode,
    ...(isGone
      ? await service.empty(at, quote)
      : await service.shown(at, quote, { active, codes: codes ?? quote.coupons, now: at.now })),
    totals: isGone ? NO_TOTALS : totalsOf(quote.bill),
    ...(messages.length === 0 ? {} : { messages }),
    links: [
      { type: 'privacy_policy', url: at.page('privacy') },
      { type: 'terms_of_service', url: at.page('terms') },
    ],
    ...(status === 'requires_escalation' ? { expires_at: new Date(quote.endsAt).toISOString() } : {}),
    ...(url === undefined ? {} : { continue_url: url }),
    ...(status === 'completed' && order !== null
      ? { order: service.confirmation(order, at.page(`order/${order.orderId}`)) }
      : {}),
  };
}

const isRefusal = (error: unknown): error is Refusal => (error as Error).name === 'Refusal';
/** Refusals that say nothing of a checkout: they are errors of the protocol (inside.ts would give the same to anybody). */
const PROTOCOL_CODES: ReadonlySet<string> = new Set(['IDEMPOTENCY_MISMATCH', 'IN_PROGRESS', 'FEATURE_BLOCKED']);
const isOutcome = ({ httpStatus: status, errors: [first] }: Refusal): boolean =>
  status !== 400 && status !== 401 && status !== 429 && status < 500 && !PROTOCOL_CODES.has(first?.code ?? '');

/** What a request has said of codes: those of its customer, and what keeps some of them from being used. */
interface CodesSaid {
  readonly codes?: readonly string[];
  readonly warnings: readonly Message[];
}

/** Which of the codes a refusal speaks of, and how; null: it is about something else. */
function rejectedIn(error: unknown): { readonly index: number; readonly message: string } | null {
  const first = isRefusal(error) ? error.errors[0] : undefined;
  const [, index] = (first?.code === 'COUPON_REJECTED' && /^coupons\.(\d)$/.exec(first.field ?? '')) || [];
  return index === undefined ? null : { index: Number(index), message: first!.displayMsg };
}

/** A quote. A code that cannot be used is left out and said; the others stay. */
async function quoted(at: ToolCall, wish: OrderRequest & { checkoutId?: string }, key: string | undefined) {
  const { coupons: codes = [], ...plain } = wish;
  const warnings: Message[] = [];
  for (let left = codes.map((code, place) => ({ code, place })); ;) {
    const coupons = left.map(({ code }) => code);
    const own = key === undefined || left.length === codes.length ? key : `${key}.${left.length}`;
    try {
      const body = { ...plain, ...(coupons.length === 0 ? {} : { coupons }) };
      const { quote } = await at.call(assistants.quote, { body }, own);
      return { quote, said: { codes, warnings } };
    } catch (error) {
      const rejected = rejectedIn(error);
      if (rejected === null) throw error;
      const { index, message: content } = rejected;
      const path = `$.discounts.codes[${left[index]!.place}]`;
      warnings.push({ type: 'warning', code: 'discount_code_invalid', path, content });
      left = left.toSpliced(index, 1);
    }
  }
}

const Key = z.string().check(z.regex(/^[\w-]{8,64}$/));
const Meta = z.object({
  'ucp-agent': z.object({ profile: z.string().check(z.maxLength(300)) }),
  'idempotency-key': z.optional(Key),
});
const Retried = z.extend(Meta, { 'idempotency-key': Key });
type Meta = z.output<typeof Meta>;
/** The key of a quote that a program makes by this protocol. */
const keyOf = ({ 'idempotency-key': key }: Meta) => (key === undefined ? undefined : `ucp:${key}`);

const Output = z.looseObject({ ucp: z.looseObject({ version: z.string() }) });
const CHANGES = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true } as const;

export interface UcpTools {
  readonly create: Tool;
  readonly get: Tool;
  readonly update: Tool;
  readonly complete: Tool;
  readonly cancel: Tool;
}

export function ucpTools<R>(service: UcpService<R>): UcpTools {
  type View = (quote: Quote, said?: CodesSaid) => Promise<object>;
  function operation<I extends z.ZodMiniType<{ meta: Meta }>>(
    own: Pick<Tool, 'name' | 'title' | 'description' | 'cost' | 'annotations'>,
    input: I,
    work: (given: z.output<I>, at: ToolCall, view: View) => Promise<object>,
  ): Tool {
    async function run(given: z.output<I>, at: ToolCall) {
      const active = activeOf(service, await at.readProfile(given.meta['ucp-agent'].profile));
      const outcome = async () => {
        if (active.length === 0)
          return failure(at, [unrecoverable('capabilities_incompatible', `${service.name} ${service.version}`)]);
        return await work(given, at, (quote, said = { warnings: [] }) =>
          shown(service, at, quote, { active, ...said }),
        );
      };
      const data = (await outcome().catch((error: unknown) => {
        if (!isRefusal(error) || !isOutcome(error)) throw error;
        return failure(
          at,
          error.errors.map(({ code, displayMsg }) => unrecoverable(ucpCode(code ?? 'refused'), displayMsg)),
        );
      })) as Readonly<Record<string, unknown>>;
      const messages = (data['messages'] ?? []) as readonly Message[];
      return { said: messages.map(({ content }) => String(content)).join(' '), data };
    }
    return { ...own, scope: 'order', input, output: Output, run };
  }
  const existing = z.object({ meta: Meta, id: Id });
  const read = async ({ id }: { readonly id: string }, at: ToolCall, view: View) =>
    await view((await at.call(assistants.checkout, { checkoutId: id })).quote);
  return {
    create: operation(
      {
        name: 'create_checkout',
        title: 'Create a checkout',
        description:
          'Prepares an order at a price that holds for some minutes. It buys nothing: its customer confirms it at continue_url and pays in their own app.',
        cost: 10,
        annotations: CHANGES,
      },
      z.object({ meta: Meta, checkout: service.request }),
      async ({ meta, checkout }, at, view) => {
        const { quote, said } = await quoted(at, await service.wishOf(checkout, at), keyOf(meta));
        return await view(quote, said);
      },
    ),
    get: operation(
      {
        name: 'get_checkout',
        title: 'Get a checkout',
        description: 'How far a checkout is: whether its customer has confirmed it, and paid.',
        cost: 2,
        annotations: { ...CHANGES, readOnlyHint: true, idempotentHint: true },
      },
      existing,
      read,
    ),
    update: operation(
      {
        name: 'update_checkout',
        title: 'Update a checkout',
        description:
          'Puts another order in the place of the one before, whole. Its customer confirms it at continue_url.',
        cost: 10,
        annotations: { ...CHANGES, idempotentHint: true },
      },
      z.object({ meta: Meta, id: Id, checkout: service.request }),
      async ({ meta, id, checkout }, at, view) => {
        const wish = { ...(await service.wishOf(checkout, at)), checkoutId: id };
        const { quote, said } = await quoted(at, wish, keyOf(meta));
        return await view(quote, said);
      },
    ),
    complete: operation(
      {
        name: 'complete_checkout',
        title: 'Complete a checkout',
        description:
          'Places no order by itself: only its customer can confirm it, at continue_url. Tells whether they have. Payment credentials are never read.',
        cost: 5,
        annotations: { ...CHANGES, destructiveHint: true, idempotentHint: true },
      },
      z.object({ meta: Retried, id: Id }),
      read,
    ),
    cancel: operation(
      {
        name: 'cancel_checkout',
        title: 'Cancel a checkout',
        description: 'Ends a checkout that nobody has confirmed. An order is cancelled by cancel_order.',
        cost: 5,
        annotations: { ...CHANGES, destructiveHint: true, idempotentHint: true },
      },
      z.object({ meta: Retried, id: Id }),
      async ({ id }, at, view) => await view((await at.call(assistants.withdraw, { checkoutId: id })).quote),
    ),
  };
}
