import { LOCATION_TIMEOUT_MS, settle, SHEET_TIMEOUT_MS } from './call.ts';
import { webSupport } from './defaults.ts';
import type { CallOptions, HostId, Page, Position } from './hostBridge.ts';
import { HostError } from './hostError.ts';

/** Asks the browser for the position. Its prompt may take two minutes, the position 15 s. */
export function locate(
  host: HostId,
  win: Page | undefined,
  { signal, timeoutMs = SHEET_TIMEOUT_MS }: CallOptions = {},
): Promise<Position> {
  return settle<Position>({
    host,
    feature: 'location',
    timeoutMs,
    signal,
    start(reply, fail) {
      const failed = (code: 'UNSUPPORTED' | 'DENIED' | 'TIMEOUT' | 'UNAVAILABLE', cause?: unknown) =>
        fail(new HostError(code, { host, feature: 'location', retryable: code !== 'UNSUPPORTED', cause }));
      if (webSupport(win, 'location').state !== 'available') return failed('UNSUPPORTED');
      win!.navigator.geolocation.getCurrentPosition(
        ({ coords: { latitude, longitude, accuracy } }) => reply({ latitude, longitude, accuracy }),
        (cause) => failed(cause.code === 1 ? 'DENIED' : cause.code === 3 ? 'TIMEOUT' : 'UNAVAILABLE', cause),
        { timeout: LOCATION_TIMEOUT_MS, maximumAge: 60_000, enableHighAccuracy: true },
      );
    },
  });
}
