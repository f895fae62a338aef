import { vi } from 'vitest';

// A wait ends as soon as it holds, so a long limit costs nothing; a short one fails on a busy machine and shows nothing.
const AT_MOST_MS = 45_000;
const own = vi.waitFor;
vi.waitFor = (work, options) => own(work, options ?? { timeout: AT_MOST_MS, interval: 20 });
