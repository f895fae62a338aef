import { fillPath, type Endpoint } from '../contract/endpoint.ts';
import type { Api, ApiConfig } from './api.ts';
import { Failure, isFailure } from './failure.ts';
import { headersOf } from './headers.ts';
import { MAX_REFRESH_THRESHOLD, type Refresher } from './refresh.ts';
import { readStream, refusal, type StreamOptions } from './stream.ts';

type Headers = Record<string, string>;

/** Time limit of a download, in ms. */
const DOWNLOAD_TIMEOUT_MS = 30_000;

async function blobOf(url: string, headers: Headers): Promise<Blob> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), DOWNLOAD_TIMEOUT_MS);
  try {
    const response = await fetch(url, { headers, credentials: 'omit', cache: 'no-store', signal: late.signal });
    if (!response.ok) throw await refusal(response);
    return await response.blob();
  } catch (thrown) {
    if (isFailure(thrown)) throw thrown;
    throw new Failure(late.signal.aborted ? 'timeout' : 'offline', { cause: thrown });
  } finally {
    clearTimeout(timer);
  }
}

/** Calls whose answer is not JSON: streams and files. */
export function aside(config: ApiConfig, refresher: Refresher): Pick<Api, 'follow' | 'download'> {
  /** Sends with a session, which is renewed where it has ended. */
  async function renewing<T>(
    endpoint: Endpoint,
    input: Readonly<Record<string, unknown>>,
    send: (url: string, headers: Headers) => Promise<T>,
  ): Promise<T> {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries((input['query'] ?? {}) as Record<string, unknown>))
      if (value !== undefined) search.set(name, String(value));
    const query = search.toString();
    const url = `${config.origin}${fillPath(endpoint.path, input)}${query && `?${query}`}`;
    await refresher.ensure();
    for (let refreshes = 0; ; refreshes += 1) {
      const identity = config.identity();
      try {
        return await send(url, headersOf(config, identity));
      } catch (thrown) {
        if (!isFailure(thrown) || thrown.kind !== 'expired' || refreshes >= MAX_REFRESH_THRESHOLD) throw thrown;
        await refresher.renew(identity.credentials?.accessToken ?? '');
      }
    }
  }

  return {
    follow: (endpoint, input, options) =>
      renewing(endpoint, input, (url, headers) => readStream(url, headers, endpoint, options as StreamOptions)),
    download: (endpoint, input) => renewing(endpoint, input, blobOf),
  };
}
