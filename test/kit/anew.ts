import { vi } from 'vitest';

// Files that share a process read the product anew each; only the packages stay.
vi.resetModules();
