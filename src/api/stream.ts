import type { Endpoint } from '../contract/endpoint.ts';
import { Failure, failureOf } from './failure.ts';

/**
 * Longest wait for the first byte, in ms. Some webviews hold a response back until it is complete, and a stream never
 * is.
 */
const FIRST_BYTE_MS = 8_000;
/** The server sends something every 10 s. A stream that is silent for this long (ms) counts as broken. */
const SILENCE_MS = 25_000;

export interface StreamOptions {
  readonly signal: AbortSignal;
  /** Id of the last event received; the server does not send that event again. */
  readonly lastEventId: string;
  readonly onEvent: (data: unknown, id: string) => void;
}

/**
 * Reads server-sent events with fetch, because EventSource cannot send headers and some webviews do not have it.
 * Resolves with the way the server ended the stream: `end` when nothing more will come, `bye` when the caller should
 * open it again.
 * @throws Failure in every other case
 */
export async function readStream(
  url: string,
  headers: Record<string, string>,
  endpoint: Endpoint,
  { signal, lastEventId, onEvent }: StreamOptions,
): Promise<'end' | 'bye'> {
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
    const response = await fetch(url, {
      headers: { ...headers, ...(lastEventId ? { 'Last-Event-ID': lastEventId } : {}) },
      credentials: 'omit',
      cache: 'no-store',
      signal: quiet.signal,
    });
    if (!response.ok || !response.body) throw await refusal(response);
    return await readEvents(response.body, endpoint, onEvent, () => waitAtMost(SILENCE_MS));
  } catch (thrown) {
    if ((thrown as Failure | null)?.name === 'Failure') throw thrown;
    const torn = thrown instanceof SyntaxError ? 'broken' : 'offline';
    throw new Failure(signal.aborted ? 'aborted' : quiet.signal.aborted ? 'timeout' : torn, { cause: thrown });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    // Closes the connection, however the stream ended.
    quiet.abort();
  }
}

export const refusal = async (response: Response): Promise<Failure> =>
  failureOf(response.status, await response.json().catch(() => null));

/**
 * Checks every event and passes it to `onEvent`, until the server ends the stream. `heard` is called for every chunk
 * received.
 */
async function readEvents(
  body: ReadableStream<Uint8Array>,
  endpoint: Endpoint,
  onEvent: StreamOptions['onEvent'],
  heard: () => void,
): Promise<'end' | 'bye'> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return 'bye';
    heard();
    text += decoder.decode(value, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1] ?? '';
      const event = field('event');
      if (event === 'end' || event === 'bye') return event;
      if (!field('data')) continue;
      const parsed = endpoint.reply.safeParse(JSON.parse(field('data')));
      if (!parsed.success) throw new Failure('broken', { cause: parsed.error });
      onEvent(parsed.data, field('id'));
    }
  }
}
