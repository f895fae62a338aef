import type { ReactNode } from 'react';

/**
 * What is read, said or typed elsewhere as it stands: a code, a number, an address, a name of ours. A browser that
 * translates the page leaves it alone (src/decisions/2026-11-28-translated-pages.md).
 */
export function Exact({ children }: { children: ReactNode }) {
  return <span translate="no">{children}</span>;
}
