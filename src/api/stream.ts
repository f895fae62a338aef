import type * as z from 'zod/mini';
import { fillPath, type Endpoint } from '../contract/endpoint.ts';
import { Failed } from '../contract/reply.ts';
import { Failure } from './failure.ts';

/** Until the first byte: a webview that keeps an answer back until it is whole never delivers one. */
export const FIRST_BYTE_MS = 8_000;
/** The server says something every 10 s: a line that is quieter is dead, whatever the network claims. */
export const SILENCE_MS = 25_000;

export interface StreamOptions {
  readonly signal: AbortSignal;
  /** What was heard last: it is not sent again. */
  readonly lastEventId: string;
  readonly onEvent: (data: unknown, id: string) => void;
}

/**
 * Server-sent events over fetch, since EventSource sends no headers and some webviews have none. Resolves with how the server
 * ended it: `end` when there is nothing more to come, `bye` when it is to be opened anew. Every other way is a Failure.
 */
export async function readStream(url: string, headers: Record<string, string>, endpoint: Endpoint, { signal, lastEventId, onEvent }: StreamOptions): Promise<'end' | 'bye'> {
  const quiet = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waitAtMost = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => quiet.abort(), ms);
  };
  const stop = () => quiet.abort();
  signal.addEventListener('abort', stop);
  try {
    waitAtMost(FIRST_BYTE_MS);
    const response = await fetch(url, { headers: { ...headers, ...(lastEventId ? { 'Last-Event-ID': lastEventId } : {}) }, credentials: 'omit', cache: 'no-store', signal: quiet.signal });
    if (!response.ok || !response.body) {
      const failed = Failed.safeParse(await response.json().catch(() => null));
      throw new Failure(response.status === 401 ? 'expired' : failed.success && response.status < 500 ? 'refused' : 'broken', { httpStatus: response.status, errors: failed.success ? failed.data.errors : [] });
    }
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    let text = '';
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return 'bye';
      waitAtMost(SILENCE_MS);
      text += decoder.decode(value, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1] ?? '';
        const event = field('event');
        if (event === 'end' || event === 'bye') return event;
        if (!field('data')) continue;
        const parsed = (endpoint.reply as z.ZodMiniType).safeParse(JSON.parse(field('data')));
        if (!parsed.success) throw new Failure('broken', { cause: parsed.error });
        onEvent(parsed.data, field('id'));
      }
    }
  } catch (thrown) {
    if ((thrown as Failure | null)?.name === 'Failure') throw thrown;
    if (signal.aborted) throw new Failure('aborted', { cause: thrown });
    throw new Failure(quiet.signal.aborted ? 'timeout' : thrown instanceof SyntaxError ? 'broken' : 'offline', { cause: thrown });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    // Whatever the end was, the line is given back.
    quiet.abort();
  }
}

export const streamUrl = (origin: string, endpoint: Endpoint, input: Record<string, unknown>) => origin + fillPath(endpoint.path, input);
