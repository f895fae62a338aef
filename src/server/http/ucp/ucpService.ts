import type * as z from 'zod/mini';
import type { OrderView } from '../../../contract/orders.ts';
import type { ToolCall } from '../assistants/assistantTools.ts';
import type { Quote, OrderRequest } from './ucpCheckout.ts';

/** The version of the Universal Commerce Protocol that stands. */
export const PROTOCOL = '2026-04-08';

interface UcpCapability {
  readonly spec: string;
  readonly schema: string;
  readonly extends?: string;
}

interface ShownOptions {
  /** The capabilities that both sides know. */
  readonly active: readonly string[];
  /** Codes that the platform has sent, those included that cannot be used. */
  readonly codes: readonly string[];
  /** The server's clock, epoch ms. */
  readonly now: number;
}

/** A trade of the protocol: how it names what is ordered. `R`: its request. */
export interface UcpService<R = unknown> {
  readonly name: string;
  /** The folder below the country's address, and of its schemas. */
  readonly folder: 'food' | 'shopping';
  readonly version: string;
  readonly docs: string;
  /** The first one is its root; the others extend it. */
  readonly capabilities: Readonly<Record<string, UcpCapability>>;
  readonly request: z.ZodMiniType<R>;
  /** @throws Refusal where it names what we do not have */
  wishOf(request: R, at: ToolCall): Promise<OrderRequest>;
  /** Its own part of a checkout. */
  shown(at: ToolCall, quote: Quote, options: ShownOptions): Promise<object>;
  /** The same of a checkout that is over: what another program has asked for since is none of its business. */
  empty(at: ToolCall, quote: Quote): Promise<object>;
  confirmation(order: Pick<OrderView, 'orderId' | 'orderNumber'>, page: string): object;
}
