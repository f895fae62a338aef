import type { Controls } from './protocol.ts';

const BARS = { wifi: 4, '4g': 4, '3g': 3, '2g': 1, none: 0 } as const;

/** Strength of the network; the word beside it says it too. */
export function SignalIcon({ network }: { network: Controls['networkType'] }) {
  return (
    <svg viewBox="0 0 16 12" width="16" height="12" aria-hidden>
      {[0, 1, 2, 3].map((bar) => (
        <rect
          key={bar}
          x={bar * 4}
          y={9 - bar * 3}
          width="3"
          height={3 + bar * 3}
          rx="1"
          fill="currentColor"
          opacity={bar < BARS[network] ? 1 : 0.3}
        />
      ))}
    </svg>
  );
}
