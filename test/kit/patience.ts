import { vi } from 'vitest';

// Waits end as soon as their condition holds, so a long limit costs nothing; a short one only fails on a busy machine.
// Whoever tries mutants (test/mutants) waits for many that never come.
const AT_MOST_MS = Number(process.env['WAIT_MS'] ?? 45_000);
const own = vi.waitFor;
vi.waitFor = (work, options) => own(work, options ?? { timeout: AT_MOST_MS, interval: 20 });
