/** In the page itself, before its first picture is asked for (slow-network mode, src/state/slow.ts). */
const { connection } = navigator as { connection?: { saveData?: boolean; effectiveType?: string } };
if (connection?.saveData || /2g$/.test(connection?.effectiveType ?? '')) document.documentElement.setAttribute('data-slow', '');

export {};
