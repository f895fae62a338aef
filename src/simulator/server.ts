import * as development from '../contract/development.ts';
import { fillPath, type Endpoint, type Input, type Reply } from '../contract/endpoint.ts';
import { timeoutSignal } from '../domain/sleep.ts';

const DEADLINE_MS = 8_000;
/** A call that runs every job falling due may take longer. */
const LONG_DEADLINE_MS = 30_000;

/** `status` 0: the server was not reached, or what came back is not what the contract says. */
export class ServerRefusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'ServerRefusal';
    this.status = status;
  }
}

/** One call of the contract, below wherever this page is mounted. @throws Refused */
export async function ask<E extends Endpoint>(endpoint: E, input: Input<E>, apiKey = ''): Promise<Reply<E>> {
  const { query, body, ...params } = input as { query?: Record<string, string | undefined>; body?: unknown };
  const url = new URL(fillPath(endpoint.path, params).slice(1), document.baseURI);
  for (const [name, value] of Object.entries(query ?? {})) if (value !== undefined) url.searchParams.set(name, value);
  let response: Response;
  let data: unknown;
  try {
    response = await fetch(url, {
      method: endpoint.method,
      cache: 'no-store',
      signal: timeoutSignal(endpoint.method === 'GET' ? DEADLINE_MS : LONG_DEADLINE_MS),
      headers: {
        ...(apiKey === '' ? {} : { api_key: apiKey }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    data = await response.json();
  } catch {
    throw new ServerRefusal(0, 'The server does not answer.');
  }
  if (!response.ok) {
    const said = (data as { errors?: { displayMsg?: string }[] } | null)?.errors?.[0]?.displayMsg;
    throw new ServerRefusal(response.status, said ?? `The server refused this (${response.status}).`);
  }
  const read = endpoint.reply.safeParse(data);
  if (!read.success) throw new ServerRefusal(0, 'The server answered something this page does not understand.');
  return read.data as Reply<E>;
}

export type Switches = development.Switches;
export const OFF: Switches = { bankOutcome: null, faults: [], offlineStores: [], soldOut: [] };

export interface Message {
  readonly id: string;
  readonly mobile: string;
  readonly text: string;
  /** Epoch ms, by the shop's clock. */ readonly at: number;
}

/** The code inside an SMS, or null: four to eight digits on their own. */
export function codeIn(text: string): string | null {
  return /(?<![\d+])\d{4,8}(?!\d)/.exec(text)?.[0] ?? null;
}

export interface Trouble {
  readonly id: string;
  readonly title: string;
  readonly detail: string;
  readonly faults: Switches['faults'];
}

/** Ways for calls to go wrong; the development calls of this page are never touched. */
export const TROUBLES: readonly Trouble[] = [
  { id: 'none', title: 'All well', detail: 'Every call answers at once.', faults: [] },
  { id: 'slow', title: 'Slow', detail: 'Every answer takes 3 seconds.', faults: [{ match: '/', delayMs: 3_000 }] },
  {
    id: 'endless',
    title: 'Too slow',
    detail: 'Answers take 35 seconds; the apps give up after 30.',
    faults: [{ match: '/', delayMs: 35_000 }],
  },
  {
    id: 'once',
    title: 'One hiccup',
    detail: 'The next call fails, then all is well.',
    faults: [{ match: '/', status: 503, times: 1 }],
  },
  {
    id: 'cart',
    title: 'Cart fails',
    detail: 'The cart and its bill answer with an error.',
    faults: [{ match: 'cart-service', status: 500 }],
  },
  {
    id: 'lost',
    title: 'Answer lost',
    detail: 'The next order is placed, but its answer never arrives.',
    faults: [{ match: '/orders/submit', drop: true, times: 1 }],
  },
  { id: 'garbled', title: 'Cut off', detail: 'Answers arrive in half.', faults: [{ match: '/', garble: true }] },
  {
    id: 'down',
    title: 'All fails',
    detail: 'Every call answers with an error.',
    faults: [{ match: '/', status: 500 }],
  },
];

const wordsOf = (faults: Switches['faults']) =>
  JSON.stringify(
    faults.map(({ match, status, delayMs, times, drop, garble }) => [match, status, delayMs, times, drop, garble]),
  );
/** Which trouble the faults in force are; null when somebody else has set faults of their own. A hiccup that is used up is none. */
export const troubleOf = (faults: Switches['faults']): Trouble | null =>
  TROUBLES.find((trouble) => wordsOf(trouble.faults) === wordsOf(faults)) ?? null;
