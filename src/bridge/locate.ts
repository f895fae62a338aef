import { settle } from './call.ts';
import { DEADLINE_MS } from './deadlines.ts';
import { webSupport } from './web.ts';
import type { OpenHost } from './defineHost.ts';
import type { CallOptions, Position } from './hostBridge.ts';

/** Asks the browser for the position. Its prompt may take two minutes, the position 15 s. */
export function locate(
  { window: win, profile, error }: OpenHost,
  { signal, timeoutMs = DEADLINE_MS.permission }: CallOptions = {},
): Promise<Position> {
  return settle<Position>({
    host: profile.id,
    feature: 'location',
    timeoutMs,
    signal,
    start(reply, fail) {
      const failed = (code: 'UNSUPPORTED' | 'DENIED' | 'TIMEOUT' | 'UNAVAILABLE', cause?: unknown) =>
        fail(error(code, 'location', { retryable: code !== 'UNSUPPORTED', cause }));
      if (webSupport(win, 'location').state !== 'available') return failed('UNSUPPORTED');
      win!.navigator.geolocation.getCurrentPosition(
        ({ coords: { latitude, longitude, accuracy } }) =>
          Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
            ? reply({ latitude, longitude, accuracy })
            : failed('UNAVAILABLE'),
        (cause) => failed(cause.code === 1 ? 'DENIED' : cause.code === 3 ? 'TIMEOUT' : 'UNAVAILABLE', cause),
        { timeout: DEADLINE_MS.position, maximumAge: 60_000, enableHighAccuracy: true },
      );
    },
  });
}
